//! Owners of added and removed objects: both dominator trees read as one.
//!
//! Every added or removed byte is attributed to one owner, the lowest object of both heaps that dominates it
//! (`charges`); parts of a collection and links of a chain pass it on to the collection or the head of the chain
//! (`lift`). Owners held in the same way make one row (`pattern`). The sum over all rows is the difference of the
//! totals.

mod charges;
mod lift;
mod pattern;
mod shares;

pub use self::shares::MatchExtent;

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use self::charges::{Charge, Charges, Holder, charges};
use self::{lift::Lift, pattern::Patterns, shares::shares};
use super::matches::{MatchMethod, Matches};
use super::{Amount, Change, Pair, Side, kinds::KindId};
use heaplens_base::{ByteDelta, Cancelled, CountDelta, Task, Unit};
use heaplens_core::heap::ObjectId;

/// Owner that growth is attributed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// An object in both heaps: the lowest dominator of the added and removed objects that is not part of a collection.
    Object {
        /// The owner in the baseline.
        before: ObjectId,
        /// The owner in the target.
        after: ObjectId,
        /// Property by which it was matched.
        how: MatchMethod,
    },
    /// No single owner: objects of a kind that are GC roots or are held by several objects.
    Top(KindId),
}

/// Added and removed objects of one class kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The class kind.
    pub kind: KindId,
    /// Number of objects only in the target.
    pub came: u64,
    /// Number of objects only in the baseline.
    pub went: u64,
    /// Bytes of added minus removed objects, plus the growth of matched ones.
    pub bytes: ByteDelta,
    /// Bytes moved here from other owners minus bytes moved to others. No growth: another object
    /// holds them now, or an additional one.
    pub moved: ByteDelta,
}

/// Owners of one pattern: held in the same way, such as lists in the same field of several threads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowthRow {
    /// The owners, largest growth first.
    pub owners: Vec<Owner>,
    /// Sum of their objects (themselves and all they dominate), shallow and retained size; zero for [`Owner::Top`].
    pub change: Change,
    /// Added minus removed objects attributed to them.
    pub objects: CountDelta,
    /// Bytes attributed to them. All rows sum to the difference of the totals.
    pub bytes: ByteDelta,
    /// Bytes of objects of the same kinds moved here from other owners, minus bytes moved to others.
    pub moved: ByteDelta,
    /// Added and removed objects by kind, most bytes first.
    pub parts: Vec<Part>,
}

/// Growth of a comparison.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Growth {
    /// Rows, largest growth first; shrunk owners last.
    pub rows: Vec<GrowthRow>,
    /// Totals of the shown objects of both heaps.
    pub totals: Change,
    /// Matched part by [`MatchMethod`], in the order of [`MatchMethod::ALL`].
    pub by_how: [MatchExtent; MatchMethod::ALL.len()],
    /// Part that exists in only one heap.
    pub alone: MatchExtent,
    /// Part that may be in both heaps but could not be matched.
    pub unknown: MatchExtent,
}

/// Attributes added and removed objects to their owners.
pub fn growth(pair: Pair<'_>, matches: &Matches, task: &Task) -> Result<Growth, Cancelled> {
    task.step("Attributing growth to owners", Unit::Objects, 0);
    let (mut lift, mut patterns) = (Lift::new(pair, matches), Patterns::new(pair, matches));
    let mut of_kind = Charges::default();
    // Sums do not depend on the order.
    charges(pair, matches, task)?.into_iter().for_each(|((holder, kind), charge)| {
        *of_kind.entry((lift.lifted(holder), kind)).or_default() += charge;
    });
    task.checkpoint()?;
    let mut of_owner: FxHashMap<Holder, OwnerCharges> = FxHashMap::default();
    // Moves between owners are no growth.
    let changed = of_kind.into_iter().filter(|(_, charge)| !charge.is_move());
    changed.for_each(|((holder, kind), charge)| of_owner.entry(holder).or_default().push((kind, charge)));
    let mut owners: Vec<(Holder, OwnerCharges)> = of_owner.into_iter().collect();
    owners.sort_unstable_by_key(|&(holder, _)| holder);
    let mut rows: FxHashMap<u64, Vec<(Holder, OwnerCharges)>> = FxHashMap::default();
    for (holder, charges) in owners {
        rows.entry(patterns.of(holder)).or_default().push((holder, charges));
    }
    task.checkpoint()?;
    let mut rows: Vec<GrowthRow> = rows.into_values().map(|owners| row(pair, matches, owners)).collect();
    rows.sort_by_key(|row| {
        (Reverse(row.bytes), Reverse(row.objects), Reverse(row.moved), row.owners.first().map(place))
    });
    let (by_how, alone, unknown) = shares(pair, matches, task)?;
    let total = |side: Side<'_>| {
        let shown = side.analysis.shown;
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

/// Charges of one owner by kind.
type OwnerCharges = Vec<(KindId, Charge)>;

fn row(pair: Pair<'_>, matches: &Matches, mut owners: Vec<(Holder, OwnerCharges)>) -> GrowthRow {
    let bytes = |charges: &OwnerCharges| charges.iter().map(|(_, charge)| charge.bytes).sum::<i64>();
    owners.sort_by_key(|(holder, charges)| (Reverse(bytes(charges)), *holder));
    let mut parts: FxHashMap<KindId, Part> = FxHashMap::default();
    let mut change = Change::default();
    for (holder, charges) in &owners {
        for &(kind, charge) in charges {
            let none = Part { kind, came: 0, went: 0, bytes: ByteDelta(0), moved: ByteDelta(0) };
            let part = parts.entry(kind).or_insert(none);
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
    let owner = |&(holder, _): &(Holder, OwnerCharges)| match holder {
        Holder::Top(kind) => Some(Owner::Top(kind)),
        Holder::Object(after) => {
            Some(Owner::Object { before: matches.before(after)?, after, how: matches.how(after)? })
        }
    };
    let owners = owners.iter().filter_map(owner).collect();
    GrowthRow { owners, change, objects: CountDelta(objects), bytes: ByteDelta(bytes), moved: ByteDelta(moved), parts }
}

fn add(amount: &mut Amount, side: Side<'_>, object: ObjectId) {
    amount.objects += side.analysis.dominated_count(object) + 1;
    amount.shallow += side.heap.shallow(object);
    amount.retained += side.analysis.retained(object);
}
