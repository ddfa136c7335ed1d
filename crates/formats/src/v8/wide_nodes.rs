//! Edges from a node to another one, without a scan of all edges of a wide node.

use std::sync::{Mutex, PoisonError};

use super::reader::{Edge, Node, SnapshotReader};
use crate::wide_objects::{WIDE, WideObjects};

/// Wide nodes that were asked about last.
#[derive(Default)]
pub(super) struct WideNodes {
    edges: WideObjects,
    /// Rows of a wide node and of a target, and the last answer about all edges between them: each of a hundred thousand
    /// edges to one node is asked about.
    last: Mutex<Option<(u32, u32, bool)>>,
    /// Row of a wide node, and whether it is a dictionary: asked for each of its names.
    dictionary: Mutex<Option<(u32, bool)>>,
}

impl WideNodes {
    /// The edges from the node of a row to another row, in file order.
    pub(super) fn edges_to<'a>(
        &self,
        reader: SnapshotReader<'a>,
        (row, node): (u32, &Node),
        to: u32,
    ) -> impl Iterator<Item = Edge> + use<'a> {
        let first = node.edges.0;
        let read = || {
            let all = reader.edges_with_index(node.edges.0..node.edges.1);
            all.filter_map(|(at, edge)| Some((edge.to, u32::try_from(at - first).ok()?))).collect()
        };
        let sorted = self.edges.sorted(row, width(node), read);
        let scanned = sorted.is_none().then(|| reader.edges_of(node).filter(move |edge| edge.to == to));
        let at_indexes = sorted.map(|sorted| {
            sorted.indexes(to).flat_map(move |index| {
                let at = first + u64::from(index);
                reader.edges(at..at + 1)
            })
        });
        at_indexes.into_iter().flatten().chain(scanned.into_iter().flatten())
    }

    /// What `judge` says about the properties of the node of a row.
    pub(super) fn judged_dictionary(&self, (row, node): (u32, &Node), judge: impl FnOnce() -> bool) -> bool {
        if width(node) < WIDE {
            return judge();
        }
        let last = *self.dictionary.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answer)) = last.filter(|&(of, _)| of == row) {
            return answer;
        }
        let answer = judge();
        *self.dictionary.lock().unwrap_or_else(PoisonError::into_inner) = Some((row, answer));
        answer
    }

    /// What `judge` says about the edges from the node of a row to another row.
    pub(super) fn judged(&self, (row, node): (u32, &Node), to: u32, judge: impl FnOnce() -> bool) -> bool {
        if width(node) < WIDE {
            return judge();
        }
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, answer)) = last.filter(|&(from, target, _)| (from, target) == (row, to)) {
            return answer;
        }
        let answer = judge();
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((row, to, answer));
        answer
    }
}

/// Number of edges of a node.
fn width(node: &Node) -> usize {
    usize::try_from(node.edges.1 - node.edges.0).unwrap_or(usize::MAX)
}
