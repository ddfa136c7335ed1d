//! References of one object, with their names.

use std::collections::BTreeSet;

use super::{Table, optional};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::references::References;

const COLUMNS: [Column; 8] = [
    column_with_help("name", "Name", "Field, array index or kind of the reference"),
    column_with_help("kind", "Kind", "Kind of the reference: field, static, element, class and others"),
    column_with_help("id", "Object", "Address or id of the object at the other end"),
    columns::CLASS,
    columns::LABEL,
    columns::SHALLOW,
    columns::RETAINED,
    column_with_help("strength", "Strength", "Reference strength: strong, soft, weak, phantom or finalizer"),
];

/// The references that were read, and the number of objects at their other ends.
pub struct Neighbours(pub References);

impl Table for Neighbours {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.rows.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.0.rows.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(row.name.text.clone()),
            1 => Cell::Text(row.name.kind.name().to_owned()),
            2 => Cell::Text(from.heap.id_text(row.object)),
            3 => Cell::Text(row.class.clone()),
            4 => optional(row.label.clone()),
            5 => Cell::Size(row.shallow),
            6 => Cell::Size(row.retained),
            _ => Cell::Text(row.name.strength.name().to_owned()),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.rows.get(row).is_some_and(|row| filter.matches_object(&row.class, || row.label.clone()))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let objects = if rows.len() == self.0.rows.len() {
            // There may be more than were read.
            self.0.objects
        } else {
            let ends = rows.iter().filter_map(|&row| self.0.rows.get(row as usize)).map(|row| row.object);
            ends.collect::<BTreeSet<_>>().len() as u64
        };
        vec![("objects", Cell::Count(objects))]
    }
}
