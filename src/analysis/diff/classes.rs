//! Classes before and after: the histogram with signs.

use super::kinds::{KindId, Kinds};
use super::{Amount, Change, Pair, Side};
use crate::heap::ids::ClassId;
use crate::task::{Cancelled, Task};
use crate::units::Bytes;

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
    // Kinds are in the order of their names.
    rows.sort_by_key(|row| (std::cmp::Reverse(row.change.shallow()), row.kind));
    Ok(rows)
}

/// What there is of each kind in one heap.
fn amounts<'k>(
    side: Side<'_>,
    kinds: &Kinds,
    members: impl Fn(usize) -> &'k [ClassId],
    kind_of: impl Fn(ClassId) -> KindId + Sync,
    task: &Task,
) -> Result<Vec<Amount>, Cancelled> {
    let several = (0..kinds.all().len()).any(|kind| members(kind).len() > 1);
    // What several classes hold together takes a walk over the tree; of one class it is known.
    let together = if several {
        let kind_of = |object| kind_of(side.heap.class_id(object)).0;
        side.analyzed.retained_by_group(kind_of, kinds.all().len(), task)?
    } else {
        Vec::new()
    };
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
