//! Part 7.2: common properties of plain objects.

use std::collections::HashMap;

use super::graph::{Graph, Text};
use super::names::{property, units};

/// Properties that several objects have, by which they are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Shape {
    /// `{a, b}`
    pub(in super::super) name: String,
    pub(super) properties: Vec<Text>,
}

pub(super) fn is_plain(graph: &Graph, node: usize) -> bool {
    graph.is(node, "object") && graph.nodes[node].name.is("Object")
}

/// The shapes that are frequent enough, the most frequent first.
pub(super) fn common(graph: &Graph) -> Vec<Shape> {
    let (mut actual, mut index, mut plain) = (Vec::<(Shape, usize)>::new(), HashMap::new(), 0);
    for node in (0..graph.nodes.len()).filter(|&node| is_plain(graph, node)) {
        plain += 1;
        let (mut name, mut properties) = (units("{"), Vec::new());
        for edge in graph.edges(node).iter().filter(|edge| edge.is("property") && !edge.name.is("__proto__")) {
            let next = property(&edge.name);
            if name.len() > 1 && name.len() + next.len() > 120 {
                break;
            }
            // Not if the first name is empty: then the text is still empty.
            let comma = if name.len() > 1 { ", " } else { "" };
            name.extend(units(comma).into_iter().chain(next));
            properties.push(edge.name.clone());
        }
        if properties.is_empty() {
            continue;
        }
        name.extend(units("}"));
        let at = *index.entry(name.clone()).or_insert(actual.len());
        if at == actual.len() {
            actual.push((Shape { name: String::from_utf16_lossy(&name), properties }, 0));
        }
        actual[at].1 += 1;
    }
    actual.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    actual.into_iter().filter(|&(_, count)| count >= 2 && count * 1000 >= plain).map(|(shape, _)| shape).collect()
}

/// The shape that an object is called by: the one of most properties of those it has all of.
pub(super) fn of<'a>(graph: &Graph, node: usize, shapes: &'a [Shape]) -> Option<&'a Shape> {
    let edges = graph.edges(node).iter().filter(|edge| edge.is("property"));
    let has: Vec<&Text> = edges.map(|edge| &edge.name).collect();
    let mut best: Option<&Shape> = None;
    for shape in shapes {
        let fits = shape.properties.iter().all(|property| has.contains(&property));
        if fits && best.is_none_or(|best| shape.properties.len() > best.properties.len()) {
            best = Some(shape);
        }
    }
    best
}
