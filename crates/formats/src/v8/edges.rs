//! Reads the edges into the table of the heap: target and kind of each, and facts that rules need: entries of WeakMaps,
//! elements of arrays, properties of plain objects.

use rustc_hash::FxHashMap;

use super::meta::{EdgeKind, Meta, NodeKind};
use super::numbers::{MOST_FIELDS, Numbers, Records};
use super::text::{decode, leading_number};
use super::words::{KnownWords, Word};
use super::{nodes::Nodes, strings::Strings};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{snapshot::edges::EdgeColumns, snapshot::kind};

/// Number of edges between two marks.
pub(super) const APART: u64 = 64;

/// Inputs for reading edges.
pub(super) struct EdgeReader<'a> {
    pub(super) file: &'a [u8],
    pub(super) meta: &'a Meta,
    pub(super) nodes: &'a Nodes,
    pub(super) known: &'a KnownWords,
    pub(super) strings: &'a Strings,
    /// Nodes that are WeakMap tables, and their ids.
    pub(super) tables: &'a FxHashMap<u32, u64>,
    pub(super) table: &'a EdgeColumns<'a>,
}

/// Facts about edges besides the table.
#[derive(Default)]
pub(super) struct Edges {
    /// File offset of every 64th edge.
    pub(super) marks: Vec<u64>,
    /// Edges of WeakMap entries, ascending, and the entry of each.
    pub(super) pairs: Vec<(u64, u32)>,
    /// Arrays, ascending, and the node with the elements of each.
    pub(super) elements: Vec<(u32, u32)>,
    /// Plain objects with properties, ascending, and the index of each in [`Edges::shapes`].
    pub(super) shaped: Vec<(u32, u32)>,
    /// Lists of property names, in edge order.
    pub(super) shapes: Vec<Box<[u32]>>,
    /// Number of edges to non-existent nodes, and offset of the first.
    pub(super) nowhere: (u64, Option<u64>),
    /// Number of malformed values, and offset of the first.
    pub(super) odd: (u64, Option<u64>),
    /// Number of names that are not in the string table, and offset of the first edge with one.
    pub(super) unnamed: (u64, Option<u64>),
    /// Number of types that the snapshot does not define, and offset of the first edge with one.
    pub(super) untyped: (u64, Option<u64>),
}

/// Result of one piece.
#[derive(Default)]
struct Piece {
    marks: Vec<u64>,
    pairs: Vec<(u64, u32)>,
    elements: Vec<(u32, u32)>,
    shapes: FxHashMap<Box<[u32]>, u32>,
    shaped: Vec<(u32, u32)>,
    /// Properties of plain objects whose edges span several pieces.
    parts: Vec<(u32, Vec<u32>)>,
    nowhere: (u64, Option<u64>),
    odd: (u64, Option<u64>),
    unnamed: (u64, Option<u64>),
    untyped: (u64, Option<u64>),
}

/// Node category that decides how the edges being read are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum NodeCategory {
    #[default]
    Other,
    PlainObject,
    NativeContext,
    Descriptors,
    /// Table of strings of the engine, which the collector ignores, or what is in use while the snapshot is written.
    HoldsNothing,
    /// Array whose elements were not seen so far.
    ArrayWithoutElements,
}

/// The node whose edges are being read.
#[derive(Default)]
struct SourceNode {
    row: u32,
    end: u64,
    category: NodeCategory,
    /// Its id, if it is a WeakMap table.
    id: Option<u64>,
    /// True if edges of it come before this piece.
    has_earlier: bool,
}

