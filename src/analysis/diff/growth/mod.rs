//! Who holds what came and went: the dominator trees of both heaps read as one.
//!
//! Every byte that came or went is charged to one owner, the lowest object of both
//! heaps that dominates it (`charges`); parts of a collection and links of a
//! chain hand it on to the collection and to the head of the chain (`lift`).
//! Owners that are held alike make one row (`pattern`). What is charged to all
//! rows is the difference of the totals.

mod charges;
mod lift;
mod pattern;
mod shares;

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use self::charges::{Charge, Holder, charges};
use self::lift::Lift;
use self::pattern::Patterns;
use super::kinds::KindId;
use super::matches::{How, Matches};
use super::{Amount, Change, Pair, Side};
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task, Unit};
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
    /// Bytes of those that others owned before, less bytes of those that others own now. No growth: something else
    /// than before holds them, or something else as well.
    pub moved: ByteDelta,
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
    /// Bytes of objects of the same kinds that went over to them from other owners, less those that went over to
    /// others.
    pub moved: ByteDelta,
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
pub fn growth(pair: Pair<'_>, matches: &Matches, task: &Task) -> Result<Growth, Cancelled> {
    task.step("Attributing growth to owners", Unit::Objects, 0);
    let (mut lift, mut patterns) = (Lift::new(pair, matches), Patterns::new(pair, matches));
    let mut of_kind: FxHashMap<(Holder, KindId), Charge> = FxHashMap::default();
    for charge in charges(pair, matches, task)? {
        let holder = lift.lifted(charge.holder);
        of_kind.entry((holder, charge.kind)).and_modify(|sum| sum.add(charge)).or_insert(charge);
    }
    task.checkpoint()?;
    let mut of_owner: FxHashMap<Holder, Vec<Charge>> = FxHashMap::default();
    // Who holds what others held before did not grow by that.
    let changed = of_kind.into_iter().filter(|(_, charge)| !charge.is_move());
    changed.for_each(|((holder, _), charge)| of_owner.entry(holder).or_default().push(charge));
    let mut owners: Vec<(Holder, Vec<Charge>)> = of_owner.into_iter().collect();
    owners.sort_unstable_by_key(|&(holder, _)| holder);
    let mut rows: FxHashMap<u64, Vec<(Holder, Vec<Charge>)>> = FxHashMap::default();
    for (holder, charges) in owners {
        rows.entry(patterns.of(holder)).or_default().push((holder, charges));
    }
    task.checkpoint()?;
    let mut rows: Vec<GrowthRow> = rows.into_values().map(|owners| row(pair, matches, owners)).collect();
    rows.sort_by_key(|row| {
        (Reverse(row.bytes), Reverse(row.objects), Reverse(row.moved), row.owners.first().map(place))
    });
    let (by_how, alone, unknown) = shares::shares(pair, matches, task)?;
    let total = |side: Side<'_>| {
        let shown = side.analyzed.shown;
        Amount { objects: shown.objects, shallow: shown.shallow, retained: shown.shallow }
    };
    let totals = Change { before: total(pair.before), after: total(pair.after) };
    Ok(Growth { rows, totals, by_how, alone, unknown })
}

/// Ties go by address, then by kind.
fn place(owner: &Owner) -> (bool, u32) {
    match owner {
        Owner::Object { after, .. } => (false, after.raw()),
        Owner::Top(kind) => (true, kind.0),
    }
}

fn row(pair: Pair<'_>, matches: &Matches, mut owners: Vec<(Holder, Vec<Charge>)>) -> GrowthRow {
    let bytes = |charges: &[Charge]| charges.iter().map(|charge| charge.bytes).sum::<i64>();
    owners.sort_by_key(|(holder, charges)| (Reverse(bytes(charges)), *holder));
    let mut parts: FxHashMap<KindId, Part> = FxHashMap::default();
    let mut change = Change::default();
    for (holder, charges) in &owners {
        for charge in charges {
            let none = Part { kind: charge.kind, came: 0, went: 0, bytes: ByteDelta(0), moved: ByteDelta(0) };
            let part = parts.entry(charge.kind).or_insert(none);
            (part.came, part.went) = (part.came + charge.came, part.went + charge.went);
            part.bytes.0 += charge.bytes;
            part.moved.0 += charge.moved;
        }
        if let Holder::Object(after) = holder {
            add(&mut change.after, pair.after, *after);
            matches.before(*after).into_iter().for_each(|before| add(&mut change.before, pair.before, before));
        }
    }
    let mut parts: Vec<Part> = parts.into_values().collect();
    parts.sort_unstable_by_key(|part| (Reverse(part.bytes), Reverse(part.came), Reverse(part.moved), part.kind));
    let objects = parts.iter().map(|part| part.came.cast_signed() - part.went.cast_signed()).sum();
    let bytes = parts.iter().map(|part| part.bytes.0).sum();
    let moved = parts.iter().map(|part| part.moved.0).sum();
    let owner = |&(holder, _): &(Holder, Vec<Charge>)| match holder {
        Holder::Top(kind) => Some(Owner::Top(kind)),
        Holder::Object(after) => {
            Some(Owner::Object { before: matches.before(after)?, after, how: matches.how(after)? })
        }
    };
    let owners = owners.iter().filter_map(owner).collect();
    GrowthRow { owners, change, objects: CountDelta(objects), bytes: ByteDelta(bytes), moved: ByteDelta(moved), parts }
}

fn add(amount: &mut Amount, side: Side<'_>, object: ObjectId) {
    amount.objects += side.analyzed.dominated(object) + 1;
    amount.shallow += side.heap.shallow(object);
    amount.retained += side.analyzed.retained(object);
}
