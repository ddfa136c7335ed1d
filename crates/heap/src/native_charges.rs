//! Where the native memory of an object counts in the dominator tree.
//!
//! A cleaner has a phantom reference to the object whose memory it frees. Such a reference counts in retained sizes, as in
//! Eclipse MAT, so that no holder dominates a direct buffer. But it does not keep the memory: when only it is left, the
//! memory is freed. So the memory counts at the nearest common dominator of all other objects that refer to its owner.

use serde::{Deserialize, Serialize};

use super::{Heap, ObjectId, Strength, dominance::Dominance, native::NativeKind, shortest_paths::ShortestPaths};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::{Links, NONE, SparseSums};
use rustc_hash::FxHashSet;

/// Maximum number of steps up the tree for one owner, and of positions that are remembered: bounds the work on
/// degenerate trees.
const STEPS: usize = 100_000;
const REMEMBERED: usize = 1 << 22;

/// Native memory that counts elsewhere than at its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MovedCharge {
    /// Row of the owner.
    pub(super) row: u32,
    /// Position in the dominator tree where it counts; 0 is above all objects.
    pub(super) preorder: u32,
    pub(super) bytes: u64,
}

/// Native memory by position in the dominator tree.
#[derive(Debug, Default)]
pub(super) struct Charges {
    /// All of it.
    pub(super) weights: Vec<(u32, u64)>,
    /// What counts elsewhere than at its owner, by row.
    pub(super) moved: Vec<MovedCharge>,
}

/// True if an object has its native memory until it is collected: a phantom reference alone does not keep it.
pub(super) fn is_live(kind: NativeKind, strength: Strength) -> bool {
    kind == NativeKind::Registered || strength != Strength::Phantom
}

/// Charges the native memory of all reachable objects.
pub(super) fn charges(
    heap: &Heap,
    retainers: &Links,
    dominance: &Dominance,
    paths: &ShortestPaths,
    task: &Task,
) -> Result<Charges, Cancelled> {
    let mut charges = Charges::default();
    for (at, owned) in heap.native_bytes().all().enumerate() {
        task.checkpoint_at(at)?;
        let (object, bytes) = (owned.object, owned.bytes.0);
        let Some(own) = dominance.preorder(object) else { continue };
        if !is_live(owned.kind, paths.strength(object.raw())) {
            continue;
        }
        let preorder = match owned.kind {
            NativeKind::Registered => own,
            _ => charged_at(heap, retainers.row(object.raw()), dominance, paths, object).unwrap_or(own),
        };
        charges.weights.push((preorder, bytes));
        if preorder != own {
            charges.moved.push(MovedCharge { row: object.raw(), preorder, bytes });
        }
    }
    Ok(charges)
}

/// Position of the nearest common dominator of all that keep an object; `None` if that is its immediate dominator anyway, or
/// if it is a GC root.
fn charged_at(
    heap: &Heap,
    retainers: &[u32],
    dominance: &Dominance,
    paths: &ShortestPaths,
    object: ObjectId,
) -> Option<u32> {
    let subtree = dominance.subtree(object)?;
    let (mut keepers, mut has_cleaner) = (Vec::new(), false);
    for from in retainers.chunk_by(|one, next| one == next).filter_map(|same| ObjectId::from_raw(*same.first()?)) {
        let Some(position) = dominance.preorder(from) else { continue };
        let is_referent = heap.is_phantom_of(from, object);
        has_cleaner |= is_referent;
        let is_kept_itself = paths.strength(from.raw()) != Strength::Phantom;
        if !is_referent && is_kept_itself && !subtree.contains(&position) {
            keepers.push(position);
        }
    }
    let is_root = !dominance.roots.of(object).is_empty();
    if !has_cleaner || is_root {
        return None;
    }
    let (&first, others) = keepers.split_first()?;
    let (low, high) = others.iter().fold((first, first), |(low, high), &at| (low.min(at), high.max(at)));
    let tree = &dominance.tree;
    let mut above = first;
    for _ in 0..STEPS {
        // The positions of a subtree are a range.
        if above == 0 || (above <= low && high <= above + tree.below(above)) {
            return Some(above);
        }
        above = tree.parent(above);
    }
    Some(0)
}

/// Adds memory that counts elsewhere than at its owner to the sums of the owners' groups, unless an object of the group is
/// above the position where it counts.
pub(super) fn add_moved(
    totals: &mut [u64],
    moved: &[MovedCharge],
    dominance: &Dominance,
    group_of: impl Fn(ObjectId) -> u32,
) {
    let (tree, mut without) = (&dominance.tree, FxHashSet::default());
    for charge in moved {
        let Some(group) = ObjectId::from_raw(charge.row).map(&group_of).filter(|&group| group != NONE) else {
            continue;
        };
        let mut at = charge.preorder;
        let mut passed = Vec::new();
        let is_inside = loop {
            if at == 0 || passed.len() >= STEPS || without.contains(&(group, at)) {
                break false;
            }
            if tree.node(at).and_then(ObjectId::from_raw).map(&group_of) == Some(group) {
                break true;
            }
            passed.push(at);
            at = tree.parent(at);
        };
        if !is_inside {
            if without.len() < REMEMBERED {
                without.extend(passed.into_iter().map(|at| (group, at)));
            }
            totals.get_mut(group as usize).into_iter().for_each(|total| *total = total.saturating_add(charge.bytes));
        }
    }
}

/// Native memory below an object and its own, which may count elsewhere.
pub(super) fn retained(sums: &SparseSums, moved: &[MovedCharge], dominance: &Dominance, object: ObjectId) -> u64 {
    let below = dominance.subtree(object).map_or(0, |preorders| sums.of(preorders));
    let own = moved.binary_search_by_key(&object.raw(), |charge| charge.row);
    below.saturating_add(own.ok().and_then(|at| moved.get(at)).map_or(0, |charge| charge.bytes))
}