impl EdgeReader<'_> {
    /// Reads all edges that nodes have.
    pub(super) fn read(&self, numbers: &Numbers, task: &Task) -> Result<Edges, Cancelled> {
        let pieces = numbers.read(self.file, self.meta.edge.count, task, |records| self.piece(records))?;
        let mut edges = Edges::default();
        let mut shapes: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut part: Option<(u32, Vec<u32>)> = None;
        for piece in pieces {
            edges.marks.extend(piece.marks);
            edges.pairs.extend(piece.pairs);
            edges.elements.extend(piece.elements);
            edges.nowhere = (edges.nowhere.0 + piece.nowhere.0, edges.nowhere.1.or(piece.nowhere.1));
            edges.odd = (edges.odd.0 + piece.odd.0, edges.odd.1.or(piece.odd.1));
            edges.unnamed = (edges.unnamed.0 + piece.unnamed.0, edges.unnamed.1.or(piece.unnamed.1));
            edges.untyped = (edges.untyped.0 + piece.untyped.0, edges.untyped.1.or(piece.untyped.1));
            let mut own: Vec<(Box<[u32]>, u32)> = piece.shapes.into_iter().collect();
            own.sort_unstable_by_key(|&(_, number)| number);
            let own: Vec<u32> = own.into_iter().map(|(names, _)| number(&mut shapes, names)).collect();
            let of = |own: &[u32], shape: u32| own.get(shape as usize).copied().unwrap_or_default();
            edges.shaped.extend(piece.shaped.into_iter().map(|(row, shape)| (row, of(&own, shape))));
            for (row, mut names) in piece.parts {
                match &mut part {
                    Some((of, before)) if *of == row => before.append(&mut names),
                    _ => {
                        if let Some((of, names)) = part.replace((row, names)) {
                            edges.shaped.push((of, number(&mut shapes, names.into())));
                        }
                    }
                }
            }
        }
        if let Some((of, names)) = part {
            edges.shaped.push((of, number(&mut shapes, names.into())));
        }
        edges.shaped.sort_unstable();
        // If the edges of an array span two pieces, the first elements win.
        edges.elements.dedup_by_key(|&mut (array, _)| array);
        let mut ordered: Vec<(Box<[u32]>, u32)> = shapes.into_iter().collect();
        ordered.sort_unstable_by_key(|&(_, number)| number);
        edges.shapes = ordered.into_iter().map(|(names, _)| names).collect();
        Ok(edges)
    }

    fn piece(&self, records: &mut Records<'_>) -> Piece {
        let (mut record, mut piece) = ([0; MOST_FIELDS], Piece::default());
        let (fields, strings) = (&self.meta.edge, u64::from(self.strings.count()));
        let types = self.meta.edge_types.len() as u64;
        let left = records.left();
        let Some(first) = self.table.row_of(left.start).filter(|_| !left.is_empty()) else {
            // Edges without a node are counted up to the end of the table.
            piece.odd = (records.odd, records.first_odd);
            return piece;
        };
        let mut from = self.begin(first, left.start);
        let mut names = Vec::new();
        while let Some((edge, offset)) = records.next(&mut record) {
            if edge.is_multiple_of(APART) {
                piece.marks.push(offset);
            }
            while edge >= from.end {
                end(&from, &mut names, true, &mut piece);
                let next = from.row + 1;
                if next as usize >= self.nodes.len() {
                    piece.odd = (records.odd, records.first_odd);
                    return piece;
                }
                from = self.begin(next, edge);
            }
            let field = |at: usize| record.get(at).copied().unwrap_or_default();
            let of = self.meta.edge_kind(field(fields.kind));
            if field(fields.kind) >= types {
                piece.untyped = (piece.untyped.0 + 1, piece.untyped.1.or(Some(offset)));
            }
            let to = self.meta.node.row(field(fields.to), self.nodes.len() as u64);
            if to.is_none() {
                piece.nowhere = (piece.nowhere.0 + 1, piece.nowhere.1.or(Some(offset)));
            }
            let name = field(fields.name);
            if name >= strings && !self.meta.is_numbered(of) {
                piece.unnamed = (piece.unnamed.0 + 1, piece.unnamed.1.or(Some(offset)));
            }
            let kind_bits = self.kind_bits(&from, of, name, edge, &mut piece);
            self.table.put(edge, to, kind_bits);
            let named = u32::try_from(name).unwrap_or(u32::MAX);
            if from.category == NodeCategory::PlainObject && of == EdgeKind::Property {
                names.push(named);
            } else if from.category == NodeCategory::ArrayWithoutElements
                && of == EdgeKind::Internal
                && self.known.is(named, Word::Elements)
            {
                from.category = NodeCategory::Other;
                piece.elements.extend(to.map(|to| (from.row, to)));
            }
        }
        let is_whole = left.end >= from.end;
        end(&from, &mut names, is_whole, &mut piece);
        piece.odd = (records.odd, records.first_odd);
        piece
    }

    fn begin(&self, row: u32, edge: u64) -> SourceNode {
        let at = row as usize;
        let name = self.nodes.names.get(at).copied().unwrap_or_default();
        let of = self.nodes.kind(self.meta, at);
        let is = |word| self.known.is(name, word);
        let id = if self.tables.is_empty() { None } else { self.tables.get(&row).copied() };
        let category = match of {
            NodeKind::Object if is(Word::Object) => NodeCategory::PlainObject,
            NodeKind::Hidden if is(Word::NativeContext) => NodeCategory::NativeContext,
            NodeKind::Array if is(Word::MapDescriptors) => NodeCategory::Descriptors,
            NodeKind::Synthetic if is(Word::HoldsNothing) => NodeCategory::HoldsNothing,
            NodeKind::Hidden | NodeKind::Native | NodeKind::Code | NodeKind::String => NodeCategory::Other,
            _ if is(Word::Array) => NodeCategory::ArrayWithoutElements,
            _ => NodeCategory::Other,
        };
        SourceNode { row, end: self.table.begin(row + 1), category, id, has_earlier: edge > self.table.begin(row) }
    }

    #[inline]
    fn kind_bits(&self, from: &SourceNode, of: EdgeKind, name: u64, edge: u64, piece: &mut Piece) -> u8 {
        let named = u32::try_from(name).unwrap_or(u32::MAX);
        let mut kind_bits = match of {
            EdgeKind::Element => kind::ELEMENT,
            EdgeKind::Hidden | EdgeKind::Invisible => kind::HIDDEN,
            EdgeKind::Shortcut => kind::SHORTCUT,
            EdgeKind::Weak => kind::WEAK,
            EdgeKind::Internal if self.known.has_entries() => match self.known.entry(named) {
                Some((pair, table)) => {
                    piece.pairs.push((edge, pair));
                    kind::PAIRED | if Some(table) == from.id { kind::OF_TABLE } else { 0 }
                }
                None => 0,
            },
            _ => 0,
        };
        if from.category == NodeCategory::Descriptors {
            // Only their numbers matter, regardless of the rest of the name.
            kind_bits &= !kind::PAIRED;
            let number = if self.meta.is_numbered(of) {
                i64::try_from(name).ok()
            } else {
                // Only the number is needed from a name that may be long.
                let raw = self.strings.raw(self.file, named).unwrap_or_default();
                leading_number(&decode(raw.get(..64).unwrap_or(raw)))
            };
            // The second of each three has the details of a name: nodes reached by it are not near.
            if number.is_some_and(|number| number >= 2 && number % 3 == 1) {
                kind_bits |= kind::NOT_NEARER;
            }
        } else if from.category == NodeCategory::NativeContext
            && !self.meta.is_numbered(of)
            && self.known.is(named, Word::SloppyFunctionMap)
        {
            kind_bits |= kind::NOT_NEARER;
        } else if from.category == NodeCategory::HoldsNothing || self.known.is(named, Word::IdentityMap) {
            kind_bits |= kind::HOLDS_NOTHING;
        }
        kind_bits
    }
}

/// Stores the properties of a node.
fn end(from: &SourceNode, names: &mut Vec<u32>, is_whole: bool, piece: &mut Piece) {
    if from.category != NodeCategory::PlainObject || (names.is_empty() && is_whole && !from.has_earlier) {
        return;
    }
    if !is_whole || from.has_earlier {
        piece.parts.push((from.row, std::mem::take(names)));
        return;
    }
    let shape = match piece.shapes.get(names.as_slice()) {
        Some(&shape) => shape,
        None => number(&mut piece.shapes, names.as_slice().into()),
    };
    names.clear();
    piece.shaped.push((from.row, shape));
}

/// Index of a list of names; added if it is new.
fn number(shapes: &mut FxHashMap<Box<[u32]>, u32>, names: Box<[u32]>) -> u32 {
    let next = shapes.len() as u32;
    *shapes.entry(names).or_insert(next)
}
