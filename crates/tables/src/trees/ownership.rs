//! Expanded levels of ownership: inferred roots at the top, below an object its owned objects and other references, listed in a job.

use std::sync::Arc;

use super::tree::{NodeId, ROOT, Tree};
use heaplens_analysis::ownership::listing::{Line, Mark, children};
use heaplens_analysis::{Ownership, ownership::OwnershipOrder};
use heaplens_base::Bytes;
use heaplens_heap::{Heap, ObjectId};
use heaplens_session::{DeferredDrop, Jobs, OpenDump, Slot};

/// Maximum number of levels expanded to show an object below its owner.
const DEEPEST: usize = 200;

/// Data from which lines are computed.
pub struct LevelSource {
    /// Ownership of all objects.
    pub ownership: Arc<DeferredDrop<Ownership>>,
    /// Order of the owned objects of an object.
    pub by: OwnershipOrder,
}

/// Level below an object.
pub enum Level {
    /// The roots.
    Roots(Arc<DeferredDrop<Vec<ObjectId>>>),
    /// Lines, once they are listed.
    Lines(Slot<DeferredDrop<Vec<Line>>>),
}

/// All expanded levels.
pub struct Levels {
    /// Rows of all expanded levels.
    pub tree: Tree<Level>,
    /// Levels that are being listed.
    waiting: Vec<NodeId>,
    /// Path to an object to show: objects still to expand, last first, and the node to continue at.
    revealing: Option<(NodeId, Vec<ObjectId>)>,
}

impl Levels {
    /// Roots at the top.
    pub fn new(roots: Arc<DeferredDrop<Vec<ObjectId>>>) -> Self {
        let tree = Tree::new(roots.as_slice().len() as u64, Level::Roots(roots));
        Self { tree, waiting: Vec::new(), revealing: None }
    }

    /// Takes finished levels; true if there were any.
    pub fn poll(&mut self) -> bool {
        let waiting = std::mem::take(&mut self.waiting);
        let mut has_changed = false;
        for node in waiting {
            let Some(Level::Lines(slot)) = self.tree.payload_mut(node) else { continue };
            if slot.poll() {
                let rows = slot.get().map_or(0, |lines| lines.as_slice().len() as u64);
                self.tree.set_children(node, rows);
                has_changed = true;
            } else if slot.is_running() {
                self.waiting.push(node);
            }
        }
        has_changed
    }

    /// Error message, if the children of a row could not be listed.
    pub fn error(&self, row: u64) -> Option<&str> {
        match self.tree.payload(self.tree.locate(row)?.parent)? {
            Level::Lines(slot) => slot.error(),
            Level::Roots(_) => None,
        }
    }

    /// Contents of a row; `None` while they are computed.
    pub fn at(&self, row: u64) -> Option<Line> {
        let spot = self.tree.locate(row)?;
        self.line(spot.parent, spot.index)
    }

    fn line(&self, level: NodeId, index: u64) -> Option<Line> {
        let index = usize::try_from(index).ok()?;
        match self.tree.payload(level)? {
            Level::Roots(roots) => {
                Some(Line { depth: 0, mark: Mark::Owned, object: *roots.as_slice().get(index)?, total: Bytes(0) })
            }
            Level::Lines(slot) => slot.get()?.as_slice().get(index).copied(),
        }
    }

    /// Index of an owned object in a level.
    fn index_of(&self, level: NodeId, object: ObjectId) -> Option<u64> {
        let index = match self.tree.payload(level)? {
            Level::Roots(roots) => roots.as_slice().iter().position(|&root| root == object),
            Level::Lines(slot) => {
                slot.get()?.as_slice().iter().position(|line| line.object == object && line.mark == Mark::Owned)
            }
        };
        index.map(|index| index as u64)
    }

    /// Expands or collapses a row.
    pub fn toggle(&mut self, (dump, jobs): (&OpenDump, &Jobs), question: &LevelSource, row: u64) {
        let Some(spot) = self.tree.locate(row) else { return };
        match spot.open {
            Some(open) => self.tree.close(open),
            None => drop(self.open((dump, jobs), question, spot.parent, spot.index)),
        }
    }

    fn open(
        &mut self,
        (dump, jobs): (&OpenDump, &Jobs),
        question: &LevelSource,
        parent: NodeId,
        index: u64,
    ) -> Option<NodeId> {
        if let Some(open) = self.tree.open_at(parent, index) {
            return Some(open);
        }
        let line = self.line(parent, index).filter(|line| expands(&dump.heap, line))?;
        let (ownership, by, dump) = (Arc::clone(&question.ownership), question.by, dump.clone());
        let dropper = jobs.clone();
        let mut slot = Slot::default();
        slot.ask(jobs, "owned objects", move |task| {
            let lines = ownership.get().map(|ownership| children(&dump.heap, ownership, line.object, by, task));
            Ok(dropper.defer_drop(lines.transpose()?.unwrap_or_default()))
        });
        let node = self.tree.open(parent, index, 1, Level::Lines(slot));
        self.waiting.push(node);
        Some(node)
    }

    /// Starts expanding the tree down to an object below its owner, unless that is too deep.
    pub fn reveal(&mut self, object: ObjectId, ownership: &Ownership) {
        let above = std::iter::successors(Some(object), |&object| ownership.parent(object));
        let path: Vec<ObjectId> = above.take(DEEPEST + 1).collect();
        self.revealing = (path.len() <= DEEPEST).then_some((ROOT, path));
    }

    /// Continues the expansion; returns the row once it is reached.
    pub fn reveal_more(&mut self, (dump, jobs): (&OpenDump, &Jobs), question: &LevelSource) -> Option<u64> {
        let (mut node, mut path) = self.revealing.take()?;
        while let Some(&next) = path.last() {
            if self.waiting.contains(&node) {
                self.revealing = Some((node, path));
                return None;
            }
            let index = self.index_of(node, next)?;
            path.pop();
            if path.is_empty() {
                return Some(self.tree.row_of(node, index));
            }
            node = self.open((dump, jobs), question, node, index)?;
        }
        None
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// True if a line has children here; objects owned elsewhere are expanded there.
pub fn expands(heap: &Heap, line: &Line) -> bool {
    line.mark == Mark::Owned && !heap.references(line.object).is_empty()
}
