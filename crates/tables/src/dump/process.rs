//! The memory of the process in parts.

use std::sync::Arc;

use crate::columns::{Columns, Item, heading};
use crate::relation::{Relation, relation};
use crate::{List, TableContext, TableError};
use heaplens_analysis::process::{ProcessMemory, ProcessPart, ProcessQuestion};
use heaplens_base::{Share, Task};

/// A part, with what only the answer tells.
#[derive(Debug, Clone)]
pub struct PartRow {
    /// The part.
    pub part: ProcessPart,
    /// Its share of the resident memory, if that was recorded.
    pub share: Option<Share>,
}

pub(crate) const COLUMNS: Columns<Item<PartRow>> = &[&[
    heading("part", "Part", "Part of the memory of the process").text(|row, _| Some(row.part.title().into())),
    heading("kind", "Kind", "Stable word of the part: live-heap, direct-buffers, unexplained, …")
        .text(|row, _| Some(row.part.kind.name().into())),
    heading("bytes", "Size", "Resident bytes if the process was recorded, else those that the dump tells")
        .bytes(|row, _| Some(row.part.bytes)),
    heading("share", "Share", "Share of the resident memory of the process").share(|row, _| row.share),
    heading("known", "Known by", "measured: counted. inferred: from addresses and sizes. assumed: what is usual")
        .text(|row, _| Some(row.part.basis.name().into())),
    heading("count", "Number", "Number of things in it: objects, buffers, threads, files")
        .count(|row, _| row.part.count),
    heading("owner", "Mostly held by", "Field, threads or class loaders that have most of it")
        .text(|row, _| row.part.holder.as_deref().map(Into::into)),
    heading("about", "About", "What its figure is from")
        .text(|row, _| Some(row.part.about.as_str()).filter(|about| !about.is_empty()).map(Into::into)),
]];

/// Parts of the process, largest first.
pub const PROCESS: Relation = relation!("process", COLUMNS)
    .named("process_parts", "Memory of the process in parts; needs a record of the process to add up")
    .computed("Process", |dump, _, task| {
        let memory = dump.data().answer(&ProcessQuestion, task)?;
        Ok(Arc::new(parts_table(&memory)))
    });

/// The parts of an answer.
pub fn parts_table(memory: &ProcessMemory) -> List<PartRow> {
    let row = |part: &ProcessPart| PartRow {
        part: part.clone(),
        share: memory.resident.map(|resident| Share::of(part.bytes, resident)),
    };
    let table = List::new(COLUMNS, memory.parts.iter().map(row).collect());
    table.with_filter(|row, _, filter| {
        filter.matches(row.part.title()) || row.part.holder.as_deref().is_some_and(|owner| filter.matches(owner))
    })
}

/// The parts of a dump.
///
/// # Errors
/// When `task` is cancelled.
pub(crate) fn process_table(
    dump: TableContext<'_>,
    task: &Task,
) -> Result<(Arc<ProcessMemory>, List<PartRow>), TableError> {
    let memory = dump.data().answer(&ProcessQuestion, task)?;
    let table = parts_table(&memory);
    Ok((memory, table))
}
