//! Graph of a static heap: classes, instances, arrays with a node for their elements, and a node for each value that is
//! not a reference.

use rustc_hash::FxHashMap;

use super::names::{NAMELESS, Names};
use super::records::{Elements, Object, Records, Value, bytes_of, of};
use super::roots::group_node;
use super::snapshot::{Edge, EdgeKind, EdgeVisitor, Graph, Node, kind};
use crate::{cursor::Cursor, error::OpenError};
use heaplens_base::Task;

/// First id of nodes for values, methods and elements: no object has an id this high.
const MADE: u32 = 0x4000_0000;
/// Maximum number of primitive array elements that become nodes, in a whole file: each takes two nodes and two edges,
/// seventy times its byte.
const BOXES: usize = 1 << 20;

/// Name of a tagged value, for fields of any type.
fn tagged(bits: u64) -> String {
    match bits {
        0x00 => "hole".to_owned(),
        0x02 => "null".to_owned(),
        0x06 => "false".to_owned(),
        0x07 => "true".to_owned(),
        0x0a => "undefined".to_owned(),
        0x12 => "exception".to_owned(),
        _ => format!("0x{bits:016X}"),
    }
}

/// Formats a number like C's `%f`.
fn decimal(number: f64) -> String {
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_nan() { format!("{sign}nan") } else { format!("{number:.6}") }
}

/// Name of a value.
fn label(value: Value) -> String {
    let bits = value.bits;
    match value.kind {
        of::BOOL => if bits == 0 { "false" } else { "true" }.to_owned(),
        // Unpaired surrogates and NUL are written as escapes.
        of::CHAR => match char::from_u32(bits as u32) {
            Some(char) if bits != 0 => char.to_string(),
            _ => format!("\\u{bits:04X}"),
        },
        of::TAGGED => tagged(bits),
        of::BYTE => (bits as i8).to_string(),
        of::SHORT => (bits as i16).to_string(),
        of::INT => (bits as i32).to_string(),
        of::LONG => (bits as i64).to_string(),
        of::FLOAT => decimal(f32::from_bits(bits as u32).into()),
        of::DOUBLE => decimal(f64::from_bits(bits)),
        _ => bits.to_string(),
    }
}

/// Class in which elements of a primitive array are boxed.
fn boxed(kind: u8) -> &'static str {
    match kind {
        of::BOOL => "std.core.Boolean",
        of::BYTE => "std.core.Byte",
        of::CHAR => "std.core.Char",
        of::SHORT => "std.core.Short",
        of::INT => "std.core.Int",
        of::LONG => "std.core.Long",
        of::FLOAT => "std.core.Float",
        of::DOUBLE => "std.core.Double",
        _ => "std.core.Object",
    }
}

/// Heap of the static runtime.
pub(super) struct StaticHeap<'a> {
    task: &'a Task,
    pub(super) nodes: Vec<Node>,
    pub(super) names: Names<'a>,
    /// Sorted by their nodes, once complete.
    pub(super) edges: Vec<(u32, Edge)>,
    nodes_by_id: FxHashMap<u32, u32>,
    made: u32,
    boxes: usize,
}

impl<'a> StaticHeap<'a> {
    /// Builds the graph, with its own root unless another heap provides one.
    pub(super) fn build(records: &Records<'a>, has_root: bool, task: &'a Task) -> Result<Self, OpenError> {
        let mut heap = Self {
            task,
            nodes: Vec::new(),
            names: Names::default(),
            edges: Vec::new(),
            nodes_by_id: FxHashMap::default(),
            made: 0,
            boxes: BOXES,
        };
        if has_root {
            heap.nodes.push(Node::new(1, kind::SYNTHETIC, NAMELESS));
            heap.nodes.push(Node::new(0, kind::HANDLE, NAMELESS));
        }
        heap.objects(records)?;
        if has_root {
            heap.root(&records.roots);
        }
        heap.classes(records)?;
        heap.instances(records)?;
        heap.arrays(records)?;
        for text in &records.texts {
            heap.class_of(text.id, text.class);
        }
        heap.edges.sort_by_key(|&(from, _)| from);
        for &(from, _) in &heap.edges {
            if let Some(node) = heap.nodes.get_mut(from as usize) {
                node.edges += 1;
            }
        }
        Ok(heap)
    }

    /// The node of an id.
    pub(super) fn find(&self, id: u32) -> Option<u32> {
        self.nodes_by_id.get(&id).copied()
    }

