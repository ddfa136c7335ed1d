//! Reachability from some roots without certain objects or references. One search along the references; exact where the
//! dominator tree, which only knows single objects, is not.

use super::{Analysis, ExcludedReferences, Heap, ObjectId, ReferenceNames, RootKind, Strength};
use heaplens_base::{Cancelled, Task, storage::Slices};
use heaplens_graph::reach::{ReachedNodes, reach};
use heaplens_graph::{Bits, NONE};

/// Objects reachable from `roots` along references no weaker than `weakest`, without excluded ones.
pub fn reached(
    heap: &Heap,
    roots: &[u32],
    weakest: Strength,
    left_out: &ExcludedReferences,
    task: &Task,
) -> Result<Bits, Cancelled> {
    search(heap, roots, weakest, left_out, |_| true, task)
}

/// Objects still reachable among those that `above` dominates, itself included (`None`: among all), provided that all
/// exclusions are below `above` and not `above` itself. Then no other object can change, and none is visited.
pub fn reached_below(
    heap: &Heap,
    analysis: &Analysis,
    above: Option<ObjectId>,
    left_out: &ExcludedReferences,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let weakest = analysis.rules.min_strength;
    let Some(above) = above else {
        return search(heap, analysis.roots().objects(), weakest, left_out, |_| true, task);
    };
    let (preorders, inside) = (analysis.preorders(), analysis.subtree(above).unwrap_or_default());
    let is_inside = |row: u32| preorders.get(row as usize).is_some_and(|preorder| inside.contains(preorder));
    search(heap, &[above.raw()], weakest, left_out, is_inside, task)
}

fn search(
    heap: &Heap,
    begin: &[u32],
    weakest: Strength,
    left_out: &ExcludedReferences,
    is_inside: impl Fn(u32) -> bool + Sync,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let onward = Successors::new(heap, weakest, left_out);
    let begin: Vec<u32> = begin.iter().copied().filter(|&root| !left_out.has_root(root)).collect();
    let follow = |row: u32, reached: &mut ReachedNodes<'_>| onward.of(row, &is_inside, |to| reached.meet(to));
    reach(heap.len(), &begin, follow, task)
}

/// Outgoing references, without excluded ones.
pub struct Successors<'a> {
    heap: &'a Heap,
    left_out: &'a ExcludedReferences,
    /// Objects whose first reference is too weak.
    skip: Option<Bits>,
    class_of: Slices<'a>,
    hubs: &'a [u32],
}

impl<'a> Successors<'a> {
    /// Follows references no weaker than `weakest`.
    pub fn new(heap: &'a Heap, weakest: Strength, left_out: &'a ExcludedReferences) -> Self {
        let (skip, class_of) = (heap.referents_beyond(weakest), heap.class_column().slices());
        Self { heap, left_out, skip, class_of, hubs: heap.classes.hubs() }
    }

    fn of(&self, row: u32, is_inside: &impl Fn(u32) -> bool, mut meet: impl FnMut(u32)) {
        let Some(object) = ObjectId::from_raw(row) else { return };
        let hub = self.class_of.get(row as usize).and_then(|class| self.hubs.get(class as usize).copied());
        let hub = hub.unwrap_or(NONE);
        // In a damaged stored analysis, a row may be invalid.
        if hub != NONE && !self.left_out.has(hub) && is_inside(hub) {
            meet(hub);
        }
        let first = usize::from(self.skip.as_ref().is_some_and(|skip| skip.contains(row)));
        let left = self.left_out.left(self.heap, object, self.heap.references(object));
        left.filter(|&(index, to)| index >= first && is_inside(to)).for_each(|(_, to)| meet(to));
    }

