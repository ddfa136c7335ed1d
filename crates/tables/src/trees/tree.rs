//! Rows of a tree that is far too large to expand completely. A collapsed node is only counted by its parent; an
//! expanded one keeps its expanded children in order. The cost depends only on the expanded nodes.
//!
//! Nodes are stored in an arena and nothing here recurses, so a chain can be expanded to any depth.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// An expanded node. The root is always expanded and has no row.
pub type NodeId = usize;

/// The root.
pub const ROOT: NodeId = 0;

struct Node<P> {
    /// Number of children.
    children: u64,
    /// Number of visible descendants: children, and descendants of expanded ones.
    below: u64,
    /// Parent, and index among its children.
    above: Option<(NodeId, u64)>,
    open: BTreeMap<u64, NodeId>,
    depth: usize,
    /// `None` once the node is collapsed, until its slot is reused.
    payload: Option<P>,
}

/// Position of a row: child `index` of `parent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Expanded parent of the row.
    pub parent: NodeId,
    /// Index among its children.
    pub index: u64,
    /// Level, 0 for children of the root.
    pub depth: usize,
    /// Node of the row itself, if it is expanded.
    pub open: Option<NodeId>,
}

/// A tree by rows; `P` is the data that the owner attaches to each expanded node.
pub struct Tree<P> {
    nodes: Vec<Node<P>>,
    free: Vec<NodeId>,
}

impl<P> Tree<P> {
    /// A tree with `children` rows below the root.
    pub fn new(children: u64, payload: P) -> Self {
        let root =
            Node { children, below: children, above: None, open: BTreeMap::new(), depth: 0, payload: Some(payload) };
        Self { nodes: vec![root], free: Vec::new() }
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.nodes[ROOT].below
    }

    /// Number of children of an expanded node.
    pub fn children(&self, node: NodeId) -> u64 {
        self.nodes[node].children
    }

    /// Data attached to an expanded node.
    pub fn payload(&self, node: NodeId) -> Option<&P> {
        self.nodes.get(node)?.payload.as_ref()
    }

    /// Data attached to an expanded node, mutable.
    pub fn payload_mut(&mut self, node: NodeId) -> Option<&mut P> {
        self.nodes.get_mut(node)?.payload.as_mut()
    }

