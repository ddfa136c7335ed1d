//! A whole snapshot as the stripper reads it: its sections, and walks over nodes with their edges.

use crate::error::{FormatError, OpenError};
use crate::v8::meta::{EdgeKind, Head, Meta, NodeKind};
use crate::v8::numbers::{MOST_FIELDS, Numbers, Records};
use crate::v8::parts::{Parts, head, parts, refuse};
use crate::v8::sections::Section;
use crate::v8::text::decode;
use crate::v8::words::Word;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_heap::value_rules::is_runtime_symbol;

/// Names that the engine gives to nodes whose names are values otherwise.
const OF_ENGINE: [&[u8]; 6] =
    [b"(concatenated string)", b"(sliced string)", b"(external string)", b"heap number", b"smi number", b"number"];

/// A snapshot that is neither truncated nor malformed.
pub(super) struct Snapshot<'a> {
    pub(super) file: &'a [u8],
    pub(super) parts: Parts,
    pub(super) head: Head,
    pub(super) head_text: String,
    pub(super) meta: Meta,
    pub(super) nodes: u64,
    edges: u64,
}

/// A node of a walk.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkNode {
    pub(super) row: u32,
    pub(super) of: u8,
    pub(super) kind: NodeKind,
    pub(super) name: u32,
    pub(super) id: u64,
}

/// An edge of a walk; `name` is a number if `is_numbered`.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkEdge {
    pub(super) kind: EdgeKind,
    pub(super) name: u32,
    pub(super) is_numbered: bool,
    pub(super) to: Option<u32>,
}

impl<'a> Snapshot<'a> {
    /// Locates everything.
    pub(super) fn read(file: &'a [u8], task: &Task) -> Result<Self, OpenError> {
        task.step("Finding strings", Unit::Bytes, file.len() as u64);
        let parts = parts(file, task)?;
        let (head, head_text) = head(file, &parts)?;
        let meta = head.meta().map_err(|missing| refuse(&parts, missing, "none"))?;
        if let Some(at) = parts.broken.or(parts.damaged) {
            let advice = "Take or copy the snapshot again.";
            return Err(FormatError::new("V8 heap snapshot", at, "the rest of the snapshot", "", advice).into());
        }
        let count = |section: &Section, fields: usize| -> Result<u64, OpenError> {
            Ok(Numbers::index(file, section.range.clone(), section.is_closed, task)?.records(fields))
        };
        let (nodes, edges) = (count(&parts.nodes, meta.node.count)?, count(&parts.edges, meta.edge.count)?);
        if nodes == 0 || nodes >= u64::from(u32::MAX) {
            return Err(refuse(&parts, "1 to 4,294,967,293 nodes", "another number").into());
        }
        Ok(Self { file, parts, head, head_text, meta, nodes, edges })
    }

