//! GC roots by kind.

use super::Table;
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::roots::{RootsOfKind, roots_by_kind};

const COLUMNS: [Column; 3] = [
    column_with_help("kind", "Kind", "Reason why the objects are GC roots, such as thread or JNI global"),
    column_with_help("count", "Objects", "Number of root objects of this kind"),
    columns::RETAINED_BY_ALL,
];

/// Root kinds, largest retained size first.
pub struct Roots(pub Vec<RootsOfKind>);

impl Roots {
    /// Computes the rows.
    pub fn of(from: TableContext<'_>) -> Self {
        Self(roots_by_kind(from.contents, from.analysis))
    }
}

impl Table for Roots {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, _from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.0.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(row.kind.name().to_owned()),
            1 => Cell::Count(row.objects.len() as u64),
            _ => Cell::Size(row.retained),
        }
    }

    fn passes(&self, _from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.get(row).is_some_and(|row| filter.matches(row.kind.name()))
    }

    fn list(&self) -> (&'static str, bool) {
        ("kinds", false)
    }
}
