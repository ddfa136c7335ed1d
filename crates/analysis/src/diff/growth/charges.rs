//! Attributes each added or removed byte to an owner, before rows are merged.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::diff::{Pair, Side, kinds::KindId, matches::Matches, owners::Owners};
use crate::rows::blocks;
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::ObjectId;
use heaplens_graph::NONE;

/// Owner that bytes are attributed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Holder {
    /// A matched object of the target.
    Object(ObjectId),
    /// No owner: the object is at the top of the dominator tree, or below an object of this kind there.
    Top(KindId),
}

/// Added and removed objects of one kind at one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) holder: Holder,
    pub(super) kind: KindId,
    pub(super) came: u64,
    pub(super) went: u64,
    pub(super) bytes: i64,
    /// Bytes moved here from other owners minus bytes moved to others. The sum over all owners is 0.
    pub(super) moved: i64,
}

impl Charge {
    /// Adds another part of the same kind.
    pub(super) fn add(&mut self, other: Self) {
        self.came += other.came;
        self.went += other.went;
        self.bytes += other.bytes;
        self.moved += other.moved;
    }

    /// True if it contains nothing but moves.
    pub(super) fn is_move(&self) -> bool {
        (self.came, self.went, self.bytes) == (0, 0, 0)
    }
}

/// Added and removed objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    came: u64,
    went: u64,
    bytes: i64,
    moved: i64,
}

/// Sums by owner and kind.
type Sums = FxHashMap<(Holder, KindId), Sum>;

/// Owners of both heaps and the columns to look them up.
struct OwnerIndex<'a> {
    pair: Pair<'a>,
    matches: &'a Matches,
    old: Owners,
    new: Owners,
    /// True if the pair is in chronological order.
    in_order: bool,
}

/// All attributions, unordered.
pub(super) fn charges(pair: Pair<'_>, matches: &Matches, task: &Task) -> Result<Vec<Charge>, Cancelled> {
    let (before, after) = matches.columns(pair);
    let (old, new) = rayon::join(|| Owners::of_all(before, task), || Owners::of_all(after, task));
    let books = OwnerIndex { pair, matches, old: old?, new: new?, in_order: pair.is_in_order() };
    let came = OwnerIndex::sums(pair.after, task, |object, sums| books.in_newer(object, sums))?;
    let went = OwnerIndex::sums(pair.before, task, |object, sums| books.gone(object, sums))?;
    let all = merged(came, went).into_iter().filter(|&(_, sum)| sum != Sum::default());
    let charge = |((holder, kind), sum): ((Holder, KindId), Sum)| {
        let Sum { came, went, bytes, moved } = sum;
        Charge { holder, kind, came, went, bytes, moved }
    };
    Ok(all.map(charge).collect())
}

impl OwnerIndex<'_> {
    /// Processes the shown objects of one heap on all cores.
    fn sums(side: Side<'_>, task: &Task, with: impl Fn(ObjectId, &mut Sums) + Sync) -> Result<Sums, Cancelled> {
        let folded = blocks(side.heap.len()).try_fold(Sums::default, |mut sums, rows| {
            task.checkpoint()?;
            let objects = rows.filter_map(ObjectId::new).filter(|&object| side.analysis.is_reachable(object));
            objects.for_each(|object| with(object, &mut sums));
            Ok(sums)
        });
        folded.try_reduce(Sums::default, |one, other| Ok(merged(one, other)))
    }

    fn in_newer(&self, after: ObjectId, sums: &mut Sums) {
        let kind = self.matches.kinds.of_object_after(self.pair.after.heap, after);
        let size = self.pair.after.heap.shallow(after).0.cast_signed();
        let Some(before) = self.matches.before(after) else {
            add(sums, self.holder_after(after, kind), kind, Sum { came: 1, bytes: size, ..Sum::default() });
            return;
        };
        let was = self.pair.before.heap.shallow(before).0.cast_signed();
        let (owner, owned) = (self.owner_after(after), self.owner_before(before));
        let of_top = |owner: Option<ObjectId>| owner.map_or(Holder::Top(kind), Holder::Object);
        if owned == owner {
            if size != was {
                add(sums, Holder::Object(after), kind, Sum { bytes: size - was, ..Sum::default() });
            }
            return;
        }
        // It moved from one owner to another, which is no growth.
        // Its own growth is attributed to its owner in the target.
        let (grew, grew_before) = if self.in_order { (size - was, 0) } else { (0, size - was) };
        let kept = if self.in_order { was } else { size };
        add(sums, of_top(owner), kind, Sum { bytes: grew, moved: kept, ..Sum::default() });
        add(sums, of_top(owned), kind, Sum { bytes: grew_before, moved: -kept, ..Sum::default() });
    }

    fn gone(&self, before: ObjectId, sums: &mut Sums) {
        if self.matches.after(before).is_none() {
            let kind = self.matches.kinds.of_object_before(self.pair.before.heap, before);
            let size = self.pair.before.heap.shallow(before).0.cast_signed();
            let holder = self.owner_before(before).map_or_else(
                || {
                    let top = ObjectId::from_raw(self.old.top(before.raw()));
                    let of = |top| self.matches.kinds.of_object_before(self.pair.before.heap, top);
                    Holder::Top(top.map_or(kind, of))
                },
                Holder::Object,
            );
            add(sums, holder, kind, Sum { went: 1, bytes: -size, ..Sum::default() });
        }
    }

    fn holder_after(&self, after: ObjectId, kind: KindId) -> Holder {
        self.owner_after(after).map_or_else(
            || {
                let top = ObjectId::from_raw(self.new.top(after.raw()));
                let of = |top| self.matches.kinds.of_object_after(self.pair.after.heap, top);
                Holder::Top(top.map_or(kind, of))
            },
            Holder::Object,
        )
    }

    /// Nearest matched owner, as an object of the target.
    fn owner_after(&self, after: ObjectId) -> Option<ObjectId> {
        row(self.new.nearest(after.raw()))
    }

    fn owner_before(&self, before: ObjectId) -> Option<ObjectId> {
        self.matches.after(row(self.old.nearest(before.raw()))?)
    }
}

fn row(row: u32) -> Option<ObjectId> {
    ObjectId::from_raw(row).filter(|_| row != NONE)
}

fn add(sums: &mut Sums, holder: Holder, kind: KindId, more: Sum) {
    let sum = sums.entry((holder, kind)).or_default();
    sum.came += more.came;
    sum.went += more.went;
    sum.bytes += more.bytes;
    sum.moved += more.moved;
}

fn merged(one: Sums, other: Sums) -> Sums {
    let (mut into, from) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    // Sums do not depend on the order.
    from.into_iter().for_each(|((holder, kind), sum)| add(&mut into, holder, kind, sum));
    into
}
