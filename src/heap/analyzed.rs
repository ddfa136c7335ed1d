//! What is derived from the facts, once per heap: reachability, distances,
//! retainers, dominators, retained sizes, totals per class.
//!
//! Dominance in the terms of the field: *a* dominates *b* if every path from a
//! GC root to *b* passes *a*; the nearest such is the *immediate dominator*;
//! the *retained size* of *a* is the sum of the shallow sizes of all it
//! dominates, itself included: what a collection would free without *a*.

use rayon::prelude::*;

use super::classes::Strength;
use super::facts::Heap;
use super::ids::{ClassId, ObjectId};
use super::roots::{Root, RootKind, Roots};
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::graph::csr::Csr;
use crate::graph::digraph::Digraph;
use crate::graph::distances::{Distances, distances, extend_loosely};
use crate::graph::dominators::immediate_dominators;
use crate::graph::search::{Search, search};
use crate::graph::tree::{Tree, child_places, numbers_at};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use crate::units::Bytes;

/// Which references and objects count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The weakest references that count for reachability and dominators.
    pub weakest: Strength,
    /// Treat what no root reaches as kept.
    pub keep_unreachable: bool,
}

impl Default for Rules {
    /// All references count and unreachable objects are left out, as in Eclipse MAT.
    fn default() -> Self {
        Self { weakest: Strength::Phantom, keep_unreachable: false }
    }
}

/// Objects and bytes of one class, or of everything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many objects.
    pub objects: u64,
    /// Their shallow sizes together.
    pub shallow: Bytes,
}

/// The derived columns of one heap under one set of [`Rules`].
pub struct Analyzed {
    /// The rules.
    pub rules: Rules,
    /// The roots: those of the file, and with `keep_unreachable` those made for it.
    pub roots: Roots,
    reachable: Bits,
    /// Retained size by object; 0 where unreachable.
    retained: Vec<u64>,
    /// Immediate dominator by object; `NONE` below the virtual root and where unreachable.
    idom: Vec<u32>,
    /// Objects below in the dominator tree, itself excluded.
    below: Vec<u32>,
    /// Place of each object in the preorder of the dominator tree; 0, the virtual root's, where unreachable.
    place: Vec<u32>,
    /// Object at each place: a subtree is a run of places. `NONE` at place 0.
    object_at: Vec<u32>,
    /// Incoming references, without those to classes from their instances.
    retainers: Csr,
    ways: Ways,
    class_totals: Vec<Totals>,
    class_retained: Vec<u64>,
    /// What is shown by default.
    pub shown: Totals,
    /// What no root reaches.
    pub unreachable: Totals,
}

impl Analyzed {
    /// Derives everything. Steps are named in `task`.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn derive(heap: &Heap, rules: Rules, task: &Task) -> Result<Self, Cancelled> {
        let skip = heap.referents_beyond(rules.weakest);
        let graph = heap.graph(skip.as_ref());
        let nodes = heap.len() as u64;

        task.step("Searching from the roots", Unit::Objects, nodes);
        // The search is one long chain of cache misses, and so is what follows from it; retainers and
        // distances need nothing of it.
        let (tree, (retainers, ways)) = rayon::join(
            || dominator_tree(heap, &graph, rules, task),
            || {
                let ways = || Ways::find(heap, rules, heap.roots.objects(), task);
                rayon::join(|| Csr::transpose(&heap.graph(None), task), ways)
            },
        );
        let (DominatorTree { roots, order, number, tree, place, number_at, class_retained }, retainers) =
            (tree?, retainers?);
        let mut ways = ways?;
        if roots.objects().len() != heap.roots.objects().len() {
            // Kept objects became roots while distances were under way: measure them again.
            ways = Ways::find(heap, rules, roots.objects(), task)?;
        }

