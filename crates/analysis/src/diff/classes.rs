//! Class histogram of a comparison, with deltas.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::kinds::{ComparedClassId, ComparedClasses};
use super::{Amount, Change, HeapSide, Pair};
use crate::answers::DumpData;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{ObjectId, Totals};

/// Maximum number of objects of multi-class kinds that are looked up one by one.
const FEW: u64 = 1 << 20;

/// Row of one class kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRow {
    /// The class kind.
    pub kind: ComparedClassId,
    /// Objects, shallow and retained size, before and after.
    pub change: Change,
}

/// All class kinds with objects in either heap: largest growth of shallow size first, ties by name.
pub fn classes(pair: Pair<'_>, kinds: &ComparedClasses, task: &Task) -> Result<Vec<ClassRow>, Cancelled> {
    let before = amounts(pair.before, kinds, HeapSide::Before, task)?;
    let after = amounts(pair.after, kinds, HeapSide::After, task)?;
    let changes = before.into_iter().zip(after).map(|(before, after)| Change { before, after });
    let rows = (0..).map(ComparedClassId).zip(changes).map(|(kind, change)| ClassRow { kind, change });
    let mut rows: Vec<ClassRow> = rows.filter(|row| is_listed(kinds, row)).collect();
    sort(&mut rows);
    Ok(rows)
}

/// Rows with baseline and target swapped.
pub fn mirrored(rows: &[ClassRow]) -> Vec<ClassRow> {
    let mirror = |row: &ClassRow| ClassRow { kind: row.kind, change: row.change.mirrored() };
    let mut rows: Vec<ClassRow> = rows.iter().map(mirror).collect();
    sort(&mut rows);
    rows
}

/// Kinds are sorted by name.
fn sort(rows: &mut [ClassRow]) {
    rows.sort_by_key(|row| (std::cmp::Reverse(row.change.shallow()), row.kind));
}

fn is_listed(kinds: &ComparedClasses, row: &ClassRow) -> bool {
    let has_any = row.change.before.objects > 0 || row.change.after.objects > 0;
    has_any && kinds.get(row.kind).is_some_and(|kind| !kind.unlisted)
}

/// Amount of each kind in one heap.
fn amounts(
    side: DumpData<'_>,
    kinds: &ComparedClasses,
    which: HeapSide,
    task: &Task,
) -> Result<Vec<Amount>, Cancelled> {
    let moved = kinds.moved(which);
    // Kinds with reassigned objects: the retained sizes of their classes do not apply.
    let mut divided = vec![false; kinds.all().len()];
    let mut shifted = vec![(Totals::default(), Totals::default()); kinds.all().len()];
    for &(row, to) in moved {
        let Some(object) = ObjectId::from_raw(row).filter(|&object| side.analysis.is_reachable(object)) else {
            continue;
        };
        let class = side.heap.class_id(object);
        let from = kinds.of_class(which, class);
        let one = Totals { objects: 1, shallow: side.heap.shallow(object) };
        divided[to as usize] = true;
        shifted[to as usize].0.add(one);
        if let Some(divided) = divided.get_mut(from.0 as usize) {
            *divided = true;
            shifted[from.0 as usize].1.add(one);
        }
    }
    let together = together(side, kinds, which, &divided, task)?;
    let amount = |kind: usize| {
        let (added, removed) = shifted[kind];
        let mut sum = added;
        kinds.all()[kind].classes(which).iter().for_each(|&class| sum.add(side.analysis.class_totals(class)));
        let retained = match kinds.all()[kind].classes(which) {
            [class] if !divided[kind] => side.analysis.class_retained(*class),
            _ => together.get(kind).copied().unwrap_or(Bytes(0)),
        };
        let shallow = Bytes(sum.shallow.0.saturating_sub(removed.shallow.0));
        Amount { objects: sum.objects.saturating_sub(removed.objects), shallow, retained }
    };
    Ok((0..kinds.all().len()).map(amount).collect())
}

/// Retained size by kind, for kinds with several classes or only some objects of one; for a single class
/// it is known already.
fn together(
    side: DumpData<'_>,
    kinds: &ComparedClasses,
    which: HeapSide,
    divided: &[bool],
    task: &Task,
) -> Result<Vec<Bytes>, Cancelled> {
    let kind_of = |object: ObjectId| kinds.of_object(which, side.heap, object);
    let several: Vec<bool> =
        (0..divided.len()).map(|kind| divided[kind] || kinds.all()[kind].classes(which).len() > 1).collect();
    let is_wanted = |kind: ComparedClassId| several.get(kind.0 as usize) == Some(&true);
    let classes = (0..several.len()).filter(|&kind| several[kind]).flat_map(|kind| kinds.all()[kind].classes(which));
    let objects: u64 = classes.map(|&class| side.analysis.class_totals(class).objects).sum();
    let kinds = several.len();
    if objects > FEW {
        return side.analysis.retained_by_group(|object| kind_of(object).0, kinds, task);
    }
    let mut together = vec![Bytes(0); kinds];
    if !several.contains(&true) {
        return Ok(together);
    }
    // Checking every class is much cheaper than walking the dominator tree.
    let preorders = side.analysis.preorders();
    let blocks = preorders.par_chunks(CHECKPOINT_EVERY).with_max_len(1).enumerate().map(|(block, preorders)| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).zip(preorders).filter(|&(_, &preorder)| preorder != 0);
        let wanted = rows.filter_map(|(row, _)| {
            let object = ObjectId::new(row)?;
            Some(kind_of(object)).filter(|&kind| is_wanted(kind)).map(|kind| (kind.0, object))
        });
        Ok(wanted.collect())
    });
    let mut wanted = blocks.collect::<Result<Vec<Vec<(u32, ObjectId)>>, Cancelled>>()?.concat();
    wanted.sort_unstable();
    for of_kind in wanted.chunk_by(|one, other| one.0 == other.0) {
        let objects = of_kind.iter().map(|&(_, object)| object);
        together[of_kind[0].0 as usize] = side.analysis.retained_together(objects);
    }
    Ok(together)
}
