//! Objects and bytes by package, class loader or superclass.

use super::{Table, TableError, optional};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::grouping::{GroupBy, GroupRow, groups};
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;

/// Groups by loader also name the loader object.
const COLUMNS: [Column; 6] = [
    column_with_help("group", "Group", "Package, class loader or superclass that the row sums up"),
    column_with_help("classes", "Classes", "Number of classes with objects"),
    columns::OBJECTS,
    columns::SHALLOW_OF_ALL,
    columns::RETAINED_BY_ALL,
    column_with_help("id", "Object", "Address or id of the class loader or of the class object"),
];

/// The groups, largest shallow size first.
pub struct Groups {
    by: GroupBy,
    /// One row per group.
    pub rows: Vec<GroupRow>,
}

impl Groups {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, by: GroupBy, task: &Task) -> Result<Self, TableError> {
        Ok(Self { by, rows: groups(from.heap, from.contents, from.analysis, by, task)? })
    }
}

impl Table for Groups {
    fn columns(&self) -> &'static [Column] {
        if self.by == GroupBy::Loader { &COLUMNS } else { &COLUMNS[..5] }
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.rows.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(row.name.clone()),
            1 => Cell::Count(row.members.len() as u64),
            2 => Cell::Count(row.objects),
            3 => Cell::Size(row.shallow),
            4 => Cell::Size(row.retained),
            _ => optional(row.object.map(|object| from.heap.id_text(object))),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.rows.get(row).is_some_and(|row| filter.matches(&row.name))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let rows = rows.iter().filter_map(|&row| self.rows.get(row as usize));
        let (objects, shallow) = rows.fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
        vec![("objects", Cell::Count(objects)), ("shallow_bytes", Cell::Size(shallow))]
    }
}
