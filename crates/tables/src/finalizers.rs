//! Objects with a pending finalizer, by class.

use super::{Table, TableError};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::finalizers::{FinalizerRow, finalizers};
use heaplens_base::task::Task;

const COLUMNS: [Column; 4] = [
    columns::CLASS,
    column_with_help(
        "state",
        "State",
        "running: finalizer executes; waiting: queued for finalization; registered: still alive",
    ),
    columns::OBJECTS,
    columns::RETAINED_BY_ALL,
];

/// Running, waiting, then registered finalizers.
pub struct Finalizers(pub Vec<FinalizerRow>);

impl Finalizers {
    /// Computes the rows.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        Ok(Self(finalizers(from.heap, from.contents, from.analysis, task)?))
    }
}

impl Table for Finalizers {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.0.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(from.heap.classes.get(row.class).name.to_string()),
            1 => Cell::Text(row.state.name().to_owned()),
            2 => Cell::Count(row.objects.len() as u64),
            _ => Cell::Size(row.retained),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.get(row).is_some_and(|row| filter.matches(&from.heap.classes.get(row.class).name))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let rows = rows.iter().filter_map(|&row| self.0.get(row as usize));
        vec![("objects", Cell::Count(rows.map(|row| row.objects.len() as u64).sum()))]
    }
}
