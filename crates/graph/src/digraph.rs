//! Directed graph for the algorithms: explicit edges in rows, plus one implicit edge from every node to the hub of its
//! group.
//!
//! A heap has one such edge per object, to its class. The group column already encodes it; materializing the edges
//! would double the graph.

use super::{Bits, Csr, NONE, Rows};
use heaplens_base::storage::Slices;

/// Borrowed view of a graph.
#[derive(Clone, Copy)]
pub struct Digraph<'a> {
    /// Explicit edges; one row per node.
    pub edges: Rows<'a>,
    /// Group of each node; nodes past the end have none.
    pub group_of: Slices<'a>,
    /// Target of the implicit edge of every member of a group, or [`NONE`].
    pub hubs: &'a [u32],
    /// Nodes whose first explicit edge is ignored.
    pub skip_first: Option<&'a Bits>,
}

impl<'a> Digraph<'a> {
    /// A graph of explicit edges only.
    pub fn plain(edges: &'a Csr) -> Self {
        Self { edges: edges.view(), group_of: Slices::Words(&[]), hubs: &[], skip_first: None }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.edges.rows()
    }

    /// True if there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The implicit edge of `node`, or [`NONE`].
    #[inline]
    pub fn hub(&self, node: u32) -> u32 {
        let group = self.group_of.get(node as usize);
        group.and_then(|group| self.hubs.get(group as usize).copied()).unwrap_or(NONE)
    }

    /// Positions of the explicit edges of `node` that count.
    #[inline]
    pub fn edge_range(&self, node: u32) -> std::ops::Range<usize> {
        let mut range = self.edges.range(node);
        if let Some(skip) = self.skip_first
            && skip.contains(node)
            && !range.is_empty()
        {
            range.start += 1;
        }
        range
    }

    /// All successors of `node`: the hub first, then the explicit edges that count.
    pub fn successors(&self, node: u32) -> impl Iterator<Item = u32> + 'a {
        let hub = self.hub(node);
        let edges = &self.edges.targets()[self.edge_range(node)];
        (hub != NONE).then_some(hub).into_iter().chain(edges.iter().copied())
    }
}
