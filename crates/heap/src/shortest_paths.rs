//! Shortest paths from the GC roots: distance of each object, and its predecessor.
//!
//! Only distances are a column. The predecessor is the first retainer with a distance lower by one and a sufficient
//! strength; for the few objects where this search would take long, or where it is an instance that leads to its class,
//! it is computed once and stored.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::snapshot::SYSTEM_DISTANCE;
use super::snapshot::distances::Distances;
use super::{Heap, ObjectId, Rules, Snapshot, Strength, sections};
use heaplens_base::storage::{Buffer, Column, MemoryBudget, Numbers, StoredAnalysis};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::distances::{distances, extend_loosely};
use heaplens_graph::{Bits, Links, Marks, NONE, Rows};

/// Strengths below strong, the strongest first.
const LOOSE: [Strength; 4] = [Strength::Soft, Strength::Final, Strength::Weak, Strength::Phantom];

/// Maximum number of retainers to search for one step of a path.
const FEW: usize = 4096;

/// Shortest paths from the roots: along strong references, and from there along weaker ones that count, the strongest
/// first.
pub(super) struct ShortestPaths {
    /// Distance of each object plus 1; 0 if unreachable.
    distance: Numbers,
    /// Objects that are not strongly reachable, ascending, and the weakest reference on the path to each.
    only_loosely: Column<u32>,
    strengths: Column<u8>,
    /// Objects with a stored predecessor, ascending, and these predecessors.
    with_predecessor: Column<u32>,
    predecessors: Column<u32>,
    /// True if distances follow the format's own rule; strengths then encode their origin.
    uses_format_rules: bool,
}

/// Origin of a distance by snapshot rules, used in place of a strength.
mod from {
    /// Measured from objects of the program that the root leads to.
    pub(super) const USER_ROOTS: u8 = 0;
    /// Measured from the root, for objects not reachable from those.
    pub(super) const ROOT: u8 = 1;
    /// Reachable only by weak edges.
    pub(super) const ONLY_WEAKLY: u8 = 2;
}

/// Distances, before the paths are written to the column file.
pub(super) struct PathColumns {
    distance: Buffer<u32>,
    /// Objects reachable only through references this weak, or by snapshot rules from there.
    loosely: Vec<(u8, Bits)>,
    uses_format_rules: bool,
}

impl PathColumns {
    /// Computes distances along the references of the heap, with `references` in memory.
    pub(super) fn find(
        heap: &Heap,
        references: Rows<'_>,
        rules: Rules,
        roots: &[u32],
        marks: &Marks,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        if let Some(distances_of_snapshot) = heap.snapshot().and_then(Snapshot::take_distances) {
            return Self::distances_of_snapshot(distances_of_snapshot, references, roots, task);
        }
        let loose = heap.referents_beyond(Strength::Strong).unwrap_or_default();
        let graph = heap.graph(references, Some(&loose));
        let mut distance = distances(&graph, roots, marks, budget, task)?;
        let mut loosely = Vec::new();
        let mut known = 0;
        // Strongest first: objects reached so are not searched for along weaker references, however short these paths
        // are.
        for weakest in LOOSE.into_iter().filter(|&strength| strength <= rules.min_strength) {
            let counting = match heap.referents_beyond(weakest) {
                Some(beyond) => loose.without(&beyond),
                None => loose.clone(),
            };
            if std::mem::replace(&mut known, counting.count()) < counting.count() {
                loosely.push((weakest as u8, extend_loosely(&graph, &counting, &mut distance, task)?));
            }
        }
        distance.par_iter_mut().for_each(|d| *d = d.wrapping_add(1));
        Ok(Self { distance, loosely, uses_format_rules: false })
    }

