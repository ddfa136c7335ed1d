//! Shortest ways from the GC roots: the distance of each object, and the object
//! before it on the way.
//!
//! Only distances are a column. The object before is the first retainer that is
//! one nearer and holds firmly enough; for the few objects where looking for it
//! would take long, or where it is an instance that leads to its class, it is
//! found once and kept.

use rayon::prelude::*;

use super::analyzed::Rules;
use super::classes::Strength;
use super::facts::Heap;
use super::ids::ObjectId;
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::graph::csr::Csr;
use crate::graph::distances::{distances, extend_loosely};
use crate::graph::marks::Marks;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Retainers that may be looked through for one step of a way.
const FEW: usize = 4096;

/// Shortest ways from the roots: along strong references, and from there along weaker ones that count.
pub(super) struct Ways {
    /// References from the nearest root; [`NONE`] where unreachable.
    pub(super) distance: Vec<u32>,
    /// Objects that strong references alone do not reach.
    pub(super) only_loosely: Bits,
    /// Objects with the one before them, by object.
    kept: Vec<(u32, u32)>,
}

impl Ways {
    /// Distances; [`Ways::keep`] is still to come.
    pub(super) fn find(
        heap: &Heap,
        rules: Rules,
        roots: &[u32],
        marks: &Marks,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let loose = heap.referents_beyond(Strength::Strong).unwrap_or_default();
        let graph = heap.graph(Some(&loose));
        let mut distance = distances(&graph, roots, marks, task)?;
        let counting = match heap.referents_beyond(rules.weakest) {
            Some(beyond) => loose.without(&beyond),
            None => loose.clone(),
        };
        let only_loosely = extend_loosely(&graph, &counting, &mut distance, task)?;
        Ok(Self { distance, only_loosely, kept: Vec::new() })
    }

    /// Finds what is before the objects with very many retainers, and before classes that only instances lead to.
    pub(super) fn keep(&mut self, heap: &Heap, rules: Rules, retainers: &Csr, task: &Task) -> Result<(), Cancelled> {
        let blocks = (0..heap.len().div_ceil(CHECKPOINT_EVERY)).into_par_iter();
        let many = blocks.map(|block| {
            task.checkpoint()?;
            let rows = block * CHECKPOINT_EVERY..((block + 1) * CHECKPOINT_EVERY).min(heap.len());
            let many = rows.filter(|&row| retainers.begin(row + 1) - retainers.begin(row) > FEW);
            Ok(many.map(|row| row as u32).collect::<Vec<u32>>())
        });
        let many = many.collect::<Result<Vec<_>, Cancelled>>()?.concat();
        let mut kept = Vec::new();
        for object in many.into_iter().filter_map(ObjectId::from_raw) {
            task.checkpoint()?;
            let before = self.search(heap, rules, retainers.row(object.raw()), object);
            kept.extend(before.map(|before| (object.raw(), before)));
        }
        // Distance that an instance must have to lead to its class; none where a retainer leads there.
        let wanted = heap.classes.iter().map(|(_, class)| {
            let class = class.object.filter(|o| !matches!(self.distance[o.index()], 0 | NONE));
            let led = |o: ObjectId| self.search(heap, rules, retainers.row(o.raw()), o).is_some();
            task.checkpoint()?;
            Ok(class.filter(|&o| !led(o)).map_or(NONE, |o| self.distance[o.index()] - 1))
        });
        let wanted: Vec<u32> = wanted.collect::<Result<_, Cancelled>>()?;
        if wanted.iter().any(|&distance| distance != NONE) {
            let mut first = vec![NONE; wanted.len()];
            for block in task.blocks(heap.len()) {
                for row in block? {
                    let class = heap.class_column()[row] as usize;
                    let distance = self.distance[row];
                    if distance == wanted[class] && distance != NONE && first[class] == NONE {
                        let loosely = heap.classes.hubs()[class];
                        if self.only_loosely.contains(loosely) || !self.only_loosely.contains(row as u32) {
                            first[class] = row as u32;
                        }
                    }
                }
            }
            let led = heap.classes.hubs().iter().zip(first).filter(|&(_, first)| first != NONE);
            kept.extend(led.map(|(&class, first)| (class, first)));
        }
        kept.sort_unstable();
        kept.dedup_by_key(|&mut (object, _)| object);
        self.kept = kept;
        Ok(())
    }

    /// The object before `object`, whose retainers are given; `None` for roots and where unreachable.
    pub(super) fn before(&self, heap: &Heap, rules: Rules, retainers: &[u32], object: ObjectId) -> Option<ObjectId> {
        let kept = self.kept.binary_search_by_key(&object.raw(), |&(object, _)| object);
        let before = match kept {
            Ok(at) => Some(self.kept[at].1),
            Err(_) => self.search(heap, rules, retainers, object),
        };
        before.and_then(ObjectId::from_raw)
    }

    /// The first of the retainers that is one nearer and holds firmly enough.
    fn search(&self, heap: &Heap, rules: Rules, retainers: &[u32], object: ObjectId) -> Option<u32> {
        let distance = self.distance[object.index()];
        if distance == 0 || distance == NONE {
            return None;
        }
        // What strong references reach is reached by nothing else on its shortest way.
        let loosely = self.only_loosely.contains(object.raw());
        let weakest = if loosely { rules.weakest } else { Strength::Strong };
        let leads = |&from: &u32| {
            self.distance[from as usize] == distance - 1
                && (loosely || !self.only_loosely.contains(from))
                && holds(heap, from, object, weakest)
        };
        retainers.iter().copied().find(leads)
    }
}

/// Whether one of the references of the retainer `from` is no weaker than `weakest`.
fn holds(heap: &Heap, from: u32, to: ObjectId, weakest: Strength) -> bool {
    let may_be_weak = heap.referent_first.contains(from);
    let row = heap.references.row(from);
    !may_be_weak
        || ObjectId::from_raw(from).is_some_and(|o| heap.class(o).strength <= weakest)
        || row[1..].contains(&to.raw())
}
