//! Owners of added and removed subtrees: the roots of what only one heap has, below an object of both.
//!
//! A root that its dominator holds in a field is a structure that is new or was replaced: that field is its owner. A root
//! that several structures hold (sockets in a list and in the sets of rooms) has a dominator that has nothing to do with
//! it, such as a class or a thread. Of the structures of both heaps that hold such roots directly, the one that holds most
//! of them gets them: it is through that one that they grow. Roots that only other roots hold follow those.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::charges::{Charges, Holder, OwnerIndex, add, row};
use super::dictionary::has_many_fields;
use super::lift::Lift;
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, ReferenceKind, Strength};

/// Maximum number of referrers examined per root.
const REFERRERS: usize = 64;
/// Maximum number of objects among which those are searched.
const SCANNED: usize = 1_024;
/// Number of growing fields up to which each is an owner: of more, those with a tenth of the whole.
const FIELDS: u64 = 16;

/// What a field holds in the baseline and in the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FieldTargets {
    pub(super) before: Option<ObjectId>,
    pub(super) after: Option<ObjectId>,
}

/// A structure that may be the owner of a root: those that do not lead everywhere first, then those that its dominator
/// holds in a field.
type Candidate = (u8, bool, Holder);

/// A root with its bytes, added or removed.
struct Root {
    is_after: bool,
    object: ObjectId,
    bytes: u64,
    candidates: Vec<Candidate>,
    /// Indices of the roots whose subtrees refer to it.
    holders: Vec<usize>,
    owner: Option<Holder>,
}

/// Finds the owners of subtrees.
pub(super) struct Subtrees<'a, 'b> {
    books: &'b OwnerIndex<'a>,
    lift: Lift<'a>,
    /// What fields hold.
    fields: BTreeMap<(ObjectId, u64), FieldTargets>,
    /// By class of the baseline and of the target: true of threads.
    threads: [Vec<bool>; 2],
}

impl<'a, 'b> Subtrees<'a, 'b> {
    pub(super) fn new(books: &'b OwnerIndex<'a>) -> Self {
        let threads = [books.pair.before, books.pair.after].map(|side| {
            let classes = &side.heap.classes;
            classes.all_below(classes.named("java.lang.Thread").as_slice())
        });
        let lift = Lift::new(books.pair, books.matches);
        Self { books, lift, fields: BTreeMap::new(), threads }
    }

    /// What each field holds that is an owner.
    pub(super) fn fields(self) -> BTreeMap<(ObjectId, u64), FieldTargets> {
        self.fields
    }

    /// All charges, each to an object, to a field, or to none.
    pub(super) fn resolved(&mut self, charges: Charges, task: &Task) -> Result<Charges, Cancelled> {
        let mut bytes: BTreeMap<(bool, ObjectId), u64> = BTreeMap::new();
        // Sums do not depend on the order.
        charges.iter().for_each(|((holder, _), charge)| {
            if let Some(key) = key(*holder) {
                *bytes.entry(key).or_default() += charge.bytes.unsigned_abs();
            }
        });
        let owners = self.owners(bytes, task)?;
        let mut resolved = Charges::default();
        charges.into_iter().for_each(|((holder, kind), charge)| {
            let owner = match holder {
                Holder::Object(object) => self.of_object(object),
                Holder::Field(..) | Holder::Top(_) => holder,
                Holder::Added(object) | Holder::Removed(object) => {
                    let is_after = matches!(holder, Holder::Added(_));
                    owners.get(&(is_after, object)).copied().unwrap_or(Holder::Top(kind))
                }
            };
            add(&mut resolved, owner, kind, charge);
        });
        Ok(resolved)
    }