    /// Distances by snapshot rules; for retained nodes without one, measured from the roots that only weak edges lead
    /// to.
    fn distances_of_snapshot(
        distances_of_snapshot: Distances,
        references: Rows<'_>,
        roots: &[u32],
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let Distances { mut distance, system } = distances_of_snapshot;
        let mut weakly = Bits::new(distance.len());
        let mut queue: Vec<u32> = roots.iter().copied().filter(|&root| distance[root as usize] == 0).collect();
        queue.iter().for_each(|&root| distance[root as usize] = 1);
        let mut at = 0;
        while let Some(&row) = queue.get(at) {
            task.checkpoint_at(at)?;
            at += 1;
            weakly.insert(row);
            for &to in references.row(row) {
                if distance[to as usize] == 0 {
                    distance[to as usize] = distance[row as usize] + 1;
                    queue.push(to);
                }
            }
        }
        Ok(Self { distance, loosely: vec![(from::ROOT, system), (from::ONLY_WEAKLY, weakly)], uses_format_rules: true })
    }

    /// Writes the paths to the column file, with the predecessors of objects with very many retainers, and of classes
    /// that only instances lead to.
    pub(super) fn keep(
        self,
        heap: &Heap,
        retainers: &Links,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<ShortestPaths, Cancelled> {
        let strength = |(strength, objects): &(u8, Bits)| {
            let strength = *strength;
            objects.iter().map(move |object| (object, strength)).collect::<Vec<_>>()
        };
        let mut loosely: Vec<(u32, u8)> = self.loosely.iter().flat_map(strength).collect();
        loosely.sort_unstable();
        let (only_loosely, strengths): (Vec<u32>, Vec<u8>) = loosely.into_iter().unzip();
        let mut paths = ShortestPaths {
            distance: Numbers::from(Column::from(self.distance)),
            only_loosely: budget.keep(sections::ONLY_LOOSELY, only_loosely),
            strengths: budget.keep(sections::LOOSE_STRENGTHS, strengths),
            with_predecessor: Column::default(),
            predecessors: Column::default(),
            uses_format_rules: self.uses_format_rules,
        };
        let mut stored = paths.before_much_retained(heap, retainers, task)?;
        stored.append(&mut paths.before_classes(heap, retainers, task)?);
        stored.sort_unstable();
        stored.dedup_by_key(|&mut (object, _)| object);
        let (objects, before): (Vec<u32>, Vec<u32>) = stored.into_iter().unzip();
        paths.with_predecessor = budget.keep(sections::KEPT_WAYS, objects);
        paths.predecessors = budget.keep(sections::KEPT_BEFORE, before);
        if let Numbers::Words(distance) = paths.distance {
            paths.distance = budget.keep_numbers(sections::DISTANCE, distance);
        }
        Ok(paths)
    }
}

impl ShortestPaths {
    /// Loads the stored columns.
    pub(super) fn stored(stored: &StoredAnalysis, uses_format_rules: bool) -> Option<Self> {
        Some(Self {
            distance: Numbers::find(stored, sections::DISTANCE)?,
            only_loosely: stored.column(sections::ONLY_LOOSELY)?,
            strengths: stored.column(sections::LOOSE_STRENGTHS)?,
            with_predecessor: stored.column(sections::KEPT_WAYS)?,
            predecessors: stored.column(sections::KEPT_BEFORE)?,
            uses_format_rules,
        })
    }

    /// True if distances follow the format's own rule.
    pub(super) fn uses_format_rules(&self) -> bool {
        self.uses_format_rules
    }

    /// Distance as shown by the tools of the format: objects reachable only from the engine's roots are very far, and
    /// those reachable only by weak edges have none.
    pub(super) fn shown(&self, row: u32, has_user_roots: bool) -> Option<u32> {
        let distance = self.distance(row)?;
        if !self.uses_format_rules {
            return Some(distance);
        }
        shown(Some(distance), self.level(row), has_user_roots)
    }

