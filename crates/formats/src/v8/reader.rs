//! Random access to nodes and edges, starting at the offset of every 64th.

use std::{ops::Range, sync::OnceLock};

use super::meta::{EdgeKind, Meta, NodeKind};
use super::numbers::{MOST_FIELDS, Records};
use super::{edges, index::Index, nodes, ropes::Ropes, text};

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Its type by number.
    pub(super) of: u8,
    pub(super) kind: NodeKind,
    /// A string of the table.
    pub(super) name: u32,
    /// Its own bytes by the file, before those of internal parts are added.
    pub(super) size: u64,
    /// Its edges among all.
    pub(super) edges: (u64, u64),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) kind: EdgeKind,
    /// Number, or index in the string table.
    pub(super) name: u64,
    pub(super) numbered: bool,
    pub(super) to: u32,
}

/// File with the index of its contents.
#[derive(Clone, Copy)]
pub(super) struct SnapshotReader<'a> {
    pub(super) file: &'a [u8],
    pub(super) index: &'a Index,
    pub(super) meta: &'a Meta,
    /// Concatenated strings, read once one of them is deep.
    pub(super) ropes: &'a OnceLock<Ropes>,
}

impl<'a> SnapshotReader<'a> {
    pub(super) fn node(self, row: u32) -> Option<Node> {
        let row = u64::from(row);
        let block = usize::try_from(row / nodes::APART).ok()?;
        let offset = *self.index.nodes.blocks.get(block)?;
        let mut edge = *self.index.first_edges.get(block)?;
        let fields = &self.meta.node;
        let array = self.file.get(..usize::try_from(self.index.nodes.end).ok()?)?;
        let first = row - row % nodes::APART;
        let mut records = Records::at(array, offset, fields.count, first, self.index.nodes.count);
        let mut record = [0; MOST_FIELDS];
        loop {
            let (at, _) = records.next(&mut record)?;
            let field = |at: usize| record.get(at).copied().unwrap_or_default();
            let end = edge.saturating_add(field(fields.edges));
            if at == row {
                let of = u8::try_from(field(fields.kind)).unwrap_or(u8::MAX);
                return Some(Node {
                    of,
                    kind: self.meta.node_kind(of),
                    name: u32::try_from(field(fields.name)).unwrap_or(u32::MAX),
                    size: field(fields.size),
                    edges: (edge, end),
                });
            }
            edge = end;
        }
    }

    /// Edges by their indexes, in file order, without those that lead nowhere.
    pub(super) fn edges(self, range: Range<u64>) -> impl Iterator<Item = Edge> + use<'a> {
        self.edges_with_index(range).map(|(_, edge)| edge)
    }

    /// The same edges with their indexes.
    pub(super) fn edges_with_index(self, range: Range<u64>) -> impl Iterator<Item = (u64, Edge)> + use<'a> {
        let fields = &self.meta.edge;
        let block = range.start / edges::APART;
        let offset = usize::try_from(block).ok().and_then(|block| self.index.edges.blocks.get(block).copied());
        let end = usize::try_from(self.index.edges.end).unwrap_or(usize::MAX).min(self.file.len());
        let array = self.file.get(..end).unwrap_or_default();
        let last = if offset.is_some() { range.end.min(self.index.edges.count) } else { 0 };
        let mut records = Records::at(array, offset.unwrap_or_default(), fields.count, block * edges::APART, last);
        let (mut record, nodes) = ([0; MOST_FIELDS], self.index.nodes.count);
        let all = std::iter::from_fn(move || {
            let (at, _) = records.next(&mut record)?;
            let field = |at: usize| record.get(at).copied().unwrap_or_default();
            let kind = self.meta.edge_kind(field(fields.kind));
            let to = self.meta.node.row(field(fields.to), nodes);
            let numbered = self.meta.is_numbered(kind);
            Some((at, to.map(|to| Edge { kind, name: field(fields.name), numbered, to })))
        });
        all.filter(move |&(at, _)| at >= range.start).filter_map(|(at, edge)| Some((at, edge?)))
    }

    pub(super) fn edges_of(self, node: &Node) -> impl Iterator<Item = Edge> + use<'a> {
        self.edges(node.edges.0..node.edges.1)
    }

    /// The edges of the node of a row.
    pub(super) fn edges_from(self, row: u32) -> impl Iterator<Item = Edge> + 'a {
        self.node(row).into_iter().flat_map(move |node| self.edges_of(&node))
    }

    /// String of the table, shortened as a name.
    pub(super) fn string(self, string: u32) -> Option<String> {
        self.index.strings.name(self.file, string)
    }

    pub(super) fn name(self, node: &Node) -> String {
        self.string(node.name).unwrap_or_else(|| text::MISSING_NAME.to_owned())
    }

    /// Name of an edge: an index in digits; for shortcuts, the number at the beginning of the name.
    pub(super) fn edge_name(self, edge: &Edge) -> String {
        if edge.numbered {
            return edge.name.to_string();
        }
        let name = u32::try_from(edge.name).ok().and_then(|name| self.string(name));
        let name = name.unwrap_or_else(|| text::MISSING_NAME.to_owned());
        if edge.kind == EdgeKind::Shortcut
            && let Some(number) = text::leading_number(&name)
        {
            return number.to_string();
        }
        name
    }

    /// True if an edge has this name; reads no more than necessary.
    pub(super) fn is_called(self, edge: &Edge, name: &str) -> bool {
        let string = u32::try_from(edge.name).ok().filter(|_| !edge.numbered);
        let raw = string.and_then(|string| self.index.strings.raw(self.file, string));
        raw.is_some_and(|raw| raw == name.as_bytes() || (raw.contains(&b'\\') && text::decode(raw) == name))
    }

    /// Target of the first edge with a kind and name.
    pub(super) fn follow(self, row: u32, kind: EdgeKind, name: &str) -> Option<u32> {
        self.edges_from(row).find(|edge| edge.kind == kind && self.is_called(edge, name)).map(|edge| edge.to)
    }
}
