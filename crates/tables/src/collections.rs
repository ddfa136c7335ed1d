//! Collections by class: empty and sparse ones, and fill ratio.

use super::{Table, TableError};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::collections::{CollectionRow, collections};
use heaplens_analysis::filter::TextFilter;
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;
use heaplens_core::heap::ids::ClassId;

const COLUMNS: [Column; 10] = [
    columns::CLASS,
    column_with_help("objects", "Objects", "Number of collections of this class"),
    column_with_help("elements", "Elements", "Number of elements or entries in all collections of the class"),
    column_with_help("empty", "Empty", "Collections without elements"),
    column_with_help("single", "One element", "Collections with exactly one element"),
    column_with_help("sparse", "Sparse", "Collections that use less than a quarter of their capacity"),
    column_with_help("capacity", "Capacity", "Elements that the arrays of these collections can hold without growing"),
    column_with_help("fill_ratio", "Fill ratio", "Used part of the capacity"),
    column_with_help(
        "shallow_bytes",
        "Shallow size",
        "Bytes of the collections and their arrays, without the elements",
    ),
    column_with_help("wasted_bytes", "Wasted", "Bytes of unused capacity; for empty collections the whole array"),
];

/// The classes, most wasted bytes first.
pub struct Collections(pub Vec<(ClassId, CollectionRow)>);

impl Collections {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        Ok(Self(collections(from.heap, from.contents, from.analysis, task)?))
    }
}

impl Table for Collections {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some((class, row)) = self.0.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(from.heap.classes.get(*class).name.to_string()),
            1 => Cell::Count(row.objects),
            2 => Cell::Count(row.elements),
            3 => Cell::Count(row.empty),
            4 => Cell::Count(row.single),
            5 => Cell::Count(row.sparse),
            6 => Cell::Count(row.capacity),
            7 => row.fill_ratio().map_or(Cell::Nothing, Cell::Share),
            8 => Cell::Size(row.shallow),
            _ => Cell::Size(row.wasted),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.get(row).is_some_and(|(class, _)| filter.matches(&from.heap.classes.get(*class).name))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let rows = || rows.iter().filter_map(|&row| self.0.get(row as usize));
        vec![
            ("objects", Cell::Count(rows().map(|(_, row)| row.objects).sum())),
            ("wasted_bytes", Cell::Size(rows().map(|(_, row)| row.wasted).sum::<Bytes>())),
        ]
    }
}