        task.step("Filling in columns", Unit::Objects, nodes);
        // From search numbers to objects. Number 0 is the virtual root, and the mark of what was not reached.
        let (columns, counts) = rayon::join(
            || -> Result<_, Cancelled> {
                let of = |column: &[u32], n: u32| if n == 0 { 0 } else { column[n as usize] };
                Ok((
                    gathered(&number, |n| order[tree.parent[n as usize] as usize], task)?,
                    gathered(&number, |n| if n == 0 { 0 } else { tree.weight[n as usize] }, task)?,
                    gathered(&number, |n| of(&tree.below, n), task)?,
                    gathered(&number, |n| of(&place, n), task)?,
                    gathered(&number_at, |n| order[n as usize], task)?,
                ))
            },
            || Counts::of(heap, |row| number[row as usize] != 0, task),
        );
        let ((idom, retained, below, place, object_at), counts) = (columns?, counts?);
        task.advance_checked(nodes)?;
        Ok(Self {
            rules,
            roots,
            reachable: counts.reachable,
            retained,
            idom,
            below,
            place,
            object_at,
            retainers,
            ways,
            class_totals: counts.classes,
            class_retained,
            shown: counts.shown,
            unreachable: counts.unreachable,
        })
    }

    /// Whether a root reaches the object, or it is kept all the same.
    pub fn is_reachable(&self, object: ObjectId) -> bool {
        self.reachable.contains(object.raw())
    }

    /// What the object keeps alive, itself included; 0 where unreachable.
    pub fn retained(&self, object: ObjectId) -> Bytes {
        Bytes(self.retained[object.index()])
    }

    /// The immediate dominator; `None` below the virtual root and where unreachable.
    pub fn immediate_dominator(&self, object: ObjectId) -> Option<ObjectId> {
        ObjectId::from_raw(self.idom[object.index()])
    }

    /// How many objects the object dominates, itself excluded.
    pub fn dominated(&self, object: ObjectId) -> u64 {
        u64::from(self.below[object.index()])
    }

    /// Objects whose immediate dominator is `parent` (`None`: the virtual root), in no order that means anything.
    pub fn dominator_children(&self, parent: Option<ObjectId>) -> impl Iterator<Item = ObjectId> {
        let (place, below) = match parent {
            Some(o) if self.place[o.index()] != 0 => (self.place[o.index()], self.below[o.index()]),
            Some(_) => (0, 0),
            None => (0, self.object_at.len() as u32 - 1),
        };
        let object_at = |place: u32| self.object_at[place as usize];
        child_places(place, below, move |at| self.below[object_at(at) as usize])
            .filter_map(move |at| ObjectId::from_raw(object_at(at)))
    }

    /// Whether every path to `object` passes `dominator`; an object dominates itself.
    pub fn dominates(&self, dominator: ObjectId, object: ObjectId) -> bool {
        let (place, inside) = (self.place[dominator.index()], self.place[object.index()]);
        place != 0 && place <= inside && inside <= place + self.below[dominator.index()]
    }

    /// Objects that refer to `object`, in address order, once per reference. Instances
    /// refer to their class too; those are not listed here.
    pub fn retainers(&self, object: ObjectId) -> &[u32] {
        self.retainers.row(object.raw())
    }

    /// References from the nearest root: along strong references where those lead, else along
    /// the others that count. `None` where unreachable.
    pub fn distance(&self, object: ObjectId) -> Option<u32> {
        let d = self.ways.found.distance[object.index()];
        (d != NONE).then_some(d)
    }

    /// The object before on the way that [`Analyzed::distance`] measures; `None` for roots and where unreachable.
    pub fn before(&self, object: ObjectId) -> Option<ObjectId> {
        ObjectId::from_raw(self.ways.found.before[object.index()])
    }

    /// Whether strong references alone lead from a root to the object.
    pub fn strongly_reachable(&self, object: ObjectId) -> bool {
        self.distance(object).is_some() && !self.ways.only_loosely.contains(object.raw())
    }

    /// Shown objects of a class and their bytes.
    pub fn class_totals(&self, class: ClassId) -> Totals {
        self.class_totals[class.index()]
    }

    /// What all shown objects of a class keep alive together, each byte once.
    pub fn class_retained(&self, class: ClassId) -> Bytes {
        Bytes(self.class_retained[class.index()])
    }
}

/// The dominator tree in search numbers.
struct DominatorTree {
    roots: Roots,
    order: Vec<u32>,
    number: Vec<u32>,
    tree: Tree,
    place: Vec<u32>,
    number_at: Vec<u32>,
    class_retained: Vec<u64>,
}

fn dominator_tree(heap: &Heap, graph: &Digraph<'_>, rules: Rules, task: &Task) -> Result<DominatorTree, Cancelled> {
    let (mut found, roots) = find(heap, graph, rules, task)?;
    task.step("Finding dominators", Unit::Objects, 2 * found.reached() as u64);
    let idoms = immediate_dominators(&mut found, task)?;
    task.step("Summing retained sizes", Unit::Objects, heap.len() as u64);
    let Search { order, number, .. } = found;
    let shallow = |n: u32| ObjectId::from_raw(order[n as usize]).map_or(0, |o| heap.shallow(o).0);
    let tree = Tree::new(idoms, shallow, task)?;
    let place = tree.places(task)?;
    let number_at = numbers_at(&place, task)?;
    let class_of = |n: u32| heap.class_column()[order[n as usize] as usize];
    let class_retained = tree.group_totals(&number_at, class_of, heap.classes.len(), task)?;
    Ok(DominatorTree { roots, order, number, tree, place, number_at, class_retained })
}

