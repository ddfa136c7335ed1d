//! Builds a heap from nodes and edges after the rules were applied: rows are nodes in file order.

use std::sync::Mutex;

use super::{Snapshot, SnapshotTables, Statistics, rules::RuleOutput};
use crate::{
    AddressMap, Classes, Heap, ImportNote, ObjectId, Origin, Root, RootKind, builder::CompleteHeap, roots::Roots,
    sections, sizes::Sizes,
};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::{Links, links::transpose_links};

use std::sync::Arc;

/// Data from a reader, besides the results of the rules for nodes and edges.
pub struct SnapshotParts {
    /// Format, producer and size model of the file.
    pub origin: Origin,
    /// The classes.
    pub classes: Classes,
    /// The class of each node, as a raw id.
    pub class_of: Buffer<u32>,
    /// Id of each node in the file.
    pub ids: AddressMap,
    /// Memory by category.
    pub statistics: Statistics,
    /// Bytes of the embedder without a node.
    pub extra_native: u64,
    /// Parse warnings.
    pub notes: Vec<ImportNote>,
}

impl RuleOutput {
    /// The heap.
    pub fn build(self, named: SnapshotParts, budget: &MemoryBudget, task: &Task) -> Result<CompleteHeap, Cancelled> {
        let Self { root: top, sizes, split, distances, detached, has_user_roots, .. } = self;
        let rows = sizes.len();
        let (narrow, wide) = narrowed(&sizes, budget, task)?;
        drop(sizes);
        let shallow = Sizes::keep(narrow, wide, budget, task)?;
        let kept_alone = (0..rows as u32).filter(|&row| row != top && !split.held.contains(row));
        let root = |row, kind| ObjectId::from_raw(row).map(|object| Root { object, kind });
        let non_retaining = Arc::new(split.non_retaining);
        let (non_retaining_referrers, _) =
            transpose_links(non_retaining.view(), budget, sections::NON_RETAINING_REFERRERS, task)?;
        let kind = |row| match non_retaining_referrers.row(row) {
            [] => RootKind::NotRecorded,
            _ => RootKind::OnlyWeakly,
        };
        let roots = std::iter::once(root(top, RootKind::SnapshotRoot).filter(|_| rows > 0))
            .chain(kept_alone.map(|row| root(row, kind(row))));
        let roots = Roots::new(roots.flatten().collect());
        let snapshot = Snapshot {
            non_retaining: Links::keep(non_retaining, budget, sections::NON_RETAINING),
            non_retaining_kinds: budget.keep(sections::NON_RETAINING_KINDS, split.non_retaining_kinds),
            non_retaining_referrers,
            detached: budget.keep(sections::DETACHED, detached),
            tables: SnapshotTables {
                root: top,
                statistics: named.statistics,
                has_user_roots,
                extra_native: named.extra_native,
            },
            distances: Mutex::new(Some(distances)),
        };
        let references = Arc::new(split.essential);
        let heap = Heap {
            origin: named.origin,
            classes: named.classes,
            roots,
            notes: named.notes,
            addresses: named.ids.into(),
            class_of: budget.keep_numbers(sections::CLASS, named.class_of).into(),
            shallow: shallow.into(),
            offsets: Arc::default(),
            references: Links::keep(references.clone(), budget, sections::REFERENCES).into(),
            to_classes: 0,
            unresolved: 0,
            made: Arc::default(),
            referent_first: Arc::default(),
            regions: None,
            native: Arc::default(),
            snapshot: Some(Arc::new(snapshot)),
            freed: None,
        };
        Ok(CompleteHeap { heap, references })
    }
}

/// Rows whose ids do not fit into 32 bits, and these ids.
type Wide = Vec<(u32, u64)>;

/// 32-bit sizes, and the list of larger ones.
fn narrowed(sizes: &[u64], budget: &MemoryBudget, task: &Task) -> Result<(Buffer<u32>, Wide), Cancelled> {
    let mut narrow = budget.scratch::<u32>(sizes.len());
    let mut wide = Vec::new();
    for block in task.blocks(sizes.len()) {
        for row in block? {
            narrow[row] = match u32::try_from(sizes[row]) {
                Ok(size) if size != Sizes::WIDE => size,
                _ => {
                    wide.push((row as u32, sizes[row]));
                    Sizes::WIDE
                }
            };
        }
    }
    Ok((narrow, wide))
}
