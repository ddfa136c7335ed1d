//! Writes the parts of a snapshot as a `.heapsnapshot`. Above the nodes of the file are synthetic ones: a root, the GC
//! roots by their reasons, and a group for nodes to which the file records no reference.

use std::io::Write;

use rustc_hash::FxHashMap;

use super::nodes::{EdgeType, NodeType, edge_type, is_global, type_of};
use super::parts::{MISSING_NAME, Parts};
use crate::error::OpenError;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Group of nodes that no edge leads to.
pub(super) const UNRECORDED: &str = "(references not recorded)";
/// Group of roots whose reason the file does not name.
const ROOTS: &str = "(Roots)";
/// Number of values per node: edges refer to nodes by the index of their first value.
const NODE_FIELDS: usize = 5;

pub(super) const NODE_TYPES: &str = r#"["hidden","array","string","object","code","closure","regexp","number","native","synthetic","concatenated string","sliced string","symbol","bigint","object shape"]"#;
pub(super) const EDGE_TYPES: &str = r#"["context","element","property","internal","hidden","shortcut","weak"]"#;

/// A node in the snapshot.
struct Row {
    of: NodeType,
    name: u32,
    id: u64,
    size: u64,
}

/// An edge in the snapshot: its target is a row.
#[derive(Clone, Copy)]
struct Out {
    from: u32,
    to: u32,
    of: EdgeType,
    name: u32,
}

/// Texts, as in the file: with escapes.
#[derive(Default)]
struct Names<'a> {
    texts: Vec<Vec<u8>>,
    indexes: FxHashMap<&'a [u8], u32>,
}

impl<'a> Names<'a> {
    fn of(&mut self, text: &'a [u8]) -> u32 {
        let next = self.texts.len() as u32;
        let index = *self.indexes.entry(text).or_insert(next);
        if index == next {
            self.texts.push(text.to_owned());
        }
        index
    }

    fn add(&mut self, text: &str) -> u32 {
        self.texts.push(text.as_bytes().to_owned());
        self.texts.len() as u32 - 1
    }
}

/// Rows and edges, to be written.
struct Graph<'a> {
    rows: Vec<Row>,
    edges: Vec<Out>,
    names: Names<'a>,
    /// Number of nodes to which the file records no reference.
    unrecorded: usize,
    /// Number of edges from or to nodes that are not in the file.
    nowhere: u64,
}

/// Writes the snapshot. Returns the number of edges from or to nodes that are not in the file.
pub(super) fn write(
    parts: &Parts<'_>,
    out: &mut dyn Write,
    blame: &dyn Fn(std::io::Error) -> OpenError,
    task: &Task,
) -> Result<u64, OpenError> {
    let mut graph = build(parts, task)?;
    // Edges are stored by node; those of one node keep their order.
    graph.edges.sort_by_key(|edge| edge.from);
    let mut degrees = vec![0_u32; graph.rows.len()];
    for edge in &graph.edges {
        degrees.get_mut(edge.from as usize).into_iter().for_each(|degree| *degree += 1);
    }
    print(&graph, &degrees, out, task).map_err(|error| match error {
        PrintError::Cancelled => OpenError::Cancelled,
        PrintError::Io(error) => blame(error),
    })?;
    Ok(graph.nowhere)
}

enum PrintError {
    Cancelled,
    Io(std::io::Error),
}

impl From<std::io::Error> for PrintError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Cancelled> for PrintError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

fn build<'a>(parts: &Parts<'a>, task: &Task) -> Result<Graph<'a>, Cancelled> {
    let mut names = Names::default();
    let nameless = names.of(b"");
    // Ids of synthetic nodes follow those of the file.
    let first_free = parts.nodes.iter().map(|node| node.id).max().unwrap_or_default().saturating_add(1);
    let root_name = names.add("(GC roots)");
    let synthetic = |id: u64, name: u32| Row { of: NodeType::Synthetic, name, id, size: 0 };
    let mut rows = vec![synthetic(first_free, nameless), synthetic(first_free.saturating_add(1), root_name)];
    let mut rows_by_id: FxHashMap<u64, u32> = FxHashMap::default();
    // The root of the file is not a node here: its place is taken by the groups of roots.
    let is_root = |class: &[u8]| class == b"<root>";
    let mut file_root = None;
    for (count, node) in parts.nodes.iter().enumerate() {
        task.checkpoint_at(count)?;
        let class = parts.class_of(node);
        if file_root.is_none() && is_root(class) {
            file_root = Some(node.id);
            continue;
        }
        let of = type_of(class, node.is_internal);
        let name = match of {
            NodeType::Object | NodeType::Hidden => class,
            _ => parts.label_of(node).unwrap_or(class),
        };
        let name = names.of(name);
        rows_by_id.entry(node.id).or_insert(rows.len() as u32);
        rows.push(Row { of, name, id: node.id, size: node.size });
    }
    let mut is_held = vec![false; rows.len()];
    let mut edges = Vec::new();
    let (mut of_root, mut nowhere) = (Vec::new(), 0);
    for (count, edge) in parts.edges.iter().enumerate() {
        task.checkpoint_at(count)?;
        let Some(&to) = rows_by_id.get(&edge.to) else {
            nowhere += u64::from(Some(edge.to) != file_root);
            continue;
        };
        is_held.get_mut(to as usize).into_iter().for_each(|held| *held = true);
        if Some(edge.from) == file_root {
            of_root.push(to);
        } else if let Some(&from) = rows_by_id.get(&edge.from) {
            let of = edge_type(edge, &parts.edge_types);
            let name = match of {
                EdgeType::Element => edge.name,
                EdgeType::Internal => nameless,
                _ => names.of(parts.edge_names.get(edge.name as usize).copied().unwrap_or(MISSING_NAME)),
            };
            edges.push(Out { from, to, of, name });
        } else {
            nowhere += 1;
        }
    }
    let mut groups = Groups { rows, edges, names, next_id: first_free.saturating_add(2) };
    let unrecorded = groups.add_roots(parts, &rows_by_id, &of_root, &mut is_held);
    let Groups { rows, edges, names, .. } = groups;
    Ok(Graph { rows, edges, names, unrecorded, nowhere })
}

