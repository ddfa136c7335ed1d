//! Attributes each added or removed byte to an owner, before rows are merged.

use std::ops::AddAssign;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::diff::{Pair, Side, kinds::KindId, matches::Matches, owners::Owners};
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) came: u64,
    pub(super) went: u64,
    pub(super) bytes: i64,
    /// Bytes moved here from other owners minus bytes moved to others. The sum over all owners is 0.
    pub(super) moved: i64,
}

impl Charge {
    /// True if it contains nothing but moves.
    pub(super) fn is_move(&self) -> bool {
        (self.came, self.went, self.bytes) == (0, 0, 0)
    }
}

impl AddAssign for Charge {
    fn add_assign(&mut self, other: Self) {
        self.came += other.came;
        self.went += other.went;
        self.bytes += other.bytes;
        self.moved += other.moved;
    }
}

/// By owner and kind.
pub(super) type Charges = FxHashMap<(Holder, KindId), Charge>;

/// Owners of both heaps and the columns to look them up.
struct OwnerIndex<'a> {
    pair: Pair<'a>,
    matches: &'a Matches,
    old: Owners,
    new: Owners,
    /// True if the pair is in chronological order.
    in_order: bool,
}

/// All attributions.
pub(super) fn charges(pair: Pair<'_>, matches: &Matches, task: &Task) -> Result<Charges, Cancelled> {
    let (before, after) = matches.columns(pair);
    let (old, new) = rayon::join(|| Owners::of_all(before, task), || Owners::of_all(after, task));
    let books = OwnerIndex { pair, matches, old: old?, new: new?, in_order: pair.is_in_order() };
    let came = OwnerIndex::sums(pair.after, task, |object, sums| books.in_newer(object, sums))?;
    let went = OwnerIndex::sums(pair.before, task, |object, sums| books.gone(object, sums))?;
    let mut all = merged(came, went);
    all.retain(|_, charge| *charge != Charge::default());
    Ok(all)
}

impl OwnerIndex<'_> {
    /// Processes the shown objects of one heap on all cores.
    fn sums(side: Side<'_>, task: &Task, with: impl Fn(ObjectId, &mut Charges) + Sync) -> Result<Charges, Cancelled> {
        // A few long runs of blocks: sums of many would have to be merged.
        let blocks = task.par_blocks(side.heap.len());
        let run = blocks.len().div_ceil(4 * rayon::current_num_threads()).max(1);
        let blocks = blocks.with_min_len(run);
        let folded = blocks.try_fold(Charges::default, |mut sums, rows| {
            let objects = rows?.filter_map(ObjectId::new).filter(|&object| side.analysis.is_reachable(object));
            objects.for_each(|object| with(object, &mut sums));
            Ok(sums)
        });
        folded.try_reduce(Charges::default, |one, other| Ok(merged(one, other)))
    }

    fn in_newer(&self, after: ObjectId, sums: &mut Charges) {
        let of = |object| self.matches.kinds.of_object_after(self.pair.after.heap, object);
        let kind = of(after);
        let size = self.pair.after.heap.shallow(after).0.cast_signed();
        let Some(before) = self.matches.before(after) else {
            let holder = holder(self.owner_after(after), || self.new.top(after.raw()), kind, of);
            add(sums, holder, kind, Charge { came: 1, bytes: size, ..Charge::default() });
            return;
        };
        let was = self.pair.before.heap.shallow(before).0.cast_signed();
        let (owner, owned) = (self.owner_after(after), self.owner_before(before));
        let of_top = |owner: Option<ObjectId>| owner.map_or(Holder::Top(kind), Holder::Object);
        if owned == owner {
            if size != was {
                add(sums, Holder::Object(after), kind, Charge { bytes: size - was, ..Charge::default() });
            }
            return;
        }
        // It moved from one owner to another, which is no growth.
        // Its own growth is attributed to its owner in the target.
        let (grew, grew_before) = if self.in_order { (size - was, 0) } else { (0, size - was) };
        let kept = if self.in_order { was } else { size };
        add(sums, of_top(owner), kind, Charge { bytes: grew, moved: kept, ..Charge::default() });
        add(sums, of_top(owned), kind, Charge { bytes: grew_before, moved: -kept, ..Charge::default() });
    }

    fn gone(&self, before: ObjectId, sums: &mut Charges) {
        if self.matches.after(before).is_none() {
            let of = |object| self.matches.kinds.of_object_before(self.pair.before.heap, object);
            let kind = of(before);
            let size = self.pair.before.heap.shallow(before).0.cast_signed();
            let holder = holder(self.owner_before(before), || self.old.top(before.raw()), kind, of);
            add(sums, holder, kind, Charge { went: 1, bytes: -size, ..Charge::default() });
        }
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

/// The owner, else the kind of the topmost dominator: `kind` if that is the object itself.
fn holder(owner: Option<ObjectId>, top: impl FnOnce() -> u32, kind: KindId, of: impl Fn(ObjectId) -> KindId) -> Holder {
    owner.map_or_else(|| Holder::Top(ObjectId::from_raw(top()).map_or(kind, of)), Holder::Object)
}

fn add(sums: &mut Charges, holder: Holder, kind: KindId, more: Charge) {
    *sums.entry((holder, kind)).or_default() += more;
}

fn merged(one: Charges, other: Charges) -> Charges {
    let (mut into, from) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    // Sums do not depend on the order.
    from.into_iter().for_each(|((holder, kind), charge)| add(&mut into, holder, kind, charge));
    into
}
