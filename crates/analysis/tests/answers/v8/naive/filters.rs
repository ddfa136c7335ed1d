//! Part 8.7: which objects a filter of the summary shows.

use super::contexts::owners;
use super::distances::NONE;
use super::graph::{Edge, Graph};
use super::strings::duplicates;
use super::{Snapshot, contexts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Filter {
    DuplicateStrings,
    /// Retained by detached nodes of a document.
    Detached,
    Contexts,
    Console,
    EventHandlers,
    /// Belonging to a native context, to several or to none.
    Native(contexts::Owner),
    /// Ids above one and up to another.
    Ids(u64, u64),
}

/// True for each node that passes the filter.
pub(in super::super) fn shown(of: &Snapshot, filter: Filter) -> Vec<bool> {
    let graph = &of.graph;
    let without = |passes: &dyn Fn(usize, &Edge) -> bool| {
        let mut reached = vec![false; graph.nodes.len()];
        reached[graph.root] = true;
        let mut waiting = vec![graph.root];
        while let Some(node) = waiting.pop() {
            for edge in graph.edges(node).iter().filter(|edge| !edge.is("weak") && passes(node, edge)) {
                if !std::mem::replace(&mut reached[edge.to], true) {
                    waiting.push(edge.to);
                }
            }
        }
        (0..reached.len()).map(|node| !reached[node] && of.distances[node] != NONE).collect()
    };
    match filter {
        Filter::DuplicateStrings => {
            let mut shown = vec![false; graph.nodes.len()];
            duplicates(of).into_iter().flat_map(|group| group.members).for_each(|node| shown[node] = true);
            shown
        }
        Filter::Detached => without(&|_, edge| of.detachedness[edge.to] != 2),
        Filter::Contexts => without(&|_, edge| !is_context(graph, edge.to)),
        Filter::Console => without(&|from, edge| {
            let text = edge.name.to_string();
            // The name of a shortcut that begins with a number is a number.
            let named =
                edge.named && !(edge.is("shortcut") && text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty());
            !(graph.is(from, "synthetic") && named && text.ends_with(" / DevTools console"))
        }),
        Filter::EventHandlers => {
            let handlers = handlers(graph);
            without(&|_, edge| !handlers[edge.to])
        }
        Filter::Native(owner) => owners(graph).into_iter().map(|actual| actual == owner).collect(),
        Filter::Ids(low, high) => graph.nodes.iter().map(|node| node.id > low && node.id <= high).collect(),
    }
}

/// True if a node is a context of variables.
pub(super) fn is_context(graph: &Graph, node: usize) -> bool {
    let name = &graph.nodes[node].name;
    name.is("system / Context") || name.starts_with("system / Context / ")
}

/// The functions, or their wrappers, that listeners call.
fn handlers(graph: &Graph) -> Vec<bool> {
    let mut handlers = vec![false; graph.nodes.len()];
    let target = |node: usize, name: &str| graph.edges(node).iter().find(|edge| edge.name.is(name)).map(|edge| edge.to);
    let listeners = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].name.is("V8EventListener"));
    for called in listeners.filter_map(|node| target(node, "1")) {
        let is_function = |node: usize| target(node, "code").is_some();
        let wrapped = || graph.edges(called).iter().map(|edge| edge.to).find(|&to| is_function(to));
        let handler = if is_function(called) { called } else { wrapped().unwrap_or(called) };
        handlers[handler] = true;
    }
    handlers
}

/// The largest id of JavaScript's own, up to which a snapshot's objects go.
pub(in super::super) fn max_id(graph: &Graph) -> u64 {
    graph.nodes.iter().map(|node| node.id).filter(|id| id % 2 == 1).max().unwrap_or(0)
}
