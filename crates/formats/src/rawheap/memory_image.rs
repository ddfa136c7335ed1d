//! Raw heaps of 1.x: a memory image with the addresses of the runtime. Objects are read according to the metadata;
//! primitive values become nodes too.

mod properties;

use rustc_hash::FxHashMap;

use super::bytes::{between, u32_at, u64_at};
use super::names::{NAMELESS, Names};
use super::snapshot::{Edge, EdgeKind, EdgeVisitor, Graph, Node, count, kind};
use super::{damage::Damage, hashes::Hashes, metadata::Metadata, roots::Roots, tables::Tables};
use crate::error::OpenError;
use heaplens_base::Task;

/// Bytes of a value.
const VALUE: u64 = 8;
/// Bits that are 0 in references to objects.
const NO_OBJECT: u64 = 0xffff << 48 | 6;
/// Bit that marks weak references.
const WEAK: u64 = 1;
/// Upper bits of a value: of integers, and of special values other than numbers.
const TAG: u64 = 0xffff << 48;
/// Values other than numbers. With both bits of the mask: a boolean.
const UNDEFINED: u64 = 2;
const NULL: u64 = 3;
const HOLE: u64 = 5;
const TRUTH: u64 = 6;
const EXCEPTION: u64 = 10;

/// Heap of 1.x.
pub(super) struct MemoryImage<'a> {
    task: &'a Task,
    body: &'a [u8],
    metadata: Metadata,
    roots: Roots<'a>,
    nodes: Vec<Node>,
    names: Names<'a>,
    nodes_by_address: FxHashMap<u64, u32>,
    /// Nodes of values that are not references, and of native memory.
    values: FxHashMap<u64, u32>,
    outside: FxHashMap<u64, u32>,
    /// Offset of the memory of each object in the file; 0 if absent.
    memory: Vec<u32>,
    /// End of the memory of the objects of each table, in order.
    ends: Vec<(u64, u64)>,
    hashes: Hashes,
    /// First of the nodes placed after all others; 0 until edges are counted.
    late: u32,
    /// Field names by type, filled on demand.
    fields: FxHashMap<(u8, usize), u32>,
    /// Number of values that may still be visited. Objects of a real heap do not overlap, so each value is visited two
    /// or three times; this limits the work if they do.
    left: u64,
    broken: Option<u64>,
}

impl<'a> MemoryImage<'a> {
    /// Reads the tables and counts edges.
    pub(super) fn read(
        tables: &Tables<'a>,
        metadata: Metadata,
        damage: &mut Damage,
        task: &'a Task,
    ) -> Result<Self, OpenError> {
        let (mut nodes, mut names) = (Vec::new(), Names::default());
        let mut roots = Roots::begin(tables, &mut nodes, &mut names, false);
        roots.add_references(&mut nodes, &mut names);
        let mut heap = Self {
            task,
            body: tables.body,
            metadata,
            roots,
            nodes,
            names,
            nodes_by_address: FxHashMap::default(),
            values: FxHashMap::default(),
            outside: FxHashMap::default(),
            memory: Vec::new(),
            ends: tables.objects.iter().map(|table| (table.memory_at, table.memory_end)).collect(),
            hashes: Hashes::default(),
            late: 0,
            fields: FxHashMap::default(),
            left: 0,
            broken: None,
        };
        heap.ends.sort_unstable();
        for address in heap.roots.addresses().filter(|address| address & NO_OBJECT == 0) {
            heap.node_at(address);
        }
        for named in tables.names(damage) {
            let name = heap.names.of(named.text);
            for address in named.objects.iter() {
                let index = heap.node_at(address);
                if let Some(node) = heap.nodes.get_mut(index as usize) {
                    (node.name, node.kind) = (name, kind::STRING);
                }
            }
        }
        heap.objects(tables, damage)?;
        heap.label()?;
        heap.roots.name_references(&mut heap.names);
        count(&mut heap)?;
        heap.late = heap.nodes.len() as u32;
        heap.nodes.append(&mut heap.roots.late);
        heap.broken.into_iter().for_each(|at| damage.at(at));
        Ok(heap)
    }

