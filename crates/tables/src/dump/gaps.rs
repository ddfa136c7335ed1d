//! Gaps between objects, by size.

use crate::columns::{Cell, Columns, Item, heading};
use crate::export::table_context::TableContext;
use crate::table::RowOf;
use crate::{TableError, Totals, TypedTable};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::gaps::{Gap, Gaps as GapSizes, gaps};
use heaplens_base::task::Task;

pub(crate) const COLUMNS: Columns<Item<Gap>> = &[&[
    heading("gap_bytes", "Gap", "Unused bytes between two neighbouring objects")
        .alias("size")
        .bytes(|gap, _| Some(gap.bytes)),
    heading("count", "Gaps", "Number of gaps of this size").count(|gap, _| Some(gap.count)),
]];

/// The gaps, largest first.
pub struct Gaps(pub GapSizes);

impl Gaps {
    /// Computes the rows.
    ///
    /// # Errors
    /// If ids are not addresses, or the task is cancelled.
    pub fn of(from: TableContext<'_>, task: &Task) -> Result<Self, TableError> {
        let found = gaps(from.heap, task)?;
        found.map(Self).ok_or_else(|| {
            TableError::InvalidQuery("no gaps: the object ids of this format are not addresses".to_owned())
        })
    }
}

impl TypedTable for Gaps {
    type Record = Item<Gap>;

    fn columns(&self) -> Columns<Self::Record> {
        COLUMNS
    }

    fn count(&self) -> usize {
        self.0.rows.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.0.rows.get(row)
    }

    fn passes(&self, _from: TableContext<'_>, gap: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&gap.bytes.0.to_string())
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Totals {
        vec![
            ("gaps", Cell::Count(self.0.count)),
            ("bytes", Cell::Size(self.0.bytes)),
            ("overlaps", Cell::Count(self.0.overlaps)),
        ]
    }
}
