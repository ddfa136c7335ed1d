//! Spanning forest of a graph without roots: nodes without incoming edges are *pure* roots; depth-first search from
//! them, in the order of their numbers, assigns each node to the first tree that reaches it; then the lowest unassigned
//! node becomes an *artificial* root, until all are assigned.
//!
//! Each node has sums over its subtree: weight, number of nodes, depth. They describe the result of this search, not
//! what would be freed without the node: another order of visits yields other trees.

use bytemuck::{Pod, Zeroable};

use super::{Bits, NONE};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Edges of one node, in order: those of `first`, then those of `second`.
#[derive(Clone, Copy, Default)]
pub struct Children<'a> {
    /// The first edges.
    pub first: &'a [u32],
    /// Edges after those.
    pub second: &'a [u32],
    /// True if some edges may be skipped, so that each has to be checked.
    pub may_skip: bool,
}

impl Children<'_> {
    /// Number of edges, including skipped ones.
    #[inline]
    pub fn len(&self) -> usize {
        self.first.len() + self.second.len()
    }

    /// True if there are no edges.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.second.is_empty()
    }

    /// The edge at an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u32> {
        match index.checked_sub(self.first.len()) {
            None => self.first.get(index).copied(),
            Some(behind) => self.second.get(behind).copied(),
        }
    }
}

/// Graph as needed by the search; nothing is copied.
pub trait Edges {
    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// The edges of a node.
    fn children(&self, node: u32) -> Children<'_>;

    /// True if an edge is to be skipped; called only for nodes with [`Children::may_skip`].
    fn skips(&self, node: u32, index: usize, to: u32) -> bool;

    /// Counting edges of a node to valid nodes, with their indexes.
    fn counting(&self, node: u32) -> impl Iterator<Item = u32> {
        let children = self.children(node);
        let pairs = (0..children.len()).filter_map(move |index| Some((index, children.get(index)?)));
        let there = pairs.filter(|&(_, to)| (to as usize) < self.nodes());
        there.filter(move |&(index, to)| !(children.may_skip && self.skips(node, index, to))).map(|(_, to)| to)
    }
}

/// Result of the search for a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Zeroable, Pod)]
#[repr(C)]
pub struct ForestNode {
    /// Weight of the node and all nodes below it.
    pub total: u64,
    /// The root of its tree; a root is its own.
    pub owner: u32,
    /// Parent in the search; [`NONE`] for roots.
    pub parent: u32,
    /// Nodes below it.
    pub descendants: u32,
    /// Depth of the subtree: number of edges to the deepest node.
    pub max_depth: u32,
}

/// Results of the search for all nodes, and the roots it inferred.
pub struct Forest {
    /// By node.
    pub nodes: Buffer<ForestNode>,
    /// Nodes without incoming edges, ascending.
    pub pure: Vec<u32>,
    /// Artificial roots, ascending.
    pub artificial: Vec<u32>,
    /// Number of nodes reachable from pure roots, themselves included.
    pub reached_from_pure: u64,
}

impl Forest {
    /// Runs the search. Progress counts nodes, twice each.
    pub fn grow(edges: &impl Edges, weight: impl Fn(u32) -> u64, task: &Task) -> Result<Self, Cancelled> {
        let count = edges.nodes();
        let mut nodes = MemoryBudget::default().scratch::<ForestNode>(count);
        let mut pointed_at = Bits::new(count);
        for block in task.blocks(count) {
            let block = block?;
            let many = block.len() as u64;
            for node in block {
                let total = weight(node as u32);
                nodes[node] = ForestNode { total, owner: NONE, parent: NONE, descendants: 0, max_depth: 0 };
                for to in edges.counting(node as u32).filter(|&to| to as usize != node) {
                    pointed_at.insert(to);
                }
            }
            task.advance(many);
        }
        let pure: Vec<u32> = (0..count as u32).filter(|&node| !pointed_at.contains(node)).collect();
        drop(pointed_at);
        let mut builder =
            ForestBuilder { edges, nodes: &mut nodes, done: Vec::new(), assigned: 0, reported: 0, steps: 0, task };
        for &root in &pure {
            builder.tree(root)?;
        }
        let reached_from_pure = builder.assigned;
        let mut artificial = Vec::new();
        for root in 0..count as u32 {
            if builder.nodes[root as usize].owner == NONE {
                artificial.push(root);
                builder.tree(root)?;
            }
        }
        Ok(Self { nodes, pure, artificial, reached_from_pure })
    }

    /// Result of the search for a node.
    pub fn of(&self, node: u32) -> Option<&ForestNode> {
        self.nodes.get(node as usize)
    }

    /// True if a node is an artificial root, not reachable from any pure root.
    pub fn is_artificial(&self, node: u32) -> bool {
        self.artificial.binary_search(&node).is_ok()
    }
}

struct ForestBuilder<'a, E> {
    edges: &'a E,
    nodes: &'a mut [ForestNode],
    /// For each ancestor of the current node, the number of its edges already visited. The ancestors follow from the
    /// parents.
    done: Vec<u32>,
    /// Number of assigned nodes.
    assigned: u64,
    /// Number of assigned nodes reported as progress.
    reported: u64,
    steps: usize,
    task: &'a Task,
}

impl<E: Edges> ForestBuilder<'_, E> {
    /// The tree of a root.
    fn tree(&mut self, root: u32) -> Result<(), Cancelled> {
        self.give(root, root, NONE);
        let (mut node, mut index, mut children) = (root, 0, self.edges.children(root));
        loop {
            self.steps += 1;
            if self.steps >= CHECKPOINT_EVERY {
                self.task.advance_checked(self.assigned - self.reported)?;
                (self.steps, self.reported) = (0, self.assigned);
            }
            let Some(to) = children.get(index) else {
                let below = self.nodes[node as usize];
                if node == root {
                    return Ok(());
                }
                node = below.parent;
                index = self.done.pop().unwrap_or_default() as usize;
                children = self.edges.children(node);
                self.close(node, &below);
                continue;
            };
            index += 1;
            if self.nodes.get(to as usize).is_none_or(|of| of.owner != NONE)
                || (children.may_skip && self.edges.skips(node, index - 1, to))
            {
                continue;
            }
            self.give(to, root, node);
            let further = self.edges.children(to);
            if further.is_empty() {
                // Most nodes are leaves: the current node stays the same.
                let leaf = self.nodes[to as usize];
                self.close(node, &leaf);
            } else {
                self.done.push(index as u32);
                (node, index, children) = (to, 0, further);
            }
        }
    }

    fn give(&mut self, node: u32, owner: u32, parent: u32) {
        let of = &mut self.nodes[node as usize];
        (of.owner, of.parent) = (owner, parent);
        self.assigned += 1;
    }

    /// The subtree of a child is complete.
    fn close(&mut self, node: u32, child: &ForestNode) {
        let of = &mut self.nodes[node as usize];
        of.total = of.total.saturating_add(child.total);
        of.descendants += 1 + child.descendants;
        of.max_depth = of.max_depth.max(1 + child.max_depth);
    }
}
