//! Walk down from one node of a tree and back up, step by step. The end of a subtree is noticed in passing, which is
//! far cheaper for a list of millions of nodes than looking it up for each.

use super::parentheses::ForwardShape;
use heaplens_base::storage::ForwardColumn;

/// Walk below a node.
pub struct Descent<'a> {
    shape: ForwardShape<'a>,
    nodes: ForwardColumn<'a, u32>,
    known: usize,
    bit: u64,
    preorder: u32,
    depth: u32,
}

impl<'a> Descent<'a> {
    /// Walk below the node at `preorder` of a tree with `known` nodes.
    pub(super) fn new(
        known: usize,
        preorder: u32,
        begin: u64,
        shape: ForwardShape<'a>,
        nodes: ForwardColumn<'a, u32>,
    ) -> Self {
        Self { shape, nodes, known, bit: begin + 1, preorder, depth: 0 }
    }

    /// Enters the next node; returns it and its depth below the first. `None` at the end.
    pub fn step(&mut self) -> Option<(u32, u32)> {
        loop {
            let begins = self.shape.begins_at(self.bit)?;
            self.bit += 1;
            if begins {
                self.preorder = self.preorder.checked_add(1)?;
                self.depth += 1;
                let node = self.nodes.get(self.preorder as usize).filter(|&node| (node as usize) < self.known)?;
                return Some((node, self.depth));
            }
            self.depth = self.depth.checked_sub(1)?;
        }
    }

    /// Skips the subtree of the node entered last.
    pub fn pass(&mut self) {
        let below = self.shape.below(self.preorder, self.bit - 1);
        self.preorder = self.preorder.saturating_add(below);
        self.bit += 2 * u64::from(below);
    }
}
