//! Owners of added and removed objects: both dominator trees read as one.
//!
//! Every added or removed byte is attributed to one owner, the lowest object of both heaps that dominates it
//! (`charges`); parts of a collection and links of a chain pass it on to the collection or the head of the chain
//! (`lift`). What a field holds that is new, and what several structures hold, is attributed by `subtrees`. Owners held
//! in the same way make one row (`pattern`). The sum over all rows is the difference of the totals.

mod charges;
mod code;
mod dictionary;
mod engine;
mod lift;
mod pattern;
mod shares;
mod subtrees;

pub(crate) use self::engine::put_after_application;
pub use self::shares::MatchExtent;
pub use self::subtrees::field_target;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use self::charges::{Charge, Holder, OwnerIndex, charges};
use self::subtrees::{FieldTargets, Subtrees};
use self::{pattern::Patterns, shares::shares};
use super::matches::{MatchMethod, Matches};
use super::{Amount, Change, Pair, kinds::ComparedClassId};
use crate::answers::DumpData;
use heaplens_base::{ByteDelta, Cancelled, CountDelta, Task, Unit};
use heaplens_heap::ObjectId;

/// Owner that growth is attributed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GrowthOwner {
    /// An object in both heaps: the lowest dominator of the added and removed objects that is not part of a collection.
    Object {
        /// The owner in the baseline.
        before: ObjectId,
        /// The owner in the target.
        after: ObjectId,
        /// Property by which it was matched.
        method: MatchMethod,
        /// The field of the owner that grew, if what it holds is new or was replaced.
        field: Option<OwnerField>,
    },
    /// No single owner: objects of a kind that are GC roots or are held by several objects.
    Top(ComparedClassId),
}

/// A field of an owner: what it holds in both heaps are different objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OwnerField {
    /// Identifies the field among those of the owner, in all dumps: a hash of its name.
    pub number: u64,
    /// The object of the baseline that it held.
    pub before: Option<ObjectId>,
    /// The object of the target that it holds.
    pub after: Option<ObjectId>,
}

impl GrowthOwner {
    /// The structure that grew, in the target: what the field of the owner holds, else the owner. `None` if there is no
    /// single owner, or the field holds nothing any more.
    pub fn structure(&self) -> Option<ObjectId> {
        match *self {
            Self::Object { field: Some(field), .. } => field.after,
            Self::Object { after, .. } => Some(after),
            Self::Top(_) => None,
        }
    }

    /// The field that grew, if what it holds is new or was replaced.
    pub fn field(&self) -> Option<OwnerField> {
        if let Self::Object { field, .. } = self { *field } else { None }
    }

    /// The structure in the baseline.
    pub fn structure_before(&self) -> Option<ObjectId> {
        match *self {
            Self::Object { field: Some(field), .. } => field.before,
            Self::Object { before, .. } => Some(before),
            Self::Top(_) => None,
        }
    }
}

/// Growth of one owner of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnerGrowth {
    /// Number of added objects.
    pub added: u64,
    /// Number of removed objects.
    pub removed: u64,
    /// Added minus removed objects.
    pub objects: CountDelta,
    /// Added minus removed bytes.
    pub bytes: ByteDelta,
    /// Those of these bytes that are code of the program, in V8 snapshots.
    pub code: ByteDelta,
}