    /// Node of an address; created if necessary.
    fn node_at(&mut self, address: u64) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.nodes_by_address.entry(address).or_insert(next);
        if node == next {
            self.nodes.push(Node::new(0, kind::NATIVE, NAMELESS));
        }
        node
    }

    fn find(&self, address: u64) -> Option<u32> {
        self.nodes_by_address.get(&address).copied()
    }

    /// Creates nodes from the tables of objects.
    fn objects(&mut self, tables: &Tables<'a>, damage: &mut Damage) -> Result<(), OpenError> {
        for table in &tables.objects {
            for (at, item) in table.iter().enumerate() {
                self.task.checkpoint_at(at)?;
                let (Some(address), Some(id)) = (u64_at(item, 0), u64_at(item, 8)) else { continue };
                let (size, offset) = (u32_at(item, 16).unwrap_or(0), u32_at(item, 20).unwrap_or(0));
                let index = self.node_at(address);
                if let Some(node) = self.nodes.get_mut(index as usize) {
                    (node.id, node.size) = (id as u32, size);
                }
                self.hashes.add(index, id);
                let memory = table.items_at.saturating_add(offset.into());
                if memory < table.memory_at || memory + VALUE > table.memory_end {
                    damage.at(memory);
                    continue;
                }
                self.memory.resize(self.nodes.len(), 0);
                if let Some(known) = self.memory.get_mut(index as usize) {
                    *known = memory as u32;
                }
            }
        }
        self.hashes.sort();
        Ok(())
    }

    /// Memory of an object, up to the end of its table.
    fn memory(&self, index: u32) -> &'a [u8] {
        let start = u64::from(self.memory.get(index as usize).copied().unwrap_or(0));
        let Some(node) = self.nodes.get(index as usize).filter(|_| start != 0) else { return &[] };
        let table = self.ends.partition_point(|&(begins, _)| begins <= start).checked_sub(1);
        let end = table.and_then(|table| self.ends.get(table)).map_or(0, |&(_, end)| end);
        // Of a string only the class is stored, regardless of its length.
        between(self.body, start, end.min(start + u64::from(node.size).max(VALUE)))
    }

    fn class(&self, node: u32) -> Option<u32> {
        self.find(u64_at(self.memory(node), 0)?)
    }

    /// Determines types and names.
    fn label(&mut self) -> Result<(), OpenError> {
        let mut labels: FxHashMap<u8, u32> = FxHashMap::default();
        let mut are_global: FxHashMap<u32, bool> = FxHashMap::default();
        for index in 0..self.nodes.len() as u32 {
            self.task.checkpoint_at(index as usize)?;
            let Some(class) = self.class(index) else { continue };
            let bits = self.metadata.offsets.class_type.and_then(|at| u32_at(self.memory(class), at.into()));
            let js = bits.map(|bits| bits as u8).filter(|&js| self.metadata.of(js).is_some()).unwrap_or(0);
            let memory = self.memory(index);
            let is_pointer = self.metadata.special.native_pointer == Some(js);
            let held = self.metadata.offsets.binding_size.filter(|_| is_pointer);
            let native = held.and_then(|at| u32_at(memory, at.into())).unwrap_or(0);
            let Some(node) = self.nodes.get_mut(index as usize) else { continue };
            (node.js, node.native) = (js, native);
            if js != 0 {
                node.kind = self.metadata.kind(js);
            }
            if !Names::is_named(node.name) && !self.metadata.is_string(js) {
                node.name = *labels.entry(js).or_insert_with(|| self.names.add_text(self.metadata.label(js)));
            }
            let text = self.names.text(node.name);
            let is_global = || text.windows(7).any(|part| part == b"_GLOBAL");
            if *are_global.entry(node.name).or_insert_with(is_global) {
                node.kind = kind::FRAMEWORK;
            }
        }
        Ok(())
    }

    /// Converts a value in memory to an edge.
    fn value(
        &mut self,
        from: u32,
        raw: u64,
        kind: EdgeKind,
        name: u32,
        take: &mut EdgeVisitor<'_>,
    ) -> Result<(), OpenError> {
        if raw & NO_OBJECT != 0 {
            return match self.primitive(raw) {
                Some(to) => take(from, Edge { kind, name, to }),
                None => Ok(()),
            };
        }
        let Some(to) = self.find(raw & !WEAK).filter(|&to| to != from) else { return Ok(()) };
        match (raw & WEAK != 0, kind) {
            (false, _) => take(from, Edge { kind, name, to }),
            // Weak edges have names, here the index.
            (true, EdgeKind::Element) => {
                let name = self.names.add_text(name.to_string());
                take(from, Edge { kind: EdgeKind::Weak, name, to })
            }
            (true, _) => take(from, Edge { kind: EdgeKind::Weak, name, to }),
        }
    }

    /// Node of a primitive value, shared by equal values.
    fn primitive(&mut self, raw: u64) -> Option<u32> {
        if let Some(&node) = self.values.get(&raw) {
            return Some(node);
        }
        let name = match raw {
            HOLE => return None,
            _ if raw & TAG == TAG => "Int",
            _ if raw & TAG != 0 => "Double",
            NULL => "Null",
            _ if raw & NO_OBJECT == TRUTH => {
                if raw & 1 == 0 {
                    "Boolean:false"
                } else {
                    "Boolean:true"
                }
            }
            EXCEPTION => "Exception",
            UNDEFINED => "Undefined",
            _ => "Illegal_Primitive",
        };
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::new(0, kind::NUMBER, self.names.add_text(name)));
        self.values.insert(raw, node);
        Some(node)
    }

    /// Node of native memory.
    fn pointer(&mut self, address: u64) -> u32 {
        if let Some(&node) = self.outside.get(&address) {
            return node;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::new(0, kind::NUMBER, self.names.add_text(format!("{address:#x}"))));
        self.outside.insert(address, node);
        node
    }

    /// The edges of one object.
    fn object(&mut self, from: u32, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let (Some(class), Some(&node)) = (self.class(from), self.nodes.get(from as usize)) else { return Ok(()) };
        if class != from {
            let name = self.names.add_text("hclass");
            take(from, Edge { kind: EdgeKind::Property, name, to: class })?;
        }
        let name = self.names.add_text("ArkInternalHash");
        if let Some(to) = self.hashes.node(from, self.late, &mut self.roots.late, &mut self.names) {
            take(from, Edge { kind: EdgeKind::Property, name, to })?;
        }
        let js = node.js;
        if self.metadata.is_string(js) {
            return Ok(());
        }
        if self.metadata.special.global_env == Some(js) {
            return self.elements(from, VALUE, u32::MAX, take);
        }
        if self.metadata.is_array(js) {
            let offsets = &self.metadata.offsets;
            let length = offsets.length.and_then(|at| u32_at(self.memory(from), at.into()));
            return match (length, offsets.data) {
                (Some(length), Some(data)) => self.elements(from, data.into(), length, take),
                _ => Ok(()),
            };
        }
        self.fields(from, js, take)?;
        if self.metadata.is_object(js) {
            self.properties(from, class, js, take)?;
        }
        if self.metadata.special.wrapped_napi == Some(js) {
            self.native_pointers(from, js, take)?;
        }
        Ok(())
    }

    /// Takes one from the remaining number of visits.
    fn has_budget(&mut self, at: u32) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 && self.broken.is_none() {
            self.broken = self.memory.get(at as usize).map(|&at| at.into());
        }
        self.left > 0
    }

    fn elements(&mut self, from: u32, data: u64, length: u32, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let values = self.memory(from).get(data as usize..).unwrap_or_default().chunks_exact(VALUE as usize);
        for (index, value) in (0..length).zip(values) {
            if !self.has_budget(from) {
                break;
            }
            self.value(from, u64_at(value, 0).unwrap_or(HOLE), EdgeKind::Element, index, take)?;
        }
        Ok(())
    }

    fn fields(&mut self, from: u32, js: u8, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        let memory = self.memory(from);
        let is_pointer = self.metadata.special.native_pointer == Some(js);
        let outside = self.metadata.offsets.external_pointer.filter(|_| is_pointer);
        for node in 0.. {
            let Some(field) = self.metadata.of(js).and_then(|of| of.fields.get(node)) else { break };
            let Some(raw) = u64_at(memory, field.offset.into()) else { break };
            let is_outside = outside == Some(field.offset);
            if u64::from(field.size) != VALUE || is_outside && raw == 0 {
                continue;
            }
            if is_outside {
                let to = self.pointer(raw);
                let name = self.field(js, node);
                take(from, Edge { kind: EdgeKind::Property, name, to })?;
                continue;
            }
            if !self.has_budget(from) {
                break;
            }
            let name = self.field(js, node);
            self.value(from, raw, EdgeKind::Property, name, take)?;
        }
        Ok(())
    }

    fn field(&mut self, js: u8, node: usize) -> u32 {
        let Some(field) = self.metadata.of(js).and_then(|of| of.fields.get(node)) else { return NAMELESS };
        *self.fields.entry((js, node)).or_insert_with(|| self.names.add_text(field.name.as_bytes()))
    }
}

impl<'a> Graph<'a> for MemoryImage<'a> {
    fn parts(&mut self) -> (&mut Vec<Node>, &mut Names<'a>) {
        (&mut self.nodes, &mut self.names)
    }

    fn walk(&mut self, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        self.left = self.body.len() as u64;
        self.roots.walk_top(self.late, &|address| self.find(address), take)?;
        self.roots.walk_references(&|address| self.find(address), take)?;
        for from in 0..self.memory.len() as u32 {
            self.task.checkpoint_at(from as usize)?;
            if self.left == 0 {
                break;
            }
            if self.memory.get(from as usize).is_some_and(|&at| at != 0) {
                self.object(from, take)?;
            }
        }
        Ok(())
    }
}
