//! Outline of a big tree: the part that a chart has space for. Taken largest first; children too small to be visible
//! are merged, and a long run of nodes of a kind, each below the previous one, is one piece. So the outline of ten
//! million objects only visits those near the top.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

use crate::answers::DumpData;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_heap::ObjectId;

/// Minimum number of links of a chain.
const SHORTEST_CHAIN: u64 = 4;
/// Maximum number of children of a link in a chain.
const LINK_CHILDREN: usize = 16;
/// Minimum number of pieces taken of a level, even if that leaves few for others.
const LEVEL: usize = 64;

/// A tree to outline.
pub trait OutlineTree {
    /// Node type. Ties between equal weights are ordered by it.
    type Node: Copy + Ord;
    /// Weight of a node including its descendants; `None` for the whole tree.
    fn weight(&self, node: Option<Self::Node>) -> u64;
    /// Children of a node, in any order; `None` for the whole tree.
    fn children(&self, node: Option<Self::Node>) -> impl Iterator<Item = Self::Node>;
    /// True if two nodes are of one kind: as parent and child they are links of a chain, and as
    /// siblings they can be merged under one name.
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
    /// This many children of one node, merged; with one of them as example, if all are of one kind.
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
        let Piece { what, depth, .. } = pieces[at as usize];
        let room = cut.pieces.saturating_sub(pieces.len() + 1);
        if room == 0 {
            break;
        }
        let most = if depth < cut.depth { room.min(LEVEL.max(room / 2)) } else { 0 };
        let (top, links) = look_below(tree, what.node(), cut.least.max(1), most, task)?;
        if let (Some(node), true) = (what.node(), links >= SHORTEST_CHAIN) {
            pieces[at as usize].what = PieceKind::Chain(node, links);
        }
        if depth >= cut.depth {
            continue;
        }
        let first = pieces.len() as u32;
        let listed = top.biggest.len() as u64;
        let mut kept_weight = 0_u64;
        let piece = |what, weight| Piece { what, above: at, below: 0..0, weight, depth: depth + 1 };
        let mut biggest = top.biggest.into_vec();
        biggest.sort_unstable();
        for Reverse((weight, Reverse(node))) in biggest {
            kept_weight = kept_weight.saturating_add(weight);
            queue.push((weight, Reverse(pieces.len() as u32)));
            pieces.push(piece(PieceKind::Node(node), weight));
        }
        let rest = top.weight.saturating_sub(kept_weight);
        if top.count > listed && rest >= cut.least.max(1) {
            pieces.push(piece(PieceKind::Rest(top.count - listed, top.alike), rest));
        }
        pieces[at as usize].below = first..pieces.len() as u32;
    }
    Ok(Outline { pieces })
}

/// A node ordered by weight, reversed so that a heap yields the smallest first.
type RankedNode<N> = Reverse<(u64, Reverse<N>)>;

/// The largest of the offered nodes, and the sum of all.
struct LargestNodes<N> {
    biggest: BinaryHeap<RankedNode<N>>,
    most: usize,
    least: u64,
    count: u64,
    weight: u64,
    /// First node that is not among the largest, as long as all others are of its kind.
    alike: Option<N>,
    is_mixed: bool,
}

impl<N: Ord + Copy> LargestNodes<N> {
    fn offer(&mut self, node: N, weight: u64, are_alike: impl Fn(N, N) -> bool) {
        self.count += 1;
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
            self.is_mixed = self.alike.is_some_and(|first| !are_alike(first, node));
            self.alike = if self.is_mixed { None } else { self.alike.or(Some(node)) };
        }
    }
}

/// Children of a node, and the length of the chain that begins with it. Children of any link of
/// a chain are below the chain.
fn look_below<T: OutlineTree>(
    tree: &T,
    node: Option<T::Node>,
    least: u64,
    most: usize,
    task: &Task,
) -> Result<(LargestNodes<T::Node>, u64), Cancelled> {
    let empty =
        || LargestNodes { biggest: BinaryHeap::new(), most, least, count: 0, weight: 0, alike: None, is_mixed: false };
    let are_alike = |a, b| tree.is_alike(a, b);
    let mut steps = 0_usize;
    let mut checked = |task: &Task| {
        steps += 1;
        if steps.is_multiple_of(CHECKPOINT_EVERY) {
            task.advance(CHECKPOINT_EVERY as u64);
            return task.checkpoint();
        }
        Ok(())
    };
    let (mut top, mut links, mut at) = (empty(), 1, node);
    let mut others = Vec::with_capacity(LINK_CHILDREN);
    while let Some(next) = at.and_then(|node| next_link(tree, node, &mut others)) {
        for &child in &others {
            top.offer(child, tree.weight(Some(child)), are_alike);
        }
        checked(task)?;
        (links, at) = (links + 1, Some(next));
    }
    if links < SHORTEST_CHAIN {
        (top, links, at) = (empty(), 1, node);
    }
    // At the lowest level only the chain matters.
    for child in tree.children(at).take(if most == 0 { 0 } else { usize::MAX }) {
        checked(task)?;
        top.offer(child, tree.weight(Some(child)), are_alike);
    }
    Ok((top, links))
}

/// The only child of the same kind as `node`, if there are few others: these are in `others`, so that
/// the children are visited only once.
fn next_link<T: OutlineTree>(tree: &T, node: T::Node, others: &mut Vec<T::Node>) -> Option<T::Node> {
    others.clear();
    let mut next = None;
    for (n, child) in tree.children(Some(node)).enumerate() {
        let alike = tree.is_alike(node, child);
        if n >= LINK_CHILDREN || alike && next.is_some() {
            return None;
        }
        if alike {
            next = Some(child);
        } else {
            others.push(child);
        }
    }
    next
}

/// The dominator tree: objects by retained size, of one kind if of one class.
impl OutlineTree for DumpData<'_> {
    type Node = ObjectId;

    fn weight(&self, node: Option<ObjectId>) -> u64 {
        node.map_or(self.analysis.shown.shallow, |object| self.analysis.retained(object)).0
    }

    fn children(&self, node: Option<ObjectId>) -> impl Iterator<Item = ObjectId> {
        self.analysis.dominator_children(node)
    }

    fn is_alike(&self, one: ObjectId, other: ObjectId) -> bool {
        self.heap.class_id(one) == self.heap.class_id(other)
    }

    fn below(&self, node: Option<ObjectId>) -> u64 {
        node.map_or(self.analysis.shown.objects, |object| self.analysis.dominated_count(object))
    }
}
