//! Storage references: a snapshot has each property and element of an object as an edge of its own, and beside it the
//! edges along which the engine stores it. Both are one reference of the program.
//!
//! ```text
//! global ── table ─────────────────────────────────────────► Array      the property
//!   └────── <properties> ► dictionary ── <40> ► cell ── <value> ──┘     its storage
//! ```
//!
//! A reference from an object of the engine is a *storage reference* if every holder of that object, followed up through
//! other objects of the engine, is an object that holds it as storage and refers to the value itself. Without it the
//! same objects are reachable and every dominator is the same, so the graph keeps it, as DevTools does, and whatever
//! shows or counts references leaves it out.

use std::sync::Arc;

use super::storage_owners::Owners;
use crate::{Analysis, Heap, ObjectId, ReferenceNames};

/// Maximum number of holders of an object of the engine. One with more, such as the hidden class of many objects, stores
/// no single object's properties: references from it count.
const MOST_HOLDERS: usize = 64;
/// Maximum number of objects of the engine between a value and the object that has the property.
const MOST_INNER: usize = 32;
/// Objects with more references are arrays of the engine, which refer to values only.
const FEW: usize = 64;

impl Analysis {
    /// The objects with a property or element that the reference `from` → `to` stores; each refers to `to` itself.
    /// `None` if it is no storage reference, and without the file.
    pub fn storage_owners(
        &self,
        heap: &Heap,
        contents: &dyn ReferenceNames,
        from: ObjectId,
        to: ObjectId,
    ) -> Option<Arc<[ObjectId]>> {
        let snapshot = heap.snapshot().filter(|_| contents.is_engine_class(heap.class_id(from)))?;
        let owners = self.owners_of_storage(heap, contents, from)?;
        let refers = |owner: &ObjectId| {
            // A reference of an object to itself retains nothing.
            if *owner == to {
                snapshot.non_retaining_targets(to).contains(&to.raw())
            } else {
                self.retainers(to).binary_search(&owner.raw()).is_ok()
            }
        };
        let is_value = || heap.references(from).len() > FEW || contents.is_storage_edge(heap, from, to);
        (owners.iter().all(refers) && is_value()).then_some(owners)
    }

    /// True if a reference only stores properties or elements that refer to `to` themselves.
    pub fn is_storage_reference(
        &self,
        heap: &Heap,
        contents: &dyn ReferenceNames,
        from: ObjectId,
        to: ObjectId,
    ) -> bool {
        self.storage_owners(heap, contents, from, to).is_some()
    }

    /// Sources of the storage references of the properties and elements by which `owner` refers to `to`.
    pub fn storages(&self, heap: &Heap, contents: &dyn ReferenceNames, owner: ObjectId, to: ObjectId) -> Vec<ObjectId> {
        if heap.snapshot().is_none() {
            return Vec::new();
        }
        let mut from: Vec<ObjectId> = self.referrers(to).collect();
        from.retain(|&from| {
            self.storage_owners(heap, contents, from, to).is_some_and(|owners| owners.binary_search(&owner).is_ok())
        });
        from
    }

    fn owners_of_storage(&self, heap: &Heap, contents: &dyn ReferenceNames, storage: ObjectId) -> Owners {
        if let Some(owners) = self.storage_owners.known(storage) {
            return owners;
        }
        let owners = self.search_owners(heap, contents, storage);
        self.storage_owners.put(storage, &owners);
        owners
    }

    fn search_owners(&self, heap: &Heap, contents: &dyn ReferenceNames, storage: ObjectId) -> Owners {
        let (mut owners, mut inner, mut at) = (Vec::new(), vec![storage], 0);
        while let Some(&held) = inner.get(at) {
            at += 1;
            let holders = self.retainers(held);
            if holders.len() > MOST_HOLDERS || inner.len() > MOST_INNER || !self.roots().of(held).is_empty() {
                return None;
            }
            for holder in holders.iter().filter_map(|&row| ObjectId::from_raw(row)) {
                let is_inner = contents.is_engine_class(heap.class_id(holder));
                let list = if is_inner { &mut inner } else { &mut owners };
                if list.contains(&holder) && is_inner {
                    continue;
                }
                if !contents.is_storage_edge(heap, holder, held) {
                    return None;
                }
                list.push(holder);
            }
        }
        owners.sort_unstable();
        owners.dedup();
        (!owners.is_empty()).then(|| owners.into())
    }
}
