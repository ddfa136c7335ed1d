//! Edges of wide nodes by their target. Names of the elements of a long array are asked one after the other; each would
//! read all edges of the array.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::reader::{Edge, Node, SnapshotReader};

/// Nodes with fewer edges are read each time.
const WIDE: u64 = 512;
/// Number of questions about a node before its edges are sorted.
const ASKED: u32 = 8;
/// Maximum number of nodes remembered, and of the edges of several in all, at eight bytes each.
const NODES: usize = 64;
const EDGES: usize = 8 << 20;

/// Wide nodes that were asked about last, the latest at the end.
#[derive(Default)]
pub(super) struct WideNodes {
    nodes: Mutex<Vec<WideNode>>,
}

struct WideNode {
    row: u32,
    asked: u32,
    edges: Arc<SortedEdges>,
}

/// Target of each edge, and its place among the edges of its node; ascending. Empty until it has been asked about often.
type SortedEdges = OnceLock<Box<[(u32, u32)]>>;

impl WideNodes {
    /// The edges from the node of a row to another row, in file order.
    pub(super) fn edges_to<'a>(
        &self,
        reader: SnapshotReader<'a>,
        (row, node): (u32, &Node),
        to: u32,
    ) -> impl Iterator<Item = Edge> + use<'a> {
        let first = node.edges.0;
        let found = self.sorted(reader, row, node).map(|sorted| {
            let all = sorted.get().map_or(&[][..], |edges| edges);
            let begin = all.partition_point(|&(target, _)| target < to);
            // Read one by one: a caller wants few of many.
            let place =
                move |at: usize| sorted.get()?.get(at).filter(|(target, _)| *target == to).map(|&(_, place)| place);
            (begin..).map_while(place).flat_map(move |place| {
                let at = first + u64::from(place);
                reader.edges(at..at + 1)
            })
        });
        let scanned = found.is_none().then(|| reader.edges_of(node).filter(move |edge| edge.to == to));
        found.into_iter().flatten().chain(scanned.into_iter().flatten())
    }

    /// The sorted edges of a node; `None` if it is not wide or was asked about only a few times.
    fn sorted(&self, reader: SnapshotReader<'_>, row: u32, node: &Node) -> Option<Arc<SortedEdges>> {
        if node.edges.1 - node.edges.0 < WIDE {
            return None;
        }
        let edges = self.asked_often(row)?;
        // Outside the lock: others may ask about other nodes meanwhile.
        edges.get_or_init(|| {
            let all = reader.edges_with_index(node.edges.0..node.edges.1);
            let place = |at: u64| u32::try_from(at - node.edges.0).ok();
            let mut edges: Vec<(u32, u32)> = all.filter_map(|(at, edge)| Some((edge.to, place(at)?))).collect();
            edges.sort_unstable();
            edges.into()
        });
        Some(edges)
    }

    /// Counts a question about a node; its edges if there were many. Those that were asked about longest ago are
    /// forgotten.
    fn asked_often(&self, row: u32) -> Option<Arc<SortedEdges>> {
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = nodes.iter().position(|node| node.row == row).map(|at| nodes.remove(at));
        let mut wide = known.unwrap_or(WideNode { row, asked: 0, edges: Arc::default() });
        wide.asked = wide.asked.saturating_add(1);
        let edges = (wide.asked > ASKED).then(|| Arc::clone(&wide.edges));
        nodes.push(wide);
        let of = |node: &WideNode| node.edges.get().map_or(0, |edges| edges.len());
        while nodes.len() > NODES || (nodes.len() > 1 && nodes.iter().map(of).sum::<usize>() > EDGES) {
            nodes.remove(0);
        }
        edges
    }
}