    fn owners(
        &mut self,
        bytes: BTreeMap<(bool, ObjectId), u64>,
        task: &Task,
    ) -> Result<FxHashMap<(bool, ObjectId), Holder>, Cancelled> {
        let at: FxHashMap<(bool, ObjectId), usize> = bytes.keys().copied().zip(0..).collect();
        let mut roots = Vec::with_capacity(bytes.len());
        for ((is_after, object), bytes) in bytes {
            task.checkpoint()?;
            let mut root = Root { is_after, object, bytes, candidates: Vec::new(), holders: Vec::new(), owner: None };
            self.examine(&mut root, &at);
            roots.push(root);
        }
        choose(&mut roots, |owner| self.order(owner), task)?;
        put_small_fields_together(&mut roots);
        let owner = |root: Root| ((root.is_after, root.object), root.owner);
        let mut owners = FxHashMap::default();
        for root in roots {
            let dominator = self.books.nearest(root.is_after, root.object);
            let (key, owner) = owner(root);
            let of_dominator = || dominator.and_then(|dominator| self.of_matched(key.0, dominator));
            let owner = owner.or_else(of_dominator);
            owners.insert(key, owner.unwrap_or_else(|| Holder::Top(self.books.kind(key.0, key.1))));
        }
        Ok(owners)
    }

    /// Finds the structures that hold a root, and the other roots below which its referrers are.
    fn examine(&mut self, root: &mut Root, at: &FxHashMap<(bool, ObjectId), usize>) {
        let &mut Root { is_after, object, .. } = root;
        let (side, owners) = self.books.side(is_after);
        let dominator = self.books.nearest(is_after, object);
        if !side.analysis.roots().of(object).is_empty() {
            return;
        }
        let class = side.heap.class_id(object);
        let referrers = side.analysis.referrers(object).take(SCANNED);
        let referrers = referrers.filter(|&from| !is_weak(side, from) && side.analysis.is_reachable(from));
        let (mut is_linked, mut is_entry) = (false, false);
        for from in referrers.take(REFERRERS) {
            if self.books.is_matched(is_after, from) {
                let is_link = side.heap.class_id(from) == class && self.books.nearest(is_after, from) == dominator;
                let owner = self.of_reference(is_after, from, object);
                let rank = self.rank(is_after, from);
                (is_linked, is_entry) = (is_linked | is_link, is_entry | self.books.has_entries(is_after, from));
                root.candidates.extend(owner.map(|owner| (rank, Some(from) != dominator, owner)));
                continue;
            }
            let Some(top) = ObjectId::from_raw(owners.root(from.raw())).filter(|&top| top != object) else { continue };
            let above = self.books.nearest(is_after, top);
            match above.filter(|_| above != dominator) {
                Some(above) => {
                    let owner = self.of_reference(is_after, above, top);
                    let rank = self.rank(is_after, above);
                    is_entry |= self.books.has_entries(is_after, above);
                    root.candidates.extend(owner.map(|owner| (rank, true, owner)));
                }
                None if side.heap.class_id(top) == class => {
                    is_linked = true;
                    root.holders.extend(at.get(&(is_after, top)).copied());
                }
                None => root.holders.extend(at.get(&(is_after, top)).copied()),
            }
        }
        // Links of one structure that its dominator has, and no entry of another: a list with references in both directions.
        let list = dominator.filter(|&above| is_linked && !is_entry && !self.is_scope(is_after, above));
        if let Some(owner) = list.and_then(|above| self.of_matched(is_after, above)) {
            root.candidates = vec![(0, false, owner)];
        }
        root.candidates.sort_unstable_by_key(|&(rank, is_far, owner)| (owner, rank, is_far));
        root.candidates.dedup_by_key(|&mut (_, _, owner)| owner);
        root.holders.sort_unstable();
        root.holders.dedup();
    }

    /// The owner of what a matched object refers to directly.
    fn of_reference(&mut self, is_after: bool, from: ObjectId, to: ObjectId) -> Option<Holder> {
        let target = self.books.in_target(is_after, from)?;
        let owner = self.of_object(target);
        let (side, _) = self.books.side(is_after);
        let is_link = side.heap.class_id(from) == side.heap.class_id(to);
        // The engine's storage of properties is no field.
        let is_storage = side.analysis.is_storage_reference(side.heap, side.contents, from, to);
        if owner != Holder::Object(target) || is_link || is_storage || self.books.has_entries(is_after, from) {
            return Some(owner);
        }
        Some(self.field(is_after, from, to).unwrap_or(owner))
    }

