//! Columns of a kind of rows before there are rows: for queries and files of columns, which declare a table first.

use super::table_query::TableKind;
use crate::columns::ColumnInfo;
use crate::dump::javascript::{self, JavaScriptQuery};
use crate::dump::{
    bitmaps, classes, collections, finalizers, folded, gaps, groups, level, loaders, merged, objects, ownership,
    references, related, retained_set, roots, route, sites, strings, threads, waste,
};
use crate::table::infos;
use heaplens_analysis::dominator_tree::PartitionBy;

impl TableKind {
    /// All columns that the table may have, in their order, whether a dump has them or not. `None` if the rows are
    /// already computed: they bring their columns.
    pub fn columns(&self) -> Option<Vec<ColumnInfo>> {
        Some(match self {
            Self::Classes => infos(classes::COLUMNS),
            Self::Groups(by) => infos(groups::columns(*by)),
            Self::Objects | Self::ObjectsOf(_) | Self::Named(_) => infos(objects::COLUMNS),
            Self::Level(..) => infos(level::COLUMNS),
            Self::FoldedLevel(_) => infos(folded::COLUMNS),
            Self::References(..) => infos(references::COLUMNS),
            Self::Threads => infos(threads::COLUMNS),
            Self::Strings => infos(strings::COLUMNS),
            Self::Collections => infos(collections::COLUMNS),
            Self::Waste => infos(waste::COLUMNS),
            Self::Bitmaps => infos(bitmaps::COLUMNS),
            Self::Loaders => infos(loaders::COLUMNS),
            Self::Finalizers => infos(finalizers::COLUMNS),
            Self::Roots => infos(roots::COLUMNS),
            Self::Ownership(query) if query.every_object => infos(ownership::OBJECTS),
            Self::Ownership(_) => infos(ownership::ROOTS),
            Self::Gaps => infos(gaps::COLUMNS),
            Self::Route(_) => infos(route::COLUMNS),
            Self::RetainedSet(_) => infos(retained_set::COLUMNS),
            Self::Related(query) if query.group == PartitionBy::Class => infos(related::COLUMNS),
            Self::Related(_) => infos(related::GROUPS),
            Self::Sites => infos(sites::COLUMNS),
            Self::JavaScript(query) => infos_of_javascript(*query),
            Self::Merged(_) | Self::MergedByClass(_) => infos(merged::COLUMNS),
            Self::SnapshotLeaks(_) | Self::Changes(_) => return None,
        })
    }
}

fn infos_of_javascript(query: JavaScriptQuery) -> Vec<ColumnInfo> {
    match query {
        JavaScriptQuery::RetainedBy => infos(javascript::RETAINERS),
        JavaScriptQuery::NativeContexts => infos(javascript::CONTEXTS),
        JavaScriptQuery::Detached => infos(javascript::DETACHED),
        JavaScriptQuery::Closures => infos(javascript::CLOSURES),
        JavaScriptQuery::Timeline => infos(javascript::TIMELINE),
        JavaScriptQuery::Allocated { .. } => infos(javascript::ALLOCATED),
    }
}
