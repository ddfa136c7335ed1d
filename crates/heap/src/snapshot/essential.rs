//! Classification of edges: *essential* ones retain their targets, and are the only input of the dominator computation.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::edges::Edges;
use super::flags::{kind, node};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, storage::MemoryBudget};
use heaplens_graph::{Bits, Csr, NONE, reach::reach};

/// Edges divided into retaining and non-retaining ones.
pub(super) struct Split {
    pub(super) essential: Csr,
    pub(super) non_retaining: Csr,
    /// Bits of [`kind`] of the non-retaining edges.
    pub(super) non_retaining_kinds: Vec<u8>,
    /// Nodes with an incoming essential edge.
    pub(super) held: Bits,
}

/// Nodes owned by the page: reachable from its globals and documents without weak edges. `None` if the root leads to
/// none of these.
pub(super) fn of_page(edges: &Edges, root: u32, flags: &[u8], task: &Task) -> Result<Option<Bits>, Cancelled> {
    let is_documents = |row: u32| flags.get(row as usize).is_some_and(|flags| flags & node::DOCUMENTS != 0);
    let begins =
        |&(to, kind): &(u32, u8)| kind & kind::SHORTCUT != 0 || (kind & kind::ELEMENT != 0 && is_documents(to));
    let begin: Vec<u32> = edges.of(root).filter(begins).map(|(to, _)| to).collect();
    if begin.is_empty() {
        return Ok(None);
    }
    reach(
        flags.len(),
        &begin,
        |row, reached| {
            let (targets, kinds) = edges.row(row);
            for (&to, &kind) in targets.iter().zip(kinds) {
                if kind & kind::WEAK == 0 {
                    reached.meet(to);
                }
            }
        },
        task,
    )
    .map(Some)
}

/// Separates essential edges from others. `page` is the set of nodes owned by the page, where that matters; with
/// `pairs_hold`, both edges of a WeakMap entry retain.
pub(super) fn split(
    edges: Edges,
    root: u32,
    page: Option<&Bits>,
    pairs_hold: bool,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Split, Cancelled> {
    let nodes = edges.rows();
    let table = if pairs_hold { 0 } else { kind::OF_TABLE };
    let is_essential = |from: u32, to: u32, kind: u8| {
        let of_root = from == root;
        kind & (kind::WEAK | table) == 0
            && from != to
            && (of_root
                || kind & kind::SHORTCUT == 0 && page.is_none_or(|page| !page.contains(to) || page.contains(from)))
    };
    let held: Vec<AtomicU64> = (0..nodes.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let essential: Vec<AtomicU64> = (0..edges.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let mut degrees = budget.buffer::<u32>(nodes + 1);
    let blocks =
        degrees[..nodes].par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().map(|(block, degrees)| {
            task.checkpoint()?;
            let mut others = Others::default();
            for (row, degree) in ((block * CHECKPOINT_EVERY) as u32..).zip(degrees) {
                let before = others.targets.len();
                let (targets, kinds) = edges.row(row);
                for ((edge, &to), &kind) in edges.range(row).zip(targets).zip(kinds) {
                    if to == NONE {
                        continue;
                    }
                    if is_essential(row, to, kind) {
                        *degree += 1;
                        put(&held, to as usize);
                        essential[edge / 64].fetch_or(1 << (edge % 64), Ordering::Relaxed);
                    } else {
                        others.targets.push(to);
                        others.kinds.push(kind);
                    }
                }
                others.degrees.push((others.targets.len() - before) as u32);
            }
            Ok(others)
        });
    let others: Vec<Others> = blocks.collect::<Result<_, Cancelled>>()?;
    let Edges { mut to, kinds, .. } = edges;
    drop(kinds);
    // In place: a second copy of all edges would be the memory peak of opening.
    let mut next = 0;
    for (word, bits) in essential.into_iter().enumerate() {
        task.checkpoint_at(word)?;
        let mut left = bits.into_inner();
        while left != 0 {
            to[next] = to[word * 64 + left.trailing_zeros() as usize];
            next += 1;
            left &= left - 1;
        }
    }
    to.set_len(next);
    let positions = Csr::layout_in_place(degrees, budget);
    let degrees: Vec<u32> = others.iter().flat_map(|others| &others.degrees).copied().collect();
    let non_retaining_kinds = others.iter().flat_map(|others| &others.kinds).copied().collect();
    let non_retaining = others.into_iter().flat_map(|others| others.targets).collect();
    Ok(Split {
        essential: positions.with(to),
        non_retaining: Csr::new(&degrees, non_retaining),
        non_retaining_kinds,
        held: Bits::from_words(held.into_iter().map(AtomicU64::into_inner).collect()),
    })
}

/// Sets a bit that is probably set already.
#[inline]
fn put(words: &[AtomicU64], at: usize) {
    let (word, bit) = (&words[at / 64], 1 << (at % 64));
    if word.load(Ordering::Relaxed) & bit == 0 {
        word.fetch_or(bit, Ordering::Relaxed);
    }
}

/// Non-essential edges of a block of nodes.
#[derive(Default)]
struct Others {
    degrees: Vec<u32>,
    targets: Vec<u32>,
    kinds: Vec<u8>,
}
