//! Who holds what is outside of the heap.

use std::sync::Arc;

use crate::columns::{Columns, Item, heading, headings};
use crate::relation::{Relation, relation};
use crate::{Job, List, TableContext, TableError};
use heaplens_analysis::native_owners::{NativeOwner, NativeOwnersQuestion};
use heaplens_base::Task;

pub(crate) const COLUMNS: Columns<Item<NativeOwner>> = &[&[
    heading("owner", "Held by", "Field, variable or thread that holds it, as the source names it")
        .text(|row, _| row.name.as_deref().map(Into::into)),
    heading("kind", "Kind", "What it is: direct-buffer, arena, mapped-file, array-buffer, open-file, socket, …")
        .text(|row, _| Some(row.kind.name().into())),
    heading("objects", "Objects", "Number of objects that have it, such as direct buffers or sockets")
        .count(|row, _| Some(row.objects)),
    heading("native_bytes", "Native", "Their memory outside the heap; of a mapped file, its addresses")
        .bytes(|row, _| row.kind.has_bytes().then_some(row.bytes)),
    heading("shared_bytes", "Also held by others", "Part of it that another field or variable holds, too")
        .bytes(|row, _| row.kind.has_bytes().then_some(row.shared)),
    headings::ID.object(|row, _| Some(row.object)),
]];

/// Owners, most bytes first.
pub const NATIVE_OWNERS: Relation = relation!("native", COLUMNS)
    .named("native_owners", "Native memory, open files and sockets by what holds them")
    .with_help(Job::Process.more(), "List what holds memory outside the heap, open files and sockets")
    .sorted_by("native_bytes")
    .naming_objects()
    .computed("Native memory", |dump, _, task| Ok(Arc::new(owners_table(dump, task)?)));

/// Owners, most bytes first.
pub fn owners_table(dump: TableContext<'_>, task: &Task) -> Result<List<NativeOwner>, TableError> {
    let rows = Vec::clone(&*dump.data().answer(&NativeOwnersQuestion, task)?);
    let table = List::new(COLUMNS, rows);
    Ok(table.with_filter(|row, _, filter| {
        let name = row.qualified.as_deref().unwrap_or_default();
        filter.matches(name)
            || row.name.as_deref().is_some_and(|name| filter.matches(name))
            || filter.matches(row.kind.name())
    }))
}
