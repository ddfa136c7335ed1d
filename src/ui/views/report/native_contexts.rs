//! Memory per native context (page, iframe, `vm` context); below each, by class, the objects that belong to it alone.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::native_contexts as column;
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::reports::native_contexts;

/// The report.
pub const NATIVE_CONTEXTS: Kind = Kind {
    name: "Native contexts",
    columns: &[
        Column::naming(column("name"), "Global scope of a page, iframe or vm context; below it its classes", 260.0),
        Column::of(column("objects"), 96.0, 6).about("Number of objects that belong only to this context"),
        Column::of(column("shallow_bytes"), 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by context or class",
    nothing: ("No native contexts", "The snapshot contains no native contexts"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::NativeContexts)),
    make: native_contexts::rows,
};
