//! Outline of a big tree: the part that a chart has space for. Taken largest first; rows too small to be visible
//! are merged. So the outline of ten million objects only visits those near the top. What the rows are, single nodes,
//! groups or chains, the tree says.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

use heaplens_base::{Cancelled, Task, Unit};

/// Minimum number of pieces taken of a level, even if that leaves few for others.
const LEVEL: usize = 64;

/// A tree to outline.
pub trait OutlineTree {
    /// Node type. Ties between equal weights are ordered by it.
    type Node: Copy + Ord;
    /// Weight of a node including its descendants; `None` for the whole tree.
    fn weight(&self, node: Option<Self::Node>) -> u64;
    /// Offers the rows directly below a node, in any order, and returns the number of links of the chain that begins
    /// with it; 1 if none does. What is below any link of a chain is below the chain.
    ///
    /// # Errors
    /// When `task` is cancelled.
    fn rows_below(
        &self,
        node: Option<Self::Node>,
        offer: &mut dyn FnMut(Self::Node),
        task: &Task,
    ) -> Result<u64, Cancelled>;
    /// Number of links of the chain that begins with a node; 1 if none does.
    ///
    /// # Errors
    /// When `task` is cancelled.
    fn links(&self, node: Self::Node, task: &Task) -> Result<u64, Cancelled>;
    /// Number of objects that a node stands for: more than one for a group.
    fn objects(&self, _node: Self::Node) -> u64 {
        1
    }
    /// True if two siblings are of one kind, so that they can be merged under one name.
    fn is_alike(&self, one: Self::Node, other: Self::Node) -> bool;
    /// Number of descendants of a node, if known: for progress.
    fn below(&self, node: Option<Self::Node>) -> u64;
}

/// Limits of an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineLimits {
    /// Minimum weight of a visible piece, in the unit of [`OutlineTree::weight`].
    pub least: u64,
    /// Maximum number of pieces.
    pub pieces: usize,
    /// Maximum number of levels below the top.
    pub depth: u32,
}

/// Content of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind<N> {
    /// The whole tree.
    Whole,
    /// A node with its descendants.
    Node(N),
    /// A chain of this many nodes, by its first one.
    Chain(N, u64),
    /// So many objects in rows below one node, merged; with one row as example, if all are of one kind.
    Rest(u64, Option<N>),
    /// This many removed children of one node, in a comparison. Does not occur in an outline of one tree.
    Gone(u64),
}

impl<N: Copy> PieceKind<N> {
    /// Node it represents or begins with.
    pub fn node(self) -> Option<N> {
        match self {
            Self::Node(node) | Self::Chain(node, _) => Some(node),
            Self::Whole | Self::Rest(..) | Self::Gone(_) => None,
        }
    }

    /// A node of the common kind of all its nodes.
    pub fn kind(self) -> Option<N> {
        match self {
            Self::Rest(_, alike) => alike,
            what => what.node(),
        }
    }
}

/// A piece of an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<N> {
    /// Its content.
    pub what: PieceKind<N>,
    /// Index of the parent piece; the first is its own parent.
    pub above: u32,
    /// Child pieces, largest first, merged ones last.
    pub below: Range<u32>,
    /// Weight including its descendants, in the unit of [`OutlineTree::weight`].
    pub weight: u64,
    /// Levels from the top.
    pub depth: u32,
}

/// The outline: the top first, every piece after its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline<N> {
    /// Its pieces; at least the top.
    pub pieces: Vec<Piece<N>>,
}

