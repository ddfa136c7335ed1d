//! What is derived from the facts, once per heap: reachability, distances,
//! retainers, dominators, retained sizes, totals per class.
//!
//! Dominance in the terms of the field: *a* dominates *b* if every path from a
//! GC root to *b* passes *a*; the nearest such is the *immediate dominator*;
//! the *retained size* of *a* is the sum of the shallow sizes of all it
//! dominates, itself included: what a collection would free without *a*.

use super::classes::Strength;
use super::facts::Heap;
use super::ids::{ClassId, ObjectId};
use super::roots::{Root, RootKind, Roots};
use crate::graph::bits::Bits;
use crate::graph::csr::Csr;
use crate::graph::distances::{Distances, distances};
use crate::graph::dominators::immediate_dominators;
use crate::graph::search::{Search, search};
use crate::graph::tree::{Tree, children};
use crate::graph::{NONE, digraph::Digraph};
use crate::task::{Cancelled, Task, Unit};
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
    /// Dominator tree downwards; the row after the last object is the virtual root.
    children: Csr,
    /// Incoming references, without those to classes from their instances.
    retainers: Csr,
    /// Shortest ways from the roots along strong references alone.
    strong: Distances,
    /// Distances along all references that count.
    distance: Vec<u32>,
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
        // The search is one long chain of cache misses; retainers and distances need nothing of it.
        let (found, (retainers, ways)) = rayon::join(
            || find(heap, &graph, rules, task),
            || rayon::join(|| Csr::transpose(&heap.graph(None), task), || all_distances(heap, &graph, rules, task)),
        );
        let ((mut found, roots), retainers) = (found?, retainers?);
        let (mut strong, mut distance) = ways?;
        if roots.objects().len() != heap.roots.objects().len() {
            // Kept objects became roots while distances were under way: measure them again.
            let ways = distances_from(heap, &graph, rules, roots.objects(), task)?;
            (strong, distance) = ways;
        }

        task.step("Finding dominators", Unit::Objects, 2 * found.reached() as u64);
        let idoms = immediate_dominators(&mut found, task)?;

        task.step("Summing retained sizes", Unit::Objects, nodes);
        let Search { order, number, parent, crossings } = found;
        drop((parent, crossings));
        let object = |n: u32| order[n as usize];
        let shallow = |n: u32| ObjectId::from_raw(object(n)).map_or(0, |o| heap.shallow(o).0);
        let tree = Tree::new(idoms, shallow, task)?;
        task.advance_checked(nodes / 2)?;
        let class_of = |n: u32| heap.class_column()[object(n) as usize];
        let class_retained = tree.group_totals(class_of, heap.classes.len());

        let reached = |row: usize| number[row] != 0;
        let by_object = |n: u32| -> u32 { if n == 0 { NONE } else { order[n as usize] } };
        let idom: Vec<u32> =
            number.iter().map(|&n| if n == 0 { NONE } else { by_object(tree.parent[n as usize]) }).collect();
        let retained = number.iter().map(|&n| if n == 0 { 0 } else { tree.weight[n as usize] }).collect();
        let below = number.iter().map(|&n| if n == 0 { 0 } else { tree.below[n as usize] }).collect();
        drop((tree, order));
        task.checkpoint()?;

        let mut reachable = Bits::new(heap.len());
        let mut class_totals = vec![Totals::default(); heap.classes.len()];
        let (mut shown, mut unreachable) = (Totals::default(), Totals::default());
        for o in heap.objects() {
            let size = heap.shallow(o);
            let total = if reached(o.index()) {
                reachable.insert(o.raw());
                let of_class = &mut class_totals[heap.class_id(o).index()];
                of_class.objects += 1;
                of_class.shallow += size;
                &mut shown
            } else {
                &mut unreachable
            };
            total.objects += 1;
            total.shallow += size;
        }
        drop(number);
        let children = children(&idom, |row| reachable.contains(row));
        task.advance_checked(nodes / 2)?;
        Ok(Self {
            rules,
            roots,
            reachable,
            retained,
            idom,
            below,
            children,
            retainers,
            strong,
            distance,
            class_totals,
            class_retained,
            shown,
            unreachable,
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

    /// Objects whose immediate dominator is `parent` (`None`: the virtual root), in address order.
    pub fn dominator_children(&self, parent: Option<ObjectId>) -> &[u32] {
        let row = parent.map_or(self.idom.len() as u32, ObjectId::raw);
        self.children.row(row)
    }

    /// Objects that refer to `object`, in address order, once per reference. Instances
    /// refer to their class too; those are not listed here.
    pub fn retainers(&self, object: ObjectId) -> &[u32] {
        self.retainers.row(object.raw())
    }

    /// References from the nearest root; `None` where unreachable.
    pub fn distance(&self, object: ObjectId) -> Option<u32> {
        let d = self.distance[object.index()];
        (d != NONE).then_some(d)
    }

    /// The object before on a shortest way from a root along strong references;
    /// `None` for roots. Ask [`Analyzed::strongly_reachable`] first.
    pub fn strong_before(&self, object: ObjectId) -> Option<ObjectId> {
        ObjectId::from_raw(self.strong.before[object.index()])
    }

    /// Whether strong references alone lead from a root to the object.
    pub fn strongly_reachable(&self, object: ObjectId) -> bool {
        self.strong.distance[object.index()] != NONE
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

fn all_distances(
    heap: &Heap,
    graph: &Digraph<'_>,
    rules: Rules,
    task: &Task,
) -> Result<(Distances, Vec<u32>), Cancelled> {
    distances_from(heap, graph, rules, heap.roots.objects(), task)
}

/// The strong shortest-path tree, and distances under the rules.
fn distances_from(
    heap: &Heap,
    graph: &Digraph<'_>,
    rules: Rules,
    roots: &[u32],
    task: &Task,
) -> Result<(Distances, Vec<u32>), Cancelled> {
    let skip = heap.referents_beyond(Strength::Strong);
    let strong = distances(&heap.graph(skip.as_ref()), roots, task)?;
    let distance = if rules.weakest == Strength::Strong {
        strong.distance.clone()
    } else {
        distances(graph, roots, task)?.distance
    };
    Ok((strong, distance))
}
