//! Part 8.9: which native context each object belongs to.

use super::graph::{Graph, Text};

/// Native context that an object belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Owner {
    Nobody,
    /// The native context at a place.
    Context(usize),
    Shared,
}

fn is_context(name: &Text) -> bool {
    ["system / NativeContext", "Detached system / NativeContext"]
        .iter()
        .any(|context| name.is(context) || name.starts_with(&format!("{context} / ")))
}

pub(in super::super) fn owners(graph: &Graph) -> Vec<Owner> {
    let context = |node: usize| is_context(&graph.nodes[node].name);
    let fixed = |node: usize| {
        if context(node) {
            return Some(node);
        }
        let meta = graph.internal(graph.internal(node, "map")?, "map")?;
        let named = |edge: &&super::graph::Edge| edge.is("internal") && edge.name.is("native_context");
        graph.edges(meta).iter().filter(named).map(|edge| edge.to).find(|&to| context(to))
    };
    let fixed: Vec<Option<usize>> = (0..graph.nodes.len()).map(fixed).collect();
    let mut owners: Vec<Owner> = fixed.iter().map(|owner| owner.map_or(Owner::Nobody, Owner::Context)).collect();
    let mut waiting: Vec<usize> = (0..fixed.len()).filter(|&node| fixed[node].is_some()).collect();
    while let Some(node) = waiting.pop() {
        for edge in graph.edges(node).iter().filter(|edge| !edge.is("shortcut") && !edge.is("weak")) {
            let merged = match (owners[edge.to], owners[node]) {
                (Owner::Nobody, new) => new,
                (old, new) if old == new => old,
                _ => Owner::Shared,
            };
            if fixed[edge.to].is_none() && merged != owners[edge.to] {
                owners[edge.to] = merged;
                waiting.push(edge.to);
            }
        }
    }
    owners
}
