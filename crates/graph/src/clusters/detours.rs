//! Positions of immediate dominators, which detours move up: see [`super::attach`].
//!
//! A detour is followed when it is met, and again whenever the position that it was followed from has moved. A position
//! moves up only, so that is seldom, and ends. At the head of its cluster a position is final, and so are detours that
//! lead to it.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use rayon::prelude::*;

use super::trees::Trees;
use crate::{Bits, Csr, NONE, bits::SharedBits, components::components};
use heaplens_base::storage::{Buffer, prefetch};
use heaplens_base::{Cancelled, Task};

/// Detours are few if they are less than one for this many numbers.
const FEW: usize = 8;

/// Head that is passed and the one that is reached, in numbers of the search.
pub(super) type Detour = (u32, u32);

/// Position of the immediate dominator of each number, while threads move them.
pub(super) struct DominatorPositions<'a> {
    of: &'a [AtomicU32],
    /// Trees of the clusters that dominate others, and the one that dominates each number.
    trees: Trees<'a>,
    tree_of: Buffer<u32>,
    /// Numbers from whose position a detour was followed.
    followed: SharedBits,
    /// Those of them whose position moved since: their detours must be followed again.
    moved: SharedBits,
}

impl<'a> DominatorPositions<'a> {
    /// All positions are unknown yet, which is [`NONE`] in `of`.
    pub(super) fn new(of: &'a [AtomicU32], trees: Trees<'a>, tree_of: Buffer<u32>) -> Self {
        Self { of, trees, tree_of, followed: SharedBits::new(of.len()), moved: SharedBits::new(of.len()) }
    }

    /// Loads what meeting a position of `number` needs, in the background.
    #[inline]
    pub(super) fn prefetch(&self, number: u32) {
        prefetch(&self.tree_of, number as usize);
        prefetch(self.of, number as usize);
    }

    /// Loads the tree of `number` in the background.
    #[inline]
    pub(super) fn prefetch_tree(&self, number: u32) {
        self.trees.prefetch(self.tree_of[number as usize]);
    }

    /// True if the position of `number` cannot move any more.
    #[inline]
    pub(super) fn is_final(&self, number: u32) -> bool {
        self.at(number) == 0
    }

    #[inline]
    fn at(&self, number: u32) -> u32 {
        self.of[number as usize].load(SeqCst)
    }

    /// Moves the position of `number` up to the nearest common ancestor with another one.
    #[inline]
    pub(super) fn meet(&self, number: u32, other: u32) {
        let mut known = self.at(number);
        loop {
            let met = self.common(number, known, other);
            if met == known {
                return;
            }
            match self.of[number as usize].compare_exchange_weak(known, met, SeqCst, SeqCst) {
                Ok(_) => break,
                Err(newer) => known = newer,
            }
        }
        if self.followed.contains(number) {
            self.moved.insert(number);
        }
    }

    /// Follows a detour; false if it never matters again.
    #[inline]
    pub(super) fn follow(&self, (by, to): Detour) -> bool {
        if self.is_final(to) {
            return false;
        }
        // In this order: a thread that moves the position after it is read here sees that it was followed.
        self.followed.insert(by);
        self.meet(to, self.at(by));
        !self.is_final(to)
    }

    /// Nearest common ancestor of two positions in the cluster that dominates `number`.
    #[inline]
    fn common(&self, number: u32, one: u32, other: u32) -> u32 {
        match (one, other) {
            (NONE, position) | (position, NONE) => position,
            _ if one == other => one,
            _ => self.trees.nearest_common(self.tree_of[number as usize], one, other),
        }
    }

    /// Follows again the detours from positions that moved, until none does; but sorts them after `rounds` rounds, or
    /// more if there are so few detours that sorting, which visits all numbers, takes longer. What is met does not
    /// depend on the order, nor on the number of threads.
    pub(super) fn settle(mut self, detours: &[Vec<Detour>], rounds: usize, task: &Task) -> Result<(), Cancelled> {
        let count: usize = detours.iter().map(Vec::len).sum();
        let mut left = rounds.saturating_mul(count.max(self.of.len() / FEW));
        loop {
            let moved = std::mem::replace(&mut self.moved, SharedBits::new(self.of.len())).into_bits();
            if moved.is_empty() {
                return Ok(());
            }
            if left < count {
                return self.follow_sorted(&detours.concat(), task);
            }
            left -= count;
            self.follow_moved(detours, &moved, task)?;
        }
    }

    /// Follows the detours from positions that moved before or do so now.
    fn follow_moved(&self, detours: &[Vec<Detour>], moved: &Bits, task: &Task) -> Result<(), Cancelled> {
        detours.par_iter().with_max_len(1).try_for_each(|detours| {
            task.checkpoint()?;
            for &detour in detours {
                if moved.contains(detour.0) || self.moved.contains(detour.0) {
                    self.follow(detour);
                }
            }
            Ok(())
        })
    }

    /// Follows all detours, those that others lead to last.
    pub(super) fn follow_sorted(&self, detours: &[Detour], task: &Task) -> Result<(), Cancelled> {
        let turned: Vec<(u32, u32)> = detours.iter().map(|&(by, to)| (to, by)).collect();
        let before = Csr::from_edges(self.of.len(), &turned);
        let edge = |number: u32, n: usize| before.row(number).get(n).copied();
        let meet_all = |together: &[u32]| {
            let onward = together.iter().flat_map(|&to| before.row(to).iter().map(move |&by| (to, by)));
            let own = together.iter().map(|&to| (to, to));
            let met = own.chain(onward).fold(NONE, |met, (to, by)| self.common(to, met, self.at(by)));
            together.iter().for_each(|&to| self.of[to as usize].store(met, SeqCst));
            Ok(())
        };
        components(self.of.len() as u32, edge, meet_all, task)
    }
}
