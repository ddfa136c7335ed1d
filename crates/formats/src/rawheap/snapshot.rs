//! Graph of a raw heap, and its text form: a `.heapsnapshot` in the dialect of ArkTS, byte for byte as written by the
//! translator of the device.

use std::io::Write;

use super::names::{Names, quote};
use crate::error::OpenError;
use heaplens_base::Task;

/// Node kinds: indexes into the list of node types below.
pub(super) mod kind {
    pub(in super::super) const ARRAY: u8 = 1;
    pub(in super::super) const STRING: u8 = 2;
    pub(in super::super) const OBJECT: u8 = 3;
    pub(in super::super) const CLOSURE: u8 = 5;
    pub(in super::super) const NUMBER: u8 = 7;
    pub(in super::super) const NATIVE: u8 = 8;
    pub(in super::super) const SYNTHETIC: u8 = 9;
    pub(in super::super) const FRAMEWORK: u8 = 14;
    pub(in super::super) const HANDLE: u8 = 15;
    pub(in super::super) const CLASS: u8 = 16;
}

/// Edge kinds: indexes into the list of edge types below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EdgeKind {
    Element = 1,
    Property = 2,
    Internal = 3,
    Shortcut = 5,
    Weak = 6,
    Xref = 7,
}

/// Node. The number of its edges is known after a walk over the heap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) id: u32,
    pub(super) name: u32,
    pub(super) size: u32,
    pub(super) native: u32,
    pub(super) edges: u32,
    pub(super) kind: u8,
    /// Type in the runtime: an index into the types of the metadata.
    pub(super) js: u8,
}

impl Node {
    /// A node without size and edges.
    pub(super) fn new(id: u32, kind: u8, name: u32) -> Self {
        Self { id, name, size: 0, native: 0, edges: 0, kind, js: 0 }
    }

    /// The same with a size.
    pub(super) fn sized(self, size: u32) -> Self {
        Self { size, ..self }
    }
}

/// Edge. `name` is an index if `kind` is element, otherwise a number in the string table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) kind: EdgeKind,
    pub(super) name: u32,
    pub(super) to: u32,
}

/// Callback for the edges of a heap, each with its source node.
pub(super) type EdgeVisitor<'t> = dyn FnMut(u32, Edge) -> Result<(), OpenError> + 't;

/// Heap whose nodes are in memory and whose edges, five times as many, are read from the file each time.
pub(super) trait Graph<'a> {
    /// Nodes and names, to which more may be added.
    fn parts(&mut self) -> (&mut Vec<Node>, &mut Names<'a>);
    /// Visits all edges in the order of their nodes; the same ones each time.
    fn walk(&mut self, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError>;
}

/// Between `{"snapshot":` and the counts.
const META: &str = r#"{"snapshot":
{"meta":
{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness","native_size"],
"node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic","concatenated string","slicedstring","symbol","bigint","framework","handle","class"],"string","number","number","number","number","number","number"],
"edge_fields":["type","name_or_index","to_node"],
"edge_types":[["context","element","property","internal","hidden","shortcut","weak","xref"],"string_or_number","node"],
"trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],
"trace_node_fields":["id","function_info_index","count","size","children"],
"sample_fields":["timestamp_us","last_assigned_id"],
"location_fields":["object_index","script_id","line","column"]},
"#;
/// Number of values per node: edges refer to nodes by the index of their first value.
const NODE_FIELDS: u64 = 8;
/// Size of the output buffer, in bytes.
const BLOCK: usize = 1 << 16;

/// Buffered text output.
struct TextOutput<'o> {
    out: &'o mut dyn Write,
    blame: &'o dyn Fn(std::io::Error) -> OpenError,
    task: &'o Task,
    block: Vec<u8>,
}

impl TextOutput<'_> {
    fn push(&mut self, text: &str) {
        self.block.extend_from_slice(text.as_bytes());
    }

    /// Writes a number, preceded by a separator.
    fn number(&mut self, before: u8, number: u64) {
        let (mut digits, mut left, mut at) = ([0; 20], number, 20);
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (left % 10) as u8;
            left /= 10;
            at -= 1;
            if left == 0 {
                break;
            }
        }
        self.block.push(before);
        self.block.extend_from_slice(digits.get(at..).unwrap_or_default());
    }

    /// Ends a line, and writes full buffers.
    fn line(&mut self) -> Result<(), OpenError> {
        self.block.push(b'\n');
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), OpenError> {
        self.task.checkpoint()?;
        self.out.write_all(&self.block).map_err(self.blame)?;
        self.block.clear();
        Ok(())
    }
}

/// Writes a heap after its edges were counted.
pub(super) fn write(
    graph: &mut dyn Graph<'_>,
    out: &mut dyn Write,
    blame: &dyn Fn(std::io::Error) -> OpenError,
    task: &Task,
) -> Result<(), OpenError> {
    let mut text = TextOutput { out, blame, task, block: Vec::with_capacity(BLOCK + 256) };
    let (nodes, _) = graph.parts();
    text.push(META);
    text.push("\"node_count\"");
    text.number(b':', nodes.len() as u64);
    text.push(",\n\"edge_count\"");
    text.number(b':', nodes.iter().map(|node| u64::from(node.edges)).sum());
    text.push(",\n\"trace_function_count\":0\n},\n\"nodes\":");
    for (at, node) in nodes.iter().enumerate() {
        if at > 0 {
            text.line()?;
        }
        text.number(if at == 0 { b'[' } else { b',' }, node.kind.into());
        for field in [node.name, node.id, node.size, node.edges, 0, 0, node.native] {
            text.number(b',', field.into());
        }
    }
    text.push("],\n\"edges\":");
    let mut is_first = true;
    graph.walk(&mut |_, edge| {
        if !is_first {
            text.line()?;
        }
        text.number(if is_first { b'[' } else { b',' }, u64::from(edge.kind as u8));
        text.number(b',', edge.name.into());
        text.number(b',', u64::from(edge.to) * NODE_FIELDS);
        is_first = false;
        Ok(())
    })?;
    if is_first {
        text.push("[");
    }
    text.push("],\n\"trace_function_infos\":[],\"trace_tree\":[],\"samples\":[],\"locations\":[],\n\"strings\":[");
    for (at, name) in graph.parts().1.all().enumerate() {
        if at > 0 {
            text.block.push(b',');
            text.line()?;
        }
        quote(name, &mut text.block);
    }
    text.push("\n]\n}\n");
    text.flush()
}

/// Counts the edges of each node.
pub(super) fn count(graph: &mut dyn Graph<'_>) -> Result<(), OpenError> {
    let mut counts: Vec<u32> = Vec::new();
    graph.walk(&mut |from, _| {
        let from = from as usize;
        if counts.len() <= from {
            counts.resize(from + 1, 0);
        }
        if let Some(count) = counts.get_mut(from) {
            *count += 1;
        }
        Ok(())
    })?;
    for (node, count) in graph.parts().0.iter_mut().zip(counts) {
        node.edges = count;
    }
    Ok(())
}