    /// The structure of a matched object of one heap.
    fn of_matched(&mut self, is_after: bool, object: ObjectId) -> Option<Holder> {
        let target = self.books.in_target(is_after, object)?;
        Some(self.of_object(target))
    }

    /// The structure of a matched object of the target: its head, or the field that holds its head.
    fn of_object(&mut self, object: ObjectId) -> Holder {
        let lifted = self.lift.lifted(object);
        let is_after = self.lift.is_target_newer();
        let of_head = |head| {
            let above = self.books.nearest(is_after, head)?;
            self.field(is_after, above, head)
        };
        lifted.head.and_then(of_head).unwrap_or(Holder::Object(lifted.owner))
    }

    /// The field by which a matched object of one heap holds another. `None` if it does not, and of an element.
    fn field(&mut self, is_after: bool, from: ObjectId, to: ObjectId) -> Option<Holder> {
        let (side, _) = self.books.side(is_after);
        let owner = self.books.in_target(is_after, from)?;
        if has_many_fields(side, from) {
            return None;
        }
        let name = side.contents.reference_names(side.heap, from, to, 1).into_iter().next()?;
        if name.kind == ReferenceKind::Element || name.strength != Strength::Strong {
            return None;
        }
        let number = number_of(&name.text);
        if let std::collections::btree_map::Entry::Vacant(entry) = self.fields.entry((owner, number)) {
            let before = if is_after { self.books.matches.before(from) } else { Some(from) };
            let held = |is_after, object| field_target(self.books.side(is_after).0, object, number);
            let (before, after) = (before.and_then(|before| held(false, before)), held(true, owner));
            entry.insert(FieldTargets { before, after });
        }
        Some(Holder::Field(owner, number))
    }

    /// How little a holder says about what it holds: 1 of threads, 2 of the roots of an engine.
    fn rank(&self, is_after: bool, object: ObjectId) -> u8 {
        let heap = self.books.side(is_after).0.heap;
        let class = heap.class_id(object);
        if heap.snapshot().is_some() {
            let name = &*heap.classes.get(class).name;
            return if name == "(synthetic)" || name.starts_with("system / NativeContext") { 2 } else { 0 };
        }
        u8::from(self.threads[usize::from(is_after)].get(class.index()) == Some(&true))
    }

    /// The order of owners that hold as much: by row of the newer heap, so that a comparison mirrors that of the swapped pair.
    fn order(&self, owner: Holder) -> (u32, u64) {
        let newer = |object: ObjectId| {
            if self.lift.is_target_newer() { Some(object) } else { self.books.matches.before(object) }
        };
        let row = |object: ObjectId| newer(object).map_or(u32::MAX, ObjectId::raw);
        match owner {
            Holder::Object(object) => (row(object), 0),
            Holder::Field(object, field) => (row(object), field),
            Holder::Top(_) | Holder::Added(_) | Holder::Removed(_) => (u32::MAX, u64::MAX),
        }
    }

    /// True of objects that hold unrelated ones: classes, threads, and scopes of JavaScript.
    fn is_scope(&self, is_after: bool, object: ObjectId) -> bool {
        let heap = self.books.side(is_after).0.heap;
        let name = &*heap.class(object).name;
        let is_of_engine = heap.snapshot().is_some()
            && (name.starts_with("global") || name.starts_with("Window") || name.starts_with("system / Context"));
        is_of_engine || heap.classes.of_object(object).is_some() || self.rank(is_after, object) > 0
    }
}

/// Charges small fields of an object with many growing ones to the object: they are entries of a dictionary.
fn put_small_fields_together(roots: &mut [Root]) {
    let mut of_object: FxHashMap<ObjectId, (BTreeSet<u64>, u64)> = FxHashMap::default();
    let mut of_field: FxHashMap<(ObjectId, u64), u64> = FxHashMap::default();
    for root in roots.iter() {
        if let Some(Holder::Field(object, field)) = root.owner {
            let (fields, bytes) = of_object.entry(object).or_default();
            fields.insert(field);
            *bytes += root.bytes;
            *of_field.entry((object, field)).or_default() += root.bytes;
        }
    }
    for root in roots {
        let Some(Holder::Field(object, field)) = root.owner else { continue };
        let (Some((fields, all)), Some(&bytes)) = (of_object.get(&object), of_field.get(&(object, field))) else {
            continue;
        };
        if fields.len() as u64 > FIELDS && bytes.saturating_mul(10) < *all {
            root.owner = Some(Holder::Object(object));
        }
    }
}

