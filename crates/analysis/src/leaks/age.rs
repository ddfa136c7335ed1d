//! When objects were allocated, from the order of their addresses.
//!
//! Collectors of HotSpot that compact keep the order of allocation, and V8 numbers objects in it, but neither promises
//! so. Elements of a list are allocated in the order of their indices, as a rule: the order counts only if it is that of
//! most lists of the heap.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::query::LeakQuery;
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{ClassId, ClassKind, Heap, LogicalKind, ObjectId, Role};

/// Arrays of V8, and the tables of its maps and sets, which are in the order of insertion.
const OF_V8: [&str; 4] = ["Array", "(array)", "(internal array)", "(object elements)"];
/// Number of evenly spaced objects whose addresses stand for all.
const MARKS: usize = 4_096;
/// Maximum number of lists examined.
const LISTS: usize = 2_000;
/// Elements examined per list.
const ELEMENTS: u64 = 256;
/// Lists with fewer elements tell nothing.
const LEAST_ELEMENTS: usize = 8;
/// Arrays with fewer elements tell nothing.
const LEAST_OF_ARRAY: usize = 32;
/// Heaps with fewer pairs of neighbours in lists tell nothing.
const LEAST_PAIRS: usize = 48;
/// A location that holds a larger part of the heap has too few other objects beside it.
const MOST_OF_HEAP: f64 = 0.98;
/// A location with fewer sampled objects tells nothing.
const LEAST_SAMPLE: usize = 16;

/// The order of allocation of a heap.
pub(super) struct AllocationOrder {
    /// Addresses of evenly spaced objects, ascending.
    marks: Vec<u64>,
}

impl AllocationOrder {
    /// The order of allocation; `None` if addresses do not tell it.
    pub(super) fn find(question: LeakQuery<'_>, task: &Task) -> Result<Option<Self>, Cancelled> {
        let heap = question.namer.heap;
        if !is_order_of_lists(question, task)? {
            return Ok(None);
        }
        let rows = (0..heap.len()).step_by(heap.len().div_ceil(MARKS).max(1));
        let mut marks: Vec<u64> = rows.filter_map(ObjectId::new).map(|object| heap.address(object).0).collect();
        marks.sort_unstable();
        Ok((marks.len() > 1).then_some(Self { marks }))
    }

    /// Percentages of the heap's other objects allocated before 10 % and before 90 % of the `own` objects of a location,
    /// by a sample of them. `None` if it holds nearly everything, or the sample is too small.
    ///
    /// Other objects alone: a table filled at start that makes up most of the heap would else seem to last to its end.
    pub(super) fn span(&self, question: LeakQuery<'_>, sample: &[ObjectId], own: u64) -> Option<(u8, u8)> {
        let heap = question.namer.heap;
        let own = own as f64 / heap.len() as f64;
        if sample.len() < LEAST_SAMPLE || own > MOST_OF_HEAP {
            return None;
        }
        let mut sample: Vec<u64> = sample.iter().map(|&object| heap.address(object).0).collect();
        sample.sort_unstable();
        let percent = |tenths: usize| {
            let address = sample[sample.len() * tenths / 10];
            let before = self.marks.partition_point(|&mark| mark < address) as f64 / self.marks.len() as f64;
            let others = (before - own * tenths as f64 / 10.0) / (1.0 - own);
            (others.clamp(0.0, 1.0) * 100.0) as u8
        };
        let last = percent(9);
        Some((percent(1).min(last), last))
    }
}

/// True if the elements of most lists lie in the order of their indices.
fn is_order_of_lists(question: LeakQuery<'_>, task: &Task) -> Result<bool, Cancelled> {
    let namer = question.namer;
    let (heap, analysis) = (namer.heap, namer.analysis);
    let is_meant = |class: ClassId| match heap.snapshot() {
        Some(_) => OF_V8.contains(&&*heap.classes.get(class).name),
        None => is_array(heap, class),
    };
    let mut arrays = shown_of(heap, analysis, is_meant, task)?;
    // The longest: their elements were allocated over a long time.
    if arrays.len() > LISTS {
        let mut by_length: Vec<(Reverse<usize>, ObjectId)> =
            arrays.par_iter().map(|&array| (Reverse(heap.own_references(array).len()), array)).collect();
        by_length.select_nth_unstable(LISTS);
        by_length.truncate(LISTS);
        arrays = by_length.into_iter().map(|(_, array)| array).collect();
    }
    // The array of a list has room that is not used.
    let list_of = |array| {
        let above = analysis.immediate_dominator(array).filter(|_| heap.snapshot().is_none());
        above.filter(|&above| namer.contents.role(heap.class_id(above)) == Role::Collection).unwrap_or(array)
    };
    let lists = arrays.into_iter().map(list_of);
    let (mut in_order, mut examined, mut pairs) = (0, 0, 0);
    for list in lists {
        task.checkpoint()?;
        let is_array = is_array(heap, heap.class_id(list));
        let elements = elements(question, list);
        if elements.len() < if is_array { LEAST_OF_ARRAY } else { LEAST_ELEMENTS } {
            continue;
        }
        let ascending = elements.windows(2).filter(|two| two[0] < two[1]).count();
        let is_in_order = ascending * 10 >= (elements.len() - 1) * 9;
        // An array may be a hash table, which is in no order.
        if is_in_order || !is_array {
            examined += 1;
            pairs += elements.len() - 1;
            in_order += usize::from(is_in_order);
        }
    }
    Ok(pairs >= LEAST_PAIRS && in_order * 3 >= examined * 2)
}

/// True if objects of a class may also be hash tables.
fn is_array(heap: &Heap, class: ClassId) -> bool {
    let class = heap.classes.get(class);
    match heap.snapshot() {
        Some(_) => &*class.name != OF_V8[0],
        None => class.kind == ClassKind::ObjectArray,
    }
}

/// Addresses of the first elements that only the list holds, in the order of their indices; of the class of most alone.
fn elements(question: LeakQuery<'_>, list: ObjectId) -> Vec<u64> {
    let (heap, contents, analysis) = (question.namer.heap, question.namer.contents, question.namer.analysis);
    let elements: Vec<ObjectId> = if heap.snapshot().is_some() || is_array(heap, heap.class_id(list)) {
        let held = heap.own_references(list).iter().take(ELEMENTS as usize);
        held.filter_map(|&row| ObjectId::from_raw(row)).collect()
    } else {
        let logical = contents.logical(heap, list, 0..ELEMENTS);
        let logical = logical.filter(|logical| logical.kind == LogicalKind::List && logical.capacity.is_some());
        let entries = logical.map(|logical| logical.entries).unwrap_or_default();
        entries.iter().filter_map(|entry| entry.value.object()).collect()
    };
    // Elements of several classes, or with other holders, were not allocated for the list.
    let class = elements.last().map(|&element| heap.class_id(element));
    let is_own = |&element: &ObjectId| Some(heap.class_id(element)) == class && analysis.dominates(list, element);
    let mut addresses: Vec<u64> = elements.into_iter().filter(is_own).map(|element| heap.address(element).0).collect();
    addresses.dedup();
    addresses
}
