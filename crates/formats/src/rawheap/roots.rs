//! Nodes before and above the objects: the root, its groups, properties of the file, and references from outside.

use super::names::{NAMELESS, Names};
use super::snapshot::{Edge, EdgeKind, EdgeVisitor, Node, kind};
use super::tables::{Addresses, References, Tables};
use crate::error::OpenError;

/// Names of the groups of roots, in the order of the file.
const GROUPS: [&str; 4] = ["LocalHandleRoot", "GlobalHandleRoot", "VMRoot", "FrameRoot"];
/// Properties of the heap, in file order.
const ABOUT: [&str; 3] = ["spaceType", "heapType", "vmType"];

/// Nodes above the objects; the first is the root.
pub(super) struct Roots<'a> {
    marked: Addresses<'a>,
    groups: [Addresses<'a>; 4],
    references: Option<References<'a>>,
    /// Node for the properties of the heap.
    about: Option<u32>,
    /// Names of its edges.
    about_names: [u32; 3],
    /// Node above the references from outside, which follow it.
    holder: Option<u32>,
    sub_root: u32,
    js_object: u32,
    /// Nodes placed after all others.
    pub(super) late: Vec<Node>,
}

impl<'a> Roots<'a> {
    /// Adds the root and its groups. With `always`, a node for the properties of the file is added even if there are
    /// none.
    pub(super) fn begin(tables: &Tables<'a>, nodes: &mut Vec<Node>, names: &mut Names<'a>, always: bool) -> Self {
        nodes.push(Node::new(1, kind::SYNTHETIC, names.add_text("SyntheticRoot")));
        let sub_root = names.add_text("-subroot-");
        for (name, group) in GROUPS.iter().zip(&tables.groups) {
            nodes.push(group_node(name, group.len(), names));
        }
        let values = tables.about.filter(|[space, heap, _]| !space.is_empty() || !heap.is_empty());
        let about = values.map(|_| nodes.len() as u32);
        let (mut about_names, mut late) = ([NAMELESS; 3], Vec::new());
        if values.is_some() {
            nodes.push(Node::new(0, kind::NATIVE, names.add_text("HeapMetadata")).sized(1));
        } else if always {
            nodes.push(Node::new(0, kind::NATIVE, NAMELESS));
        }
        for ((value, name), name_of) in values.iter().flatten().zip(ABOUT).zip(&mut about_names) {
            late.push(Node::new(0, kind::NUMBER, names.of(value)).sized(1));
            *name_of = names.add_text(name);
        }
        Self {
            marked: tables.roots,
            groups: tables.groups,
            references: tables.references,
            about,
            about_names,
            holder: None,
            sub_root,
            js_object: NAMELESS,
            late,
        }
    }

    /// Adds the references from outside, if they were recorded.
    pub(super) fn add_references(&mut self, nodes: &mut Vec<Node>, names: &mut Names<'a>) {
        let Some(references) = self.references else { return };
        self.holder = Some(nodes.len() as u32);
        nodes.push(group_node("GlobalHandleObject", references.len(), names));
        for (at, _) in references.iter() {
            let name = names.add_text(format!("ReferenceAddress:{at:#x}"));
            nodes.push(Node::new(0, kind::NATIVE, name).sized(1));
        }
    }

    /// Sets the name of reference edges: as in the translator, after objects got their names.
    pub(super) fn name_references(&mut self, names: &mut Names<'a>) {
        self.js_object = names.add_text("JSObject");
    }

    /// All addresses of roots, in the order of their nodes.
    pub(super) fn addresses(&self) -> impl Iterator<Item = u64> + 'a {
        self.marked.iter().chain(self.groups.into_iter().flat_map(Addresses::iter))
    }

    /// Edges of the root, its groups, and the properties of the file. `late` is the index of the first of the late
    /// nodes.
    pub(super) fn walk_top(
        &self,
        late: u32,
        find: &dyn Fn(u64) -> Option<u32>,
        take: &mut EdgeVisitor<'_>,
    ) -> Result<(), OpenError> {
        let shortcut = |to| Edge { kind: EdgeKind::Shortcut, name: self.sub_root, to };
        for to in (1..=GROUPS.len() as u32).chain(self.about).chain(self.holder) {
            take(0, shortcut(to))?;
        }
        for to in self.marked.iter().filter_map(find) {
            take(0, shortcut(to))?;
        }
        for (from, group) in (1..).zip(self.groups) {
            for (name, to) in (0..).zip(group.iter().filter_map(find)) {
                take(from, Edge { kind: EdgeKind::Element, name, to })?;
            }
        }
        if let Some(about) = self.about {
            for (to, name) in (late..).zip(self.about_names) {
                take(about, Edge { kind: EdgeKind::Property, name, to })?;
            }
        }
        Ok(())
    }

    /// Edges of the references from outside.
    pub(super) fn walk_references(
        &self,
        find: &dyn Fn(u64) -> Option<u32>,
        take: &mut EdgeVisitor<'_>,
    ) -> Result<(), OpenError> {
        let (Some(references), Some(holder)) = (self.references, self.holder) else { return Ok(()) };
        for index in 0..references.len() as u32 {
            take(holder, Edge { kind: EdgeKind::Element, name: index, to: holder + 1 + index })?;
        }
        for (from, (_, object)) in (holder + 1..).zip(references.iter()) {
            if let Some(to) = find(object) {
                take(from, Edge { kind: EdgeKind::Property, name: self.js_object, to })?;
            }
        }
        Ok(())
    }
}

/// Node of a group of roots, with their number in its name.
pub(super) fn group_node(name: &str, count: usize, names: &mut Names<'_>) -> Node {
    Node::new(0, kind::HANDLE, names.add_text(format!("{name}[{count}]"))).sized(1)
}