/// The search, and the roots it began from.
fn find(heap: &Heap, graph: &Digraph<'_>, rules: Rules, task: &Task) -> Result<(Search, Roots), Cancelled> {
    let found = search(graph, heap.roots.objects(), task)?;
    if !rules.keep_unreachable || found.reached() == heap.len() {
        return Ok((found, heap.roots.clone()));
    }
    let made = unreachable_roots(heap, graph, &found.number, task)?;
    let roots = Roots::new(heap.roots.all().iter().copied().chain(made).collect());
    Ok((search(graph, roots.objects(), task)?, roots))
}

/// Roots for what no root reaches: first every object that nothing refers to,
/// then, in address order, one object of each ring that is left.
fn unreachable_roots(heap: &Heap, graph: &Digraph<'_>, number: &[u32], task: &Task) -> Result<Vec<Root>, Cancelled> {
    let lost = |row: u32| number[row as usize] == 0;
    let mut referred = Bits::new(heap.len());
    for row in (0..heap.len() as u32).filter(|&r| lost(r)) {
        for to in graph.successors(row).filter(|&to| to != row) {
            referred.insert(to);
        }
    }
    task.checkpoint()?;
    let mut covered = Bits::new(heap.len());
    let mut made = Vec::new();
    let mut stack = Vec::new();
    let all = || (0..heap.len() as u32).filter(|&r| lost(r));
    let unreferred = all().filter(|&r| !referred.contains(r));
    for row in unreferred.chain(all()) {
        if !covered.insert(row) {
            continue;
        }
        made.extend(ObjectId::from_raw(row).map(|object| Root { object, kind: RootKind::Unreachable }));
        stack.push(row);
        while let Some(from) = stack.pop() {
            stack.extend(graph.successors(from).filter(|&to| lost(to) && covered.insert(to)));
        }
    }
    Ok(made)
}

/// Shortest ways from the roots: along strong references, and from there along weaker ones that count.
struct Ways {
    found: Distances,
    only_loosely: Bits,
}

impl Ways {
    fn find(heap: &Heap, rules: Rules, roots: &[u32], task: &Task) -> Result<Self, Cancelled> {
        let loose = heap.referents_beyond(Strength::Strong).unwrap_or_default();
        let graph = heap.graph(Some(&loose));
        let mut found = distances(&graph, roots, task)?;
        let counting = match heap.referents_beyond(rules.weakest) {
            Some(beyond) => loose.without(&beyond),
            None => loose.clone(),
        };
        let only_loosely = extend_loosely(&graph, &counting, &mut found, task)?;
        Ok(Self { found, only_loosely })
    }
}

/// What is counted of every object.
struct Counts {
    reachable: Bits,
    classes: Vec<Totals>,
    shown: Totals,
    unreachable: Totals,
}

impl Counts {
    fn of(heap: &Heap, is_reached: impl Fn(u32) -> bool, task: &Task) -> Result<Self, Cancelled> {
        let mut counts = Self {
            reachable: Bits::new(heap.len()),
            classes: vec![Totals::default(); heap.classes.len()],
            shown: Totals::default(),
            unreachable: Totals::default(),
        };
        for block in task.blocks(heap.len()) {
            for o in block?.filter_map(ObjectId::new) {
                let size = heap.shallow(o);
                if is_reached(o.raw()) {
                    counts.reachable.insert(o.raw());
                    let of_class = &mut counts.classes[heap.class_id(o).index()];
                    of_class.objects += 1;
                    of_class.shallow += size;
                    counts.shown.shallow += size;
                    counts.shown.objects += 1;
                } else {
                    counts.unreachable.objects += 1;
                    counts.unreachable.shallow += size;
                }
            }
        }
        Ok(counts)
    }
}

/// `value` of every entry, by all threads.
fn gathered<T: Default + Clone + Send>(
    entries: &[u32],
    value: impl Fn(u32) -> T + Sync,
    task: &Task,
) -> Result<Vec<T>, Cancelled> {
    let mut column = vec![T::default(); entries.len()];
    let blocks = column.par_chunks_mut(CHECKPOINT_EVERY).zip(entries.par_chunks(CHECKPOINT_EVERY));
    blocks.try_for_each(|(to, from)| {
        task.checkpoint()?;
        to.iter_mut().zip(from).for_each(|(to, &n)| *to = value(n));
        Ok(())
    })?;
    Ok(column)
}
