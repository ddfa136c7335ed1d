//! Part 7.5: name of an object in a row, in UTF-16 code units.

use super::graph::{Graph, Text};

fn is_plain(graph: &Graph, node: usize) -> bool {
    graph.is(node, "object") && graph.nodes[node].name.is("Object")
}

pub(in super::super) fn display(graph: &Graph, node: usize) -> Vec<u16> {
    if graph.is(node, "concatenated string") {
        rope(graph, node)
    } else if is_plain(graph, node) {
        properties(graph, node)
    } else {
        graph.nodes[node].name.units()
    }
}

/// Text of a string of two parts: leaf after leaf, up to the limit.
fn rope(graph: &Graph, node: usize) -> Vec<u16> {
    let (mut text, mut waiting) = (Vec::new(), vec![node]);
    while let Some(node) = waiting.pop().filter(|_| text.len() < 1024) {
        if graph.is(node, "concatenated string") {
            // If a part is missing, DevTools takes the first node of the file.
            waiting.extend(["second", "first"].map(|part| graph.internal(node, part).unwrap_or(0)));
        } else {
            text.extend(graph.nodes[node].name.units());
        }
    }
    text
}

/// `{a, b, …, y, z}`, from both ends in turn.
fn properties(graph: &Graph, node: usize) -> Vec<u16> {
    let edges = graph.edges(node).iter().filter(|edge| edge.is("property") && !edge.name.is("__proto__"));
    let names: Vec<Vec<u16>> = edges.map(|edge| property(&edge.name)).collect();
    let (mut start, mut end) = (units("{"), units("}"));
    let (mut first, mut last) = (0, names.len());
    let mut from_end = false;
    while first < last {
        let next = if from_end { &names[last - 1] } else { &names[first] };
        if start.len() > 1 && start.len() + end.len() + next.len() > 100 {
            break;
        }
        if from_end {
            let comma = if end.len() > 1 { ", " } else { "" };
            end = [next, &units(comma)[..], &end].concat();
            last -= 1;
        } else {
            let comma = if start.len() > 1 { ", " } else { "" };
            start.extend(units(comma).iter().chain(next));
            first += 1;
        }
        from_end = !from_end;
    }
    let left = if first < last { ", …" } else { "" };
    let comma = if end.len() > 1 { ", " } else { "" };
    [start, units(left), units(comma), end].concat()
}

pub(super) fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// A property as DevTools writes it: quoted as JSON if it has marks in it that could confuse.
pub(super) fn property(name: &Text) -> Vec<u16> {
    if !name.0.iter().any(|byte| b",'\"{}".contains(byte)) {
        return name.units();
    }
    let mut quoted = String::from("\"");
    for unit in char::decode_utf16(name.units()) {
        match unit {
            Ok('"') => quoted.push_str("\\\""),
            Ok('\\') => quoted.push_str("\\\\"),
            Ok('\n') => quoted.push_str("\\n"),
            Ok('\r') => quoted.push_str("\\r"),
            Ok('\t') => quoted.push_str("\\t"),
            Ok('\u{8}') => quoted.push_str("\\b"),
            Ok('\u{c}') => quoted.push_str("\\f"),
            Ok(c) if c < ' ' => quoted += &escape(c as u16),
            Ok(c) => quoted.push(c),
            Err(alone) => quoted += &escape(alone.unpaired_surrogate()),
        }
    }
    quoted.push('"');
    units(&quoted)
}

fn escape(unit: u16) -> String {
    format!("\\u{unit:04x}")
}
