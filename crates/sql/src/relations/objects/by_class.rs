//! Objects in the order of their class names: to group by class, SQLite then needs no sorting.

use super::conditions::ObjectConditions;
use crate::relation::RowsError;
use crate::source::QuerySource;
use heaplens_base::{CHECKPOINT_EVERY, Task};
use heaplens_heap::{ClassId, ObjectId};

/// Rows that meet the conditions, by class name, then by row.
pub(super) fn by_class(
    source: &QuerySource,
    conditions: &ObjectConditions,
    descending: bool,
    task: &Task,
) -> Result<Vec<u32>, RowsError> {
    let heap = source.heap();
    let mut named: Vec<(&str, ClassId)> = heap.classes.iter().map(|(id, class)| (&*class.name, id)).collect();
    named.sort_unstable();
    if descending {
        named.reverse();
    }
    // Position of each class; objects of unknown classes come last.
    let mut ranks = vec![named.len(); heap.classes.len()];
    for (rank, (_, class)) in named.iter().enumerate() {
        ranks[class.index()] = rank;
    }
    let rank = |row: usize| {
        let class = ObjectId::new(row).map(|object| heap.class_id(object));
        class.and_then(|class| ranks.get(class.index()).copied()).unwrap_or(named.len())
    };
    // First the number of rows of each class, then where its next row goes.
    let mut next = vec![0_usize; named.len() + 2];
    let mut met = Vec::new();
    for block in (0..heap.len()).step_by(CHECKPOINT_EVERY) {
        task.checkpoint()?;
        for row in block..(block + CHECKPOINT_EVERY).min(heap.len()) {
            if conditions.meets(source, row as u32) {
                met.push(row as u32);
                next[rank(row) + 1] += 1;
            }
        }
    }
    for rank in 1..next.len() {
        next[rank] += next[rank - 1];
    }
    let mut rows = vec![0; met.len()];
    for (at, &row) in met.iter().enumerate() {
        task.checkpoint_at(at)?;
        let slot = &mut next[rank(row as usize)];
        rows[*slot] = row;
        *slot += 1;
    }
    Ok(rows)
}
