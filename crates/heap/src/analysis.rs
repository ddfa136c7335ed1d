//! Derived data, computed once per heap: reachability, distances, retainers, dominators, retained sizes, totals per
//! class.
//!
//! *a* dominates *b* if every path from a GC root to *b* passes *a*; the nearest such *a* is the *immediate dominator*
//! of *b*; the *retained size* of *a* is the sum of the shallow sizes of all objects it dominates, itself included: the
//! bytes freed if *a* were collected.

use std::{ops::Range, sync::Arc};

use super::dominance::{Clustered, Dominance, Dominators, SearchInput};
use super::native::NativeMemory;
use super::native_charges;
use super::parts::{Part, Parts, RegionTotals};
use super::shortest_paths::{PathColumns, ShortestPaths};
use super::snapshot::StorageOwners;
use super::steps::INDEXING;
use super::{
    ClassId, Heap, ObjectId, RegionKind, Rules, Snapshot, Strength, Totals, VmRoots, roots::Roots, sections,
    totals::Counts, vm_roots,
};
use heaplens_base::storage::{MemoryBudget, trim};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_graph::{Csr, Links, Marks, leaves::exclusive_leaves, links::transpose_links};

/// One object in this many: with fewer that have several incoming references or none, the search for clusters keeps
/// few threads busy, and distances are measured beside it.
const FEW_HEADS: usize = 64;

/// Derived columns of one heap under one set of [`Rules`].
pub struct Analysis {
    /// Rules by which all columns were derived.
    pub rules: Rules,
    pub(super) dominance: Dominance,
    /// Incoming references, without those to classes from their instances.
    pub(super) retainers: Links,
    pub(super) paths: ShortestPaths,
    pub(super) class_totals: Vec<Totals>,
    /// Totals of the objects shown by default.
    pub shown: Totals,
    /// Totals of unreachable objects.
    pub unreachable: Totals,
    pub(super) parts: Parts,
    /// By class, shortest distance of its objects as shown by the tools of the format; empty if they show none.
    pub(super) class_distances: Vec<Option<u32>>,
    pub(super) storage_owners: StorageOwners,
}

impl Analysis {
    /// Computes everything. `references` are those of the heap in memory. Each step is reported to `task`.
    pub fn derive(
        heap: &Heap,
        references: Arc<Csr>,
        rules: Rules,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let rows = references.view();
        task.step(INDEXING, Unit::Objects, heap.len() as u64);
        let (retainers, single) = transpose_links(rows, budget, sections::RETAINERS, task)?;
        let graph = heap.graph(rows, None);
        let ignoring = match rules.vm_roots {
            VmRoots::Count => None,
            VmRoots::Ignore => Some(vm_roots::counting(heap, rows, rules, task)?),
        };
        let counting = ignoring.as_ref().unwrap_or(&heap.roots);
        let roots = counting.objects();
        let leaves = exclusive_leaves(&graph, single.clone(), roots, &heap.referents(), task)?;
        let marks = Marks::new(&graph, roots, &leaves, task)?;
        let settled = SearchInput { single: &single, leaves: &leaves, marks: &marks };
        let measure = |roots: &[u32], marks: &Marks| {
            PathColumns::find(heap, rows, rules, roots, marks, budget, task)?.keep(heap, &retainers, budget, task)
        };
        let cluster = || Clustered::find(heap, rows, rules, counting, &settled, budget, task);
        let adds_roots = rules.keep_unreachable && heap.snapshot().is_none();
        let heads = heap.len().saturating_sub(single.count());
        let (searched, paths) = if heads < heap.len() / FEW_HEADS && !adds_roots {
            // A few long chains: one thread gathers each cluster.
            rayon::join(|| cluster()?.search(budget, task), || measure(roots, &marks))
        } else {
            let clustered = cluster()?;
            let added = adds_roots.then(|| clustered.roots().clone());
            // The rest of the search is serial; distances are independent of it.
            rayon::join(
                || clustered.search(budget, task),
                || match &added {
                    None => measure(roots, &marks),
                    // Distances are measured from the roots added for unreachable objects too.
                    Some(all) => measure(all.objects(), &Marks::new(&graph, all.objects(), &leaves, task)?),
                },
            )
        };
        let (searched, paths) = (searched?, paths?);
        // Release memory that the next step needs.
        drop((marks, references, leaves, single));
        trim::give_back();
        let dominators = Dominators::find(searched, heap, budget, task)?;
        trim::give_back();
        let dominance = Dominance::sum(dominators, heap, budget, task)?;
        let Counts { classes, shown, unreachable } = Counts::of(heap, dominance.preorders(), task)?;
        let parts = Parts::find(heap, &dominance, (&retainers, &paths), budget, task)?;
        let dominance = dominance.keep(budget);
        let class_distances = paths.by_class(heap, task)?;
        let class_totals = classes;
        Ok(Self {
            rules,
            dominance,
            retainers,
            paths,
            class_totals,
            shown,
            unreachable,
            parts,
            class_distances,
            storage_owners: StorageOwners::default(),
        })
    }

    /// Roots: those of the file that count, and with `keep_unreachable` those added for unreachable objects.
    pub fn roots(&self) -> &Roots {
        &self.dominance.roots
    }

    /// True if the object is reachable from a root, or included although unreachable.
    pub fn is_reachable(&self, object: ObjectId) -> bool {
        self.dominance.is_reachable(object)
    }

    /// Position of the object in the preorder of the dominator tree: an object comes before all objects it dominates.
    /// `None` if unreachable.
    pub fn preorder(&self, object: ObjectId) -> Option<u32> {
        self.dominance.preorder(object)
    }

    /// By row, position of the object in the preorder of the dominator tree; 0 if unreachable.
    pub fn preorders(&self) -> &[u32] {
        self.dominance.preorders()
    }

