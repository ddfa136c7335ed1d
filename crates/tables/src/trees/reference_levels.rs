//! Expanded levels of references, outgoing or incoming: the sorted references of an object, read in a job when its row
//! is expanded.

use std::cmp::Reverse;

use super::tree::{NodeId, ROOT, Tree};
use heaplens_analysis::Direction;
use heaplens_analysis::references::{ReferenceRow, References, references};
use heaplens_base::Count;
use heaplens_heap::snapshot::SYSTEM_DISTANCE;
use heaplens_heap::{ObjectId, Strength};
use heaplens_session::{Jobs, OpenDump, Slot};

/// Maximum number of edges of one object that are read.
const LIMIT: usize = 10_000;

/// Value of an edge or of the object it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeValue {
    /// Name of the edge.
    Name,
    /// Number of references on the shortest path from the root.
    Distance,
    /// Shallow size of the object.
    Shallow,
    /// Retained size of the object.
    Retained,
}

/// Order of the edges of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EdgeOrder {
    /// Retaining edges first, then by retained size; below the root, edges of the program before those of the engine.
    #[default]
    Biggest,
    /// As read: outgoing references in the order of the object, incoming ones by address.
    Recorded,
    /// Retaining references first, then by distance from the GC roots: the first row of each level is on a shortest path,
    /// unless the object has more referrers than are read.
    Nearest,
    /// By a value, descending or not.
    By(EdgeValue, bool),
}

impl EdgeOrder {
    /// The value, and true for descending order.
    pub fn value(self) -> Option<(EdgeValue, bool)> {
        match self {
            Self::Biggest | Self::Recorded | Self::Nearest => None,
            Self::By(value, descending) => Some((value, descending)),
        }
    }

    /// Order after a request to sort by a value: sizes descending first, and reversed if it is already sorted so.
    #[must_use]
    pub fn by(self, value: EdgeValue) -> Self {
        match self {
            Self::By(by, descending) if by == value => Self::By(value, !descending),
            _ => Self::By(value, matches!(value, EdgeValue::Shallow | EdgeValue::Retained)),
        }
    }
}

/// References of an object.
pub struct Level {
    /// The object.
    of: ObjectId,
    /// Index of the edge of the parent level that leads to it, in file order.
    edge: usize,
    slot: Slot<References>,
    /// Indices of its edges, in display order.
    order: Vec<u32>,
}

/// A row with a reference.
#[derive(Clone, Copy)]
pub struct RowReference<'a> {
    /// The object above, which has the reference or, for incoming ones, is referred to.
    pub of: ObjectId,
    /// Index of the reference among those of that object, as recorded.
    pub edge: usize,
    /// The reference, with the object at its other end.
    pub reference: &'a ReferenceRow,
}

/// All expanded levels.
pub struct Levels {
    direction: Direction,
    /// Rows of all expanded levels.
    pub tree: Tree<Level>,
    /// Levels that are being read.
    waiting: Vec<NodeId>,
}

impl Levels {
    /// References of an object as the top level.
    pub fn of(root: ObjectId, direction: Direction, dump: &OpenDump, jobs: &Jobs) -> Self {
        Self { direction, tree: Tree::new(1, read_level(root, 0, direction, dump, jobs)), waiting: vec![ROOT] }
    }

    /// Direction of the references.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The object at the top.
    pub fn root(&self) -> Option<ObjectId> {
        Some(self.tree.payload(ROOT)?.of)
    }

    /// References of the object at the top, once they are read.
    pub fn top(&self) -> Option<(ObjectId, &References)> {
        let level = self.tree.payload(ROOT)?;
        Some((level.of, level.slot.get()?))
    }

    /// Takes finished levels; true if there were any.
    pub fn poll(&mut self, dump: &OpenDump, order: EdgeOrder) -> bool {
        let waiting = std::mem::take(&mut self.waiting);
        let mut has_changed = false;
        for node in waiting {
            let Some(level) = self.tree.payload_mut(node) else { continue };
            if level.slot.poll() {
                level.order = ordered(level, dump, order);
                let rows = level.slot.get().map_or(0, |answer| answer.rows.len() + usize::from(is_cut(answer)));
                self.tree.set_children(node, rows as u64);
                has_changed = true;
            } else if level.slot.is_running() {
                self.waiting.push(node);
            }
        }
        has_changed
    }

    /// Sorts all levels again; expanded rows stay expanded.
    pub fn sort(&mut self, dump: &OpenDump, order: EdgeOrder) {
        let nodes: Vec<NodeId> = self.tree.open_nodes().collect();
        for node in nodes {
            let Some(level) = self.tree.payload_mut(node) else { continue };
            level.order = ordered(level, dump, order);
            let mut indexes = vec![0_u64; level.order.len()];
            for (at, &edge) in level.order.iter().enumerate() {
                indexes[edge as usize] = at as u64;
            }
            self.tree.reorder(node, |below| indexes.get(below.edge).copied());
        }
    }

    /// Level, node index and edge index of a row.
    fn edge_at(&self, row: u64) -> Option<(NodeId, u64, usize)> {
        let spot = self.tree.locate(row)?;
        let edge = *self.tree.payload(spot.parent)?.order.get(usize::try_from(spot.index).ok()?)?;
        Some((spot.parent, spot.index, edge as usize))
    }

