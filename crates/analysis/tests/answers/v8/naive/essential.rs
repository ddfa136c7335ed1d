//! Parts 3.3 and 3.4: which edges count for dominators.

use regex::bytes::Regex;

use super::Mode;
use super::graph::{Edge, Graph};

/// Parts of the name of a weak map entry's edge.
pub(super) struct Entry {
    /// Part that both edges of the entry share.
    pub(super) both: Vec<u8>,
    /// Id of the table.
    pub(super) table: Option<u64>,
}

/// Reads names of edges.
pub(super) struct Entries(Regex);

impl Entries {
    pub(super) fn new() -> Self {
        let pattern = r"(?s-u)^[0-9]+( / part of key \(.*? @[0-9]+\) -> value \(.*? @[0-9]+\) pair in WeakMap \(table @([0-9]+)\))$";
        Self(Regex::new(pattern).expect("a pattern"))
    }

    /// The entry that an internal edge belongs to.
    pub(super) fn of(&self, edge: &Edge) -> Option<Entry> {
        if !edge.is("internal") {
            return None;
        }
        // Only the wildcard parts of the pattern could contain a line break, which does not match.
        let name = &*edge.name.0;
        let lines = name.contains(&b'\n') || name.contains(&b'\r');
        let separators = name.windows(3).any(|bytes| bytes == [0xe2, 0x80, 0xa8] || bytes == [0xe2, 0x80, 0xa9]);
        if lines || separators {
            return None;
        }
        let actual = self.0.captures(name)?;
        let table = String::from_utf8_lossy(&actual[2]).parse().ok();
        Some(Entry { both: actual[1].to_vec(), table })
    }
}

/// Nodes owned by the page: targets of the root's shortcuts, document trees, and everything reachable from them.
fn owned_by_page(graph: &Graph) -> Vec<bool> {
    let mut owned = vec![false; graph.nodes.len()];
    let seeds = graph.edges(graph.root).iter();
    let seeds = seeds.filter(|edge| edge.is("shortcut") || edge.is("element") && graph.is_dom_trees(edge.to));
    let mut waiting: Vec<usize> = seeds.map(|edge| edge.to).collect();
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut owned[node], true) {
            waiting.extend(graph.edges(node).iter().filter(|edge| !edge.is("weak")).map(|edge| edge.to));
        }
    }
    owned
}

/// True for each essential edge.
pub(super) fn edges(graph: &Graph, mode: Mode) -> Vec<Vec<bool>> {
    let (owned, entries) = (owned_by_page(graph), Entries::new());
    let counts = |from: usize, edge: &Edge| {
        let is_table = |table: Option<u64>| table == Some(graph.nodes[from].id) && mode == Mode::DevTools;
        let of_table = || entries.of(edge).is_some_and(|entry| is_table(entry.table));
        let into_page = from != graph.root && owned[edge.to] && !owned[from] && mode == Mode::DevTools;
        let shortcut = from != graph.root && edge.is("shortcut");
        !edge.is("weak") && from != edge.to && !shortcut && !into_page && !of_table()
    };
    let of = |from: usize| graph.edges(from).iter().map(|edge| counts(from, edge)).collect();
    (0..graph.nodes.len()).map(of).collect()
}
