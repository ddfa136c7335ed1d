//! Allocation stacks: a call tree, with a node of it for every heap node. Only snapshots recorded with stacks, and
//! allocation timelines, have one.
//!
//! The tree is as deep as the call stack of the program, or arbitrarily deep in a malformed file: it is parsed byte by
//! byte without recursion, and needs no more memory than its text. Functions are read to the end of their list, since
//! the count in the file may be too small.

use super::numbers::{MOST_FIELDS, Numbers};
use super::{index::Index, meta::Meta};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ScriptPosition, SourceLocation};

/// No place.
const NONE: u32 = u32::MAX;

/// Maximum number of frames of a stack; the engine records a few dozen.
const FRAMES: usize = 512;

/// Call tree, and the call tree node of every heap node.
#[derive(Debug, Default)]
pub(super) struct Allocations {
    /// Call tree node by row; 0 if unknown.
    of_node: Vec<u32>,
    functions: Vec<Function>,
    /// Ascending by number.
    calls: Vec<CallNode>,
}

/// Function in a call stack of an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Function {
    /// Strings of the table.
    name: u32,
    script: u32,
    /// Number of the script.
    script_id: u32,
    /// 1-based line; 0 if unknown.
    line: u32,
    column: u32,
}

/// Call tree node: a function called from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CallNode {
    id: u32,
    function: u32,
    /// Id of the parent; 0 for the topmost node. While the tree is read: index of the parent in the list.
    above: u32,
}

/// True if a snapshot has more than an empty tree.
pub(super) fn has_stacks(file: &[u8], index: &Index, meta: &Meta) -> bool {
    let text = section(file, index.trace_tree);
    meta.node.trace.is_some() && text.iter().take(64).any(u8::is_ascii_digit)
}

/// Number of names of functions and scripts that are not among `strings` strings.
pub(super) fn unnamed(
    file: &[u8],
    functions: Option<(u64, u64)>,
    meta: &Meta,
    strings: u32,
    task: &Task,
) -> Result<u64, Cancelled> {
    let fields = ["name", "script_name"].map(|name| meta.function_fields.iter().position(|field| field == name));
    let counts = records(file, functions, meta.function_fields.len(), task, |field| {
        fields.iter().flatten().filter(|&&at| field(at) >= u64::from(strings)).count() as u64
    })?;
    Ok(counts.into_iter().sum())
}

/// True if the snapshot has samples of a timeline.
pub(super) fn has_samples(file: &[u8], index: &Index) -> bool {
    section(file, index.samples).iter().take(64).any(u8::is_ascii_digit)
}

/// Times in microseconds, each with the highest object id assigned by then.
pub(super) fn samples(file: &[u8], index: &Index, meta: &Meta) -> Vec<(u64, u64)> {
    let index_of = |name| meta.sample_fields.iter().position(|field| field == name);
    let fields = (index_of("timestamp_us"), index_of("last_assigned_id"));
    let (Some(time), Some(last)) = fields else { return Vec::new() };
    let read = records(file, index.samples, meta.sample_fields.len(), &Task::new(), |field| (field(time), field(last)));
    // This task is never cancelled.
    read.unwrap_or_default()
}

impl Allocations {
    /// Reads the tree, the functions and the call tree node of every heap node.
    pub(super) fn read(file: &[u8], index: &Index, meta: &Meta, task: &Task) -> Result<Self, Cancelled> {
        let Some(trace) = meta.node.trace else { return Ok(Self::default()) };
        let of_function = |name| meta.function_fields.iter().position(|field| field == name);
        let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let at = (of_function("name"), of_function("script_name"), of_function("line"), of_function("column"));
        let script_at = of_function("script_id");
        let functions = records(file, index.functions, meta.function_fields.len(), task, |field| {
            let field = |at: Option<usize>| at.map_or(0, |at| narrow(field(at)));
            let (name, script, script_id) = (field(at.0), field(at.1), field(script_at));
            Function { name, script, script_id, line: field(at.2), column: field(at.3) }
        })?;
        let nodes = index.nodes.blocks.first().map(|&first| (first, index.nodes.end));
        let mut of_node = records(file, nodes, meta.node.count, task, |field| narrow(field(trace)))?;
        of_node.truncate(usize::try_from(index.nodes.count).unwrap_or(usize::MAX));
        let field_index = |name| meta.trace_fields.iter().position(|field| field == name);
        let calls = match (field_index("id"), field_index("function_info_index")) {
            (Some(id), Some(function)) => call_nodes(section(file, index.trace_tree), id, function),
            _ => Vec::new(),
        };
        Ok(Self { of_node, functions, calls })
    }