/// Adds groups below the GC roots.
struct Groups<'a> {
    rows: Vec<Row>,
    edges: Vec<Out>,
    names: Names<'a>,
    next_id: u64,
}

impl<'a> Groups<'a> {
    /// Adds all groups. Returns the number of nodes to which the file records no reference.
    fn add_roots(
        &mut self,
        parts: &Parts<'a>,
        rows_by_id: &FxHashMap<u64, u32>,
        of_root: &[u32],
        is_held: &mut [bool],
    ) -> usize {
        let nodes = is_held.len();
        self.edges.push(Out { from: 0, to: 1, of: EdgeType::Element, name: 1 });
        // Global objects are what a program sees as the root.
        let globals = parts.nodes.iter().filter(|node| !node.is_internal && is_global(parts.class_of(node)));
        let globals: Vec<u32> = globals.filter_map(|node| rows_by_id.get(&node.id).copied()).collect();
        for &global in &globals {
            is_held.get_mut(global as usize).into_iter().for_each(|held| *held = true);
        }
        let nameless = 0;
        self.edges.extend(globals.iter().map(|&to| Out { from: 0, to, of: EdgeType::Shortcut, name: nameless }));
        let mut by_reason: Vec<(u32, u32)> = Vec::new();
        for &(id, reason) in &parts.roots {
            by_reason.extend(rows_by_id.get(&id).map(|&to| (reason, to)));
        }
        let mut has_reason = vec![false; nodes];
        for &(_, to) in &by_reason {
            for flags in [&mut has_reason[..], &mut *is_held] {
                flags.get_mut(to as usize).into_iter().for_each(|flag| *flag = true);
            }
        }
        by_reason.sort_unstable();
        by_reason.dedup();
        for group in by_reason.chunk_by(|a, b| a.0 == b.0) {
            let reason = group.first().and_then(|&(reason, _)| parts.labels.get(reason as usize));
            let text = reason.copied().filter(|text| !text.is_empty()).map(String::from_utf8_lossy);
            let name = text.map_or_else(|| ROOTS.to_owned(), |text| format!("({text})"));
            self.group(&name, group.iter().map(|&(_, to)| to));
        }
        let rest: Vec<u32> = of_root.iter().copied().filter(|&to| has_reason.get(to as usize) != Some(&true)).collect();
        self.group(ROOTS, rest.into_iter());
        // The two synthetic ones are not of the file.
        let unheld = is_held.iter().enumerate().skip(2).filter(|(_, held)| !**held).map(|(row, _)| row as u32);
        let unheld: Vec<u32> = unheld.collect();
        let count = unheld.len();
        self.group(UNRECORDED, unheld.into_iter());
        count
    }

    /// Adds a group with these members; none if there are none.
    fn group(&mut self, name: &str, members: impl Iterator<Item = u32>) {
        let group = self.rows.len() as u32;
        let before = self.edges.len();
        let element = |(at, to): (u32, u32)| Out { from: group, to, of: EdgeType::Element, name: at };
        self.edges.extend((1..).zip(members).map(element));
        if self.edges.len() == before {
            return;
        }
        let name = self.names.add(name);
        self.rows.push(Row { of: NodeType::Synthetic, name, id: self.next_id, size: 0 });
        self.next_id = self.next_id.saturating_add(1);
        self.edges.push(Out { from: 1, to: group, of: EdgeType::Element, name: group });
    }
}

fn print(graph: &Graph<'_>, degrees: &[u32], out: &mut dyn Write, task: &Task) -> Result<(), PrintError> {
    write!(
        out,
        "{{\"snapshot\":{{\"meta\":{{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\",\"edge_count\"],\
         \"node_types\":[{NODE_TYPES},\"string\",\"number\",\"number\",\"number\"],\
         \"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\
         \"edge_types\":[{EDGE_TYPES},\"string_or_number\",\"node\"]}},\
         \"node_count\":{},\"edge_count\":{},\"engine\":\"JavaScriptCore\",\"unrecorded\":{}}},\n\"nodes\":[",
        graph.rows.len(),
        graph.edges.len(),
        graph.unrecorded
    )?;
    for (count, (row, degree)) in graph.rows.iter().zip(degrees).enumerate() {
        if count.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let comma = if count == 0 { "" } else { "\n," };
        write!(out, "{comma}{},{},{},{},{degree}", row.of as u8, row.name, row.id, row.size)?;
    }
    write!(out, "],\n\"edges\":[")?;
    for (count, edge) in graph.edges.iter().enumerate() {
        if count.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let comma = if count == 0 { "" } else { "\n," };
        write!(out, "{comma}{},{},{}", edge.of as u8, edge.name, edge.to as usize * NODE_FIELDS)?;
    }
    write!(out, "],\n\"strings\":[")?;
    for (count, text) in graph.names.texts.iter().enumerate() {
        out.write_all(if count == 0 { b"\"" } else { b"\n,\"" })?;
        out.write_all(text)?;
        out.write_all(b"\"")?;
    }
    out.write_all(b"]}\n")?;
    Ok(())
}
