//! Classes before and after: the histogram with signs.

use rayon::prelude::*;

use super::kinds::{KindId, Kinds};
use super::{Amount, Change, Pair, Side};
use crate::heap::ids::{ClassId, ObjectId};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// Objects of kinds of several classes that are looked up one by one.
const FEW: u64 = 1 << 20;

/// One kind of class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassRow {
    /// Which.
    pub kind: KindId,
    /// Objects, shallow and retained size.
    pub change: Change,
}

/// All kinds that have objects in either heap: most growth of shallow size first, equal ones by name.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn classes(pair: Pair<'_>, kinds: &Kinds, task: &Task) -> Result<Vec<ClassRow>, Cancelled> {
    let before = amounts(pair.before, kinds, |kind| &kinds.all()[kind].before, |class| kinds.of_before(class), task)?;
    let after = amounts(pair.after, kinds, |kind| &kinds.all()[kind].after, |class| kinds.of_after(class), task)?;
    let changes = before.into_iter().zip(after).map(|(before, after)| Change { before, after });
    let rows = (0..).map(KindId).zip(changes).map(|(kind, change)| ClassRow { kind, change });
    let mut rows: Vec<ClassRow> =
        rows.filter(|row| row.change.before.objects > 0 || row.change.after.objects > 0).collect();
    sort(&mut rows);
    Ok(rows)
}

/// The same rows of the pair in the other order.
pub fn mirrored(rows: &[ClassRow]) -> Vec<ClassRow> {
    let mirror = |row: &ClassRow| ClassRow { kind: row.kind, change: row.change.mirrored() };
    let mut rows: Vec<ClassRow> = rows.iter().map(mirror).collect();
    sort(&mut rows);
    rows
}

/// Kinds are in the order of their names.
fn sort(rows: &mut [ClassRow]) {
    rows.sort_by_key(|row| (std::cmp::Reverse(row.change.shallow()), row.kind));
}

/// What there is of each kind in one heap.
fn amounts<'k>(
    side: Side<'_>,
    kinds: &Kinds,
    members: impl Fn(usize) -> &'k [ClassId],
    kind_of: impl Fn(ClassId) -> KindId + Sync,
    task: &Task,
) -> Result<Vec<Amount>, Cancelled> {
    let together = together(side, kinds.all().len(), &members, &kind_of, task)?;
    let amount = |kind: usize| {
        let mut amount = Amount::default();
        for &class in members(kind) {
            let totals = side.analyzed.class_totals(class);
            (amount.objects, amount.shallow) = (amount.objects + totals.objects, amount.shallow + totals.shallow);
        }
        amount.retained = match members(kind) {
            [class] => side.analyzed.class_retained(*class),
            _ => together.get(kind).copied().unwrap_or(Bytes(0)),
        };
        amount
    };
    Ok((0..kinds.all().len()).map(amount).collect())
}

/// By kind, what the classes of those that have several hold together; of one class it is known.
fn together<'k>(
    side: Side<'_>,
    kinds: usize,
    members: impl Fn(usize) -> &'k [ClassId],
    kind_of: impl Fn(ClassId) -> KindId + Sync,
    task: &Task,
) -> Result<Vec<Bytes>, Cancelled> {
    let several: Vec<bool> = (0..kinds).map(|kind| members(kind).len() > 1).collect();
    let is_wanted = |kind: KindId| several.get(kind.0 as usize) == Some(&true);
    let classes = (0..kinds).filter(|&kind| several[kind]).flat_map(&members);
    let objects: u64 = classes.map(|&class| side.analyzed.class_totals(class).objects).sum();
    if objects > FEW {
        return side.analyzed.retained_by_group(|object| kind_of(side.heap.class_id(object)).0, kinds, task);
    }
    let mut together = vec![Bytes(0); kinds];
    if objects == 0 {
        return Ok(together);
    }
    // A look at every class is much less than a walk over the tree.
    let (classes, places) = (side.heap.class_rows(), side.analyzed.places());
    let blocks = places.par_chunks(CHECKPOINT_EVERY).enumerate().map(|(block, places)| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).zip(places).filter(|&(_, &place)| place != 0);
        let wanted = rows.filter_map(|(row, _)| {
            let kind = classes.get(row as u32).map(&kind_of).filter(|&kind| is_wanted(kind))?;
            Some((kind.0, ObjectId::new(row)?))
        });
        Ok(wanted.collect())
    });
    let mut wanted = blocks.collect::<Result<Vec<Vec<(u32, ObjectId)>>, Cancelled>>()?.concat();
    wanted.sort_unstable();
    for of_kind in wanted.chunk_by(|one, other| one.0 == other.0) {
        let objects = of_kind.iter().map(|&(_, object)| object);
        together[of_kind[0].0 as usize] = side.analyzed.retained_together(objects);
    }
    Ok(together)
}
