//! Part 5: how far each node is from where the application begins, else from the root.

use std::collections::{BTreeSet, VecDeque};

use super::essential::Entries;
use super::graph::{Edge, Graph, leading_integer};

/// Distance of nodes reached from the root only.
pub(super) const BEYOND: i64 = 100_000_000;
/// Distance of unreachable nodes.
pub(super) const NONE: i64 = -5;

pub(super) fn distances(graph: &Graph) -> Vec<i64> {
    let mut walk =
        Walk { graph, distances: vec![NONE; graph.nodes.len()], entries: Entries::new(), half: BTreeSet::new() };
    let user_roots = graph.user_roots();
    for &node in &user_roots {
        walk.distances[node] = 1;
    }
    let any = !user_roots.is_empty();
    // A root that is named twice is walked twice.
    walk.from(user_roots.into());
    walk.distances[graph.root] = if any { BEYOND } else { 0 };
    walk.from([graph.root].into());
    walk.distances
}

struct Walk<'a> {
    graph: &'a Graph,
    distances: Vec<i64>,
    entries: Entries,
    /// Entries of weak maps of which one side has been seen.
    half: BTreeSet<Vec<u8>>,
}

impl Walk<'_> {
    fn from(&mut self, mut waiting: VecDeque<usize>) {
        let graph = self.graph;
        while let Some(node) = waiting.pop_front() {
            for edge in graph.edges(node).iter().filter(|edge| !edge.is("weak")) {
                if self.distances[edge.to] == NONE && self.accepts(node, edge) {
                    self.distances[edge.to] = self.distances[node] + 1;
                    waiting.push_back(edge.to);
                }
            }
        }
    }

    fn accepts(&mut self, from: usize, edge: &Edge) -> bool {
        let name = &self.graph.nodes[from].name;
        if self.graph.is(from, "hidden") && name.is("system / NativeContext") && edge.name.is("sloppy_function_map") {
            return false;
        }
        if self.graph.is(from, "array") && name.is("(map descriptors)") {
            return leading_integer(&edge.name).is_none_or(|k| k < 2 || k % 3 != 1);
        }
        match self.entries.of(edge) {
            // The second side may pass, a third waits for a fourth.
            Some(entry) => self.half.remove(&entry.both) || !self.half.insert(entry.both),
            None => true,
        }
    }
}
