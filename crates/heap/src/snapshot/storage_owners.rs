//! Remembers whose properties the objects of an engine store, as far as that was searched.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::ids::ObjectId;

/// Maximum number of remembered objects of the engine.
const MOST_KNOWN: usize = 1 << 16;

/// The objects whose properties an object of the engine stores, ascending; `None` if it has other holders too.
pub(super) type Owners = Option<Arc<[ObjectId]>>;

/// Owners of the objects of the engine that were examined last, by row.
#[derive(Default)]
pub(crate) struct StorageOwners(Mutex<FxHashMap<u32, Owners>>);

impl StorageOwners {
    /// Owners of a storage; `None` if they were not searched.
    pub(super) fn known(&self, storage: ObjectId) -> Option<Owners> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&storage.raw()).cloned()
    }

    /// Remembers the owners of a storage.
    pub(super) fn put(&self, storage: ObjectId, owners: &Owners) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(storage.raw(), owners.clone());
    }
}
