//! Whether collections are as old as what they hold.
//!
//! A collection is allocated before its entries. Where objects that no young collection has copied are the newest, none of
//! them is a collection with copied entries: it would have been copied with them. A full collection slides objects
//! together without copying them, even those of a young generation: afterwards they seem to be in place, though they are
//! older than all that is copied later.

use rayon::prelude::*;

use super::cells::Cells;
use super::copies::CopyState;
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, Role};

/// Objects examined per cell.
const OF_CELL: usize = 8;
/// Maximum number of steps from an object up to its collection: its entry, a table, and what is between them.
const STEPS: usize = 4;
/// Fewer copied objects with a collection whose state is known tell nothing.
const LEAST: usize = 24;
/// Of so many copied objects one may have a collection in place: entries are moved to a new one, too.
const TOLERANCE: usize = 10;

/// True if collections in place have entries that were copied.
pub(super) fn are_older(
    namer: Namer<'_>,
    cells: &Cells,
    states: &[Option<CopyState>],
    task: &Task,
) -> Result<bool, Cancelled> {
    let copied: Vec<usize> = (0..cells.len()).filter(|&cell| states[cell] == Some(CopyState::Copied)).collect();
    let count = |cell: usize| {
        task.checkpoint()?;
        let rows = cell * cells.objects..namer.heap.len().min((cell + 1) * cells.objects);
        let objects = rows.step_by((cells.objects / OF_CELL).max(1)).filter_map(ObjectId::new);
        let of_collections = objects.filter_map(|object| {
            let collection = collection(namer, object)?;
            states[cells.of_object(namer.heap, collection)]
        });
        let (mut in_place, mut all) = (0, 0);
        of_collections.for_each(|state| {
            in_place += usize::from(state == CopyState::InPlace);
            all += 1;
        });
        Ok((in_place, all))
    };
    let counts: Vec<(usize, usize)> = copied.into_par_iter().map(count).collect::<Result<_, Cancelled>>()?;
    let (in_place, all) = counts.iter().fold((0, 0), |sum: (usize, usize), one| (sum.0 + one.0, sum.1 + one.1));
    Ok(is_contradiction(in_place, all))
}

/// True if so many of some copied objects with a collection in place contradict that what is in place is the newest.
fn is_contradiction(in_place: usize, all: usize) -> bool {
    all >= LEAST && in_place * TOLERANCE > all
}

/// The collection that alone holds an object, if it is near.
fn collection(namer: Namer<'_>, object: ObjectId) -> Option<ObjectId> {
    let mut at = object;
    for _ in 0..STEPS {
        at = namer.analysis.immediate_dominator(at)?;
        if namer.contents.role(namer.heap.class_id(at)) == Role::Collection {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_entries_that_were_moved_to_a_new_collection_contradict_nothing() {
        assert!(!is_contradiction(0, 0) && !is_contradiction(LEAST - 1, LEAST - 1), "too few");
        assert!(!is_contradiction(10, 100) && is_contradiction(11, 100));
        assert!(is_contradiction(usize::MAX / 16, usize::MAX / 8));
    }
}