    /// By class, shortest distance as shown by the tools of the format; `None` if one of its objects has none. Empty if
    /// distances do not follow the format's rule.
    pub(super) fn by_class(&self, heap: &Heap, task: &Task) -> Result<Vec<Option<u32>>, Cancelled> {
        if !self.uses_format_rules {
            return Ok(Vec::new());
        }
        let (has_user_roots, classes) = (heap.snapshot().is_some_and(Snapshot::has_user_roots), heap.class_column());
        // Rows whose distance is not simply that of the column, ascending.
        let mut loosely = self.only_loosely.all().iter().zip(self.strengths.all()).peekable();
        let mut nearest = vec![Some(u32::MAX); heap.classes.len()];
        let (distances, classes) = (self.distance.slices(), classes.slices());
        for block in task.blocks(heap.len()) {
            for row in block? {
                let level = loosely.next_if(|&(&of, _)| of == row as u32).map_or(from::USER_ROOTS, |(_, &level)| level);
                let distance = distances.get(row).and_then(|distance| distance.checked_sub(1));
                let shown = shown(distance, level, has_user_roots);
                let of = classes.get(row).and_then(|class| nearest.get_mut(class as usize));
                if let Some(of) = of {
                    *of = of.zip(shown).map(|(before, this)| before.min(this));
                }
            }
        }
        Ok(nearest)
    }

    /// Strength of the path, or the origin of its distance, as a number.
    fn level(&self, row: u32) -> u8 {
        let Ok(at) = self.only_loosely.all().binary_search(&row) else { return from::USER_ROOTS };
        self.strengths.get(at).unwrap_or(Strength::Phantom as u8)
    }

    /// Number of references from the nearest root; `None` if unreachable.
    pub(super) fn distance(&self, row: u32) -> Option<u32> {
        self.distance.get(row as usize)?.checked_sub(1)
    }

    /// Reachability strength of a reachable object: the best, over all root paths, of each path's weakest reference.
    pub(super) fn strength(&self, row: u32) -> Strength {
        if self.uses_format_rules {
            return Strength::Strong;
        }
        match self.level(row) {
            from::USER_ROOTS => Strength::Strong,
            level => LOOSE.into_iter().find(|&of| of as u8 == level).unwrap_or(Strength::Phantom),
        }
    }

    /// Objects with very many retainers, and their predecessors.
    fn before_much_retained(&self, heap: &Heap, retainers: &Links, task: &Task) -> Result<Vec<(u32, u32)>, Cancelled> {
        let mut objects = Vec::new();
        for object in retainers.long_rows(FEW).into_iter().filter_map(ObjectId::from_raw) {
            task.checkpoint()?;
            let before = self.search(heap, retainers.row(object.raw()), object);
            objects.extend(before.map(|before| (object.raw(), before)));
        }
        Ok(objects)
    }

    /// Class objects that only instances lead to, and the first of these instances.
    fn before_classes(&self, heap: &Heap, retainers: &Links, task: &Task) -> Result<Vec<(u32, u32)>, Cancelled> {
        // Distance that an instance must have to be the predecessor of its class; `NONE` if another retainer is.
        let wanted = heap.classes.iter().map(|(_, class)| {
            task.checkpoint()?;
            let distance = |o: ObjectId| self.distance(o.raw()).filter(|&d| d != 0);
            let led = |o: ObjectId| self.search(heap, retainers.row(o.raw()), o).is_some();
            Ok(class.object.filter(|&o| distance(o).is_some() && !led(o)).and_then(distance).map_or(NONE, |d| d - 1))
        });
        let wanted: Vec<u32> = wanted.collect::<Result<_, Cancelled>>()?;
        if wanted.iter().all(|&distance| distance == NONE) {
            return Ok(Vec::new());
        }
        let (hubs, classes, distances) = (heap.classes.hubs(), heap.class_column().slices(), self.distance.slices());
        let first: Vec<AtomicU32> = wanted.iter().map(|_| AtomicU32::new(NONE)).collect();
        task.par_blocks(heap.len()).try_for_each(|block| {
            for row in block? {
                let class = classes.get(row).map_or(usize::MAX, |class| class as usize);
                let Some(&wanted) = wanted.get(class).filter(|&&wanted| wanted != NONE) else { continue };
                let distance = distances.get(row).and_then(|distance| distance.checked_sub(1));
                let row = row as u32;
                // Threads come to the rows of a class in any order: the lowest one counts.
                let is_strong_enough = || self.strength(row) <= self.strength(hubs[class]);
                if distance == Some(wanted) && row < first[class].load(Ordering::Relaxed) && is_strong_enough() {
                    first[class].fetch_min(row, Ordering::Relaxed);
                }
            }
            Ok(())
        })?;
        let first = first.into_iter().map(AtomicU32::into_inner);
        Ok(hubs.iter().copied().zip(first).filter(|&(_, first)| first != NONE).collect())
    }