    /// Adds an object, and all objects reachable from it, to the result.
    pub fn reach(&self, object: ObjectId, reached: &mut Bits, task: &Task) -> Result<(), Cancelled> {
        reached.insert(object.raw());
        let (mut waiting, mut steps, rows) = (vec![object.raw()], 0_usize, self.heap.len());
        while let Some(row) = waiting.pop() {
            steps += 1;
            task.checkpoint_at(steps)?;
            let mut meet = |to: u32| {
                if (to as usize) < rows && reached.insert(to) {
                    waiting.push(to);
                }
            };
            self.of(row, &|_| true, &mut meet);
        }
        Ok(())
    }
}

/// Holder of an object, on a path that does not pass the object itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// It is a root.
    Root(RootKind),
    /// Referrer.
    Object(ObjectId),
}

/// Holders of an object, without excluded ones: its root kinds, and each referrer that it does not dominate, once. The
/// engine's storage of a property is no holder besides the object with the property. The instances of a class object,
/// which hold it too, are [`instances_outside`].
pub fn holders<'a>(
    heap: &'a Heap,
    contents: &'a dyn ReferenceNames,
    analysis: &'a Analysis,
    object: ObjectId,
    left_out: &'a ExcludedReferences,
) -> impl Iterator<Item = Holder> + 'a {
    let there = !left_out.has(object.raw());
    let roots = if left_out.has_root(object.raw()) { &[] } else { analysis.roots().of(object) };
    let retainers = if there { analysis.retainers(object) } else { &[] };
    let below = analysis.subtree(object).unwrap_or_default();
    let mut before = None;
    let outside = retainers.iter().copied().filter_map(ObjectId::from_raw).filter(move |&from| {
        let again = before.replace(from) == Some(from);
        !again
            && !left_out.has(from.raw())
            && analysis.preorder(from).is_some_and(|preorder| !below.contains(&preorder))
            && still_holds(heap, analysis, from, object, left_out)
            && !analysis.is_storage_reference(heap, contents, from, object)
    });
    roots.iter().map(|root| Holder::Root(root.kind)).chain(outside.map(Holder::Object))
}

/// True if a counted reference from one object to another remains, besides that to its class.
pub fn still_holds(
    heap: &Heap,
    analysis: &Analysis,
    from: ObjectId,
    to: ObjectId,
    left_out: &ExcludedReferences,
) -> bool {
    let weakest = analysis.rules.min_strength;
    if left_out.excludes(from.raw(), to.raw()) || analysis.retainers(to).binary_search(&from.raw()).is_err() {
        return false;
    }
    // The particular reference matters only with exclusions or weak references: an array may have millions.
    if !left_out.touches(from.raw()) && (heap.class(from).strength <= weakest || !heap.has_referent_first(from)) {
        return true;
    }
    let mut left = left_out.left(heap, from, heap.references(from));
    left.any(|(index, other)| other == to.raw() && heap.strength(from, index) <= weakest)
}

/// Instances of a class that hold the class object and are not dominated by it. Linear search over all objects.
pub fn instances_outside<'a>(
    heap: &'a Heap,
    analysis: &'a Analysis,
    object: ObjectId,
    left_out: &'a ExcludedReferences,
) -> impl Iterator<Item = ObjectId> + 'a {
    let class = heap.classes.of_object(object).filter(|&class| analysis.class_totals(class).objects > 0);
    let class = class.filter(|_| !left_out.has(object.raw()));
    let below = analysis.subtree(object).unwrap_or_default();
    let (column, preorders) = (heap.class_column(), analysis.preorders());
    let rows = if class.is_some() { 0..heap.len() } else { 0..0 };
    let of_class = rows.filter(move |&row| column.get(row) == class.map(super::ids::ClassId::raw));
    let outside = of_class.filter(move |&row| preorders.get(row).is_some_and(|at| *at != 0 && !below.contains(at)));
    // Its other referrers are among the holders.
    let only_so = move |of: &ObjectId| !left_out.has(of.raw()) && !still_holds(heap, analysis, *of, object, left_out);
    outside.filter_map(ObjectId::new).filter(only_so)
}
