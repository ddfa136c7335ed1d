//! Raw heaps of 2.x: addresses are synthetic, and memory is a stream in which a slot without a reference takes one
//! byte. Numbers and weakness of references are lost.

use rustc_hash::FxHashMap;

use super::bytes::{u32_at, u64_at};
use super::names::{NAMELESS, Names};
use super::snapshot::{Edge, EdgeKind, EdgeVisitor, Graph, Node, count, kind};
use super::{damage::Damage, hashes::Hashes, metadata::Metadata, roots::Roots, tables::Tables};
use crate::{cursor::Cursor, error::OpenError};
use heaplens_base::Task;

/// Values of the first byte for other slots than references: an empty one, and a number with four bytes following.
const NOTHING: u8 = 2;
const NUMBER: u8 = 4;
/// Size of a slot in the runtime, in bytes.
const SLOT: u32 = 8;

/// Value of a slot.
enum Token {
    /// Null, or a reference to an object that is not in the file.
    Nothing,
    /// Object, by index.
    Object(u32),
}

/// Heap of 2.x.
pub(super) struct TokenStream<'a> {
    task: &'a Task,
    metadata: Metadata,
    roots: Roots<'a>,
    nodes: Vec<Node>,
    names: Names<'a>,
    nodes_by_address: FxHashMap<u64, u32>,
    stream: &'a [u8],
    /// First object, and node after the last.
    objects: (u32, u32),
    hashes: Hashes,
    /// First of the nodes placed after all others.
    late: u32,
    /// Field names by type, filled on demand.
    fields: FxHashMap<(u8, usize), u32>,
    /// Position in the stream at which reading stopped.
    broken: Option<u64>,
}

impl<'a> TokenStream<'a> {
    /// Reads the tables and counts edges.
    pub(super) fn read(
        tables: &Tables<'a>,
        metadata: Metadata,
        damage: &mut Damage,
        task: &'a Task,
    ) -> Result<Self, OpenError> {
        let (mut nodes, mut names, mut nodes_by_address) = (Vec::new(), Names::default(), FxHashMap::default());
        let mut roots = Roots::begin(tables, &mut nodes, &mut names, true);
        let first = nodes.len() as u32;
        let mut hashes = Hashes::default();
        // Only 1.x has more than one table.
        let table = tables.objects.first().copied();
        for (at, item) in table.into_iter().flat_map(super::tables::Objects::iter).enumerate() {
            task.checkpoint_at(at)?;
            let index = nodes.len() as u32;
            let number = |at| u32_at(item, at).unwrap_or(0);
            nodes_by_address.entry(number(0).into()).or_insert(index);
            let id = u64_at(item, 8).unwrap_or(0);
            hashes.add(index, id);
            let mut node = Node::new(id as u32, kind::NATIVE, NAMELESS).sized(number(4));
            (node.native, node.js) = (number(16), number(20) as u8);
            nodes.push(node);
        }
        let end = nodes.len() as u32;
        for named in tables.names(damage) {
            let name = names.of(named.text);
            let is_global = named.text.windows(7).any(|part| part == b"_GLOBAL");
            for index in named.objects.iter().filter_map(|address| nodes_by_address.get(&address)) {
                if let Some(node) = nodes.get_mut(*index as usize) {
                    node.name = name;
                    if is_global && node.kind == kind::NATIVE {
                        node.kind = kind::FRAMEWORK;
                    }
                }
            }
        }
        let mut labels: FxHashMap<u8, u32> = FxHashMap::default();
        for node in nodes.iter_mut().skip(1) {
            if node.kind == kind::NATIVE {
                node.kind = metadata.kind(node.js);
            }
            if !Names::is_named(node.name) && !metadata.is_string(node.js) {
                node.name = *labels.entry(node.js).or_insert_with(|| names.add_text(metadata.label(node.js)));
            }
        }
        roots.add_references(&mut nodes, &mut names);
        roots.name_references(&mut names);
        let stream = table.map(|table| super::bytes::between(tables.body, table.memory_at, table.memory_end));
        let mut heap = Self {
            task,
            metadata,
            roots,
            nodes,
            names,
            nodes_by_address,
            stream: stream.unwrap_or_default(),
            objects: (first, end),
            hashes,
            late: 0,
            fields: FxHashMap::default(),
            broken: None,
        };
        count(&mut heap)?;
        heap.late = heap.nodes.len() as u32;
        heap.nodes.append(&mut heap.roots.late);
        if let Some(at) = heap.broken {
            damage.at(table.map_or(0, |table| table.memory_at) + at);
        }
        Ok(heap)
    }

