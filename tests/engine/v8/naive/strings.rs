//! Part 8.8: strings of which there are several.

use std::collections::HashMap;

use super::Snapshot;
use super::graph::{Graph, leading_integer};
use super::names::display;

/// Strings of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Duplicates {
    pub(in super::super) text: String,
    /// Length and hash of the whole, if the file has its beginning only.
    pub(in super::super) truncated: Option<[Option<u64>; 2]>,
    /// Places of the strings, in order.
    pub(in super::super) members: Vec<usize>,
    pub(in super::super) self_size: u64,
    pub(in super::super) retained: u64,
}

/// All of them, those that retain most first.
pub(in super::super) fn duplicates(of: &Snapshot) -> Vec<Duplicates> {
    let graph = &of.graph;
    let (mut place, mut groups) = (HashMap::new(), Vec::<Duplicates>::new());
    for node in 0..graph.nodes.len() {
        let string = graph.is(node, "string") || graph.is(node, "concatenated string");
        if !string || of.sizes[node] == 0 || is_flat(graph, node) {
            continue;
        }
        let text = display(graph, node);
        let whole = ["length", "hash"].map(|part| number(graph, node, part, "int"));
        let truncated = is_truncated(graph, node).then_some(whole);
        let name = String::from_utf16_lossy(&text);
        let at = *place.entry((text, truncated)).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Duplicates { text: name, truncated, members: Vec::new(), self_size: 0, retained: 0 });
        }
        groups[at].members.push(node);
        groups[at].self_size += of.sizes[node];
        groups[at].retained += of.retained[node];
    }
    groups.retain(|group| group.members.len() > 1);
    groups.sort_by_key(|group| std::cmp::Reverse(group.retained));
    groups
}

/// A string of two parts, of which one is empty.
fn is_flat(graph: &Graph, node: usize) -> bool {
    let part = |name: &super::graph::Text| name.is("first") || name.is("second");
    graph.is(node, "concatenated string")
        && graph
            .edges(node)
            .iter()
            .any(|edge| edge.is("internal") && part(&edge.name) && display(graph, edge.to).is_empty())
}

/// Text of a number, which is a node of its own.
fn value<'a>(graph: &'a Graph, of: usize, edge: &str, kind: &str) -> Option<&'a super::graph::Text> {
    let number = graph.internal(of, edge).filter(|&to| graph.is(to, "number") && graph.nodes[to].name.is(kind))?;
    Some(&graph.nodes[graph.internal(number, "value")?].name)
}

fn number(graph: &Graph, of: usize, edge: &str, kind: &str) -> Option<u64> {
    value(graph, of, edge, kind).and_then(leading_integer)
}

fn is_truncated(graph: &Graph, node: usize) -> bool {
    value(graph, node, "truncated", "bool").is_some_and(|text| text.is("true"))
}
