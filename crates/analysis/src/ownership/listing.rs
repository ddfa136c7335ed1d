//! *Dump from roots* and *dump from object*: the trees of the search as lines,
//! in the order in which HeapRoots prints them. Below an object come the
//! children that it owns, biggest first, then those that it only refers to.
//!
//! A line is made when it is asked for, so a listing of millions of lines needs
//! no more memory than the children of the objects above it.

use super::{Ownership, OwnershipOrder};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_graph::Edges as _;
use heaplens_heap::{FileReferences, Heap, ObjectId};

/// Default number of levels; that of HeapRoots.
pub const USUAL_DEPTH: u32 = 8;
/// Default minimum total size of a line; that of HeapRoots.
pub const USUAL_THRESHOLD: Bytes = Bytes(1 << 20);

/// Options of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListingOptions {
    /// Below this object; `None`: below every root.
    pub of: Option<ObjectId>,
    /// Only lines with a total size of at least this.
    pub threshold: Bytes,
    /// Maximum number of levels below the first; `None`: all.
    pub depth: Option<u32>,
    /// True to leave out children owned by another object.
    pub prune: bool,
    /// The order of roots and of children.
    pub by: OwnershipOrder,
}

impl Default for ListingOptions {
    fn default() -> Self {
        Self { of: None, threshold: USUAL_THRESHOLD, depth: Some(USUAL_DEPTH), prune: false, by: OwnershipOrder::Total }
    }
}

/// Relation of a line to the one above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Owned by it, or a root: `[ ]`.
    Owned,
    /// Owned by another object of the same tree: `{ }`.
    SameTree,
    /// In the tree of another root: `< root:… >`.
    OtherTree(ObjectId),
}

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Depth; 0 for the first line.
    pub depth: u32,
    /// Relation to the line above.
    pub mark: Mark,
    /// The object.
    pub object: ObjectId,
    /// Its total size.
    pub total: Bytes,
}

/// Iterator over lines.
pub struct Listing<'a> {
    ownership: &'a Ownership,
    recorded: FileReferences<'a>,
    options: ListingOptions,
    /// Pending lines, the next one last.
    waiting: Vec<Line>,
}

impl<'a> Listing<'a> {
    /// The lines for some options.
    pub fn new(
        heap: &'a Heap,
        ownership: &'a Ownership,
        options: ListingOptions,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let recorded = FileReferences::new(heap, ownership.soft, task)?;
        let mut first = options.of.map_or_else(|| ownership.roots(options.by), |object| vec![object]);
        first.reverse();
        let mut listing = Self { ownership, recorded, options, waiting: Vec::new() };
        let lines = first.into_iter().map(|object| listing.line(0, Mark::Owned, object));
        listing.waiting = lines.filter(|line| line.total >= options.threshold).collect();
        Ok(listing)
    }

    fn line(&self, depth: u32, mark: Mark, object: ObjectId) -> Line {
        Line { depth, mark, object, total: Bytes(self.ownership.of(object).total) }
    }

    /// Lines below one, in order; a child with several references has one line.
    fn below(&self, above: Line) -> Vec<Line> {
        let goes_on = above.mark == Mark::Owned && self.options.depth.is_none_or(|most| above.depth < most);
        if !goes_on {
            return Vec::new();
        }
        let mut children: Vec<ObjectId> =
            self.recorded.counting(above.object.raw()).filter_map(ObjectId::from_raw).collect();
        children.sort_unstable();
        children.dedup();
        let owner = self.ownership.owner(above.object);
        let (mut owned, mut others): (Vec<ObjectId>, Vec<ObjectId>) =
            children.into_iter().partition(|&child| self.ownership.parent(child) == Some(above.object));
        if self.options.prune {
            others.clear();
        }
        self.ownership.sort(&mut owned, self.options.by);
        self.ownership.sort(&mut others, self.options.by);
        let other = |child: ObjectId| match self.ownership.owner(child) {
            same if same == owner => Mark::SameTree,
            root => Mark::OtherTree(root),
        };
        let marked = owned.into_iter().map(|child| (Mark::Owned, child));
        let marked = marked.chain(others.into_iter().map(|child| (other(child), child)));
        let lines = marked.map(|(mark, child)| self.line(above.depth + 1, mark, child));
        lines.filter(|line| line.total >= self.options.threshold).collect()
    }
}

/// All targets of an object as lines, owned ones first.
pub fn children(
    heap: &Heap,
    ownership: &Ownership,
    object: ObjectId,
    by: OwnershipOrder,
    task: &Task,
) -> Result<Vec<Line>, Cancelled> {
    let options = ListingOptions { of: Some(object), threshold: Bytes(0), depth: None, prune: false, by };
    let mut listing = Listing::new(heap, ownership, options, task)?;
    Ok(listing.waiting.pop().map(|line| listing.below(line)).unwrap_or_default())
}

impl Iterator for Listing<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let line = self.waiting.pop()?;
        let below = self.below(line);
        self.waiting.extend(below.into_iter().rev());
        Some(line)
    }
}

/// Smallest threshold that yields at most `lines` lines (HeapRoots' *automatic threshold*); 0 if all lines fit.
pub fn automatic_threshold(
    heap: &Heap,
    ownership: &Ownership,
    options: ListingOptions,
    lines: usize,
    task: &Task,
) -> Result<Bytes, Cancelled> {
    let listing = Listing::new(heap, ownership, ListingOptions { threshold: Bytes(0), ..options }, task)?;
    // Per level, the minimum total of a line and its ancestors: a higher threshold hides the line.
    let mut smallest: Vec<Bytes> = Vec::new();
    // The largest thresholds that hide a line, one more than wanted, smallest on top.
    let mut biggest = std::collections::BinaryHeap::new();
    for line in listing {
        task.checkpoint()?;
        smallest.truncate(line.depth as usize);
        let goes_at = smallest.last().map_or(line.total, |&above| above.min(line.total));
        smallest.push(goes_at);
        biggest.push(std::cmp::Reverse(goes_at));
        if biggest.len() > lines.saturating_add(1) {
            biggest.pop();
        }
    }
    let too_many = biggest.len() > lines;
    let first_too_many = biggest.pop().filter(|_| too_many);
    Ok(first_too_many.map_or(Bytes(0), |std::cmp::Reverse(total)| Bytes(total.0.saturating_add(1))))
}