    /// Predecessor of `object`, given its retainers; `None` for roots and unreachable objects.
    pub(super) fn predecessor(&self, heap: &Heap, retainers: &[u32], object: ObjectId) -> Option<ObjectId> {
        let before = match self.with_predecessor.all().binary_search(&object.raw()) {
            Ok(at) => self.predecessors.get(at),
            Err(_) => self.search(heap, retainers, object),
        };
        // Always nearer, even in a damaged file, so paths are finite.
        let nearer = |&row: &u32| self.distance(row) < self.distance(object.raw());
        before.filter(nearer).and_then(ObjectId::from_raw)
    }

    /// First retainer with a distance lower by one and a sufficient strength.
    fn search(&self, heap: &Heap, retainers: &[u32], object: ObjectId) -> Option<u32> {
        let nearer = self.distance(object.raw())?.checked_sub(1)?;
        if self.uses_format_rules {
            return self.search_by_rule(heap, retainers, object, nearer);
        }
        // Shortest paths to strongly reachable objects use strong references only, and so on for weaker strengths.
        let weakest = self.strength(object.raw());
        let leads = |&from: &u32| {
            self.distance(from) == Some(nearer) && self.strength(from) <= weakest && holds(heap, from, object, weakest)
        };
        retainers.iter().copied().find(leads)
    }

    /// The same by snapshot rules, which follow edges that do not count for dominators.
    fn search_by_rule(&self, heap: &Heap, retainers: &[u32], object: ObjectId, nearer: u32) -> Option<u32> {
        let level = self.level(object.raw());
        let leads = |&from: &u32| {
            // The distance of the root is measured from itself, and it leads to all user roots.
            let of_root = heap.snapshot().is_some_and(|snapshot| snapshot.root() == from);
            self.distance(from) == Some(nearer) && (of_root || self.level(from) == level)
        };
        let non_retaining = heap.snapshot().into_iter().flat_map(|snapshot| {
            let holds = move |&from: &u32| {
                let from = ObjectId::from_raw(from);
                from.is_some_and(|from| snapshot.leads(from, object))
            };
            snapshot.non_retaining_referrers(object).iter().copied().filter(holds)
        });
        retainers.iter().copied().find(leads).or_else(|| non_retaining.into_iter().find(leads))
    }
}

/// Distance as shown by the tools of the format.
fn shown(distance: Option<u32>, level: u8, has_user_roots: bool) -> Option<u32> {
    match level {
        from::ONLY_WEAKLY => None,
        from::ROOT if has_user_roots => distance?.checked_add(SYSTEM_DISTANCE),
        _ => distance,
    }
}

/// True if one of the references of the retainer `from` is no weaker than `weakest`.
fn holds(heap: &Heap, from: u32, to: ObjectId, weakest: Strength) -> bool {
    let Some(from) = ObjectId::from_raw(from) else { return false };
    !heap.has_referent_first(from)
        || heap.class(from).strength <= weakest
        || heap.references(from).iter().skip(1).any(|&other| other == to.raw())
}