    pub(super) fn of(&self, row: u32) -> Option<u32> {
        self.of_node.get(row as usize).copied().filter(|&call| call != 0)
    }

    /// Frames of a call tree node, innermost first: `load (shop.js:12:5)`, with the position in the source if `source` has
    /// one. The topmost node is not a function.
    pub(super) fn frames(
        &self,
        call: u32,
        string: impl Fn(u32) -> String,
        source: impl Fn(ScriptPosition) -> Option<SourceLocation>,
    ) -> Vec<String> {
        let (mut frames, mut next) = (Vec::new(), call);
        while frames.len() < FRAMES
            && let Ok(at) = self.calls.binary_search_by_key(&next, |call| call.id)
            && let Some(call) = self.calls.get(at).filter(|call| call.above != 0)
        {
            frames.push(match self.functions.get(call.function as usize) {
                Some(function) => function.text(&string, &source),
                None => "(function not in the file)".to_owned(),
            });
            next = call.above;
        }
        frames
    }
}

impl Function {
    fn text(self, string: impl Fn(u32) -> String, source: impl Fn(ScriptPosition) -> Option<SourceLocation>) -> String {
        // Here lines and columns begin at 1.
        let position = self.line.checked_sub(1).zip(self.column.checked_sub(1));
        let position = position.map(|(line, column)| ScriptPosition { script: self.script_id, line, column });
        let (name, script) = (string(self.name), string(self.script));
        if let Some(source) = position.and_then(source) {
            let name = source.name.clone().unwrap_or(name);
            return if name.is_empty() { format!("(anonymous) ({source})") } else { format!("{name} ({source})") };
        }
        let name = if name.is_empty() { "(anonymous)" } else { &name };
        match (script.is_empty(), self.line) {
            (true, _) => name.to_owned(),
            (false, 0) => format!("{name} ({script})"),
            (false, line) => format!("{name} ({script}:{line}:{})", self.column),
        }
    }
}

fn section(file: &[u8], span: Option<(u64, u64)>) -> &[u8] {
    let range = span.and_then(|(from, to)| Some(usize::try_from(from).ok()?..usize::try_from(to).ok()?));
    range.and_then(|range| file.get(range)).unwrap_or_default()
}

/// Applies `read` to each record of an array.
fn records<T: Send + Clone>(
    file: &[u8],
    span: Option<(u64, u64)>,
    fields: usize,
    task: &Task,
    read: impl Fn(&dyn Fn(usize) -> u64) -> T + Sync,
) -> Result<Vec<T>, Cancelled> {
    let Some((from, to)) = span else { return Ok(Vec::new()) };
    let (from, to) = (usize::try_from(from).unwrap_or(file.len()), usize::try_from(to).unwrap_or(file.len()));
    if fields == 0 || fields > MOST_FIELDS || from > to || to > file.len() {
        return Ok(Vec::new());
    }
    let numbers = Numbers::index(file, from..to, true, task)?;
    let pieces = numbers.read(file, fields, task, |records| {
        let (mut record, mut all) = ([0; MOST_FIELDS], Vec::new());
        while records.next(&mut record).is_some() {
            all.push(read(&|at| record.get(at).copied().unwrap_or_default()));
        }
        all
    })?;
    Ok(pieces.concat())
}

