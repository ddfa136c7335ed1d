//! What was found about holders for one name and serves others: searches for names climb through the same objects.

use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::short_name::{Origin, ShortName};
use crate::answers::{DumpData, Question, RetainedQuestion};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Maximum number of objects of which something is known: a few dozen bytes each.
const MOST_KNOWN: usize = 1 << 18;

/// A holder that begins a name.
#[derive(Clone)]
pub(super) struct Nearest {
    pub(super) origin: Origin,
    pub(super) from: ObjectId,
    /// The name by another static field that leads to the object just as well.
    pub(super) other: Option<Box<ShortName>>,
}

/// What is known of the objects that were examined lately.
#[derive(Default)]
pub(super) struct KnownHolders {
    /// The nearest holder of each; `None` if it has none.
    nearest: Known<Option<Nearest>>,
    /// True of each that leads to everything that is loaded.
    to_all: Known<bool>,
}

impl KnownHolders {
    /// The nearest holder of an object; `find` searches for it if it is not known.
    pub(super) fn nearest(&self, object: ObjectId, find: impl FnOnce() -> Option<Nearest>) -> Option<Nearest> {
        self.nearest.of(object, find)
    }

    /// True if an object leads to everything that is loaded; `find` tells it if it is not known.
    pub(super) fn leads_to_all(&self, object: ObjectId, find: impl FnOnce() -> bool) -> bool {
        self.to_all.of(object, find)
    }
}

/// A value by object.
#[derive(Default)]
struct Known<T>(RwLock<FxHashMap<ObjectId, T>>);

impl<T: Clone> Known<T> {
    fn of(&self, object: ObjectId, find: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&object) {
            return known.clone();
        }
        let value = find();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(object, value.clone());
        value
    }
}

/// Holders known so far: none at first.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct KnownHoldersQuestion;

impl Question for KnownHoldersQuestion {
    type Answer = KnownHolders;

    fn compute(&self, _: DumpData<'_>, _: &Task) -> Result<KnownHolders, Cancelled> {
        Ok(KnownHolders::default())
    }
}

impl RetainedQuestion for KnownHoldersQuestion {}
