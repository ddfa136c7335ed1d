//! Reads the nodes into columns by row: type, name, id, size, number of edges.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use super::meta::{Meta, NodeFields, NodeKind};
use super::numbers::{MOST_FIELDS, Numbers};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::sizes::MOST_BYTES;

/// Number of nodes between two marks.
pub(super) const APART: u64 = 64;

/// All nodes, in the order of the file.
pub(super) struct Nodes {
    /// Type number in the file.
    pub(super) kinds: Buffer<u8>,
    /// Index of the name in the string table.
    pub(super) names: Buffer<u32>,
    /// Lower half of the node's id, and the full ids that do not fit.
    pub(super) ids: Buffer<u32>,
    pub(super) wide_ids: Vec<(u32, u64)>,
    pub(super) sizes: Buffer<u64>,
    /// Number of edges of each node, with a trailing 0.
    pub(super) degrees: Buffer<u32>,
    /// 0 unknown, 1 attached, 2 detached; `None` if the file lacks the field.
    pub(super) states: Option<Buffer<u8>>,
    /// Native memory in bytes; `None` if the file lacks the field.
    pub(super) native: Option<Buffer<u64>>,
    /// File offset of every 64th node.
    pub(super) marks: Vec<u64>,
    /// Number of malformed values, and offset of the first.
    pub(super) odd: (u64, Option<u64>),
    /// Number of implausible sizes, and offset of the first.
    pub(super) too_large: (u64, Option<u64>),
    /// Number of names that are not in the string table, and offset of the first node with one.
    pub(super) unnamed: (u64, Option<u64>),
    /// Number of types that the snapshot does not define, and offset of the first node with one.
    pub(super) untyped: (u64, Option<u64>),
}

/// Results of one piece besides the columns.
#[derive(Default)]
struct Piece {
    marks: Vec<u64>,
    wide_ids: Vec<(u32, u64)>,
    odd: (u64, Option<u64>),
    too_large: (u64, Option<u64>),
    unnamed: (u64, Option<u64>),
    untyped: (u64, Option<u64>),
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    #[inline]
    pub(super) fn kind(&self, meta: &Meta, row: usize) -> NodeKind {
        self.kinds.get(row).map_or(NodeKind::Other, |&of| meta.node_kind(of))
    }

    /// Reads all nodes, up to the maximum number of rows. `strings` is the length of the string table.
    pub(super) fn read(
        file: &[u8],
        numbers: &Numbers,
        meta: &Meta,
        strings: u32,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let fields = &meta.node;
        let (strings, types) = (u64::from(strings), meta.node_types.len() as u64);
        let len = numbers.records(fields.count) as usize;
        let mut kinds = budget.scratch::<u8>(len);
        let mut names = budget.scratch::<u32>(len);
        let mut ids = budget.scratch::<u32>(len);
        let mut sizes = budget.scratch::<u64>(len);
        let mut degrees = budget.buffer::<u32>(len + 1);
        let mut states = budget.buffer::<u8>(if fields.detachedness.is_some() { len } else { 0 });
        let mut native = budget.buffer::<u64>(if fields.native_size.is_some() { len } else { 0 });
        let columns = Columns {
            kinds: kinds.shared(),
            names: names.shared(),
            ids: ids.shared(),
            sizes: sizes.shared(),
            degrees: degrees.shared(),
            states: states.shared(),
            native: native.shared(),
        };
        let pieces = numbers.read(file, fields.count, task, |records| {
            let (mut record, mut piece) = ([0; MOST_FIELDS], Piece::default());
            while let Some((row, offset)) = records.next(&mut record) {
                if row.is_multiple_of(APART) {
                    piece.marks.push(offset);
                }
                for at in [Some(fields.size), fields.native_size].into_iter().flatten() {
                    if let Some(size) = record.get_mut(at).filter(|size| **size > MOST_BYTES) {
                        *size = MOST_BYTES;
                        piece.too_large = (piece.too_large.0 + 1, piece.too_large.1.or(Some(offset)));
                    }
                }
                if record.get(fields.name).is_some_and(|&name| name >= strings) {
                    piece.unnamed = (piece.unnamed.0 + 1, piece.unnamed.1.or(Some(offset)));
                }
                if record.get(fields.kind).is_some_and(|&kind| kind >= types) {
                    piece.untyped = (piece.untyped.0 + 1, piece.untyped.1.or(Some(offset)));
                }
                let id = columns.put(row as usize, &record, fields);
                if u32::try_from(id).is_err() {
                    piece.wide_ids.push((row as u32, id));
                }
            }
            piece.odd = (records.odd, records.first_odd);
            piece
        })?;
        let mut nodes = Self {
            kinds,
            names,
            ids,
            wide_ids: Vec::new(),
            sizes,
            degrees,
            states: fields.detachedness.map(|_| states),
            native: fields.native_size.map(|_| native),
            marks: Vec::new(),
            odd: (0, None),
            too_large: (0, None),
            unnamed: (0, None),
            untyped: (0, None),
        };
        for mut piece in pieces {
            nodes.marks.append(&mut piece.marks);
            nodes.wide_ids.append(&mut piece.wide_ids);
            for (all, more) in [
                (&mut nodes.odd, piece.odd),
                (&mut nodes.too_large, piece.too_large),
                (&mut nodes.unnamed, piece.unnamed),
                (&mut nodes.untyped, piece.untyped),
            ] {
                *all = (all.0 + more.0, all.1.or(more.1));
            }
        }
        Ok(nodes)
    }
}

/// The columns while threads write to them.
struct Columns<'a> {
    kinds: &'a [AtomicU8],
    names: &'a [AtomicU32],
    ids: &'a [AtomicU32],
    sizes: &'a [AtomicU64],
    degrees: &'a [AtomicU32],
    states: &'a [AtomicU8],
    native: &'a [AtomicU64],
}

impl Columns<'_> {
    /// Stores one node; returns its id.
    #[inline]
    fn put(&self, row: usize, record: &[u64; MOST_FIELDS], fields: &NodeFields) -> u64 {
        let field = |at: usize| record.get(at).copied().unwrap_or_default();
        let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let byte = |value: u64| u8::try_from(value).unwrap_or(u8::MAX);
        let put = |column: &[AtomicU32], value| column.get(row).into_iter().for_each(|of| of.store(value, RELAXED));
        let id = field(fields.id);
        put(self.names, narrow(field(fields.name)));
        put(self.ids, id as u32);
        put(self.degrees, narrow(field(fields.edges)));
        self.kinds.get(row).into_iter().for_each(|of| of.store(byte(field(fields.kind)), RELAXED));
        self.sizes.get(row).into_iter().for_each(|of| of.store(field(fields.size), RELAXED));
        if let (Some(at), Some(of)) = (fields.detachedness, self.states.get(row)) {
            of.store(byte(field(at)), RELAXED);
        }
        if let (Some(at), Some(of)) = (fields.native_size, self.native.get(row)) {
            of.store(field(at), RELAXED);
        }
        id
    }
}

const RELAXED: Ordering = Ordering::Relaxed;