/// The subtree that a charge is left to.
fn key(holder: Holder) -> Option<(bool, ObjectId)> {
    match holder {
        Holder::Added(object) => Some((true, object)),
        Holder::Removed(object) => Some((false, object)),
        Holder::Object(_) | Holder::Field(..) | Holder::Top(_) => None,
    }
}

/// Gives each root the candidate that has most bytes in all, then those without candidates that of the roots that hold
/// them.
fn choose(roots: &mut [Root], order: impl Fn(Holder) -> (u32, u64), task: &Task) -> Result<(), Cancelled> {
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); roots.len()];
    for (at, root) in roots.iter().enumerate() {
        root.holders.iter().for_each(|&holder| held[holder].push(at));
    }
    let mut layer: Vec<usize> = (0..roots.len()).filter(|&at| !roots[at].candidates.is_empty()).collect();
    while !layer.is_empty() {
        task.checkpoint()?;
        let mut weights: FxHashMap<Holder, u64> = FxHashMap::default();
        for &at in &layer {
            for &(_, _, owner) in &roots[at].candidates {
                *weights.entry(owner).or_default() += roots[at].bytes;
            }
        }
        for &at in &layer {
            let weight = |owner| Reverse(weights.get(&owner).copied().unwrap_or_default());
            let candidates = roots[at].candidates.iter();
            let best = candidates.min_by_key(|&&(rank, is_far, owner)| (rank, weight(owner), is_far, order(owner)));
            roots[at].owner = best.map(|&(_, _, owner)| owner);
        }
        let mut next = BTreeSet::new();
        for &at in &layer {
            let Some(owner) = roots[at].owner else { continue };
            for &below in &held[at] {
                if roots[below].owner.is_none() && !roots[below].is_fixed() {
                    roots[below].candidates.push((0, true, owner));
                    next.insert(below);
                }
            }
        }
        layer = next.into_iter().collect();
    }
    Ok(())
}

impl Root {
    /// True of a GC root, which is alive by itself.
    fn is_fixed(&self) -> bool {
        self.candidates.is_empty() && self.holders.is_empty()
    }
}

/// The number of a field by its name.
fn number_of(name: &str) -> u64 {
    let mut hash = FxHasher::default();
    hash.write(name.as_bytes());
    hash.finish()
}

/// What an object holds in the field with this number, [`OwnerField::number`](super::OwnerField::number). `None` if it holds
/// nothing there.
pub fn field_target(side: DumpData<'_>, object: ObjectId, number: u64) -> Option<ObjectId> {
    if has_many_fields(side, object) {
        return None;
    }
    let mut held: Vec<u32> = side.heap.references(object).to_vec();
    held.sort_unstable();
    held.dedup();
    held.into_iter().filter_map(ObjectId::from_raw).find(|&to| {
        let names = side.contents.reference_names(side.heap, object, to, 4);
        names.iter().any(|name| number_of(&name.text) == number)
    })
}

fn is_weak(side: DumpData<'_>, from: ObjectId) -> bool {
    side.heap.has_referent_first(from) && side.heap.class(from).strength != Strength::Strong
}

impl OwnerIndex<'_> {
    /// The nearest matched dominator of an object of one heap.
    fn nearest(&self, is_after: bool, object: ObjectId) -> Option<ObjectId> {
        row(self.side(is_after).1.nearest(object.raw()))
    }

    fn is_matched(&self, is_after: bool, object: ObjectId) -> bool {
        let other = if is_after { self.matches.before(object) } else { self.matches.after(object) };
        other.is_some()
    }
}
