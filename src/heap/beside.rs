//! What tells the references of a file from those of its heap: references that readers add because the format implies
//! them, and those that lead nowhere. Tools that show a dump as its file has it ask here.

use serde::{Deserialize, Serialize};

use super::builder::Built;
use super::facts::Heap;
use super::ids::ObjectId;

/// References that are in the heap alone, or in the file alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// References of the file to addresses where it has no object.
    pub unresolved: u64,
    /// Objects with added references, ascending, and how many of the last of their references were added.
    pub(super) added: Vec<(u32, u32)>,
}

impl Beside {
    /// How many of the last references of an object were added.
    fn added_to(&self, object: ObjectId) -> usize {
        let at = self.added.binary_search_by_key(&object.raw(), |&(row, _)| row);
        at.ok().and_then(|at| self.added.get(at)).map_or(0, |&(_, count)| count as usize)
    }

    /// References that were added to all objects together.
    pub fn added(&self) -> u64 {
        self.added.iter().map(|&(_, count)| u64::from(count)).sum()
    }
}

impl Built {
    /// The same, knowing that these references, which stand behind all others of their objects, are not the file's.
    #[must_use]
    pub fn adding(mut self, added: impl Iterator<Item = ObjectId>) -> Self {
        let mut rows: Vec<u32> = added.map(ObjectId::raw).collect();
        rows.sort_unstable();
        let counted = rows.chunk_by(|a, b| a == b).filter_map(|same| Some((*same.first()?, same.len() as u32)));
        self.heap.beside.added = counted.collect();
        self
    }
}

impl Heap {
    /// References of the file to addresses where it has no object.
    pub fn unresolved(&self) -> u64 {
        self.beside.unresolved
    }

    /// References that readers added, because the format implies them.
    pub fn added_references(&self) -> u64 {
        self.beside.added()
    }

    /// Outgoing references of an object as the file has them, in its order: without the one to the class where that is
    /// implied, and without those that readers added.
    pub fn own_references(&self, object: ObjectId) -> &[u32] {
        let all = self.references(object);
        &all[..all.len().saturating_sub(self.beside.added_to(object))]
    }
}
