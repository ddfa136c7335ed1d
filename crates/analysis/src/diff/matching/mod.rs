//! Matches the objects of two heaps.
//!
//! A heap after removals is matched with the heap before by row (`same_heap`). Else in this order, most certain first: ids of the virtual machine (`numbers`); unmoved objects (`equal_addresses`);
//! class objects, threads, roots (`seeds`); and from every match the objects it references (`following`): fields
//! (`fields`), entries of collections by key (`collections`, `entry_pairs`), elements by content and position
//! (`sequences`). The rest
//! is compared by content under the same owner, then anywhere (`content`), then by size (`rank`). Unmatched objects
//! exist in one heap only if their kind or key proves it, otherwise they are ambiguous (`match_status`).
//!
//! Candidates are searched on all cores, round by round, and accepted in the order of their holders: so the answer does
//! not depend on the number of threads.

mod chance;
pub(super) mod collections;
mod content;
pub(super) mod context;
pub(super) mod entry_pairs;
mod equal_addresses;
mod fields;
mod following;
mod match_status;
mod numbers;
mod prefetching;
mod rank;
mod remaining_rows;
mod same_heap;
mod seeds;
mod sequences;
mod state;
mod tokens;
mod unmatched;

use self::state::Matching;
use super::{Pair, matches::Matches};
use heaplens_base::{Cancelled, Task, Unit};

/// Matches the objects of a pair. Steps are named in `task`.
pub fn matching(pair: Pair<'_>, task: &Task) -> Result<Matches, Cancelled> {
    if let Some(matches) = same_heap::by_rows(pair, task)? {
        return Ok(matches);
    }
    if let Some(matches) = numbers::by_numbers(pair, task)? {
        return with_ids(pair, matches, task);
    }
    if !pair.is_in_order() {
        return Ok(matching(pair.swapped(), task)?.swapped());
    }
    let mut matching = Matching::new(pair, task)?;
    seeds::match_threads(&mut matching, task)?;
    task.step("Matching unmoved objects", Unit::Objects, pair.after.heap.len() as u64);
    equal_addresses::match_equal_addresses(&mut matching, task)?;
    task.step("Following references in both dumps", Unit::Objects, 0);
    seeds::match_seeds(&mut matching, task)?;
    match_remaining(matching, task)
}

/// Completes the matches by id.
fn with_ids(pair: Pair<'_>, matches: Matches, task: &Task) -> Result<Matches, Cancelled> {
    if matches.is_complete() {
        return Ok(matches);
    }
    if !pair.is_in_order() {
        return Ok(with_ids(pair.swapped(), matches.swapped(), task)?.swapped());
    }
    let mut matching = Matching::with(pair, matches);
    task.step("Following references in both dumps", Unit::Objects, 0);
    equal_addresses::at_the_edge(&mut matching, task)?;
    match_remaining(matching, task)
}

/// Follows the queued matches, and matches the other objects by content.
fn match_remaining(mut matching: Matching<'_>, task: &Task) -> Result<Matches, Cancelled> {
    matching.follow(task)?;
    task.step("Matching objects by content", Unit::Objects, 0);
    content::match_under_owners(&mut matching, task)?;
    matching.follow(task)?;
    content::match_anywhere(&mut matching, task)?;
    matching.follow(task)?;
    rank::match_by_size(&mut matching, task)?;
    matching.follow(task)?;
    match_status::settle(&mut matching, task)?;
    Ok(matching.matches)
}