    /// Reads the next token of the stream; `None` at its end.
    fn token(&self, reader: &mut Cursor<'a>) -> Option<Token> {
        let start = *reader;
        let first = reader.u8()?;
        if first & NOTHING != 0 {
            return Some(Token::Nothing);
        }
        if first & NUMBER != 0 {
            return reader.take(4).map(|_| Token::Nothing);
        }
        *reader = start;
        let address = reader.u32_le()?;
        Some(self.nodes_by_address.get(&address.into()).map_or(Token::Nothing, |&node| Token::Object(node)))
    }

    /// Reads the edges of one object; returns true on success.
    fn object(&mut self, from: u32, reader: &mut Cursor<'a>, take: &mut EdgeVisitor<'_>) -> Result<bool, OpenError> {
        let Some(&node) = self.nodes.get(from as usize) else { return Ok(false) };
        // Without a class it is not an object: synchronization with the stream was lost.
        let Some(Token::Object(class)) = self.token(reader) else { return Ok(false) };
        if class != from {
            let name = self.names.add_text("hclass");
            take(from, Edge { kind: EdgeKind::Property, name, to: class })?;
        }
        let hash = self.names.add_text("ArkInternalHash");
        if let Some(to) = self.hashes.node(from, self.late, &mut self.roots.late, &mut self.names) {
            take(from, Edge { kind: EdgeKind::Property, name: hash, to })?;
        }
        if self.metadata.is_string(node.js) {
            return Ok(true);
        }
        let slots = node.size.div_ceil(SLOT).saturating_sub(1);
        if self.metadata.is_array(node.js) {
            let mut name = 0;
            for _ in 0..slots {
                let Some(token) = self.token(reader) else { return Ok(false) };
                if let Token::Object(to) = token {
                    take(from, Edge { kind: EdgeKind::Element, name, to })?;
                    name += 1;
                }
            }
            return Ok(true);
        }
        let mut values = Vec::new();
        for _ in 0..slots {
            let Some(token) = self.token(reader) else { break };
            values.push(token);
        }
        self.fields(from, node.js, &values, take)?;
        Ok(values.len() == slots as usize)
    }

    fn fields(&mut self, from: u32, js: u8, values: &[Token], take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let Some(of) = self.metadata.of(js) else { return Ok(()) };
        for (index, field) in of.fields.iter().enumerate() {
            // The class precedes the first slot.
            let Some(slot) = (field.offset / SLOT).checked_sub(1) else { continue };
            let Some(token) = values.get(slot as usize) else { break };
            if let Token::Object(to) = *token {
                let name =
                    *self.fields.entry((js, index)).or_insert_with(|| self.names.add_text(field.name.as_bytes()));
                take(from, Edge { kind: EdgeKind::Property, name, to })?;
            }
        }
        let own = (of.end / SLOT).saturating_sub(1) as usize;
        if self.metadata.is_object(js) {
            for token in values.get(own..).unwrap_or_default() {
                if let Token::Object(to) = *token {
                    let name = self.names.add_text("InlineProperty");
                    take(from, Edge { kind: EdgeKind::Property, name, to })?;
                }
            }
        }
        Ok(())
    }
}

impl<'a> Graph<'a> for TokenStream<'a> {
    fn parts(&mut self) -> (&mut Vec<Node>, &mut Names<'a>) {
        (&mut self.nodes, &mut self.names)
    }

    fn walk(&mut self, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let find = |nodes_by_address: &FxHashMap<u64, u32>, address| nodes_by_address.get(&address).copied();
        self.roots.walk_top(self.late, &|address| find(&self.nodes_by_address, address), take)?;
        let mut reader = Cursor::new(self.stream, 0);
        for from in self.objects.0..self.objects.1 {
            self.task.checkpoint_at(from as usize)?;
            let at = reader.offset();
            if !self.object(from, &mut reader, take)? {
                self.broken = Some(at);
                break;
            }
        }
        self.roots.walk_references(&|address| find(&self.nodes_by_address, address), take)
    }
}