/// Added and removed objects of one class kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The class kind.
    pub kind: ComparedClassId,
    /// Number of objects only in the target.
    pub added: u64,
    /// Number of objects only in the baseline.
    pub removed: u64,
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
    pub owners: Vec<GrowthOwner>,
    /// The growth of each of them.
    pub each: Vec<OwnerGrowth>,
    /// Their objects (themselves and all they dominate), shallow and retained size, each object once; zero for
    /// [`GrowthOwner::Top`].
    pub change: Change,
    /// Added minus removed objects attributed to them.
    pub objects: CountDelta,
    /// Bytes attributed to them. All rows sum to the difference of the totals.
    pub bytes: ByteDelta,
    /// Those of these bytes that are code of the program: compiled code, the layout of objects and the text of scripts, in
    /// V8 snapshots. Rows are ordered without them.
    pub code: ByteDelta,
    /// True if scripts of a JavaScript engine hold it, without objects of the application: modules of the engine that were
    /// loaded. It comes after rows of the application that grew by a tenth of it.
    pub is_of_engine: bool,
    /// Bytes of objects of the same kinds moved here from other owners, minus bytes moved to others.
    pub moved: ByteDelta,
    /// Added and removed objects by kind, most bytes first.
    pub parts: Vec<Part>,
}

impl GrowthRow {
    /// What grew most among the owners, in the target: what a field of the owner holds, else the owner. `None` if no single
    /// object owns the growth.
    pub fn largest_owner(&self) -> Option<ObjectId> {
        self.owners.first().and_then(GrowthOwner::structure)
    }

    /// Number of objects only in the target.
    pub fn added(&self) -> u64 {
        self.parts.iter().map(|part| part.added).sum()
    }

    /// Number of objects only in the baseline.
    pub fn removed(&self) -> u64 {
        self.parts.iter().map(|part| part.removed).sum()
    }
}

/// Growth of a comparison.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Growth {
    /// Rows, largest growth of other things than code first; shrunk owners last. Those of the engine come after what grew
    /// in the application.
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
    let books = OwnerIndex::new(pair, matches, task)?;
    let charges = charges(&books, task)?;
    let mut subtrees = Subtrees::new(&books);
    let mut of_kind = subtrees.resolved(charges, task)?;
    of_kind.retain(|_, charge| *charge != Charge::default());
    let fields = subtrees.fields();
    let mut patterns = Patterns::new(pair, matches);
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
    let mut rows: Vec<GrowthRow> = rows.into_values().map(|owners| row(pair, matches, &fields, owners)).collect();
    rows.sort_by_key(|row| {
        (
            Reverse(row.bytes.0 - row.code.0),
            Reverse(row.bytes),
            Reverse(row.objects),
            Reverse(row.moved),
            row.owners.first().map(sort_key),
        )
    });
    for row in rows.iter_mut().take(engine::FIRST) {
        let added: Vec<(ComparedClassId, u64)> = row.parts.iter().map(|part| (part.kind, part.added)).collect();
        let structure = row.owners.first().and_then(GrowthOwner::structure);
        row.is_of_engine = structure.is_some_and(|at| engine::is_growth_of_engine(pair.after, matches, at, &added));
    }
    let grown = |row: &GrowthRow| (row.bytes.0 - row.code.0).max(0).unsigned_abs();
    put_after_application(&mut rows, |row| row.is_of_engine, grown);
    let (by_how, alone, unknown) = shares(pair, matches, task)?;
    let total = |side: DumpData<'_>| {
        let shown = side.analysis.shown;
        Amount { objects: shown.objects, shallow: shown.shallow, retained: shown.shallow }
    };
    let totals = Change { before: total(pair.before), after: total(pair.after) };
    Ok(Growth { rows, totals, by_how, alone, unknown })
}

/// Ties go by address, then by kind.
fn sort_key(owner: &GrowthOwner) -> (bool, u32, Option<ObjectId>) {
    match owner {
        GrowthOwner::Object { after, field, .. } => (false, after.raw(), field.and_then(|field| field.after)),
        GrowthOwner::Top(kind) => (true, kind.0, None),
    }
}

/// Charges of one owner by kind.
type OwnerCharges = Vec<(ComparedClassId, Charge)>;

