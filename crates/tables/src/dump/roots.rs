//! GC roots by kind.

use std::sync::Arc;

use crate::columns::{Columns, Item, heading, headings};
use crate::relation::{Relation, relation};
use crate::{List, TableContext};
use heaplens_analysis::roots::{RootsOfKind, roots_by_kind};

pub(crate) const COLUMNS: Columns<Item<RootsOfKind>> = &[&[
    heading("kind", "Kind", "Reason why the objects are GC roots, such as thread or JNI global")
        .text(|row, _| Some(row.kind.name().into())),
    heading("count", "Objects", "Number of root objects of this kind").count(|row, _| Some(row.objects.len() as u64)),
    headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
]];

/// GC roots by kind.
pub const ROOTS: Relation = relation!("roots", COLUMNS)
    .named("root_kinds", "GC roots by kind")
    .sorted_by("retained_bytes")
    .computed("GC roots", |dump, _, _| Ok(Arc::new(root_table(dump))));

/// Root kinds, largest retained size first.
pub(crate) fn root_table(dump: TableContext<'_>) -> List<RootsOfKind> {
    let rows = roots_by_kind(dump.contents, dump.analysis);
    List::new(COLUMNS, rows).with_name("kinds").with_filter(|row, _, filter| filter.matches(row.kind.name()))
}
