//! Gaps between objects, by size.

use super::{Table, TableError};
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::gaps::{Gaps as GapSizes, gaps};
use heaplens_base::task::Task;

const COLUMNS: [Column; 2] = [
    column_with_help("gap_bytes", "Gap", "Unused bytes between two neighbouring objects"),
    column_with_help("count", "Gaps", "Number of gaps of this size"),
];

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

impl Table for Gaps {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn column(&self, key: &str) -> Option<usize> {
        let key = if key == "size" { "gap_bytes" } else { key };
        COLUMNS.iter().position(|column| column.key == key)
    }

    fn count(&self) -> usize {
        self.0.rows.len()
    }

    fn cell(&self, _from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(gap) = self.0.rows.get(row) else { return Cell::Nothing };
        if column == 0 { Cell::Size(gap.bytes) } else { Cell::Count(gap.count) }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.rows.get(row).is_some_and(|gap| filter.matches(&gap.bytes.0.to_string()))
    }

    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Vec<(&'static str, Cell)> {
        vec![
            ("gaps", Cell::Count(self.0.count)),
            ("bytes", Cell::Size(self.0.bytes)),
            ("overlaps", Cell::Count(self.0.overlaps)),
        ]
    }
}