/// Nodes of a call tree, ascending by id. Numbers precede the list of children; `id` and `function` are the indexes of
/// these two.
fn call_nodes(text: &[u8], id: usize, function: usize) -> Vec<CallNode> {
    let mut calls: Vec<CallNode> = Vec::new();
    let mut record = [0_u32; MOST_FIELDS];
    // Node whose list is being read, index of the next value in a record, and the value so far.
    let (mut above, mut at, mut number) = (NONE, 0, None::<u32>);
    for &byte in text {
        if byte.is_ascii_digit() {
            let digit = u32::from(byte - b'0');
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            continue;
        }
        if let Some(value) = number.take() {
            record.get_mut(at).into_iter().for_each(|slot| *slot = value);
            at += 1;
        }
        match byte {
            b'[' if at > 0 => {
                let field = |at: usize| record.get(at).copied().unwrap_or_default();
                let next = u32::try_from(calls.len()).unwrap_or(NONE);
                calls.push(CallNode { id: field(id), function: field(function), above });
                (above, at, record) = (next, 0, [0; MOST_FIELDS]);
            }
            b']' => {
                at = 0;
                above = calls.get(above as usize).map_or(NONE, |call| call.above);
            }
            _ => {}
        }
    }
    for call in 0..calls.len() {
        let above = calls.get(call).and_then(|call| calls.get(call.above as usize)).map_or(0, |above| above.id);
        calls.get_mut(call).into_iter().for_each(|call| call.above = above);
    }
    calls.sort_by_key(|call| call.id);
    calls.dedup_by_key(|call| call.id);
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocation_trees_are_read_without_recursion() {
        let tree = call_nodes(b" [1,0,0,0,[ 5,1,2,16,[7,2,1,8,[]],\n3,2,1,8,[] ]] ", 0, 1);
        let trees: Vec<_> = tree.iter().map(|call| (call.id, call.function, call.above)).collect();
        assert_eq!(trees, [(1, 0, 0), (3, 2, 1), (5, 1, 1), (7, 2, 5)]);
        assert_eq!(call_nodes(b"[]", 0, 1), []);
    }

    #[test]
    fn a_tree_of_any_depth_is_read_and_shown_in_part() {
        let deep = 1_000_000;
        let text = (1..=deep).map(|id| format!("{id},0,0,0,[")).collect::<Vec<_>>().concat();
        let tree = call_nodes(format!("[{text}{}]", "]".repeat(deep)).as_bytes(), 0, 1);
        assert_eq!(tree.len(), deep);
        let function = Function { name: 0, script: 1, script_id: 7, line: 12, column: 5 };
        let trees = Allocations { of_node: vec![0, deep as u32], functions: vec![function], calls: tree };
        assert_eq!((trees.of(0), trees.of(1), trees.of(2)), (None, Some(deep as u32), None));
        let string = |of| if of == 0 { "load".to_owned() } else { "shop.js".to_owned() };
        let frames = trees.frames(deep as u32, string, |_| None);
        assert_eq!((frames.len(), frames[0].as_str()), (FRAMES, "load (shop.js:12:5)"));
        // The topmost node is not a function; nodes with equal ids are merged.
        assert_eq!(trees.frames(3, string, |_| None).len(), 2);
        let source = |position| {
            assert_eq!(position, ScriptPosition { script: 7, line: 11, column: 4 });
            Some(SourceLocation { file: "cart.ts".to_owned(), line: 2, column: 0, name: Some("carts".to_owned()) })
        };
        assert_eq!(trees.frames(1, string, source), Vec::<String>::new());
        assert_eq!(trees.frames(2, string, source), ["carts (cart.ts:3:1)"]);
        assert_eq!(call_nodes(b"[2,0,0,0,[2,1,0,0,[]]]", 0, 1).len(), 1);
        // Truncated or malformed parts end the list.
        assert_eq!(call_nodes(b"[1,0,0,0,[[[[2,0]]]],3,0,0,0,[", 0, 1).len(), 2);
    }
}
