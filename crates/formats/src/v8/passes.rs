//! Queries that require a walk over all nodes or edges of the file: run once on request, never per frame.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::numbers::{MOST_FIELDS, Numbers, Records};
use super::{edges, meta::EdgeKind, nodes, reader::SnapshotReader};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{ObjectId, contents::NamedObjects};

const NONE: u32 = u32::MAX;

/// Number of strings between cancellation checks.
const STRINGS: usize = CHECKPOINT_EVERY >> 4;
/// Number of consecutive blocks of nodes read by one thread.
const BLOCKS: usize = CHECKPOINT_EVERY >> 6;

impl SnapshotReader<'_> {
    /// Nodes whose names begin with one of some texts, ascending.
    pub(super) fn nodes_beginning(self, texts: &[&str], task: &Task) -> Result<NamedObjects, Cancelled> {
        let count = self.index.strings.count() as usize;
        let fits: Vec<AtomicBool> = (0..count).map(|_| AtomicBool::new(false)).collect();
        fits.par_chunks(STRINGS).with_max_len(1).enumerate().try_for_each(|(block, fits)| {
            task.checkpoint()?;
            for (string, fits) in (block * STRINGS..).zip(fits) {
                let raw = u32::try_from(string).ok().and_then(|string| self.index.strings.raw(self.file, string));
                if raw.is_some_and(|raw| texts.iter().any(|text| raw.starts_with(text.as_bytes()))) {
                    fits.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        })?;
        let Some(&first) = self.index.nodes.blocks.first() else { return Ok(NamedObjects::default()) };
        let usize_of = |offset: u64| usize::try_from(offset).unwrap_or(self.file.len()).min(self.file.len());
        let numbers = Numbers::index(self.file, usize_of(first)..usize_of(self.index.nodes.end), true, task)?;
        let fields = &self.meta.node;
        let last = self.index.nodes.count;
        let pieces = numbers.read(self.file, fields.count, task, |records| {
            let (mut record, mut objects) = ([0; MOST_FIELDS], Vec::new());
            while let Some((row, _)) = records.next(&mut record) {
                let name = record.get(fields.name).copied().unwrap_or_default();
                let fits = usize::try_from(name).ok().and_then(|name| fits.get(name));
                if row < last && fits.is_some_and(|fits| fits.load(Ordering::Relaxed)) {
                    objects.push((row as u32, name as u32));
                }
            }
            objects
        })?;
        let objects = pieces.concat();
        let mut strings: Vec<u32> = objects.iter().map(|&(_, name)| name).collect();
        strings.sort_unstable();
        strings.dedup();
        let names = strings.iter().map(|&string| self.string(string).unwrap_or_default()).collect();
        let of = |(row, name): (u32, u32)| Some((ObjectId::from_raw(row)?, strings.binary_search(&name).ok()? as u32));
        Ok(NamedObjects { objects: objects.into_iter().filter_map(of).collect(), names })
    }

    /// By row, target of the first internal edge with a name; [`NONE`] if there is none.
    pub(super) fn internal_targets(self, name: &str, task: &Task) -> Result<Vec<u32>, Cancelled> {
        let blocks: Vec<usize> = (0..self.index.nodes.blocks.len()).collect();
        let pieces = blocks.par_chunks(BLOCKS).with_max_len(1).map(|blocks| {
            task.checkpoint()?;
            let mut targets = Vec::with_capacity(blocks.len() * nodes::APART as usize);
            blocks.iter().for_each(|&block| self.block_targets(block, name, &mut targets));
            Ok(targets)
        });
        Ok(pieces.collect::<Result<Vec<Vec<u32>>, Cancelled>>()?.concat())
    }

    /// The same for the nodes from one mark to the next.
    fn block_targets(self, block: usize, name: &str, targets: &mut Vec<u32>) {
        let (nodes, edges_at) = (&self.index.nodes, &self.index.edges);
        let (Some(&offset), Some(&begin)) = (nodes.blocks.get(block), self.index.first_edges.get(block)) else {
            return;
        };
        let within = |end: u64| usize::try_from(end).ok().and_then(|end| self.file.get(..end)).unwrap_or(self.file);
        let (node, edge) = (&self.meta.node, &self.meta.edge);
        let first = block as u64 * nodes::APART;
        let last = (first + nodes::APART).min(nodes.count);
        let mut rows = Records::at(within(nodes.end), offset, node.count, first, last);
        let mark = begin / edges::APART;
        let offset = usize::try_from(mark).ok().and_then(|mark| edges_at.blocks.get(mark)).copied();
        let end = if offset.is_some() { edges_at.count } else { 0 };
        let mut all = Records::at(within(edges_at.end), offset.unwrap_or(0), edge.count, mark * edges::APART, end);
        let mut record = [0; MOST_FIELDS];
        // The edges between the mark and the first of this block belong to earlier nodes.
        for _ in mark * edges::APART..begin {
            let _passed = all.next(&mut record);
        }
        while rows.next(&mut record).is_some() {
            let degree = record.get(node.edges).copied().unwrap_or_default();
            let mut target = NONE;
            for _ in 0..degree {
                let Some(_) = all.next(&mut record) else { break };
                let field = |at: usize| record.get(at).copied().unwrap_or_default();
                if target != NONE || self.meta.edge_kind(field(edge.kind)) != EdgeKind::Internal {
                    continue;
                }
                let string = u32::try_from(field(edge.name)).ok();
                if string.and_then(|string| self.index.strings.raw(self.file, string)) == Some(name.as_bytes()) {
                    target = node.row(field(edge.to), nodes.count).unwrap_or(NONE);
                }
            }
            targets.push(target);
        }
    }
}