fn row(
    pair: Pair<'_>,
    matches: &Matches,
    fields: &BTreeMap<(ObjectId, u64), FieldTargets>,
    mut charged: Vec<(Holder, OwnerCharges)>,
) -> GrowthRow {
    let bytes = |charges: &OwnerCharges| charges.iter().map(|(_, charge)| charge.bytes).sum::<i64>();
    charged.sort_by_key(|(holder, charges)| (Reverse(bytes(charges)), *holder));
    let mut parts: FxHashMap<ComparedClassId, Part> = FxHashMap::default();
    let (mut owners, mut each) = (Vec::with_capacity(charged.len()), Vec::with_capacity(charged.len()));
    for (holder, charges) in &charged {
        let mut growth = OwnerGrowth::default();
        for &(kind, charge) in charges {
            let none = Part { kind, added: 0, removed: 0, bytes: ByteDelta(0), moved: ByteDelta(0) };
            let part = parts.entry(kind).or_insert(none);
            (part.added, part.removed) = (part.added + charge.added, part.removed + charge.removed);
            part.bytes.0 += charge.bytes;
            part.moved.0 += charge.moved;
            (growth.added, growth.removed) = (growth.added + charge.added, growth.removed + charge.removed);
            growth.objects.0 += charge.added.cast_signed() - charge.removed.cast_signed();
            growth.bytes.0 += charge.bytes;
            growth.code.0 += charge.code;
        }
        let Some(owner) = owner(matches, fields, *holder) else { continue };
        owners.push(owner);
        each.push(growth);
    }
    let change = Change {
        before: amount(pair.before, owners.iter().filter_map(GrowthOwner::structure_before)),
        after: amount(pair.after, owners.iter().filter_map(GrowthOwner::structure)),
    };
    let mut parts: Vec<Part> = parts.into_values().collect();
    parts.sort_unstable_by_key(|part| (Reverse(part.bytes), Reverse(part.added), Reverse(part.moved), part.kind));
    let objects = CountDelta(parts.iter().map(|part| part.added.cast_signed() - part.removed.cast_signed()).sum());
    let bytes = ByteDelta(parts.iter().map(|part| part.bytes.0).sum());
    let moved = ByteDelta(parts.iter().map(|part| part.moved.0).sum());
    let code = ByteDelta(each.iter().map(|growth| growth.code.0).sum());
    GrowthRow { owners, each, change, objects, bytes, code, is_of_engine: false, moved, parts }
}

/// The owner of a holder in both heaps.
fn owner(matches: &Matches, fields: &BTreeMap<(ObjectId, u64), FieldTargets>, holder: Holder) -> Option<GrowthOwner> {
    let (after, field) = match holder {
        Holder::Top(kind) => return Some(GrowthOwner::Top(kind)),
        Holder::Object(after) | Holder::Added(after) | Holder::Removed(after) => (after, None),
        Holder::Field(after, number) => {
            let FieldTargets { before, after: now } = fields.get(&(after, number)).copied().unwrap_or_default();
            (after, Some(OwnerField { number, before, after: now }))
        }
    };
    Some(GrowthOwner::Object { before: matches.before(after)?, after, method: matches.method(after)?, field })
}

/// What some structures hold together: each object once, though several owners may have one structure, or one within
/// another.
fn amount(side: DumpData<'_>, structures: impl Iterator<Item = ObjectId>) -> Amount {
    let mut structures: Vec<ObjectId> = structures.collect();
    structures.sort_unstable();
    structures.dedup();
    let shallow = structures.iter().map(|&object| side.heap.shallow(object)).sum();
    let mut amount = Amount { shallow, ..Amount::default() };
    let mut preorders: Vec<_> = structures.iter().filter_map(|&object| side.analysis.subtree(object)).collect();
    preorders.sort_unstable_by_key(|preorders| preorders.start);
    let mut covered_to = 0;
    for preorders in preorders {
        if preorders.start >= covered_to {
            covered_to = preorders.end;
            amount.objects += preorders.len() as u64;
            amount.retained += side.analysis.bytes_of(preorders);
        }
    }
    amount
}