/// Outline of the descendants of `root`; of the whole tree for `None`.
pub fn outline<T: OutlineTree>(
    tree: &T,
    root: Option<T::Node>,
    cut: OutlineLimits,
    task: &Task,
) -> Result<Outline<T::Node>, Cancelled> {
    task.step("Preparing the chart", Unit::Objects, tree.below(root));
    let top = Piece {
        what: root.map_or(PieceKind::Whole, PieceKind::Node),
        above: 0,
        below: 0..0,
        weight: tree.weight(root),
        depth: 0,
    };
    let mut queue = BinaryHeap::from([(top.weight, Reverse(0_u32))]);
    let mut pieces = vec![top];
    while let Some((_, Reverse(at))) = queue.pop() {
        task.checkpoint()?;
        let Piece { what, depth, .. } = pieces[at as usize];
        let room = cut.pieces.saturating_sub(pieces.len() + 1);
        if room == 0 {
            break;
        }
        let node = what.node();
        let is_lowest = depth >= cut.depth;
        let mut top = LargestNodes::new(cut.least.max(1), room.min(LEVEL.max(room / 2)));
        let links = match node {
            // At the lowest level only the chain matters.
            Some(node) if is_lowest => tree.links(node, task)?,
            None if is_lowest => continue,
            node => tree.rows_below(node, &mut |row| top.offer(tree, row), task)?,
        };
        if let (Some(node), 2..) = (node, links) {
            pieces[at as usize].what = PieceKind::Chain(node, links);
        }
        if is_lowest {
            continue;
        }
        let first = pieces.len() as u32;
        let (mut kept_weight, mut listed) = (0_u64, 0_u64);
        let piece = |what, weight| Piece { what, above: at, below: 0..0, weight, depth: depth + 1 };
        let mut biggest = top.biggest.into_vec();
        biggest.sort_unstable();
        for Reverse((weight, Reverse(node))) in biggest {
            kept_weight = kept_weight.saturating_add(weight);
            listed += tree.objects(node);
            queue.push((weight, Reverse(pieces.len() as u32)));
            pieces.push(piece(PieceKind::Node(node), weight));
        }
        let rest = top.weight.saturating_sub(kept_weight);
        // A group none of whose objects is visible is one piece: inside it the same objects would be named again.
        let is_whole_group = listed == 0 && node.is_some_and(|node| tree.objects(node) > 1);
        if top.count > listed && rest >= cut.least.max(1) && !is_whole_group {
            pieces.push(piece(PieceKind::Rest(top.count - listed, top.alike), rest));
        }
        pieces[at as usize].below = first..pieces.len() as u32;
    }
    Ok(Outline { pieces })
}

/// A node ordered by weight, reversed so that a heap yields the smallest first.
type RankedNode<N> = Reverse<(u64, Reverse<N>)>;

/// The largest of the offered rows, and the sum of all.
struct LargestNodes<N> {
    biggest: BinaryHeap<RankedNode<N>>,
    most: usize,
    least: u64,
    /// Number of objects of all rows.
    count: u64,
    weight: u64,
    /// First row that is not among the largest, as long as all others are of its kind.
    alike: Option<N>,
    is_mixed: bool,
}

impl<N: Ord + Copy> LargestNodes<N> {
    fn new(least: u64, most: usize) -> Self {
        Self { biggest: BinaryHeap::new(), most, least, count: 0, weight: 0, alike: None, is_mixed: false }
    }

    fn offer<T: OutlineTree<Node = N>>(&mut self, tree: &T, node: N) {
        let weight = tree.weight(Some(node));
        self.count += tree.objects(node);
        self.weight = self.weight.saturating_add(weight);
        let mut left_out = Some(node);
        if weight >= self.least && self.most > 0 {
            let ranked = Reverse((weight, Reverse(node)));
            if self.biggest.len() < self.most {
                self.biggest.push(ranked);
                left_out = None;
            } else if self.biggest.peek().is_some_and(|smallest| ranked < *smallest) {
                left_out = self.biggest.pop().map(|Reverse((_, Reverse(smallest)))| smallest);
                self.biggest.push(ranked);
            }
        }
        if let Some(node) = left_out.filter(|_| !self.is_mixed) {
            self.is_mixed = self.alike.is_some_and(|first| !tree.is_alike(first, node));
            self.alike = if self.is_mixed { None } else { self.alike.or(Some(node)) };
        }
    }
}
