//! The owner of an object: the nearest application field or thread that retains it, by its name in the source:
//! `desk.SessionCache.ENTRIES`.

use std::sync::Arc;

use heaplens_heap::ObjectId;

/// The owner of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The class object, the instance or the thread.
    pub object: ObjectId,
    /// Class and field: `desk.SessionCache.ENTRIES`; the thread, for objects that only a stack holds.
    pub text: String,
}

/// Cached owner of an object; `None` if it has none.
#[derive(Clone)]
pub(super) struct OwnerLookup(pub(super) Option<Arc<Owner>>);

/// Relation of a holder to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum HolderRelation {
    /// It dominates the object.
    Dominator,
    /// It is on the path of the object's name.
    NamePath,
}
