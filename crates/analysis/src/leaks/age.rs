//! When objects were allocated, from the order of their addresses.
//!
//! Collectors of HotSpot that compact keep the order of allocation, and V8 numbers objects in it, but neither promises
//! so. Elements of a list are allocated in the order of their indices, as a rule: the order counts only if it is that of
//! most lists of the heap.

use std::cmp::Reverse;
use std::ops::Range;

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
/// A location with fewer of those outside it holds nearly the whole heap.
const LEAST_OTHERS: usize = 64;
/// A location with fewer sampled objects tells nothing.
const LEAST_SAMPLE: usize = 16;

/// The order of allocation of a heap.
pub(super) struct AllocationOrder {
    /// Evenly spaced objects, by address.
    marks: Vec<Mark>,
}

/// An object that stands for those around it.
struct Mark {
    address: u64,
    /// Its place in the dominator tree; `None` if it is unreachable.
    place: Option<u32>,
}

impl AllocationOrder {
    /// The order of allocation; `None` if addresses do not tell it.
    pub(super) fn find(question: LeakQuery<'_>, task: &Task) -> Result<Option<Self>, Cancelled> {
        let (heap, analysis) = (question.namer.heap, question.namer.analysis);
        if !is_order_of_lists(question, task)? {
            return Ok(None);
        }
        let rows = (0..heap.len()).step_by(heap.len().div_ceil(MARKS).max(1));
        let mark = |object| Mark {
            address: heap.address(object).0,
            place: analysis.subtree(object).map(|places| places.start),
        };
        let mut marks: Vec<Mark> = rows.filter_map(ObjectId::new).map(mark).collect();
        marks.sort_unstable_by_key(|mark| mark.address);
        Ok(Some(Self { marks }))
    }

    /// Percentages of the heap's other objects allocated before 10 % and before 90 % of a sample of the objects of a
    /// location, which are in the given `places` of the dominator tree, ascending. `None` if it holds nearly everything,
    /// or the sample is too small.
    ///
    /// Other objects alone: a table filled at start that makes up most of the heap would else seem to last to its end.
    pub(super) fn span(&self, question: LeakQuery<'_>, sample: &[ObjectId], places: &[Range<u32>]) -> Option<(u8, u8)> {
        let is_own = |place: u32| {
            let after = places.partition_point(|own| own.start <= place);
            after.checked_sub(1).is_some_and(|at| places[at].contains(&place))
        };
        let others = self.marks.iter().filter(|mark| !mark.place.is_some_and(is_own));
        let others: Vec<u64> = others.map(|mark| mark.address).collect();
        if sample.len() < LEAST_SAMPLE || others.len() < LEAST_OTHERS {
            return None;
        }
        let mut sample: Vec<u64> = sample.iter().map(|&object| question.namer.heap.address(object).0).collect();
        sample.sort_unstable();
        let percent = |tenths: usize| {
            let address = sample[sample.len() * tenths / 10];
            let before = others.partition_point(|&other| other < address);
            (before * 100 / others.len()) as u8
        };
        Some((percent(1), percent(9)))
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
            arrays.par_iter().map(|&array| (Reverse(heap.own_reference_count(array)), array)).collect();
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
