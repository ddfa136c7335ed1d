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
    let (mut index, mut groups) = (HashMap::new(), Vec::<Duplicates>::new());
    for node in 0..graph.nodes.len() {
        let string = graph.is(node, "string") || graph.is(node, "concatenated string");
        if !string || of.sizes[node] == 0 || is_flat(graph, node) {
            continue;
        }
        let text = display(graph, node);
        let complete = ["length", "hash"].map(|part| number(graph, node, part, "int"));
        let truncated = is_truncated(graph, node).then_some(complete);
        let name = String::from_utf16_lossy(&text);
        let at = *index.entry((text, truncated)).or_insert(groups.len());
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

/// Members of each group whose texts are equal beyond doubt, and their sizes: a text is its string's only if the size says
/// so, its length, or a longer text that shows that the writer does not cut it.
pub(in super::super) fn proven_duplicates(of: &Snapshot) -> Vec<(Vec<usize>, u64)> {
    let graph = &of.graph;
    let strings = (0..graph.nodes.len()).filter(|&node| graph.is(node, "string"));
    let on_heap = ["string", "concatenated string", "sliced string", "array", "closure"];
    let is_odd =
        |node: usize| !graph.nodes[node].size.is_multiple_of(8) && on_heap.iter().any(|kind| graph.is(node, kind));
    let (header, alignment) = if (0..graph.nodes.len()).any(is_odd) { (12, 4) } else { (16_usize, 8) };
    let least = |units: &[u16]| units.len() - 2 * marks(units);
    let longest = strings.map(|node| least(&graph.nodes[node].name.units())).max().unwrap_or(0);
    let is_whole = |node: usize, units: &[u16]| {
        let size = graph.nodes[node].size as usize;
        let size_of = |bytes: usize| (header + bytes).next_multiple_of(alignment);
        // One that is cut is longer than all texts in the file.
        let has_size = |width: usize| size == size_of(units.len() * width) && size < size_of((longest + 1) * width);
        let wide = units.iter().filter(|&&unit| unit > 0xff).count();
        if marks(units) == 0 && (units.len() + wide < longest || has_size(if wide > 0 { 2 } else { 1 })) {
            return true;
        }
        let length = graph.internal(node, "length").and_then(|number| graph.internal(number, "value"));
        let length = length.and_then(|value| graph.nodes[value].name.to_string().parse::<usize>().ok());
        length == Some(units.len()) && !is_truncated(graph, node)
    };
    let mut groups: HashMap<Vec<u16>, Vec<usize>> = HashMap::new();
    for node in 0..graph.nodes.len() {
        let kinds = ["string", "concatenated string", "sliced string"];
        if !kinds.iter().any(|kind| graph.is(node, kind)) || of.sizes[node] == 0 || is_flat(graph, node) {
            continue;
        }
        if let Some(text) = whole_text(graph, node, &is_whole, 0) {
            groups.entry(text).or_default().push(node);
        }
    }
    groups.retain(|_, members| members.len() > 1);
    let size = |members: &[usize]| members.iter().map(|&node| of.sizes[node]).sum();
    groups.into_values().map(|members| (members.clone(), size(&members))).collect()
}

/// Groups of three question marks.
fn marks(units: &[u16]) -> usize {
    String::from_utf16_lossy(units).matches("???").count()
}

fn whole_text(graph: &Graph, node: usize, is_whole: &impl Fn(usize, &[u16]) -> bool, depth: usize) -> Option<Vec<u16>> {
    if graph.is(node, "concatenated string") {
        let of = |part: &str| {
            let mut edges = graph.edges(node).iter().rev();
            edges.find(|edge| edge.is("internal") && edge.name.is(part)).map(|edge| edge.to)
        };
        let parts = [of("first")?, of("second")?];
        // A cycle.
        (depth < 1_000).then_some(())?;
        let texts = parts.map(|part| whole_text(graph, part, is_whole, depth + 1));
        let [first, second] = texts;
        return Some([first?, second?].concat());
    }
    let units = graph.nodes[node].name.units();
    let has_text = graph.is(node, "string") || !graph.nodes[node].name.is("(sliced string)");
    (has_text && is_whole(node, &units)).then_some(units)
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
