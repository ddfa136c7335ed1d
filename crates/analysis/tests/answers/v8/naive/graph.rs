//! A snapshot as its file has it, parsed as any JSON.

use std::fmt;
use std::rc::Rc;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

/// Text in UTF-8, in which unpaired UTF-16 surrogates are three bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) struct Text(pub(super) Rc<[u8]>);

impl Text {
    pub(super) fn is(&self, text: &str) -> bool {
        *self.0 == *text.as_bytes()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.0.starts_with(text.as_bytes())
    }

    /// UTF-16 code units, as JavaScript counts them.
    pub(in super::super) fn units(&self) -> Vec<u16> {
        let mut units = Vec::new();
        let bytes = |at: usize| u32::from(self.0[at] & 0x3f);
        let mut at = 0;
        while let Some(&first) = self.0.get(at) {
            let (code, length) = match first {
                0..0x80 => (u32::from(first), 1),
                0x80..0xe0 => (u32::from(first & 0x1f) << 6 | bytes(at + 1), 2),
                0xe0..0xf0 => (u32::from(first & 0xf) << 12 | bytes(at + 1) << 6 | bytes(at + 2), 3),
                _ => (u32::from(first & 7) << 18 | bytes(at + 1) << 12 | bytes(at + 2) << 6 | bytes(at + 3), 4),
            };
            match char::from_u32(code) {
                Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                None => units.push(code as u16),
            }
            at += length;
        }
        units
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.as_bytes().to_vec().into()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf16_lossy(&self.units()))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text, E> {
                Ok(bytes.to_vec().into())
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// A node.
pub(in super::super) struct Node {
    pub(in super::super) kind: Rc<str>,
    pub(in super::super) name: Text,
    /// Index of the name in the string table: equal names may have different indices.
    pub(super) string: usize,
    /// True if "Detached " was added before it.
    pub(in super::super) renamed: bool,
    pub(in super::super) id: u64,
    pub(in super::super) size: u64,
    /// Detachedness, if recorded.
    pub(super) detachedness: Option<u64>,
    /// Script, line, column.
    pub(super) location: Option<[u64; 3]>,
    pub(in super::super) edges: Vec<Edge>,
}

/// An edge.
pub(in super::super) struct Edge {
    pub(in super::super) kind: Rc<str>,
    /// Name, or index as text.
    pub(in super::super) name: Text,
    /// True if `name` is a name, not an index.
    pub(super) named: bool,
    pub(in super::super) to: usize,
}

impl Edge {
    pub(super) fn is(&self, kind: &str) -> bool {
        &*self.kind == kind
    }
}

/// All of it.
pub(in super::super) struct Graph {
    pub(in super::super) nodes: Vec<Node>,
    pub(in super::super) root: usize,
    pub(super) extra_native_bytes: u64,
}

#[derive(Deserialize)]
struct File {
    snapshot: Header,
    nodes: Vec<u64>,
    edges: Vec<u64>,
    #[serde(default)]
    locations: Vec<u64>,
    strings: Vec<Text>,
}

#[derive(Deserialize)]
struct Header {
    meta: Meta,
    #[serde(default)]
    root_index: usize,
    #[serde(default)]
    extra_native_bytes: u64,
}

#[derive(Deserialize)]
struct Meta {
    node_fields: Vec<String>,
    node_types: Vec<Kinds>,
    edge_fields: Vec<String>,
    edge_types: Vec<Kinds>,
    #[serde(default)]
    location_fields: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Kinds {
    Names(Vec<Rc<str>>),
    Other(String),
}

fn names(kinds: &[Kinds]) -> &[Rc<str>] {
    let names = kinds.iter().find_map(|kinds| match kinds {
        Kinds::Names(names) => Some(&names[..]),
        Kinds::Other(what) => {
            assert!(!what.is_empty());
            None
        }
    });
    names.expect("kinds")
}

/// The number at a field of a record.
fn field<'a>(fields: &'a [String], name: &'a str) -> impl Fn(&[u64]) -> Option<u64> {
    let at = fields.iter().position(|field| field == name);
    move |record: &[u64]| at.map(|at| record[at])
}

impl Graph {
    pub(in super::super) fn parse(text: &str) -> Self {
        let file: File = serde_json::from_str(text).expect("JSON of a snapshot");
        let (strings, meta) = (&file.strings, &file.snapshot.meta);
        let of = |name| field(&meta.node_fields, name);
        let (kind, name, id, size) = (of("type"), of("name"), of("id"), of("self_size"));
        let (edge_count, detachedness) = (of("edge_count"), of("detachedness"));
        let of = |name| field(&meta.edge_fields, name);
        let (edge_kind, label, to) = (of("type"), of("name_or_index"), of("to_node"));
        let width = meta.node_fields.len();
        let edge = |record: &[u64]| {
            let kind = names(&meta.edge_types)[edge_kind(record).expect("a kind") as usize].clone();
            let label = label(record).expect("a label");
            let named = !matches!(&*kind, "element" | "hidden");
            let mut name = if named { strings[label as usize].clone() } else { (&*label.to_string()).into() };
            if let Some(number) = leading_integer(&name).filter(|_| &*kind == "shortcut") {
                name = (&*number.to_string()).into();
            }
            Edge { kind, name, named, to: to(record).expect("a target") as usize / width }
        };
        let mut edges = file.edges.chunks_exact(meta.edge_fields.len()).map(edge);
        let node = |record: &[u64]| {
            let string = name(record).expect("a name") as usize;
            Node {
                kind: names(&meta.node_types)[kind(record).expect("a kind") as usize].clone(),
                name: strings[string].clone(),
                string,
                renamed: false,
                id: id(record).expect("an id"),
                size: size(record).expect("a size"),
                detachedness: detachedness(record),
                location: None,
                edges: edges.by_ref().take(edge_count(record).expect("a count") as usize).collect(),
            }
        };
        let mut nodes: Vec<Node> = file.nodes.chunks_exact(width).map(node).collect();
        let of = |name| field(&meta.location_fields, name);
        let (object, parts) = (of("object_index"), ["script_id", "line", "column"].map(of));
        for record in file.locations.chunks_exact(meta.location_fields.len().max(1)) {
            let node = &mut nodes[object(record).expect("a node") as usize / width];
            node.location = Some(parts.each_ref().map(|part| part(record).expect("a part of a location")));
        }
        let root = file.snapshot.root_index / width;
        Self { nodes, root, extra_native_bytes: file.snapshot.extra_native_bytes }
    }

    pub(super) fn is(&self, node: usize, kind: &str) -> bool {
        &*self.nodes[node].kind == kind
    }

    /// The edges of a node.
    pub(super) fn edges(&self, node: usize) -> &[Edge] {
        &self.nodes[node].edges
    }

    /// Target of the first internal edge of a name.
    pub(super) fn internal(&self, node: usize, name: &str) -> Option<usize> {
        self.edges(node).iter().find(|edge| edge.is("internal") && edge.name.is(name)).map(|edge| edge.to)
    }

    /// The application's roots: targets of the root's edges, without the engine's own roots.
    pub(in super::super) fn user_roots(&self) -> Vec<usize> {
        let is_user = |&to: &usize| !self.is(to, "synthetic") || self.is_dom_trees(to);
        self.edges(self.root).iter().map(|edge| edge.to).filter(is_user).collect()
    }

    pub(super) fn is_dom_trees(&self, node: usize) -> bool {
        self.is(node, "synthetic") && self.nodes[node].name.is("(Document DOM trees)")
    }
}

/// Leading integer of a text, if any.
pub(super) fn leading_integer(text: &Text) -> Option<u64> {
    let digits: String = text.0.iter().take_while(|byte| byte.is_ascii_digit()).map(|&byte| byte as char).collect();
    digits.parse().ok()
}
