//! The memory of the process in parts.

use std::sync::Arc;

use crate::List;
use crate::columns::{Column, Columns, Item, heading};
use crate::relation::{Relation, relation};
use heaplens_analysis::process::{ProcessGrowth, ProcessMemory, ProcessPart, ProcessQuestion};
use heaplens_base::{ByteDelta, Bytes, Share};

/// A part, with what only the answer tells.
#[derive(Debug, Clone)]
pub struct PartRow {
    /// The part.
    pub part: ProcessPart,
    /// Its share of the resident memory, if that was recorded.
    pub share: Option<Share>,
    /// Its bytes in an earlier dump, if there is one.
    pub before: Option<Bytes>,
}

const AMOUNT: &[Column<Item<PartRow>>] = &[
    heading("part", "Part", "Part of the memory of the process").text(|row, _| Some(row.part.title().into())),
    heading("kind", "Kind", "Stable word of the part: live-heap, direct-buffers, unexplained, …")
        .text(|row, _| Some(row.part.kind.name().into())),
    heading("bytes", "Size", "Resident bytes if the process was recorded, else those that the dump tells")
        .bytes(|row, _| Some(row.part.bytes)),
];
const CHANGE: &[Column<Item<PartRow>>] = &[
    heading("before_bytes", "Before", "The same in the earlier dump").bytes(|row, _| row.before),
    heading("delta_bytes", "Δ size", "Change since the earlier dump (after − before)")
        .byte_delta(|row, _| row.before.map(|before| ByteDelta::between(before, row.part.bytes))),
];
const FACTS: &[Column<Item<PartRow>>] = &[
    heading("share", "Share", "Share of the resident memory of the process").share(|row, _| row.share),
    heading("known", "Known by", "measured: counted. inferred: from addresses and sizes. assumed: what is usual")
        .text(|row, _| Some(row.part.basis.name().into())),
    heading("count", "Number", "Number of things in it: objects, buffers, threads, files")
        .count(|row, _| row.part.count),
    heading("owner", "Mostly held by", "Field, threads or class loaders that have most of it")
        .text(|row, _| row.part.holder.as_deref().map(Into::into)),
    heading("about", "About", "What its figure is from")
        .text(|row, _| Some(row.part.about.as_str()).filter(|about| !about.is_empty()).map(Into::into)),
];
pub(crate) const COLUMNS: Columns<Item<PartRow>> = &[AMOUNT, FACTS];
/// The columns with an earlier dump.
pub(crate) const COMPARED: Columns<Item<PartRow>> = &[AMOUNT, CHANGE, FACTS];

/// Parts of the process, largest first.
pub const PROCESS: Relation = relation!("process", COLUMNS)
    .named("process_parts", "Memory of the process in parts; needs a record of the process to add up")
    .computed("Process", |dump, _, task| {
        let memory = dump.data().answer(&ProcessQuestion, task)?;
        Ok(Arc::new(parts_table(&memory, None)))
    });

/// The parts of an answer; with an earlier one, those that are no more as well.
pub fn parts_table(memory: &ProcessMemory, before: Option<&ProcessMemory>) -> List<PartRow> {
    let row = |part: ProcessPart, before: Option<Bytes>| PartRow {
        share: memory.resident.map(|resident| Share::of(part.bytes, resident)),
        part,
        before,
    };
    let (columns, rows) = match before {
        Some(before) => {
            let growth = ProcessGrowth { before, after: memory };
            (COMPARED, growth.parts().into_iter().map(|change| row(change.part, Some(change.before))).collect())
        }
        None => (COLUMNS, memory.parts.iter().map(|part| row(part.clone(), None)).collect()),
    };
    List::new(columns, rows).with_filter(|row, _, filter| {
        filter.matches(row.part.title()) || row.part.holder.as_deref().is_some_and(|owner| filter.matches(owner))
    })
}
