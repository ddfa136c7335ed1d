//! Finds which object of one heap is which of the other.

use super::Pair;
use super::matches::Matches;
use crate::task::{Cancelled, Task};

/// Matches the objects of a pair. Steps are named in `task`.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn matching(_pair: Pair<'_>, _task: &Task) -> Result<Matches, Cancelled> {
    todo!()
}
