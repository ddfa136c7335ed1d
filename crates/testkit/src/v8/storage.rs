//! Adds to a snapshot what V8 writes besides an edge for each property and element: the nodes and edges by which it
//! stores them.

use super::snapshot::{Edge, Label, Snapshot};
use crate::random::Random;

/// Storage of the properties of an object, as node 20 writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyStorage {
    /// In the object itself: no further edge.
    InObject,
    /// A `system / PropertyArray` for those that the object has no room for.
    Array,
    /// A dictionary, of objects with many properties or after one was deleted.
    Dictionary,
    /// A dictionary with a `system / PropertyCell` for each, of a global object.
    Cells,
}

/// Kinds of [`PropertyStorage`].
pub const PROPERTY_STORAGES: [PropertyStorage; 4] =
    [PropertyStorage::InObject, PropertyStorage::Array, PropertyStorage::Dictionary, PropertyStorage::Cells];

/// An edge that stores what another edge of its owner says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageEdge {
    /// Node with the property.
    pub owner: usize,
    /// Node of the engine that the edge comes from.
    pub from: usize,
    /// Value of the property.
    pub to: usize,
}

impl Snapshot {
    /// An id that no node has, of an object of the engine.
    fn next_id(&self) -> u64 {
        self.nodes.iter().map(|node| node.id).max().unwrap_or(0) / 2 * 2 + 3
    }

    /// Adds a node of the engine without a size: what is held counts, not its storage.
    fn add_storage(&mut self, kind: &'static str, name: &str) -> usize {
        let id = self.next_id();
        self.add(kind, name, id, 0)
    }

    fn targets(&self, node: usize, kind: &str) -> Vec<usize> {
        self.nodes[node].edges.iter().filter(|edge| edge.kind == kind).map(|edge| edge.to).collect()
    }

    /// Stores the properties of a node.
    pub fn store_properties(&mut self, owner: usize, storage: PropertyStorage) -> Vec<StorageEdge> {
        let values = self.targets(owner, "property");
        if values.is_empty() || storage == PropertyStorage::InObject {
            return Vec::new();
        }
        let store = match storage {
            PropertyStorage::Array => self.add_storage("hidden", "system / PropertyArray"),
            _ => self.add_storage("array", "(object properties)"),
        };
        self.name(owner, "internal", "properties", store);
        let mut stored = Vec::new();
        for (at, to) in (0_u32..).zip(values) {
            let from = match storage {
                PropertyStorage::Array => {
                    self.number(store, "hidden", at, to);
                    store
                }
                PropertyStorage::Cells => {
                    let cell = self.add_storage("hidden", "system / PropertyCell");
                    self.name(store, "internal", (7 + 3 * at).to_string(), cell);
                    self.name(cell, "internal", "value", to);
                    cell
                }
                _ => {
                    self.name(store, "internal", (7 + 3 * at).to_string(), to);
                    store
                }
            };
            stored.push(StorageEdge { owner, from, to });
        }
        stored
    }

    /// Stores the elements of a node, densely or in a dictionary.
    pub fn store_elements(&mut self, owner: usize, is_sparse: bool) -> Vec<StorageEdge> {
        let values = self.targets(owner, "element");
        if values.is_empty() {
            return Vec::new();
        }
        let store = self.add_storage("array", "(object elements)");
        self.name(owner, "internal", "elements", store);
        let mut stored = Vec::new();
        for (at, to) in values.into_iter().enumerate() {
            let index = if is_sparse { 8 + 3 * at } else { at };
            self.name(store, "internal", index.to_string(), to);
            stored.push(StorageEdge { owner, from: store, to });
        }
        stored
    }

