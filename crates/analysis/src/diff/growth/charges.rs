//! Attributes each added or removed byte to an owner, before rows are merged.

use std::ops::AddAssign;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::code::CodeClasses;
use super::lift::is_part;
use crate::answers::DumpData;
use crate::diff::{Pair, kinds::ComparedClassId, matches::Matches, owners::Owners};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::{Class, ClassId, ClassKind, ObjectId, Role};

/// Owner that bytes are attributed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Holder {
    /// A matched object of the target.
    Object(ObjectId),
    /// A field, by number, of a matched object of the target: the structure that it holds is new, or was replaced.
    Field(ObjectId, u64),
    /// No owner: the object is at the top of the dominator tree, or below an object of this kind there.
    Top(ComparedClassId),
    /// The root of an added subtree, an object of the target: [`super::subtrees`] finds its owner.
    Added(ObjectId),
    /// The root of a removed subtree, an object of the baseline.
    Removed(ObjectId),
}

/// Added and removed objects of one kind at one owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) added: u64,
    pub(super) removed: u64,
    pub(super) bytes: i64,
    /// Those of these bytes that are code of the program.
    pub(super) code: i64,
    /// Bytes moved here from other owners minus bytes moved to others. The sum over all owners is 0.
    pub(super) moved: i64,
}

impl Charge {
    /// True if it contains nothing but moves.
    pub(super) fn is_move(&self) -> bool {
        (self.added, self.removed, self.bytes) == (0, 0, 0)
    }
}

impl AddAssign for Charge {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.removed += other.removed;
        self.bytes += other.bytes;
        self.code += other.code;
        self.moved += other.moved;
    }
}

/// By owner and kind.
pub(super) type Charges = FxHashMap<(Holder, ComparedClassId), Charge>;

/// Owners of both heaps and the columns to look them up.
pub(super) struct OwnerIndex<'a> {
    pub(super) pair: Pair<'a>,
    pub(super) matches: &'a Matches,
    old: Owners,
    new: Owners,
    /// True if the pair is in chronological order.
    in_order: bool,
    /// By class of the baseline and of the target: true of collections, their parts, and arrays.
    has_entries: [Vec<bool>; 2],
    code: [CodeClasses; 2],
}

/// All attributions; those to subtrees are left to [`super::subtrees`].
pub(super) fn charges(books: &OwnerIndex<'_>, task: &Task) -> Result<Charges, Cancelled> {
    let added = OwnerIndex::sums(books.pair.after, task, |object, sums| books.in_newer(object, sums))?;
    let removed = OwnerIndex::sums(books.pair.before, task, |object, sums| books.removed(object, sums))?;
    let mut all = merged(added, removed);
    all.retain(|_, charge| *charge != Charge::default());
    Ok(all)
}

impl<'a> OwnerIndex<'a> {
    pub(super) fn new(pair: Pair<'a>, matches: &'a Matches, task: &Task) -> Result<Self, Cancelled> {
        let (before, after) = matches.columns(pair);
        let (old, new) = rayon::join(|| Owners::of_all(before, task), || Owners::of_all(after, task));
        let sides = [pair.before, pair.after];
        Ok(Self {
            pair,
            matches,
            old: old?,
            new: new?,
            in_order: pair.is_in_order(),
            has_entries: sides.map(has_entries),
            code: sides.map(|side| CodeClasses::of(side.heap)),
        })
    }

    /// The heap of a subtree, with its owners: the target if `is_after`.
    pub(super) fn side(&self, is_after: bool) -> (DumpData<'a>, &Owners) {
        if is_after { (self.pair.after, &self.new) } else { (self.pair.before, &self.old) }
    }

    /// True of collections, their parts, and arrays.
    pub(super) fn has_entries(&self, is_after: bool, object: ObjectId) -> bool {
        let class = self.side(is_after).0.heap.class_id(object).index();
        self.has_entries[usize::from(is_after)].get(class).copied().unwrap_or(false)
    }

