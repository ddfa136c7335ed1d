//! GC roots by kind.

use crate::TypedTable;
use crate::columns::{Columns, Item, heading, headings};
use crate::export::table_context::TableContext;
use crate::table::RowOf;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::roots::{RootsOfKind, roots_by_kind};

pub(crate) const COLUMNS: Columns<Item<RootsOfKind>> = &[&[
    heading("kind", "Kind", "Reason why the objects are GC roots, such as thread or JNI global")
        .text(|row, _| Some(row.kind.name().into())),
    heading("count", "Objects", "Number of root objects of this kind").count(|row, _| Some(row.objects.len() as u64)),
    headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
]];

/// Root kinds, largest retained size first.
pub struct Roots(pub Vec<RootsOfKind>);

impl Roots {
    /// Computes the rows.
    pub fn of(from: TableContext<'_>) -> Self {
        Self(roots_by_kind(from.contents, from.analysis))
    }
}

impl TypedTable for Roots {
    type Record = Item<RootsOfKind>;

    fn columns(&self) -> Columns<Self::Record> {
        COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.0.get(row)
    }

    fn passes(&self, _from: TableContext<'_>, row: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(row.kind.name())
    }

    fn list(&self) -> (&'static str, bool) {
        ("kinds", false)
    }
}