    /// Positions of an object and of all it dominates. `None` if unreachable.
    pub fn subtree(&self, object: ObjectId) -> Option<Range<u32>> {
        self.dominance.subtree(object)
    }

    /// Retained set of the object, itself included: number of objects and retained size.
    pub fn kept_by(&self, object: ObjectId) -> Totals {
        let Some(preorders) = self.subtree(object) else { return Totals::default() };
        Totals { objects: preorders.len() as u64, shallow: self.dominance.bytes_at(preorders) }
    }

    /// Retained size of the object in bytes, itself included; 0 if unreachable.
    pub fn retained(&self, object: ObjectId) -> Bytes {
        self.dominance.retained(object)
    }

    /// Immediate dominator as shown by the tools of the format: in a snapshot, the topmost objects are dominated by its
    /// root.
    pub fn shown_immediate_dominator(&self, heap: &Heap, object: ObjectId) -> Option<ObjectId> {
        let top = self.top(heap).filter(|&top| top != object && self.is_reachable(object));
        self.immediate_dominator(object).or(top)
    }

    /// Rows of the objects that refer to `object`, in address order, once per reference. Instances
    /// refer to their class too; those are not listed here.
    pub fn retainers(&self, object: ObjectId) -> &[u32] {
        self.retainers.row(object.raw())
    }

    /// Objects that refer to an object, in address order, each once however many of its references do.
    pub fn referrers(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> + use<'_> {
        let each = self.retainers(object).chunk_by(|one, next| one == next);
        each.filter_map(|same| same.first().copied().and_then(ObjectId::from_raw))
    }

    /// Loads in the background where the retainers of the object in a row are.
    #[inline]
    pub fn prefetch_retainers_start(&self, row: u32) {
        self.retainers.prefetch_start(row);
    }

    /// Loads in the background what [`Analysis::preorder`] and [`Analysis::is_reachable`] read.
    #[inline]
    pub fn prefetch_preorder(&self, row: u32) {
        self.dominance.prefetch_preorder(row);
    }

    /// Number of references from the nearest root: along strong references if possible, otherwise along the strongest
    /// of the others. `None` if unreachable.
    pub fn distance(&self, object: ObjectId) -> Option<u32> {
        self.paths.distance(object.raw())
    }

    /// Distance as shown by the tools of the format. For snapshots of JavaScript engines, DevTools' own: objects
    /// reachable only from the engine's roots are 100,000,000 further away, and those reachable only by weak edges have
    /// none.
    pub fn shown_distance(&self, heap: &Heap, object: ObjectId) -> Option<u32> {
        self.paths.shown(object.raw(), heap.snapshot().is_some_and(Snapshot::has_user_roots))
    }

    /// Shortest distance of the objects of a class as shown by the tools of the format, `None` if one of them has none.
    /// Always `None` in formats whose tools show no distances of classes.
    pub fn class_distance(&self, class: ClassId) -> Option<u32> {
        self.class_distances.get(class.index()).copied().flatten()
    }

    /// True if distances of classes are known.
    pub fn has_class_distances(&self) -> bool {
        !self.class_distances.is_empty()
    }

    /// Root object from which everything is reachable and that dominates all others, if the format has one.
    pub fn top(&self, heap: &Heap) -> Option<ObjectId> {
        heap.snapshot().and_then(|snapshot| ObjectId::from_raw(snapshot.root()))
    }

    /// Predecessor on the path measured by [`Analysis::distance`]; `None` for roots and unreachable objects.
    pub fn predecessor(&self, heap: &Heap, object: ObjectId) -> Option<ObjectId> {
        self.paths.predecessor(heap, self.retainers(object), object)
    }

    /// Reachability strength: the best, over all root paths, of each path's weakest reference. `None` if unreachable.
    pub fn strength(&self, object: ObjectId) -> Option<Strength> {
        self.distance(object).map(|_| self.paths.strength(object.raw()))
    }

    /// True if the object is reachable from a root by strong references only.
    pub fn strongly_reachable(&self, object: ObjectId) -> bool {
        self.strength(object) == Some(Strength::Strong)
    }

    /// Number of shown objects of a class, and the sum of their shallow sizes in bytes.
    pub fn class_totals(&self, class: ClassId) -> Totals {
        self.class_totals.get(class.index()).copied().unwrap_or_default()
    }

    /// Parts of retained sizes: heap regions in column order, and native memory. Empty if the format has neither.
    pub fn parts(&self) -> Vec<Part> {
        let all = RegionKind::ALL.into_iter().map(Part::Region).chain([Part::Native]);
        all.filter(|&part| self.parts.has(part)).collect()
    }

    /// Totals of the shown objects of each heap region.
    pub fn region_totals(&self) -> &[RegionTotals] {
        &self.parts.tables.regions
    }

    /// Share of the retained size of an object that belongs to `part`.
    pub fn retained_part(&self, object: ObjectId, part: Part) -> Bytes {
        self.parts.retained(&self.dominance, object, part)
    }

    /// Share of the retained size of a class that belongs to `part`.
    pub fn class_retained_part(&self, class: ClassId, part: Part) -> Bytes {
        self.parts.class_retained(class, part)
    }

    /// True if an object has its native memory until it is collected. A cleaner that is left alone with it frees it.
    pub fn has_live_native(&self, owned: NativeMemory) -> bool {
        let is_kept = |strength| native_charges::is_live(owned.kind, strength);
        self.is_reachable(owned.object) && self.strength(owned.object).is_none_or(is_kept)
    }

    /// Native memory of the shown objects of a class, in bytes.
    pub fn class_native(&self, class: ClassId) -> Bytes {
        Bytes(self.parts.tables.native.get(class.index()).copied().unwrap_or_default())
    }
}
