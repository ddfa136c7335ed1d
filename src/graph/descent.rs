//! The way down from one node of a tree and back, step by step. Where a subtree ends is seen in passing: along a list of
//! millions of nodes that is far cheaper than to ask each for it.

use super::parentheses::ForwardShape;
use super::tree::Tree;
use crate::storage::column::Forward;

/// The way below a node.
pub struct Descent<'a> {
    shape: ForwardShape<'a>,
    nodes: Forward<'a, u32>,
    known: usize,
    bit: u64,
    place: u32,
    depth: u32,
}

impl<'a> Descent<'a> {
    pub(super) fn new(
        tree: &'a Tree,
        place: u32,
        begin: u64,
        shape: ForwardShape<'a>,
        nodes: Forward<'a, u32>,
    ) -> Self {
        Self { shape, nodes, known: tree.all_places().len(), bit: begin + 1, place, depth: 0 }
    }

    /// Enters the next node: its node, and how many levels it is below the first. `None` when all were seen.
    pub fn step(&mut self) -> Option<(u32, u32)> {
        loop {
            let begins = self.shape.begins_at(self.bit)?;
            self.bit += 1;
            if begins {
                self.place = self.place.checked_add(1)?;
                self.depth += 1;
                let node = self.nodes.get(self.place as usize).filter(|&node| (node as usize) < self.known)?;
                return Some((node, self.depth));
            }
            self.depth = self.depth.checked_sub(1)?;
        }
    }

    /// Passes over what is below the node that was entered last.
    pub fn pass(&mut self) {
        let below = self.shape.below(self.place, self.bit - 1);
        self.place = self.place.saturating_add(below);
        self.bit += 2 * u64::from(below);
    }
}