    /// Makes one property of a node an accessor: its function is a value of the pair, which the hidden class of the
    /// node has in its descriptors.
    pub fn store_accessor(&mut self, owner: usize, property: usize) -> Vec<StorageEdge> {
        let at = self.nodes[owner].edges.iter().enumerate().filter(|(_, edge)| edge.kind == "property").nth(property);
        let Some((at, to, Label::Name(name))) = at.map(|(at, edge)| (at, edge.to, edge.label.clone())) else {
            return Vec::new();
        };
        let pair = self.add_storage("hidden", "system / AccessorPair");
        let map = self.add_storage("object shape", "system / Map");
        let descriptors = self.add_storage("object shape", "system / DescriptorArray");
        self.nodes[owner].edges[at] = Edge::named("property", format!("get {name}"), to);
        self.name(owner, "property", name, pair);
        self.name(owner, "internal", "map", map);
        self.name(map, "internal", "descriptors", descriptors);
        self.name(descriptors, "internal", "2", pair);
        self.name(pair, "internal", "getter", to);
        vec![StorageEdge { owner, from: pair, to }, StorageEdge { owner, from: descriptors, to: pair }]
    }

    /// Stores properties and elements of all objects, each in a random way. Objects with the same elements may share
    /// their storage, as literals do until one of them is written to.
    pub fn store_all(&mut self, random: &mut Random) -> Vec<StorageEdge> {
        let owners = (0..self.nodes.len()).filter(|&node| self.nodes[node].kind == "object");
        let mut stored = Vec::new();
        for owner in owners.collect::<Vec<_>>() {
            if random.one_in(6) {
                let properties = self.targets(owner, "property").len() as u32;
                stored.extend(self.store_accessor(owner, random.below(properties.max(1)) as usize));
            } else {
                stored.extend(self.store_properties(owner, *random.pick(&PROPERTY_STORAGES)));
            }
            let elements = self.store_elements(owner, random.one_in(2));
            if !elements.is_empty() && random.one_in(4) {
                stored.extend(self.copy_of(owner, &elements));
            }
            stored.extend(elements);
        }
        stored
    }

    /// Adds a copy of an object that shares its storage, beside each reference to the object.
    fn copy_of(&mut self, owner: usize, elements: &[StorageEdge]) -> Vec<StorageEdge> {
        let (id, name) = (self.next_id(), self.nodes[owner].name.clone());
        let copy = self.add("object", name, id, 16);
        let of_copy = |edge: &&Edge| {
            edge.kind == "element" || matches!(&edge.label, Label::Name(name) if *name == "elements".into())
        };
        self.nodes[copy].edges = self.nodes[owner].edges.iter().filter(of_copy).cloned().collect();
        for from in 0..copy {
            let is_of_program = matches!(self.nodes[from].kind, "object" | "synthetic");
            if is_of_program && self.nodes[from].edges.iter().any(|edge| edge.to == owner && edge.kind != "weak") {
                self.name(from, "internal", "copy", copy);
            }
        }
        elements.iter().map(|edge| StorageEdge { owner: copy, ..*edge }).collect()
    }

    /// The same snapshot after the program sets every property and element of `from` that refers to `to` to null:
    /// `stored` are all storage edges. A storage that others share stays with them.
    #[must_use]
    pub fn without(&self, from: usize, to: usize, stored: &[StorageEdge]) -> Self {
        let mut left = self.clone();
        left.nodes[from].edges.retain(|edge| edge.to != to || edge.kind == "weak");
        for edge in stored.iter().filter(|edge| edge.owner == from && edge.to == to) {
            let is_shared = stored.iter().any(|other| other.from == edge.from && other.owner != from);
            let source = if is_shared { from } else { edge.from };
            let target = if is_shared { edge.from } else { to };
            left.nodes[source].edges.retain(|edge| edge.to != target);
        }
        left
    }

    /// The same snapshot without garbage: V8 collects it first. References that hold nothing are weak.
    #[must_use]
    pub fn collected(&self) -> Self {
        let (mut reached, mut waiting) = (vec![false; self.nodes.len()], vec![self.root]);
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                waiting.extend(self.nodes[node].edges.iter().filter(|edge| edge.kind != "weak").map(|edge| edge.to));
            }
        }
        self.only(|node| reached[node])
    }
}