    /// All expanded nodes, the root first.
    pub fn open_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().enumerate().filter(|(_, n)| n.payload.is_some()).map(|(id, _)| id)
    }

    /// Expanded children of `node`, by index.
    pub fn open_below(&self, node: NodeId) -> Vec<(u64, NodeId)> {
        self.nodes[node].open.iter().map(|(&at, &id)| (at, id)).collect()
    }

    /// The expanded child `index` of `node`.
    pub fn open_at(&self, node: NodeId, index: u64) -> Option<NodeId> {
        self.nodes[node].open.get(&index).copied()
    }

    /// Parent of an expanded node, and its index there.
    pub fn above(&self, node: NodeId) -> Option<(NodeId, u64)> {
        self.nodes[node].above
    }

    /// Position of a row.
    pub fn locate(&self, row: u64) -> Option<Spot> {
        if row >= self.rows() {
            return None;
        }
        let (mut parent, mut rest) = (ROOT, row);
        'level: loop {
            let node = &self.nodes[parent];
            let mut passed = 0;
            for (&at, &child) in &node.open {
                let first = at + passed;
                if rest <= first {
                    break;
                }
                let below = self.nodes[child].below;
                if rest <= first + below {
                    rest -= first + 1;
                    parent = child;
                    continue 'level;
                }
                passed += below;
            }
            let index = rest - passed;
            return Some(Spot { parent, index, depth: node.depth, open: node.open.get(&index).copied() });
        }
    }

    /// Rows as runs of adjacent children, from top to bottom. There are at most as many runs as expanded nodes, plus
    /// one.
    pub fn runs(&self, rows: RangeInclusive<u64>) -> Vec<(NodeId, Range<u64>)> {
        let mut runs = Vec::new();
        let Some(spot) = self.locate(*rows.start()) else { return runs };
        let (mut at, mut index) = (spot.parent, spot.index);
        let mut left = (rows.end() - rows.start()).saturating_add(1);
        while left > 0 {
            let node = &self.nodes[at];
            let open = node.open.range(index..).next();
            let end = open.map_or(node.children, |(&position, _)| position + 1).min(index.saturating_add(left));
            if end > index {
                runs.push((at, index..end));
                left -= end - index;
            }
            match (open, node.above) {
                (Some((&position, &child)), _) if position < end => (at, index) = (child, 0),
                (None, Some((above, position))) if left > 0 => (at, index) = (above, position + 1),
                _ => break,
            }
        }
        runs
    }

    /// Row of child `index` of an expanded node.
    pub fn row_of(&self, parent: NodeId, index: u64) -> u64 {
        let (mut at, mut index, mut row) = (parent, index, 0);
        loop {
            let node = &self.nodes[at];
            let before: u64 = node.open.range(..index).map(|(_, &child)| self.nodes[child].below).sum();
            row += index + before;
            match node.above {
                Some((above, position)) => {
                    row += 1;
                    (at, index) = (above, position);
                }
                None => return row,
            }
        }
    }

    /// Child indices from the root down to a row.
    pub fn path_of(&self, row: u64) -> Option<Vec<u64>> {
        let spot = self.locate(row)?;
        let mut path = vec![spot.index];
        let mut at = spot.parent;
        while let Some((above, position)) = self.nodes[at].above {
            path.push(position);
            at = above;
        }
        path.reverse();
        Some(path)
    }

    /// Expands child `index` of an expanded node; it has `children` rows.
    pub fn open(&mut self, parent: NodeId, index: u64, children: u64, payload: P) -> NodeId {
        if let Some(&node) = self.nodes[parent].open.get(&index) {
            return node;
        }
        let node = Node {
            children,
            below: children,
            above: Some((parent, index)),
            open: BTreeMap::new(),
            depth: self.nodes[parent].depth + 1,
            payload: Some(payload),
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.nodes[parent].open.insert(index, id);
        self.grow(Some(parent), children, 0);
        id
    }

    /// Collapses a node and all its descendants.
    pub fn close(&mut self, node: NodeId) {
        let Some((parent, index)) = self.nodes[node].above else { return };
        let below = self.nodes[node].below;
        self.nodes[parent].open.remove(&index);
        self.grow(Some(parent), 0, below);
        let mut stack = vec![node];
        while let Some(id) = stack.pop() {
            let closed = &mut self.nodes[id];
            stack.extend(std::mem::take(&mut closed.open).into_values());
            closed.payload = None;
            self.free.push(id);
        }
    }

    /// Changes the number of children of an expanded node; expanded children beyond it are collapsed.
    pub fn set_children(&mut self, node: NodeId, children: u64) {
        let past: Vec<NodeId> = self.nodes[node].open.range(children..).map(|(_, &id)| id).collect();
        for id in past {
            self.close(id);
        }
        let before = self.nodes[node].children;
        self.nodes[node].children = children;
        self.grow(Some(node), children, before);
    }

    /// Moves expanded children to their indices after sorting; those without one are collapsed.
    pub fn reorder(&mut self, node: NodeId, position: impl Fn(&P) -> Option<u64>) {
        for (old, id) in self.open_below(node) {
            match self.nodes[id].payload.as_ref().and_then(&position) {
                Some(new) => self.nodes[id].above = Some((node, new)),
                None => {
                    self.nodes[id].above = Some((node, old));
                    self.close(id);
                }
            }
        }
        let remaining: Vec<NodeId> = self.nodes[node].open.values().copied().collect();
        self.nodes[node].open = remaining.into_iter().filter_map(|id| Some((self.nodes[id].above?.1, id))).collect();
    }

    fn grow(&mut self, from: Option<NodeId>, more: u64, less: u64) {
        let mut at = from;
        while let Some(id) = at {
            let node = &mut self.nodes[id];
            node.below = node.below + more - less;
            at = node.above.map(|(above, _)| above);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tree: &Tree<u64>, rows: impl Iterator<Item = u64>) {
        for row in rows {
            let spot = tree.locate(row).expect("a row");
            assert_eq!(tree.row_of(spot.parent, spot.index), row);
            assert_eq!(tree.path_of(row).map(|p| p.len()), Some(spot.depth + 1));
        }
    }

    #[test]
    fn rows_and_positions_agree_with_a_hundred_million_children() {
        let mut tree = Tree::new(1_000, 0);
        let big = tree.open(ROOT, 7, 100_000_000, 1);
        let inner = tree.open(big, 99_999_999, 3, 2);
        tree.open(big, 5, 2, 3);
        assert_eq!(tree.rows(), 1_000 + 100_000_000 + 3 + 2);
        assert_eq!(tree.path_of(7), Some(vec![7]));
        assert_eq!(tree.path_of(8), Some(vec![7, 0]));
        assert_eq!(tree.path_of(14), Some(vec![7, 5, 0]));
        let last_inner = 7 + 100_000_000 + 2 + 3;
        assert_eq!(tree.path_of(last_inner), Some(vec![7, 99_999_999, 2]));
        assert_eq!(tree.path_of(last_inner + 1), Some(vec![8]));
        assert_eq!(tree.path_of(tree.rows()), None);
        check(&tree, (0..2_000).chain(tree.rows() - 1_100..tree.rows()));
        tree.close(inner);
        assert_eq!(tree.rows(), 100_001_002);
        check(&tree, (99_999_990..100_000_020).chain(0..30));
        tree.close(big);
        assert_eq!(tree.rows(), 1_000);
        assert_eq!(tree.open_nodes().count(), 1);
    }

    #[test]
    fn rows_are_runs_of_children() {
        let mut tree = Tree::new(10, 0);
        let second = tree.open(ROOT, 2, 4, 1);
        let inner = tree.open(second, 3, 2, 2);
        tree.open(ROOT, 5, 0, 3);
        for first in 0..tree.rows() {
            for last in first..tree.rows() {
                let spots = (first..=last).filter_map(|row| tree.locate(row)).map(|spot| (spot.parent, spot.index));
                let runs = tree.runs(first..=last).into_iter().flat_map(|(node, run)| run.map(move |at| (node, at)));
                assert_eq!(runs.collect::<Vec<_>>(), spots.collect::<Vec<_>>(), "{first} to {last}");
            }
        }
        let runs = tree.runs(0..=u64::MAX);
        assert_eq!(runs, [(ROOT, 0..3), (second, 0..4), (inner, 0..2), (ROOT, 3..6), (ROOT, 6..10)]);
    }

    #[test]
    fn open_children_keep_their_rows_when_a_level_is_sorted_anew() {
        let mut tree = Tree::new(10, 100);
        tree.open(ROOT, 2, 4, 20);
        tree.open(ROOT, 5, 1, 50);
        tree.reorder(ROOT, |&p| match p {
            20 => Some(5),
            50 => Some(2),
            _ => None,
        });
        assert_eq!(tree.rows(), 15);
        assert_eq!(tree.path_of(3), Some(vec![2, 0]));
        assert_eq!(tree.path_of(7), Some(vec![5, 0]));
        tree.reorder(ROOT, |&p| (p == 20).then_some(0));
        assert_eq!(tree.rows(), 14);
        tree.set_children(ROOT, 3);
        assert_eq!(tree.rows(), 7);
        check(&tree, 0..7);
    }

    #[test]
    fn a_deep_chain_opens_and_closes_without_recursion() {
        let mut tree = Tree::new(1, 0);
        let mut at = ROOT;
        for depth in 0..20_000 {
            at = tree.open(at, 0, 1, depth);
        }
        assert_eq!(tree.rows(), 20_001);
        assert_eq!(tree.locate(20_000).map(|s| s.depth), Some(20_000));
        let first = tree.open_below(ROOT)[0].1;
        tree.close(first);
        assert_eq!(tree.rows(), 1);
        drop(tree);
    }
}