    /// Node of an id; created without a name if there is no record of it.
    fn node_of(&mut self, id: u32) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.nodes_by_id.entry(id).or_insert(next);
        if node == next {
            self.nodes.push(Node::new(id, kind::NATIVE, NAMELESS));
        }
        node
    }

    /// Adds a node without a record.
    fn make(&mut self, kind: u8, name: u32) -> u32 {
        self.nodes.push(Node::new(MADE.wrapping_add(self.made), kind, name));
        self.made = self.made.wrapping_add(1);
        self.nodes.len() as u32 - 1
    }

    fn text(&mut self, records: &Records<'a>, id: u32) -> u32 {
        self.names.of(records.strings.get(&id).copied().unwrap_or_default())
    }

    fn node(&mut self, id: u32) -> Option<&mut Node> {
        let node = self.node_of(id);
        self.nodes.get_mut(node as usize)
    }

    fn edge(&mut self, from: u32, kind: EdgeKind, name: u32, to: u32) {
        self.edges.push((from, Edge { kind, name, to }));
    }

    /// A node for each record.
    fn objects(&mut self, records: &Records<'a>) -> Result<(), OpenError> {
        for (&id, class) in &records.classes {
            let name = self.text(records, class.name);
            if let Some(node) = self.node(id) {
                (node.name, node.kind) = (name, kind::CLASS);
            }
        }
        for (at, of) in records.instances.iter().enumerate() {
            self.task.checkpoint_at(at)?;
            // A class is also dumped as an instance of its class: it stays a class.
            if records.classes.contains_key(&of.id) {
                self.node(of.id).into_iter().for_each(|node| node.size = of.size);
                continue;
            }
            let class = records.classes.get(&of.class);
            self.object(records, of, kind::OBJECT);
            if let (Some(node), Some(class)) = (self.node(of.id).filter(|node| node.size == 0), class) {
                node.size = class.size;
            }
        }
        for of in &records.arrays {
            self.object(records, of, kind::ARRAY);
        }
        for of in &records.texts {
            let name = self.names.of(of.inside);
            if let Some(node) = self.node(of.id) {
                (node.name, node.kind, node.size) = (name, kind::STRING, of.size);
            }
        }
        for &id in &records.roots {
            if let Some(node) = self.node(id).filter(|node| node.kind == kind::NATIVE) {
                node.kind = kind::HANDLE;
            }
        }
        Ok(())
    }

    /// Node of an object, named after its class.
    fn object<T>(&mut self, records: &Records<'a>, of: &Object<T>, kind: u8) {
        let name = records.classes.get(&of.class).map(|class| self.text(records, class.name));
        if let Some(node) = self.node(of.id) {
            (node.kind, node.size) = (kind, of.size);
            node.name = name.unwrap_or(node.name);
        }
    }

    fn root(&mut self, roots: &[u32]) {
        let name = self.names.add_text("SyntheticRoot");
        let group = group_node("StaticRoot", roots.len(), &mut self.names);
        if let [root, under, ..] = self.nodes.as_mut_slice() {
            root.name = name;
            *under = group;
        }
        let name = self.names.add_text("-subroot-");
        self.edge(0, EdgeKind::Shortcut, name, 1);
        for (index, &id) in (0..).zip(roots) {
            let to = self.node_of(id);
            self.edge(1, EdgeKind::Element, index, to);
        }
    }

    fn classes(&mut self, records: &Records<'a>) -> Result<(), OpenError> {
        for (&id, class) in &records.classes {
            self.task.checkpoint()?;
            let from = self.node_of(id);
            if class.above != 0 && class.above != id {
                let (to, name) = (self.node_of(class.above), self.names.add_text("superClass"));
                self.edge(from, EdgeKind::Internal, name, to);
            }
            let values = class.values.iter().flat_map(|values| values.iter());
            for (&name, value) in class.statics.iter().zip(values) {
                let name = self.text(records, name);
                self.value(from, value, EdgeKind::Property, name);
            }
            for &name in &class.methods {
                let name = self.text(records, name);
                let to = self.make(kind::CLOSURE, name);
                self.edge(from, EdgeKind::Property, name, to);
            }
        }
        Ok(())
    }

    fn instances(&mut self, records: &Records<'a>) -> Result<(), OpenError> {
        for (at, of) in records.instances.iter().enumerate() {
            self.task.checkpoint_at(at)?;
            let from = self.node_of(of.id);
            self.class_of(of.id, of.class);
            let Some(class) = records.classes.get(&of.class) else {
                let name = self.names.add_text("Object");
                self.node(of.id).into_iter().for_each(|node| node.name = name);
                let refers = |value: &Value| matches!(value.kind, of::OBJECT | of::ARRAY | of::WEAK) && value.bits != 0;
                for value in of.inside.iter().filter(refers) {
                    let name = self.names.add_text("");
                    self.value(from, value, EdgeKind::Property, name);
                }
                continue;
            };
            let is_class = records.classes.contains_key(&of.id);
            for (field, value) in class.fields.iter().zip(of.inside.iter()) {
                let name = self.text(records, *field);
                // Already given by the class.
                if !is_class || records.strings.get(field).copied() != Some(b"superClass") {
                    self.value(from, value, EdgeKind::Property, name);
                }
            }
        }
        Ok(())
    }

    fn arrays(&mut self, records: &Records<'a>) -> Result<(), OpenError> {
        let (buffer, inside) = (self.names.add_text("buffer"), self.names.add_text("value"));
        for (at, array) in records.arrays.iter().enumerate() {
            self.task.checkpoint_at(at)?;
            let from = self.node_of(array.id);
            let name = self.nodes.get(from as usize).map_or(NAMELESS, |node| node.name);
            let elements = self.make(kind::ARRAY, name);
            self.edge(from, EdgeKind::Property, buffer, elements);
            match array.inside {
                Elements::References { ids, are_weak } => {
                    let kind = if are_weak { of::WEAK } else { of::OBJECT };
                    let ids = ids.chunks_exact(4).filter_map(|id| super::bytes::u32_at(id, 0));
                    for (index, id) in (0..).zip(ids) {
                        self.value(elements, Value { kind, bits: id.into() }, EdgeKind::Element, index);
                    }
                }
                Elements::Tagged(values) => {
                    for (index, value) in (0..).zip(values.iter()) {
                        self.value(elements, value, EdgeKind::Element, index);
                    }
                }
                Elements::Numbers { kind, bytes } => self.numbers(elements, kind, bytes, inside),
                Elements::Unknown => {}
            }
        }
        Ok(())
    }

    /// Adds elements of a primitive array, each boxed.
    fn numbers(&mut self, from: u32, kind: u8, bytes: &'a [u8], inside: u32) {
        let width = bytes_of(kind).unwrap_or(1);
        let class = if bytes.is_empty() { NAMELESS } else { self.names.add_text(boxed(kind)) };
        for (index, number) in (0..).zip(bytes.chunks_exact(width as usize)) {
            let Some(left) = self.boxes.checked_sub(1) else { break };
            self.boxes = left;
            let bits = super::bytes::number(&mut Cursor::new(number, 0), width).unwrap_or(0);
            let wrapper = self.make(kind::OBJECT, class);
            self.edge(from, EdgeKind::Element, index, wrapper);
            self.value(wrapper, Value { kind, bits }, EdgeKind::Property, inside);
        }
    }

    /// The edge from an object to its class.
    fn class_of(&mut self, id: u32, class: u32) {
        if class != 0 && class != id {
            let (from, to, name) = (self.node_of(id), self.node_of(class), self.names.add_text("hclass"));
            self.edge(from, EdgeKind::Property, name, to);
        }
    }

    /// Converts a value to an edge; `None` for a null reference.
    fn value(&mut self, from: u32, value: Value, kind: EdgeKind, name: u32) {
        match value.kind {
            of::OBJECT | of::ARRAY | of::WEAK if value.bits == 0 => {}
            of::OBJECT | of::ARRAY => {
                let to = self.node_of(value.bits as u32);
                self.edge(from, kind, name, to);
            }
            of::WEAK => {
                let to = self.node_of(value.bits as u32);
                let name = if kind == EdgeKind::Element { self.names.add_text(name.to_string()) } else { name };
                self.edge(from, EdgeKind::Weak, name, to);
            }
            _ => {
                let of_text = value.kind == of::CHAR;
                let other = if value.kind == of::TAGGED { kind::SYNTHETIC } else { kind::NUMBER };
                let label = self.names.add_text(label(value));
                let to = self.make(if of_text { kind::STRING } else { other }, label);
                self.edge(from, kind, name, to);
            }
        }
    }
}

