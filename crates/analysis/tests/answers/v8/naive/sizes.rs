//! Part 4: sizes of nodes with a single owner are added to that owner.

use super::Mode;
use super::graph::Graph;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    One(usize),
    Many,
}

/// Bytes of each node.
pub(super) fn with_owned(graph: &Graph, mode: Mode) -> Vec<u64> {
    let mut sizes: Vec<u64> = graph.nodes.iter().map(|node| node.size).collect();
    if graph.user_roots().is_empty() || mode == Mode::Raw {
        return sizes;
    }
    let text = |node: usize| graph.is(node, "native") && graph.nodes[node].name.is("system / ExternalStringData");
    let ownable = |node: usize| graph.is(node, "hidden") || graph.is(node, "array") || text(node);
    let nodes = 0..graph.nodes.len();
    let mut owners: Vec<Owner> =
        nodes.clone().map(|node| if ownable(node) { Owner::Nobody } else { Owner::One(node) }).collect();
    // Until nothing changes: a node reached from two owners, or from an unowned node, has no owner.
    let mut waiting: Vec<usize> = nodes.clone().filter(|&node| !ownable(node)).collect();
    while let Some(node) = waiting.pop() {
        for edge in graph.edges(node).iter().filter(|edge| !edge.is("weak") && ownable(edge.to)) {
            let merged = match (owners[edge.to], owners[node]) {
                (Owner::Nobody, new) => new,
                (old, new) if old == new => old,
                _ => Owner::Many,
            };
            if merged != owners[edge.to] {
                owners[edge.to] = merged;
                waiting.push(edge.to);
            }
        }
    }
    for node in nodes.filter(|&node| ownable(node)) {
        if let Owner::One(owner) = owners[node]
            && !graph.is(owner, "synthetic")
            && owner != graph.root
        {
            sizes[owner] += std::mem::take(&mut sizes[node]);
        }
    }
    sizes
}