    /// The owner of an unmatched object: the collection or array that dominates it most closely, else its subtree.
    fn unmatched(&self, is_after: bool, object: ObjectId) -> Holder {
        let (_, owners) = self.side(is_after);
        let nearest = row(owners.nearest(object.raw())).filter(|&owner| self.has_entries(is_after, owner));
        match nearest.and_then(|owner| self.in_target(is_after, owner)) {
            Some(owner) => Holder::Object(owner),
            None => {
                let root = ObjectId::from_raw(owners.root(object.raw())).unwrap_or(object);
                if is_after { Holder::Added(root) } else { Holder::Removed(root) }
            }
        }
    }

    /// The object of the target for a matched object of one heap.
    pub(super) fn in_target(&self, is_after: bool, object: ObjectId) -> Option<ObjectId> {
        if is_after { Some(object) } else { self.matches.after(object) }
    }

    /// Kind of an object of one heap.
    pub(super) fn kind(&self, is_after: bool, object: ObjectId) -> ComparedClassId {
        let (side, kinds) = (self.side(is_after).0, &self.matches.kinds);
        if is_after { kinds.of_object_after(side.heap, object) } else { kinds.of_object_before(side.heap, object) }
    }

    /// Processes the shown objects of one heap on all cores.
    fn sums(
        side: DumpData<'_>,
        task: &Task,
        with: impl Fn(ObjectId, &mut Charges) + Sync,
    ) -> Result<Charges, Cancelled> {
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
        let kind = self.kind(true, after);
        let size = self.pair.after.heap.shallow(after).0.cast_signed();
        let code = |bytes: i64| if self.code[1].is_code(self.pair.after, after) { bytes } else { 0 };
        let Some(before) = self.matches.before(after) else {
            let charge = Charge { added: 1, bytes: size, code: code(size), ..Charge::default() };
            add(sums, self.unmatched(true, after), kind, charge);
            return;
        };
        let was = self.pair.before.heap.shallow(before).0.cast_signed();
        let (owner, owned) = (self.owner_after(after), self.owner_before(before));
        let of_top = |owner: Option<ObjectId>| owner.map_or(Holder::Top(kind), Holder::Object);
        if owned == owner {
            if size != was {
                let charge = Charge { bytes: size - was, code: code(size - was), ..Charge::default() };
                add(sums, Holder::Object(after), kind, charge);
            }
            return;
        }
        // It moved from one owner to another, which is no growth.
        // Its own growth is attributed to its owner in the target.
        let (grew, grew_before) = if self.in_order { (size - was, 0) } else { (0, size - was) };
        let base = if self.in_order { was } else { size };
        let charge = |bytes: i64, moved: i64| Charge { bytes, moved, code: code(bytes), ..Charge::default() };
        add(sums, of_top(owner), kind, charge(grew, base));
        add(sums, of_top(owned), kind, charge(grew_before, -base));
    }

    fn removed(&self, before: ObjectId, sums: &mut Charges) {
        if self.matches.after(before).is_none() {
            let size = self.pair.before.heap.shallow(before).0.cast_signed();
            let code = if self.code[0].is_code(self.pair.before, before) { -size } else { 0 };
            let charge = Charge { removed: 1, bytes: -size, code, ..Charge::default() };
            add(sums, self.unmatched(false, before), self.kind(false, before), charge);
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

pub(super) fn row(row: u32) -> Option<ObjectId> {
    ObjectId::from_raw(row).filter(|_| row != NONE)
}

/// By class: true of collections, their parts, and arrays.
fn has_entries(side: DumpData<'_>) -> Vec<bool> {
    let is_one = |(id, class): (ClassId, &Class)| {
        class.kind != ClassKind::Plain || side.contents.role(id) == Role::Collection || is_part(&class.name)
    };
    side.heap.classes.iter().map(is_one).collect()
}

pub(super) fn add(sums: &mut Charges, holder: Holder, kind: ComparedClassId, more: Charge) {
    *sums.entry((holder, kind)).or_default() += more;
}

fn merged(one: Charges, other: Charges) -> Charges {
    let (mut into, from) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    // Sums do not depend on the order.
    from.into_iter().for_each(|((holder, kind), charge)| add(&mut into, holder, kind, charge));
    into
}
