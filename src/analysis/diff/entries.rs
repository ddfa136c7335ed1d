//! What came into a collection and what went, by key.

use super::Pair;
use super::matches::Matches;
use crate::heap::contents::LogicalKind;
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task};

/// An entry that is in one heap alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its key as people write it, without addresses: `"user-17"`; of a list its place.
    pub key: String,
    /// The value, or the element.
    pub value: Option<ObjectId>,
}

/// The entries of one collection before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// How it is thought of.
    pub kind: LogicalKind,
    /// Entries it had.
    pub before: u64,
    /// Entries it has.
    pub after: u64,
    /// Entries that are in both.
    pub kept: u64,
    /// How many came.
    pub came: u64,
    /// How many went.
    pub went: u64,
    /// The first of those that came, in the collection's own order.
    pub new: Vec<Entry>,
    /// The first of those that went.
    pub gone: Vec<Entry>,
}

/// What came into a collection that is in both heaps, and what went; at most `listed` of each by name. `None` where it
/// is no known collection, or the dump is not here.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn entries(
    _pair: Pair<'_>,
    _matches: &Matches,
    _before: ObjectId,
    _after: ObjectId,
    _listed: usize,
    _task: &Task,
) -> Result<Option<Entries>, Cancelled> {
    todo!()
}
