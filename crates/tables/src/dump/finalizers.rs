//! Objects with a pending finalizer, by class.

use crate::columns::{Cell, Columns, Item, heading, headings};
use crate::export::table_context::TableContext;
use crate::table::RowOf;
use crate::{TableError, Totals, TypedTable};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::finalizers::{FinalizerRow, finalizers};
use heaplens_base::task::Task;

pub(crate) const COLUMNS: Columns<Item<FinalizerRow>> = &[&[
    headings::CLASS.text(|row, from| from.class_name(row.class)),
    heading("state", "State", "running: finalizer executes; waiting: queued for finalization; registered: still alive")
        .text(|row, _| Some(row.state.name().into())),
    headings::OBJECTS.count(|row, _| Some(row.objects.len() as u64)),
    headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
]];

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

impl TypedTable for Finalizers {
    type Record = Item<FinalizerRow>;

    fn columns(&self) -> Columns<Self::Record> {
        COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.0.get(row)
    }

    fn passes(&self, from: TableContext<'_>, row: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&from.heap.classes.get(row.class).name)
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Totals {
        let rows = rows.iter().filter_map(|&row| self.0.get(row as usize));
        vec![("objects", Cell::Count(rows.map(|row| row.objects.len() as u64).sum()))]
    }
}