    fn records(&self, section: &Section, fields: usize, count: u64) -> Records<'a> {
        let bytes = self.file.get(..section.range.end).unwrap_or_default();
        Records::at(bytes, section.range.start as u64, fields, 0, count)
    }

    /// All nodes as records.
    pub(super) fn node_records(&self) -> Records<'a> {
        self.records(&self.parts.nodes, self.meta.node.count, self.nodes)
    }

    /// The node of a record.
    pub(super) fn node(&self, row: u64, record: &[u64; MOST_FIELDS]) -> WalkNode {
        let field = |at: usize| record.get(at).copied().unwrap_or_default();
        let fields = &self.meta.node;
        let of = u8::try_from(field(fields.kind)).unwrap_or(u8::MAX);
        let name = u32::try_from(field(fields.name)).unwrap_or(u32::MAX);
        WalkNode { row: row as u32, of, kind: self.meta.node_kind(of), name, id: field(fields.id) }
    }

    /// Visits every node with its edges, in the order of the file.
    ///
    /// # Errors
    /// If the task is cancelled, or a number is malformed.
    pub(super) fn walk(&self, task: &Task, mut visit: impl FnMut(WalkNode, &[WalkEdge])) -> Result<(), OpenError> {
        let mut nodes = self.node_records();
        let mut edges = self.records(&self.parts.edges, self.meta.edge.count, self.edges);
        let (mut node, mut edge) = ([0; MOST_FIELDS], [0; MOST_FIELDS]);
        let mut of_node = Vec::new();
        while let Some((row, _)) = nodes.next(&mut node) {
            if row.is_multiple_of(CHECKPOINT_EVERY as u64) {
                task.advance_checked(CHECKPOINT_EVERY as u64)?;
            }
            let degree = node.get(self.meta.node.edges).copied().unwrap_or_default();
            of_node.clear();
            for _ in 0..degree {
                let Some(_) = edges.next(&mut edge) else { break };
                of_node.push(self.edge(&edge));
            }
            visit(self.node(row, &node), &of_node);
        }
        let odd = nodes.first_odd.or(edges.first_odd);
        odd.map_or(Ok(()), |at| Err(malformed(at)))
    }

    fn edge(&self, record: &[u64; MOST_FIELDS]) -> WalkEdge {
        let field = |at: usize| record.get(at).copied().unwrap_or_default();
        let fields = &self.meta.edge;
        let kind = self.meta.edge_kind(field(fields.kind));
        WalkEdge {
            kind,
            name: u32::try_from(field(fields.name)).unwrap_or(u32::MAX),
            is_numbered: self.meta.is_numbered(kind),
            to: self.meta.node.row(field(fields.to), self.nodes),
        }
    }

    /// Visits the functions of the allocation stacks: indexes of the strings with their names and scripts.
    pub(super) fn functions(&self, task: &Task, mut visit: impl FnMut(u32, u32)) -> Result<(), Cancelled> {
        let Some(section) = &self.parts.functions else { return Ok(()) };
        let index_of = |name: &str| self.meta.function_fields.iter().position(|field| field == name);
        let (name, script) = (index_of("name"), index_of("script_name"));
        let fields = self.meta.function_fields.len();
        let count = Numbers::index(self.file, section.range.clone(), section.is_closed, task)?.records(fields);
        let mut records = self.records(section, fields, if fields <= MOST_FIELDS { count } else { 0 });
        let mut record = [0; MOST_FIELDS];
        while let Some((at, _)) = records.next(&mut record) {
            task.checkpoint_at(at as usize)?;
            let string = |at: Option<usize>| at.and_then(|at| record.get(at)).and_then(|&at| u32::try_from(at).ok());
            visit(string(name).unwrap_or(u32::MAX), string(script).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    pub(super) fn is(&self, string: u32, word: Word) -> bool {
        self.parts.known.is(string, word)
    }

    /// String as in the file.
    pub(super) fn raw(&self, string: u32) -> &'a [u8] {
        self.parts.strings.raw(self.file, string).unwrap_or_default()
    }

    /// True if the name of a node is a value, or given by the engine to a node of such a type.
    pub(super) fn has_value_type(&self, node: &WalkNode) -> bool {
        use NodeKind::{ConcatenatedString, Number, Other, RegExp, SlicedString, String};
        match node.kind {
            String | ConcatenatedString | SlicedString | RegExp | Number => true,
            Other => ["string", "symbol", "bigint"].iter().any(|of| self.meta.node_type(node.of).contains(of)),
            _ => false,
        }
    }

    /// True if the name of a node is a value of the program.
    pub(super) fn is_value(&self, node: &WalkNode) -> bool {
        let by_engine = || match node.kind {
            NodeKind::String => false,
            // DevTools takes a regular expression of this name for an array.
            NodeKind::RegExp => self.is(node.name, Word::Array),
            NodeKind::Other if is_runtime_symbol(&decode(self.raw(node.name))) => true,
            _ => OF_ENGINE.contains(&self.raw(node.name)),
        };
        self.has_value_type(node) && !by_engine()
    }
}

pub(super) fn malformed(at: u64) -> OpenError {
    let advice = "Take or copy the snapshot again.";
    FormatError::new("V8 heap snapshot", at, "a number", "something else", advice).into()
}
