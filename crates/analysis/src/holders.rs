//! Holders of a set of objects: for each the nearest dominator outside the set, with the number of objects it holds. And
//! the classes of the set.

use std::collections::HashMap;

use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassId, ObjectId, Totals};

/// A holder and its part of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// The dominator; `None` if several GC roots hold the objects.
    pub object: Option<ObjectId>,
    /// Number of objects of the set whose nearest holder it is.
    pub objects: u64,
}

/// Objects of one class in a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassOfSet {
    /// The class.
    pub class: ClassId,
    /// Number of its objects, and their shallow size.
    pub totals: Totals,
    /// Bytes dominated by single ones of them, each byte once.
    pub retained: Bytes,
}

/// Holder of an object without a dominator, in words: GC roots, if it is one; several objects, none of which
/// dominates it; or nothing.
pub fn beside_dominators(is_root: bool, is_reachable: bool) -> &'static str {
    match (is_root, is_reachable) {
        (true, _) => "GC roots",
        (false, true) => "several objects",
        (false, false) => "nothing",
    }
}

/// A set of objects in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SetSummary {
    /// Number of distinct shown objects in the set.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Bytes dominated by single objects of the set, each byte once: a lower bound of the retained size.
    pub dominated: Bytes,
    /// Its holders, most objects first, ties by address.
    pub holders: Vec<Holder>,
    /// Its classes, largest retained size first, ties by class.
    pub classes: Vec<ClassOfSet>,
}

/// Holders of `objects`, with counts and sizes. Follows dominators only, so it costs little more than
/// visiting each object once.
pub fn holders(dump: DumpData<'_>, objects: &[ObjectId], task: &Task) -> Result<SetSummary, Cancelled> {
    let DumpData { heap, analysis, .. } = dump;
    let mut set = Bits::new(heap.len());
    let mut answer = SetSummary::default();
    let mut of_class: HashMap<ClassId, Vec<ObjectId>> = HashMap::new();
    for &object in objects {
        task.checkpoint()?;
        if analysis.is_reachable(object) && set.insert(object.raw()) {
            answer.objects += 1;
            answer.shallow += heap.shallow(object);
            of_class.entry(heap.class_id(object)).or_default().push(object);
        }
    }
    answer.classes = classes(dump, of_class, task)?;
    answer.dominated = analysis.retained_together(objects.iter().copied());
    // All objects of a selected chain have the same holder: results are cached.
    let mut holder_of: HashMap<ObjectId, Option<ObjectId>> = HashMap::new();
    let mut counts: HashMap<Option<ObjectId>, u64> = HashMap::new();
    let mut chain = Vec::new();
    let mut counted = Bits::new(heap.len());
    for &object in objects {
        task.checkpoint()?;
        if !set.contains(object.raw()) || !counted.insert(object.raw()) {
            continue;
        }
        let mut next = analysis.immediate_dominator(object);
        let holder = loop {
            match next {
                Some(inside) if set.contains(inside.raw()) => match holder_of.get(&inside) {
                    Some(&holder) => break holder,
                    None => {
                        chain.push(inside);
                        next = analysis.immediate_dominator(inside);
                    }
                },
                holder => break holder,
            }
        };
        holder_of.extend(chain.drain(..).map(|inside| (inside, holder)));
        *counts.entry(holder).or_default() += 1;
    }
    answer.holders = counts.into_iter().map(|(object, objects)| Holder { object, objects }).collect();
    answer.holders.sort_by_key(|holder| (std::cmp::Reverse(holder.objects), holder.object));
    Ok(answer)
}

fn classes(
    dump: DumpData<'_>,
    of_class: HashMap<ClassId, Vec<ObjectId>>,
    task: &Task,
) -> Result<Vec<ClassOfSet>, Cancelled> {
    let mut of_class: Vec<(ClassId, Vec<ObjectId>)> = of_class.into_iter().collect();
    of_class.sort_unstable_by_key(|&(class, _)| class);
    let mut classes = Vec::with_capacity(of_class.len());
    for (class, objects) in of_class {
        task.checkpoint()?;
        let shallow = objects.iter().map(|&object| dump.heap.shallow(object)).sum();
        let totals = Totals { objects: objects.len() as u64, shallow };
        classes.push(ClassOfSet { class, totals, retained: dump.analysis.retained_together(objects) });
    }
    classes.sort_by_key(|row| (std::cmp::Reverse(row.retained), row.class));
    Ok(classes)
}
