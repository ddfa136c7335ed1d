//! Owners of engine-internal nodes. The elements of an array, the properties of an object and the table of a map are
//! nodes of their own in the file, and mean nothing to the author of the program. As in newer versions of DevTools,
//! their bytes count for the one object that owns them.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::edges::Edges;
use super::flags::{kind, node};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::NONE;

/// Several owners.
const MANY: u32 = NONE - 1;

/// Moves the size of every ownable node to its owner, if it has exactly one that is neither a synthetic node nor the
/// root. Targets of an ownable node inherit its owner. The result is independent of any order.
pub(super) fn transfer(
    edges: &Edges,
    root: u32,
    flags: &[u8],
    sizes: &mut Buffer<u64>,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<(), Cancelled> {
    let nodes = flags.len();
    // 0: no owner yet; otherwise the owner plus 1.
    let mut owner = budget.buffer::<u32>(nodes);
    let owners: &[AtomicU32] = owner.shared();
    let is = |row: u32, flag: u8| flags.get(row as usize).is_some_and(|of| of & flag != 0);
    let spread = |row: u32, by: u32, changed: &mut Vec<u32>| {
        let onward = edges.of(row).filter(|&(to, kind)| kind & kind::WEAK == 0 && is(to, node::OWNABLE));
        onward.for_each(|(to, _)| {
            if owners.get(to as usize).is_some_and(|of| claim(of, by)) {
                changed.push(to);
            }
        });
    };
    let blocks = task.par_blocks(nodes).map(|rows| {
        let mut changed = Vec::new();
        for row in rows?.map(|row| row as u32).filter(|&row| !is(row, node::OWNABLE)) {
            spread(row, row + 1, &mut changed);
        }
        Ok(changed)
    });
    let mut waiting: Vec<u32> = blocks.collect::<Result<Vec<_>, Cancelled>>()?.concat();
    // Each node passes on its owner at most twice: once as a single one, once as "many".
    while !waiting.is_empty() {
        let pieces = waiting.par_chunks(CHECKPOINT_EVERY / 16).map(|piece| {
            task.checkpoint()?;
            let mut changed = Vec::new();
            for &row in piece {
                let by = owners.get(row as usize).map_or(0, |of| of.load(Ordering::Relaxed));
                spread(row, by, &mut changed);
            }
            Ok(changed)
        });
        waiting = pieces.collect::<Result<Vec<_>, Cancelled>>()?.concat();
    }
    for block in task.blocks(nodes) {
        for row in block? {
            let Some(of) = owner.get(row).copied().filter(|&of| of != 0 && of != MANY) else { continue };
            let of = of - 1;
            if of == root || is(of, node::SYNTHETIC) {
                continue;
            }
            let moved = sizes.get_mut(row).map_or(0, std::mem::take);
            if let Some(size) = sizes.get_mut(of as usize) {
                *size = size.saturating_add(moved);
            }
        }
    }
    Ok(())
}

/// Records `by` (a node plus 1, or [`MANY`]) as a further owner; returns true if that changes the owner.
#[inline]
fn claim(of: &AtomicU32, by: u32) -> bool {
    let mut before = of.load(Ordering::Relaxed);
    loop {
        let after = match before {
            0 => by,
            MANY => return false,
            one if one == by => return false,
            _ => MANY,
        };
        match of.compare_exchange_weak(before, after, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(now) => before = now,
        }
    }
}
