//! Which edges hold what they lead to: the *essential* ones, of which alone the dominators know.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::edges::Edges;
use super::{Snapshot, kind, node};
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::graph::csr::Csr;
use crate::graph::reach::reach;
use crate::storage::space::Space;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Edges apart: those that hold, and the others.
pub(super) struct Split {
    pub(super) essential: Csr,
    pub(super) beside: Csr,
    /// Bits of [`kind`] of the others, edge by edge.
    pub(super) beside_kinds: Vec<u8>,
    /// Nodes that an essential edge leads to.
    pub(super) held: Bits,
}

/// What the page owns: all that its globals and its documents lead to, however, but by weak edges. `None` where the
/// root leads to none of these.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub(super) fn of_page(edges: &Edges, flags: &[u8], task: &Task) -> Result<Option<Bits>, Cancelled> {
    let is_documents = |row: u32| flags.get(row as usize).is_some_and(|flags| flags & node::DOCUMENTS != 0);
    let begin: Vec<u32> = edges
        .of(Snapshot::ROOT)
        .filter(|&(to, how)| how & kind::SHORTCUT != 0 || (how & kind::ELEMENT != 0 && is_documents(to)))
        .map(|(to, _)| to)
        .collect();
    if begin.is_empty() {
        return Ok(None);
    }
    let rows = edges.rows.view();
    reach(
        flags.len(),
        &begin,
        |row, found| {
            let range = rows.range(row);
            for (&to, &how) in rows.row(row).iter().zip(&edges.kinds[range]) {
                if how & kind::WEAK == 0 {
                    found.meet(to);
                }
            }
        },
        task,
    )
    .map(Some)
}

/// Puts essential edges and others apart. `page` is what the page owns, where that counts; `pairs_hold` says that both
/// edges of a WeakMap's entry do.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub(super) fn split(
    edges: Edges,
    page: Option<&Bits>,
    pairs_hold: bool,
    space: &Space,
    task: &Task,
) -> Result<Split, Cancelled> {
    let nodes = edges.rows.rows();
    let rows = edges.rows.view();
    let table = if pairs_hold { 0 } else { kind::OF_TABLE };
    let is_essential = |from: u32, to: u32, how: u8| {
        let of_root = from == Snapshot::ROOT;
        how & (kind::WEAK | table) == 0
            && from != to
            && (of_root
                || how & kind::SHORTCUT == 0 && page.is_none_or(|page| !page.contains(to) || page.contains(from)))
    };
    let held: Vec<AtomicU64> = (0..nodes.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let mut degrees = space.buffer::<u32>(nodes + 1);
    let blocks = degrees[..nodes].par_chunks_mut(CHECKPOINT_EVERY).enumerate().map(|(block, degrees)| {
        task.checkpoint()?;
        let mut others = Others::default();
        for (row, degree) in ((block * CHECKPOINT_EVERY) as u32..).zip(degrees) {
            let before = others.targets.len();
            for (&to, &how) in rows.row(row).iter().zip(&edges.kinds[rows.range(row)]) {
                if to == NONE {
                    continue;
                }
                if is_essential(row, to, how) {
                    *degree += 1;
                    let (word, bit) = (&held[to as usize / 64], 1 << (to % 64));
                    if word.load(Ordering::Relaxed) & bit == 0 {
                        word.fetch_or(bit, Ordering::Relaxed);
                    }
                } else {
                    others.targets.push(to);
                    others.kinds.push(how);
                }
            }
            others.degrees.push((others.targets.len() - before) as u32);
        }
        Ok(others)
    });
    let others: Vec<Others> = blocks.collect::<Result<_, Cancelled>>()?;
    let positions = Csr::layout_in_place(degrees, space);
    let mut targets = space.scratch::<u32>(positions.total());
    let mut left = &mut targets[..];
    let mut pieces = Vec::new();
    for block in 0..nodes.div_ceil(CHECKPOINT_EVERY) {
        let first = block * CHECKPOINT_EVERY;
        let end = (first + CHECKPOINT_EVERY).min(nodes);
        let (piece, rest) = left.split_at_mut(positions.of(end) - positions.of(first));
        pieces.push((first as u32..end as u32, piece));
        left = rest;
    }
    pieces.into_par_iter().try_for_each(|(block, piece)| {
        task.checkpoint()?;
        let mut slots = piece.iter_mut();
        for row in block {
            for (&to, &how) in rows.row(row).iter().zip(&edges.kinds[rows.range(row)]) {
                if to != NONE && is_essential(row, to, how) {
                    slots.next().into_iter().for_each(|slot| *slot = to);
                }
            }
        }
        Ok(())
    })?;
    drop(edges);
    let degrees: Vec<u32> = others.iter().flat_map(|others| &others.degrees).copied().collect();
    let beside_kinds = others.iter().flat_map(|others| &others.kinds).copied().collect();
    let beside = others.into_iter().flat_map(|others| others.targets).collect();
    Ok(Split {
        essential: positions.with(targets),
        beside: Csr::new(&degrees, beside),
        beside_kinds,
        held: Bits::from_words(held.into_iter().map(AtomicU64::into_inner).collect()),
    })
}

/// Of a block of nodes the edges that are not essential.
#[derive(Default)]
struct Others {
    degrees: Vec<u32>,
    targets: Vec<u32>,
    kinds: Vec<u8>,
}
