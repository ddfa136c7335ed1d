//! What was found about holders for one name and serves others: searches for names climb through the same objects.

use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::short_name::{Origin, ShortName};
use super::start::Named;
use crate::answers::{DumpData, Question, RetainedQuestion};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Maximum number of objects of which something is known: a few dozen bytes each.
const MOST_KNOWN: usize = 1 << 18;
/// Maximum number of objects whose referrers are known, and of referrers of each.
const MOST_ABOVE: usize = 1 << 16;
const FEW: usize = 64;
/// Maximum number of pairs of objects of which a name is known: some hundred bytes each.
const MOST_NAMED: usize = 1 << 16;

/// A holder that begins a name.
#[derive(Clone)]
pub(super) struct Nearest {
    pub(super) origin: Origin,
    pub(super) from: ObjectId,
    /// The name by another static field that leads to the object just as well.
    pub(super) other: Option<Box<ShortName>>,
}

/// An object that refers to another and may be held itself.
#[derive(Clone, Copy)]
pub(super) struct Above {
    pub(super) object: ObjectId,
    /// True if it leads to everything that is loaded.
    pub(super) leads_to_all: bool,
}

/// What is known of the objects that were examined lately.
pub(super) struct KnownHolders {
    /// The nearest holder of each; `None` if it has none.
    nearest: Known<ObjectId, Option<Nearest>>,
    /// True of each that leads to everything that is loaded.
    to_all: Known<ObjectId, bool>,
    /// What refers to each, of those with few referrers.
    above: Known<ObjectId, Arc<[Above]>>,
    /// What an object is to the name of another that it dominates.
    named: Known<(ObjectId, ObjectId), Arc<Named>>,
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

    /// What refers to an object and may be held itself; `find` tells it if it is not known.
    pub(super) fn above(&self, object: ObjectId, find: impl FnOnce() -> Arc<[Above]>) -> Arc<[Above]> {
        self.above.of_some(object, find, |above| above.len() <= FEW)
    }

    /// What the first object is to the name of the second, which it dominates; `find` tells it if it is not known. The
    /// objects of a long chain have most of their dominators in common.
    pub(super) fn named(&self, pair: (ObjectId, ObjectId), find: impl FnOnce() -> Named) -> Arc<Named> {
        self.named.of(pair, || Arc::new(find()))
    }
}

/// A value by object.
struct Known<K, T> {
    values: RwLock<FxHashMap<K, T>>,
    /// Maximum number of values.
    most: usize,
}

impl<K: Eq + Hash, T: Clone> Known<K, T> {
    fn up_to(most: usize) -> Self {
        Self { values: RwLock::default(), most }
    }

    fn of(&self, key: K, find: impl FnOnce() -> T) -> T {
        self.of_some(key, find, |_| true)
    }

    /// The same, where only some values are remembered.
    fn of_some(&self, key: K, find: impl FnOnce() -> T, is_some: impl FnOnce(&T) -> bool) -> T {
        if let Some(known) = self.values.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let value = find();
        if !is_some(&value) {
            return value;
        }
        let mut known = self.values.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(key, value.clone());
        value
    }
}

/// Holders known so far: none at first.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct KnownHoldersQuestion;

impl Question for KnownHoldersQuestion {
    type Answer = KnownHolders;

    fn compute(&self, _: DumpData<'_>, _: &Task) -> Result<KnownHolders, Cancelled> {
        let (nearest, to_all) = (Known::up_to(MOST_KNOWN), Known::up_to(MOST_KNOWN));
        Ok(KnownHolders { nearest, to_all, above: Known::up_to(MOST_ABOVE), named: Known::up_to(MOST_NAMED) })
    }
}

impl RetainedQuestion for KnownHoldersQuestion {}
