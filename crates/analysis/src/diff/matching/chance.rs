//! Coincidental matches of unmoved values. Strings and boxed numbers are many, small and alike: another one may be at
//! the same address with the same value. Then no unmoved object holds it, or it is a string whose characters moved.

use rayon::prelude::*;

use super::{context::MatchContext, state::Matching, tokens::reads_alike};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::{ClassId, ClassKind, ObjectId, Role};

/// Removes such matches: first of strings and boxed numbers, then of the arrays held only by those.
pub(super) fn take_back(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    for arrays in [false, true] {
        for object in by_chance(matching.known(), arrays, task)? {
            matching.take_back(object);
        }
    }
    Ok(())
}

/// Matched values of the target that no matched object holds, or whose characters are not matched.
fn by_chance(known: MatchContext<'_>, arrays: bool, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let (side, matched) = (known.pair.after, &known.matches.of_after);
    let (heap, analysis) = (side.heap, side.analysis);
    let is_array = |class: ClassId| heap.classes.get(class).kind == ClassKind::PrimitiveArray;
    let values: Vec<bool> =
        heap.classes.iter().map(|(class, _)| reads_alike(side, class) && is_array(class) == arrays).collect();
    let is_free = |row: u32| matched.get(row as usize) == Some(&NONE);
    let classes = heap.class_rows();
    let blocks = matched.par_chunks(CHECKPOINT_EVERY).with_max_len(1).enumerate().map(|(block, rows)| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).zip(rows).filter(|&(_, &before)| before != NONE);
        let values = rows.filter_map(|(after, _)| {
            let class = classes.get(after as u32)?;
            ObjectId::new(after).filter(|_| values.get(class.index()) == Some(&true)).map(|object| (object, class))
        });
        let by_chance = values.filter(|&(object, class)| {
            let holders = analysis.retainers(object);
            let is_text = side.contents.role(class) == Role::Text;
            (!holders.is_empty() && holders.iter().all(|&holder| is_free(holder)))
                || (is_text && heap.references(object).iter().any(|&characters| is_free(characters)))
        });
        Ok(by_chance.map(|(object, _)| object).collect())
    });
    Ok(blocks.collect::<Result<Vec<Vec<ObjectId>>, Cancelled>>()?.concat())
}
