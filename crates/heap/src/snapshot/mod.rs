//! Snapshots of JavaScript engines: heaps with a kind for every edge, and the exact rules of Chrome DevTools (npm
//! package `chrome-devtools-frontend` 1.0.1705227).
//!
//! A reader fills an [`edges::Edges`]; [`rules`] decide which edges retain and which size each node has; [`build`]
//! turns it into a heap. *Essential* edges are the references of that heap and determine its dominators. Non-retaining
//! edges (weak ones, shortcuts, the table side of a WeakMap entry, edges of the engine into the page) are stored
//! separately (`Snapshot::non_retaining`); graph algorithms never see them. `storage.rs` finds the essential edges by
//! which the engine stores what another edge says already.

pub mod build;
mod detached;
pub(super) mod distances;
pub mod edges;
mod engine_edges;
mod essential;
mod flags;
mod owners;
pub mod rules;
mod statistics;
mod storage;
mod storage_owners;

use serde::{Deserialize, Serialize};

pub use self::flags::{kind, node};
pub use self::statistics::{MemoryType, Statistics};
pub(super) use self::storage_owners::StorageOwners;
use super::{ids::ObjectId, sections};
use heaplens_base::storage::{Column, StoredAnalysis};
use heaplens_graph::Links;

/// Distance of the root itself if there are user roots; nodes reachable only from the root are further.
pub const SYSTEM_DISTANCE: u32 = 100_000_000;

/// Data of a snapshot besides objects and retaining references.
pub struct Snapshot {
    /// Non-retaining edges, in file order.
    pub(super) non_retaining: Links,
    /// Kind of each of them: bits of [`kind`].
    pub(super) non_retaining_kinds: Column<u8>,
    /// The same edges transposed.
    pub(super) non_retaining_referrers: Links,
    /// Detached DOM nodes, ascending.
    pub(super) detached: Column<u32>,
    /// Values that are not in a column.
    pub(super) tables: SnapshotTables,
    /// Distances by the rules of the format, until an analysis takes them.
    pub(super) distances: std::sync::Mutex<Option<distances::Distances>>,
}

/// Small tables of a snapshot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct SnapshotTables {
    pub(super) root: u32,
    pub(super) statistics: Statistics,
    /// True if the root leads to an object of the program, from which distances are measured.
    pub(super) has_user_roots: bool,
    /// Bytes of the embedder without a node.
    pub(super) extra_native: u64,
}

impl Snapshot {
    /// Root node, from which everything is reachable: it dominates all others.
    pub fn root(&self) -> u32 {
        self.tables.root
    }

    /// Memory by category, as in DevTools' statistics.
    pub fn statistics(&self) -> &Statistics {
        &self.tables.statistics
    }

    /// Bytes of the embedder without a node; they are part of the total.
    pub fn extra_native(&self) -> u64 {
        self.tables.extra_native
    }

    /// True if the root leads to an object of the program, from which distances are measured.
    pub fn has_user_roots(&self) -> bool {
        self.tables.has_user_roots
    }

    /// True if a node is detached from its document.
    pub fn is_detached(&self, object: ObjectId) -> bool {
        self.detached.all().binary_search(&object.raw()).is_ok()
    }

    /// Detached DOM nodes, ascending.
    pub fn detached(&self) -> &[u32] {
        self.detached.all()
    }

    /// Targets of the non-retaining edges of an object.
    pub fn non_retaining_targets(&self, object: ObjectId) -> &[u32] {
        self.non_retaining.row(object.raw())
    }

    /// The same, each with its kind: bits of [`kind`].
    pub fn non_retaining_edges(&self, object: ObjectId) -> impl Iterator<Item = (u32, u8)> {
        self.non_retaining_targets(object).iter().copied().zip(self.non_retaining_kinds(object).iter().copied())
    }

    /// Kind of each of them: bits of [`kind`].
    pub(super) fn non_retaining_kinds(&self, object: ObjectId) -> &[u8] {
        self.non_retaining_kinds.range(self.non_retaining.positions(object.raw()))
    }

    /// Objects with non-retaining edges to this one, once per edge.
    pub fn non_retaining_referrers(&self, object: ObjectId) -> &[u32] {
        self.non_retaining_referrers.row(object.raw())
    }

    /// True if a non-retaining edge that is not weak leads from one object to another.
    pub(super) fn leads(&self, from: ObjectId, to: ObjectId) -> bool {
        self.non_retaining_edges(from).any(|(other, kind)| other == to.raw() && kind & kind::WEAK == 0)
    }

    /// Distances by the rules of the format; can be taken once.
    pub(super) fn take_distances(&self) -> Option<distances::Distances> {
        self.distances.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }

    /// True if the stored tables fit a heap with `rows` objects.
    pub(super) fn is_sound(&self, rows: usize) -> bool {
        let inside = |row: Option<u32>| row.is_none_or(|row| (row as usize) < rows);
        self.non_retaining.rows() == rows
            && self.non_retaining_referrers.rows() == rows
            && self.non_retaining_kinds.len() == self.non_retaining.edges()
            && (rows == 0 || inside(Some(self.tables.root)))
            && self.detached.all().iter().all(|&row| inside(Some(row)))
    }

    /// Loads the stored columns.
    pub(super) fn stored(stored: &StoredAnalysis, tables: SnapshotTables) -> Option<Self> {
        Some(Self {
            non_retaining: Links::find(stored, sections::NON_RETAINING)?,
            non_retaining_kinds: stored.column(sections::NON_RETAINING_KINDS)?,
            non_retaining_referrers: Links::find(stored, sections::NON_RETAINING_REFERRERS)?,
            detached: stored.column(sections::DETACHED)?,
            tables,
            distances: std::sync::Mutex::new(None),
        })
    }
}
