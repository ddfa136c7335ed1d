//! Inferred roots and ownership trees, as in IBM's HeapRoots (alphaWorks, 2003 to 2005). Objects without incoming
//! references are *pure roots*. Depth-first search from them, by address, assigns every object to the first object that
//! reaches it and to the root of that tree. The lowest object left becomes an *artificial root*. Works on any dump and
//! needs no GC roots.
//!
//! Totals are the bytes assigned to an object by the search. Unlike retained sizes they depend on the order of
//! visiting: shared objects count for the first.

pub mod listing;
pub mod retained_set;

use std::cmp::Reverse;

use rayon::prelude::*;

use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_graph::{Forest, NONE, forest::ForestNode};
use heaplens_heap::{FileReferences, Heap, IdStyle, ObjectId, SoftLinks};

/// Kind of an object among inferred roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// No incoming references.
    Pure,
    /// Made a root because no pure root leads to it.
    Artificial,
    /// Reachable from a root.
    NonRoot,
}

impl Kind {
    /// The word of json.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Artificial => "artificial",
            Self::NonRoot => "none",
        }
    }

    /// The letter of HeapRoots.
    pub fn letter(self) -> char {
        match self {
            Self::Pure => 'R',
            Self::Artificial => 'A',
            Self::NonRoot => 'N',
        }
    }
}

/// Summary that HeapRoots prints after processing a dump.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Process {
    /// Objects of the file.
    pub objects: u64,
    /// Number of references that the file records, those that lead nowhere included.
    pub references: u64,
    /// Number of references to addresses where the file has no object.
    pub unresolved: u64,
    /// Bytes of all objects.
    pub heap_bytes: Bytes,
    /// Bytes from the lowest object to the end of the highest; `None` where ids are no addresses.
    pub address_range: Option<Bytes>,
    /// Objects that no other object refers to.
    pub pure_roots: u64,
    /// Objects reachable from these, themselves included.
    pub pure_roots_reach: u64,
    /// Number of artificial roots.
    pub artificial_roots: u64,
    /// Number of soft references through which the search reached an unassigned object.
    pub softlinks_followed: u64,
}

/// Sort order of roots and objects, largest first; ties by address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OwnershipOrder {
    /// Total size.
    #[default]
    Total,
    /// Number of descendants.
    Descendants,
    /// Maximum depth.
    Depth,
}

impl OwnershipOrder {
    /// Key of the column.
    pub fn key(self) -> &'static str {
        match self {
            Self::Total => "total_bytes",
            Self::Descendants => "descendants",
            Self::Depth => "max_depth",
        }
    }

    /// Sort key of an object.
    pub fn of(self, owned: &ForestNode) -> u64 {
        match self {
            Self::Total => owned.total,
            Self::Descendants => u64::from(owned.descendants),
            Self::Depth => u64::from(owned.max_depth),
        }
    }
}

/// Ownership trees: a row of 24 bytes per object, and the roots.
pub struct Ownership {
    /// True if soft references were followed.
    pub soft: SoftLinks,
    /// Summary.
    pub process: Process,
    forest: Forest,
}

impl Ownership {
    /// Infers roots and owners, with progress in `task`.
    pub fn find(heap: &Heap, soft: SoftLinks, task: &Task) -> Result<Self, Cancelled> {
        task.step("Inferring roots", Unit::Objects, 2 * heap.len() as u64);
        let recorded = FileReferences::new(heap, soft, task)?;
        let size = |row: u32| ObjectId::from_raw(row).map_or(0, |object| heap.shallow(object).0);
        let forest = Forest::grow(&recorded, size, task)?;
        let parent = |row: u32| forest.of(row).map_or(NONE, |of| of.parent);
        let followed = soft == SoftLinks::Follow;
        let softlinks_followed = if followed { recorded.soft_links_taken(parent, task)? } else { 0 };
        let (heap_bytes, address_range) = extent(heap, task)?;
        let process = Process {
            objects: heap.len() as u64,
            references: heap.recorded_references(),
            unresolved: heap.unresolved_references(),
            heap_bytes,
            address_range,
            pure_roots: forest.pure.len() as u64,
            pure_roots_reach: forest.reached_from_pure,
            artificial_roots: forest.artificial.len() as u64,
            softlinks_followed,
        };
        Ok(Self { soft, process, forest })
    }

    /// Totals of an object; empty for unknown objects.
    pub fn of(&self, object: ObjectId) -> ForestNode {
        let nothing = ForestNode { total: 0, owner: object.raw(), parent: NONE, descendants: 0, max_depth: 0 };
        self.forest.of(object.raw()).copied().unwrap_or(nothing)
    }

    /// The root of the object's tree; a root is its own.
    pub fn owner(&self, object: ObjectId) -> ObjectId {
        ObjectId::from_raw(self.of(object).owner).unwrap_or(object)
    }

    /// The owner: the object from which the search reached this one; `None` for roots.
    pub fn parent(&self, object: ObjectId) -> Option<ObjectId> {
        ObjectId::from_raw(self.of(object).parent)
    }

    /// Kind of an object among the roots.
    pub fn kind(&self, object: ObjectId) -> Kind {
        if self.of(object).owner != object.raw() {
            Kind::NonRoot
        } else if self.forest.is_artificial(object.raw()) {
            Kind::Artificial
        } else {
            Kind::Pure
        }
    }

    /// All roots, largest first; ties by address.
    pub fn roots(&self, by: OwnershipOrder) -> Vec<ObjectId> {
        let all = self.forest.pure.iter().chain(&self.forest.artificial);
        let mut roots: Vec<ObjectId> = all.copied().filter_map(ObjectId::from_raw).collect();
        self.sort(&mut roots, by);
        roots
    }

    /// Sorts objects, largest first; ties by address.
    pub fn sort(&self, objects: &mut [ObjectId], by: OwnershipOrder) {
        objects.par_sort_unstable_by_key(|&object| (Reverse(by.of(&self.of(object))), object));
    }
}

/// Bytes of all objects, and from the lowest to the end of the highest.
fn extent(heap: &Heap, task: &Task) -> Result<(Bytes, Option<Bytes>), Cancelled> {
    let (mut bytes, mut lowest, mut end) = (0_u64, None, 0_u64);
    for (row, address) in heap.addresses_from(0).enumerate() {
        task.checkpoint_at(row)?;
        let size = ObjectId::new(row).map_or(0, |object| heap.shallow(object).0);
        bytes = bytes.saturating_add(size);
        // No object is at address 0: a record there stands for VM-internal data.
        if address.0 != 0 {
            lowest.get_or_insert(address.0);
            end = end.max(address.0.saturating_add(size));
        }
    }
    let range = lowest.filter(|_| heap.origin.ids == IdStyle::Address);
    Ok((Bytes(bytes), range.map(|lowest| Bytes(end.saturating_sub(lowest)))))
}