impl<'a> Graph<'a> for StaticHeap<'a> {
    fn parts(&mut self) -> (&mut Vec<Node>, &mut Names<'a>) {
        (&mut self.nodes, &mut self.names)
    }

    fn walk(&mut self, take: &mut EdgeVisitor<'_>) -> Result<(), OpenError> {
        for (at, &(from, edge)) in self.edges.iter().enumerate() {
            self.task.checkpoint_at(at)?;
            take(from, edge)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_called_as_the_translator_calls_them() {
        for (kind, bits, called) in [
            (of::BOOL, 2, "true"),
            (of::CHAR, 0x7a, "z"),
            (of::CHAR, 0xd83d, "\\uD83D"),
            (of::CHAR, 0, "\\u0000"),
            (of::BYTE, 0xff, "-1"),
            (of::LONG, u64::MAX, "-1"),
            (of::FLOAT, u64::from(1.5f32.to_bits()), "1.500000"),
            (of::DOUBLE, f64::NAN.to_bits(), "nan"),
            (of::DOUBLE, f64::NEG_INFINITY.to_bits(), "-inf"),
            (of::TAGGED, 2, "null"),
            (of::TAGGED, 0xfedc_ba98_7654_3210, "0xFEDCBA9876543210"),
        ] {
            assert_eq!(label(Value { kind, bits }), called);
        }
    }
}
