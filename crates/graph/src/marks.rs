//! Two bits per node that following an edge needs before it touches the node: small enough to stay in the CPU cache,
//! unlike the columns.

use rayon::prelude::*;

use super::{Bits, Digraph, NONE};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Action for an edge to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Look up its number.
    Plain = 0,
    /// Look up its number, and visit its hub, which is not a root.
    WithHub = 1,
    /// Nothing: a root, or a leaf whose hub is missing or a root.
    Settled = 2,
    /// Skip the leaf, but visit its hub, which is not a root.
    LeafWithHub = 3,
}

impl Mark {
    /// Mark in the lowest two bits.
    #[inline]
    pub(super) fn of_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Self::Plain,
            1 => Self::WithHub,
            2 => Self::Settled,
            _ => Self::LeafWithHub,
        }
    }
}

/// A mark for each node.
pub struct Marks {
    words: Vec<u64>,
}

const PER_WORD: usize = 32;

impl Marks {
    /// Marks for searches from `roots`; `leaves` is the result of [`super::leaves::exclusive_leaves`], or empty. A root
    /// is never a leaf, even if listed there.
    pub fn new(graph: &Digraph<'_>, roots: &[u32], leaves: &Bits, task: &Task) -> Result<Self, Cancelled> {
        let mut is_root = Bits::new(graph.len());
        is_root.extend(roots.iter().copied());
        let counts: Vec<bool> = graph.hubs.iter().map(|&hub| hub != NONE && !is_root.contains(hub)).collect();
        let mut words = vec![0_u64; graph.len().div_ceil(PER_WORD)];
        let words_per_block = CHECKPOINT_EVERY / PER_WORD;
        words.par_chunks_mut(words_per_block).with_max_len(1).enumerate().try_for_each(|(block, words)| {
            task.checkpoint()?;
            for (at, word) in words.iter_mut().enumerate() {
                let first = block * CHECKPOINT_EVERY + at * PER_WORD;
                for (index, node) in (first..(first + PER_WORD).min(graph.len())).enumerate() {
                    let hub_counts =
                        graph.group_of.get(node).is_some_and(|group| counts.get(group as usize) == Some(&true));
                    let leaf = u64::from(leaves.contains(node as u32)) << 1;
                    *word |= (leaf | u64::from(hub_counts)) << (2 * index);
                }
            }
            Ok(())
        })?;
        // The hub of a root counts where the search begins at it, not for edges that lead to it.
        for &root in roots {
            let (word, shift) = (root as usize / PER_WORD, 2 * (root as usize % PER_WORD));
            words[word] = words[word] & !(3 << shift) | (Mark::Settled as u64) << shift;
        }
        Ok(Self { words })
    }

    /// Number of nodes with a hub that counts; roots are omitted.
    pub(super) fn with_hub(&self) -> usize {
        const LOW: u64 = 0x5555_5555_5555_5555;
        self.words.iter().map(|word| (word & LOW).count_ones() as usize).sum()
    }

    /// Marks of 64 nodes at a time, the first in the lowest bits.
    pub(super) fn words_of_64(&self) -> impl Iterator<Item = [u64; 2]> {
        self.words.chunks(2).map(|words| [words[0], words.get(1).copied().unwrap_or_default()])
    }

    #[inline]
    pub(super) fn of(&self, node: u32) -> Mark {
        Mark::of_bits(self.words[node as usize / PER_WORD] >> (2 * (node as usize % PER_WORD)))
    }
}
