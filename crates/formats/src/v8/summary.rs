//! Per-node results: the first histogram, flags for rules, bytes by category.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::meta::{Meta, NodeKind};
use super::words::{KnownWords, Word};
use super::{nodes::Nodes, strings::Strings, text::MISSING_NAME};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::snapshot::{Statistics, node};
use heaplens_heap::{Census, CensusRow, Origin, snapshot::rules::RuleOutput};

/// Data read so far.
pub(super) struct SummaryInput<'a> {
    pub(super) file: &'a [u8],
    pub(super) meta: &'a Meta,
    pub(super) nodes: &'a Nodes,
    pub(super) strings: &'a Strings,
    pub(super) known: &'a KnownWords,
}

impl SummaryInput<'_> {
    pub(super) fn kind(&self, row: usize) -> NodeKind {
        self.nodes.kind(self.meta, row)
    }

    pub(super) fn name(&self, row: usize) -> u32 {
        self.nodes.names.get(row).copied().unwrap_or(u32::MAX)
    }
}

/// First histogram: nodes by type, objects by name, before any reference is known.
pub(super) fn census(input: &SummaryInput<'_>, origin: Origin, task: &Task) -> Result<Census, Cancelled> {
    type Counts = FxHashMap<(u8, u32), (u64, u64)>;
    let counted = task.par_blocks(input.nodes.len()).map(|rows| {
        let mut counts = Counts::default();
        for row in rows? {
            let of = input.nodes.kinds.get(row).copied().unwrap_or(u8::MAX);
            let is_named = matches!(input.kind(row), NodeKind::Object | NodeKind::Native);
            let name = if is_named { input.name(row) } else { u32::MAX };
            let (objects, bytes) = counts.entry((of, name)).or_default();
            *objects += 1;
            *bytes = bytes.saturating_add(input.nodes.sizes.get(row).copied().unwrap_or_default());
        }
        Ok(counts)
    });
    let counts = counted.try_reduce(Counts::default, |mut all, more| {
        let mut more: Vec<_> = more.into_iter().collect();
        more.sort_unstable();
        for (key, (objects, bytes)) in more {
            let of = all.entry(key).or_default();
            *of = (of.0 + objects, of.1.saturating_add(bytes));
        }
        Ok(all)
    })?;
    let mut rows: Vec<((u8, u32), (u64, u64))> = counts.into_iter().collect();
    rows.sort_unstable();
    let rows = rows.into_iter().map(|((of, name), (objects, bytes))| {
        let class = match input.meta.node_kind(of) {
            NodeKind::Object | NodeKind::Native => {
                input.strings.name(input.file, name).unwrap_or_else(|| MISSING_NAME.to_owned())
            }
            _ => input.meta.class_of_type(of),
        };
        CensusRow { class: class.into(), objects, shallow: Bytes(bytes) }
    });
    Ok(Census::new(origin, rows.collect()))
}

/// Flags of each node for rules, as bits of [`node`].
pub(super) fn flags(
    input: &SummaryInput<'_>,
    elements: &[(u32, u32)],
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Buffer<u8>, Cancelled> {
    let mut flags = budget.scratch::<u8>(input.nodes.len());
    flags.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().try_for_each(|(block, flags)| {
        task.checkpoint()?;
        for (row, flags) in (block * CHECKPOINT_EVERY..).zip(flags) {
            let (kind, is) = (input.kind(row), |word| input.known.is(input.name(row), word));
            *flags = match kind {
                NodeKind::Synthetic if is(Word::Documents) => node::SYNTHETIC | node::DOCUMENTS,
                NodeKind::Synthetic => node::SYNTHETIC,
                NodeKind::Native => node::NATIVE,
                _ => 0,
            };
            let is_external = kind == NodeKind::Native && is(Word::ExternalStringData);
            if is_external || matches!(kind, NodeKind::Hidden | NodeKind::Array) {
                *flags |= node::OWNABLE;
            }
        }
        Ok(())
    })?;
    for &(_, store) in elements {
        flags.get_mut(store as usize).into_iter().for_each(|flags| *flags |= node::ELEMENTS);
    }
    Ok(flags)
}

/// Native nodes with "Detached" in their names, ascending: for files that do not record it otherwise.
pub(super) fn named_detached(input: &SummaryInput<'_>) -> Vec<u32> {
    let is_detached = |&row: &usize| {
        input.kind(row) == NodeKind::Native && input.known.detached.binary_search(&input.name(row)).is_ok()
    };
    (0..input.nodes.len()).into_par_iter().filter(is_detached).map(|row| row as u32).collect()
}

pub(super) fn plain_objects(input: &SummaryInput<'_>) -> u64 {
    let is_plain = |&row: &usize| input.kind(row) == NodeKind::Object && input.known.is(input.name(row), Word::Object);
    (0..input.nodes.len()).into_par_iter().filter(is_plain).count() as u64
}

/// Memory by category.
pub(super) fn statistics(
    input: &SummaryInput<'_>,
    ruled: &RuleOutput,
    elements: &[(u32, u32)],
    extra_native: u64,
    task: &Task,
) -> Result<Statistics, Cancelled> {
    let size = |row: usize| Bytes(ruled.sizes.get(row).copied().unwrap_or_default());
    let counted = task.par_blocks(input.nodes.len()).map(|rows| {
        let mut sums = Statistics::default();
        for row in rows? {
            let (bytes, name) = (size(row), input.name(row));
            sums.total += bytes;
            match input.kind(row) {
                NodeKind::Hidden => sums.system += bytes,
                NodeKind::Native => {
                    sums.native += bytes;
                    // Detached ones have another name and no longer match.
                    if input.known.is(name, Word::ArrayBufferData)
                        && ruled.detached.binary_search(&(row as u32)).is_err()
                    {
                        sums.typed_arrays += bytes;
                    }
                }
                NodeKind::Code => sums.code += bytes,
                NodeKind::String | NodeKind::ConcatenatedString | NodeKind::SlicedString => sums.strings += bytes,
                _ if input.known.is(name, Word::Array) => {
                    let at = elements.binary_search_by_key(&(row as u32), |&(array, _)| array).ok();
                    let store = at.and_then(|at| elements.get(at)).map(|&(_, store)| store as usize);
                    let own = |&store: &usize| {
                        let flags = ruled.flags.get(store).copied().unwrap_or_default();
                        flags & (node::ONE_EDGE | node::MORE_EDGES) == node::ONE_EDGE
                    };
                    sums.js_arrays += bytes + store.filter(own).map_or(Bytes(0), size);
                }
                _ => {}
            }
        }
        Ok(sums)
    });
    let mut sums = counted.try_reduce(Statistics::default, |mut all, more| {
        all += more;
        Ok(all)
    })?;
    sums.native += Bytes(extra_native);
    sums.total += Bytes(extra_native);
    Ok(sums)
}