    /// Reference in a row; `None` while it is read, and for the row that counts omitted edges.
    pub fn at(&self, row: u64) -> Option<&ReferenceRow> {
        Some(self.reference_at(row)?.reference)
    }

    /// Reference in a row with the object that it is a reference of.
    pub fn reference_at(&self, row: u64) -> Option<RowReference<'_>> {
        let (node, _, edge) = self.edge_at(row)?;
        let level = self.tree.payload(node)?;
        Some(RowReference { of: level.of, edge, reference: level.slot.get()?.rows.get(edge)? })
    }

    /// True if the object in a row is one of those above it, so that its level would repeat theirs.
    pub fn repeats(&self, row: u64) -> bool {
        let (Some(object), Some(spot)) = (self.at(row).map(|row| row.object), self.tree.locate(row)) else {
            return false;
        };
        let above = std::iter::successors(Some(spot.parent), |&node| self.tree.above(node).map(|(above, _)| above));
        above.filter_map(|node| self.tree.payload(node)).any(|level| level.of == object)
    }

    /// Text of a row without an edge: progress, error or number of omitted edges.
    pub fn text(&self, row: u64) -> String {
        let level = self.tree.locate(row).and_then(|spot| self.tree.payload(spot.parent));
        match level.map(|level| (level.slot.get(), level.slot.error())) {
            Some((Some(_), _)) => format!("Only the first {} references that are recorded", Count(LIMIT as u64)),
            Some((None, Some(error))) => error.to_owned(),
            _ => "Reading references…".to_owned(),
        }
    }

    /// Expands or collapses a row.
    pub fn toggle(&mut self, dump: &OpenDump, jobs: &Jobs, row: u64) {
        let Some((parent, index, edge)) = self.edge_at(row) else { return };
        if let Some(open) = self.tree.locate(row).and_then(|spot| spot.open) {
            self.tree.close(open);
            return;
        }
        let Some(object) = self.at(row).map(|reference| reference.object) else { return };
        if !self.repeats(row) && expands(dump, object, self.direction) {
            let node = self.tree.open(parent, index, 1, read_level(object, edge, self.direction, dump, jobs));
            self.waiting.push(node);
        }
    }

    /// Error message, if the top level could not be read.
    pub fn error(&self) -> Option<&str> {
        self.tree.payload(ROOT)?.slot.error()
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.waiting.iter().any(|&node| self.tree.payload(node).is_some_and(|level| level.slot.is_at_work()))
    }
}

/// True if an object has more edges than are listed.
fn is_cut(answer: &References) -> bool {
    answer.rows.len() >= LIMIT
}

/// True if an object has references in a direction.
pub fn expands(dump: &OpenDump, object: ObjectId, direction: Direction) -> bool {
    let (heap, snapshot) = (&dump.heap, dump.heap.snapshot());
    match direction {
        Direction::Outgoing => {
            !heap.references(object).is_empty()
                || snapshot.is_some_and(|snapshot| !snapshot.non_retaining_targets(object).is_empty())
        }
        Direction::Incoming => {
            !dump.analysis.retainers(object).is_empty()
                || snapshot.is_some_and(|snapshot| !snapshot.non_retaining_referrers(object).is_empty())
        }
    }
}

fn read_level(object: ObjectId, edge: usize, direction: Direction, dump: &OpenDump, jobs: &Jobs) -> Level {
    let (mut slot, dump) = (Slot::default(), dump.clone());
    slot.ask(jobs, "references", move |task| Ok(references(dump.data(), object, direction, LIMIT, task)?));
    Level { of: object, edge, slot, order: Vec::new() }
}

fn ordered(level: &Level, dump: &OpenDump, order: EdgeOrder) -> Vec<u32> {
    let Some(answer) = level.slot.get() else { return Vec::new() };
    let (heap, analysis) = (&dump.heap, &dump.analysis);
    let rows: Vec<&ReferenceRow> = answer.rows.iter().collect();
    let distance = |row: &ReferenceRow| analysis.shown_distance(heap, row.object);
    let mut indexes: Vec<u32> = (0..rows.len() as u32).collect();
    let of = |at: &u32| rows[*at as usize];
    match order {
        EdgeOrder::Recorded => {}
        EdgeOrder::Nearest => indexes.sort_by_cached_key(|at| {
            let row = of(at);
            (row.name.strength != Strength::Strong, distance(row).unwrap_or(u32::MAX))
        }),
        EdgeOrder::Biggest => {
            let is_root = heap.snapshot().is_some_and(|snapshot| snapshot.root() == level.of.raw());
            indexes.sort_by_cached_key(|at| {
                let row = of(at);
                let is_engines = is_root && distance(row).is_none_or(|distance| distance >= SYSTEM_DISTANCE);
                (row.name.strength != Strength::Strong, is_engines, Reverse(row.retained))
            });
        }
        EdgeOrder::By(value, descending) => {
            match value {
                EdgeValue::Name => indexes.sort_by(|a, b| of(a).name.text.cmp(&of(b).name.text)),
                EdgeValue::Distance => indexes.sort_by_cached_key(|at| distance(of(at)).unwrap_or(u32::MAX)),
                EdgeValue::Shallow => indexes.sort_by_key(|at| of(at).shallow),
                EdgeValue::Retained => indexes.sort_by_key(|at| of(at).retained),
            }
            if descending {
                indexes.reverse();
            }
        }
    }
    indexes
}
