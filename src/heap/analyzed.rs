//! What is derived from the facts, once per heap: reachability, distances,
//! retainers, dominators, retained sizes, totals per class.
//!
//! Dominance in the terms of the field: *a* dominates *b* if every path from a
//! GC root to *b* passes *a*; the nearest such is the *immediate dominator*;
//! the *retained size* of *a* is the sum of the shallow sizes of all it
//! dominates, itself included: what a collection would free without *a*.

use super::classes::Strength;
use super::dominance::{Dominance, Settled};
use super::facts::Heap;
use super::ids::{ClassId, ObjectId};
use super::roots::Roots;
use super::totals::{Counts, Totals};
use super::ways::Ways;
use crate::graph::NONE;
use crate::graph::csr::Csr;
use crate::graph::leaves::exclusive_leaves;
use crate::graph::marks::Marks;
use crate::graph::transpose::transpose;
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

/// The derived columns of one heap under one set of [`Rules`].
pub struct Analyzed {
    /// The rules.
    pub rules: Rules,
    dominance: Dominance,
    /// Incoming references, without those to classes from their instances.
    retainers: Csr,
    ways: Ways,
    class_totals: Vec<Totals>,
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
        task.step("Listing retainers", Unit::Objects, heap.len() as u64);
        let graph = heap.graph(None);
        let (retainers, single) = transpose(&graph, task)?;
        let roots = heap.roots.objects();
        let leaves = exclusive_leaves(&graph, single, roots, &heap.referent_first, task)?;
        let marks = Marks::new(&graph, roots, &leaves, task)?;
        // The search is one long chain of cache misses, and so is what follows from it; distances need nothing of it.
        let parent_of = |leaf: u32| retainers.row(leaf)[0];
        let (dominance, ways) = rayon::join(
            || Dominance::find(heap, rules, &Settled { leaves: &leaves, marks: &marks, parent_of }, task),
            || Ways::find(heap, rules, roots, &marks, task),
        );
        let (dominance, mut ways) = (dominance?, ways?);
        let made = dominance.roots.objects();
        if made.len() != roots.len() {
            // Kept objects became roots while distances were under way: measure them again.
            ways = Ways::find(heap, rules, made, &Marks::new(&graph, made, &leaves, task)?, task)?;
        }
        ways.keep(heap, rules, &retainers, task)?;
        let Counts { classes, shown, unreachable } = Counts::of(heap, |o| dominance.is_reachable(o), task)?;
        Ok(Self { rules, dominance, retainers, ways, class_totals: classes, shown, unreachable })
    }

    /// The roots: those of the file, and with `keep_unreachable` those made for it.
    pub fn roots(&self) -> &Roots {
        &self.dominance.roots
    }

    /// Whether a root reaches the object, or it is kept all the same.
    pub fn is_reachable(&self, object: ObjectId) -> bool {
        self.dominance.is_reachable(object)
    }

    /// What the object keeps alive, itself included; 0 where unreachable.
    pub fn retained(&self, object: ObjectId) -> Bytes {
        self.dominance.retained(object)
    }

    /// The immediate dominator; `None` below the virtual root and where unreachable.
    pub fn immediate_dominator(&self, object: ObjectId) -> Option<ObjectId> {
        self.dominance.immediate_dominator(object)
    }

    /// How many objects the object dominates, itself excluded.
    pub fn dominated(&self, object: ObjectId) -> u64 {
        u64::from(self.dominance.dominated(object))
    }

    /// Objects whose immediate dominator is `parent` (`None`: the virtual root), in no order that means anything.
    pub fn dominator_children(&self, parent: Option<ObjectId>) -> impl Iterator<Item = ObjectId> {
        self.dominance.children(parent)
    }

    /// Whether every path to `object` passes `dominator`; an object dominates itself.
    pub fn dominates(&self, dominator: ObjectId, object: ObjectId) -> bool {
        self.dominance.dominates(dominator, object)
    }

    /// Objects that refer to `object`, in address order, once per reference. Instances
    /// refer to their class too; those are not listed here.
    pub fn retainers(&self, object: ObjectId) -> &[u32] {
        self.retainers.row(object.raw())
    }

    /// References from the nearest root: along strong references where those lead, else along
    /// the others that count. `None` where unreachable.
    pub fn distance(&self, object: ObjectId) -> Option<u32> {
        let d = self.ways.distance[object.index()];
        (d != NONE).then_some(d)
    }

    /// The object before on the way that [`Analyzed::distance`] measures; `None` for roots and where unreachable.
    pub fn before(&self, heap: &Heap, object: ObjectId) -> Option<ObjectId> {
        self.ways.before(heap, self.rules, self.retainers(object), object)
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
        self.dominance.class_retained(class)
    }
}
