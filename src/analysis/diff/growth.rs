//! Who holds what came and went.

use super::kinds::KindId;
use super::matches::{How, Matches};
use super::{Change, Pair};
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task};
use crate::units::{ByteDelta, CountDelta};

/// To whom growth is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// An object of both heaps: the lowest that dominates what came or went, and is no part of a collection.
    Object {
        /// It, in the older heap.
        before: ObjectId,
        /// It, in the newer heap.
        after: ObjectId,
        /// How it is known to be the same.
        how: How,
    },
    /// Nobody: objects of a kind that no single object holds, or that are GC roots themselves.
    Top(KindId),
}

/// What came and went of one kind of class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Of which kind.
    pub kind: KindId,
    /// Objects that are in the newer heap alone.
    pub came: u64,
    /// Objects that are in the older heap alone.
    pub went: u64,
    /// Bytes of those that came, less bytes of those that went, and by how much matched ones grew.
    pub bytes: ByteDelta,
}

/// Owners of one pattern: alike in all that holds them, as the lists in the same field of several threads are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowthRow {
    /// The owners, the one with most growth first.
    pub owners: Vec<Owner>,
    /// Their objects (they and all they dominate), own and retained size, summed; nothing for [`Owner::Top`].
    pub change: Change,
    /// Objects charged to them: what came less what went.
    pub objects: CountDelta,
    /// Bytes charged to them. Those of all rows add up to the difference of the totals.
    pub bytes: ByteDelta,
    /// What came and went by kind, most bytes first.
    pub parts: Vec<Part>,
}

/// Shares of both heaps that were matched, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Matched {
    /// Objects of the older heap.
    pub before_objects: u64,
    /// Their bytes.
    pub before_bytes: u64,
    /// Objects of the newer heap.
    pub after_objects: u64,
    /// Their bytes.
    pub after_bytes: u64,
}

/// All growth.
#[derive(Debug, Clone, Default)]
pub struct Growth {
    /// Most growth first; those that shrank last.
    pub rows: Vec<GrowthRow>,
    /// Objects and bytes of both heaps, as they are shown.
    pub totals: Change,
    /// By [`How`], what was matched so, in the order of [`How::ALL`].
    pub by_how: [Matched; How::ALL.len()],
    /// What is in one heap alone.
    pub alone: Matched,
    /// What may be in both.
    pub unknown: Matched,
}

/// Charges what came and went to its owners.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn growth(_pair: Pair<'_>, _matches: &Matches, _task: &Task) -> Result<Growth, Cancelled> {
    todo!()
}
