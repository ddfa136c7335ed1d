//! Chrome DevTools' figures of a snapshot, computed naively and literally: every rule is a file, and none uses code of
//! the crate.

pub(super) mod classes;
pub(super) mod comparison;
pub(super) mod contexts;
pub(super) mod detached;
pub(super) mod distances;
pub(super) mod dominators;
pub(super) mod essential;
pub(super) mod filters;
pub(super) mod graph;
pub(super) mod names;
pub(super) mod shapes;
pub(super) mod sizes;
pub(super) mod statistics;
pub(super) mod strings;

use classes::{Classes, Group};
use graph::Graph;

/// Rules for sizes and dominators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Rules of DevTools.
    DevTools,
    /// No size moves to an owner, pages own nothing, and both edges of a weak map entry hold.
    Raw,
}

/// A snapshot and its derived data. All lists are indexed by the node's position in the file.
pub(super) struct Snapshot {
    /// Contents of the file; nodes that became detached are renamed.
    pub(super) graph: Graph,
    /// 0, 1 or 2.
    pub(super) detachedness: Vec<u64>,
    /// For each node, true for each edge that dominators follow.
    pub(super) essential: Vec<Vec<bool>>,
    /// Shallow size of each node in bytes.
    pub(super) sizes: Vec<u64>,
    /// Steps from where the application begins; 100,000,000 more from the root; -5 from neither.
    pub(super) distances: Vec<i64>,
    /// Place of the immediate dominator; that of the root is itself.
    pub(super) dominators: Vec<usize>,
    /// Bytes that go with each.
    pub(super) retained: Vec<u64>,
    /// Common properties of plain objects.
    pub(super) shapes: Vec<shapes::Shape>,
    /// Classes.
    pub(super) classes: Classes,
}

impl Snapshot {
    /// Reads and derives everything.
    pub(super) fn of(text: &str, mode: Mode) -> Self {
        let mut graph = Graph::parse(text);
        let detachedness = detached::propagate(&mut graph);
        let essential = essential::edges(&graph, mode);
        let sizes = sizes::with_owned(&graph, mode);
        let distances = distances::distances(&graph);
        let dominators = dominators::quick(&graph, &essential);
        let retained = dominators::retained(&graph, &dominators, &sizes);
        let shapes = shapes::common(&graph);
        let classes = Classes::new(&graph, &shapes);
        Self { graph, detachedness, essential, sizes, distances, dominators, retained, shapes, classes }
    }

    /// All bytes, those outside of all nodes included.
    pub(super) fn total(&self) -> u64 {
        self.retained[self.graph.root] + self.graph.extra_native_bytes
    }

    /// The table of classes, of nodes that a filter shows.
    pub(super) fn table(&self, shown: impl Fn(usize) -> bool) -> Vec<Group> {
        classes::table(self, shown)
    }
}
