//! Pairs of objects of which one is older than the other: elements of lists, numbers that rise, classes and objects.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::cells::Cells;
use super::orders::{self, LEAST_ELEMENTS, NumberRule};
use crate::naming::Namer;
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, Heap, LogicalKind, ObjectId, Role, Value};

/// Arrays of V8, and the tables of its maps and sets, which are in the order of insertion.
const OF_V8: [&str; 4] = ["Array", "(array)", "(internal array)", "(object elements)"];
/// Maximum number of lists examined.
const LISTS: usize = 2_000;
/// Elements examined per list.
const ELEMENTS: u64 = 512;
/// Arrays with fewer elements tell nothing.
const LEAST_OF_ARRAY: usize = 32;
/// Pairs compared per sequence.
const PAIRS: usize = 96;
/// Objects sampled for numbers, and for their classes.
const SAMPLED: usize = 1 << 16;
/// Objects of a class examined for numbers.
const OF_CLASS: usize = 256;
/// Classes examined for numbers.
const CLASSES: usize = 64;

/// What tells the order of two objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VoteKind {
    /// Elements of a list, which are added at its end.
    List,
    /// Numbers or times in a field.
    Number,
    /// A class, which is loaded before its first object is allocated.
    Class,
}

/// Two cells with an object each, of which one is older.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vote {
    pub(super) kind: VoteKind,
    pub(super) older: usize,
    pub(super) newer: usize,
}

/// All votes of a heap, and what neighbours of lists tell.
#[derive(Default)]
pub(super) struct Votes {
    pub(super) all: Vec<Vote>,
    /// Cells of the elements of lists and of objects with numbers, each sequence oldest first.
    pub(super) sequences: Vec<Vec<usize>>,
    /// Cells of neighbours in a list, the second of which is at a lower address in the same or the next cell.
    pub(super) reversed: Vec<usize>,
    /// Cells of neighbours in a list, the second of which is at a higher address in the same or the next cell.
    pub(super) straight: Vec<usize>,
}

/// Votes of a heap.
pub(super) fn votes(namer: Namer<'_>, cells: &Cells, task: &Task) -> Result<Votes, Cancelled> {
    let mut votes = Votes::default();
    lists(namer, cells, &mut votes, task)?;
    if namer.heap.snapshot().is_none() {
        objects(namer, cells, &mut votes, task)?;
    }
    Ok(votes)
}

impl Votes {
    /// Adds pairs of a sequence of addresses, oldest first, at several distances.
    fn add(&mut self, kind: VoteKind, cells: &Cells, sequence: &[u64]) {
        let at: Vec<usize> = sequence.iter().map(|&address| cells.at(address)).collect();
        for n in 0..PAIRS.min(sequence.len()) {
            // Evenly spread first objects, and distances from near to the whole length.
            let first = n * sequence.len() / PAIRS.min(sequence.len());
            let rest = sequence.len() - 1 - first;
            let distance = rest * (n % 4 + 1) / 4;
            if distance > 0 && at[first] != at[first + distance] {
                self.all.push(Vote { kind, older: at[first], newer: at[first + distance] });
            }
        }
        if kind == VoteKind::List {
            for (two, cell) in sequence
                .windows(2)
                .zip(&at)
                .zip(&at[1..])
                .filter_map(|((two, &one), &other)| (one.abs_diff(other) <= 1).then_some((two, one)))
            {
                if two[1] < two[0] { self.reversed.push(cell) } else { self.straight.push(cell) }
            }
        }
        self.sequences.push(at);
    }
}

fn lists(namer: Namer<'_>, cells: &Cells, votes: &mut Votes, task: &Task) -> Result<(), Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let is_meant = |class: ClassId| match heap.snapshot() {
        Some(_) => OF_V8.contains(&&*heap.classes.get(class).name),
        None => is_array(heap, class),
    };
    let mut arrays = shown_of(namer.dump, is_meant, task)?;
    // The longest: their elements were allocated over a long time.
    if arrays.len() > LISTS {
        let mut by_length: Vec<(Reverse<usize>, ObjectId)> =
            arrays.par_iter().map(|&array| (Reverse(heap.own_reference_count(array)), array)).collect();
        by_length.select_nth_unstable(LISTS);
        by_length.truncate(LISTS);
        by_length.sort_unstable();
        arrays = by_length.into_iter().map(|(_, array)| array).collect();
    }
    // The array of a list has room that is not used.
    let list_of = |array| {
        let above = analysis.immediate_dominator(array).filter(|_| heap.snapshot().is_none());
        above.filter(|&above| namer.contents.role(heap.class_id(above)) == Role::Collection).unwrap_or(array)
    };
    for list in arrays.into_iter().map(list_of) {
        task.checkpoint()?;
        let is_array = is_array(heap, heap.class_id(list));
        let Some(elements) = elements(namer, list) else { continue };
        let min_length = if is_array { LEAST_OF_ARRAY } else { LEAST_ELEMENTS };
        // An array may be a hash table, which is in no order.
        if elements.len() >= min_length && (!is_array || orders::is_in_order(&elements)) {
            votes.add(VoteKind::List, cells, &elements);
        }
    }
    Ok(())
}

/// True if objects of a class may also be hash tables.
fn is_array(heap: &Heap, class: ClassId) -> bool {
    let class = heap.classes.get(class);
    match heap.snapshot() {
        Some(_) => &*class.name != OF_V8[0],
        None => class.kind == ClassKind::ObjectArray,
    }
}

/// Addresses of elements that only the list holds, in the order of their indices, from its whole length; of the class
/// of most alone.
fn elements(namer: Namer<'_>, list: ObjectId) -> Option<Vec<u64>> {
    let (heap, contents, analysis) = (namer.heap, namer.contents, namer.analysis);
    let elements: Vec<ObjectId> = if heap.snapshot().is_some() || is_array(heap, heap.class_id(list)) {
        let held = heap.own_references(list);
        // Neighbours, too: one half of the sample is of pairs.
        let stride = (held.len() / ELEMENTS as usize).max(1);
        let some = (0..held.len()).step_by(stride * 2).flat_map(|at| [at, at + 1]);
        some.filter_map(|at| held.get(at)).filter_map(|&row| ObjectId::from_raw(row)).collect()
    } else {
        let parts = |range| {
            let logical = contents.logical(heap, list, range);
            logical.filter(|logical| logical.kind == LogicalKind::List && logical.capacity.is_some())
        };
        let first = parts(0..ELEMENTS / 4)?;
        let mut entries = first.entries;
        // Some from each part of a long list.
        let rest = first.size.saturating_sub(ELEMENTS / 4);
        let piece = (ELEMENTS / 16).min(rest / 12 + 1);
        let mut at = ELEMENTS / 4;
        for n in 0..12 {
            let begin = (ELEMENTS / 4 + rest / 12 * n).max(at);
            at = begin.saturating_add(piece).min(first.size);
            if begin < at {
                entries.extend(parts(begin..at).map(|logical| logical.entries).unwrap_or_default());
            }
        }
        entries.iter().filter_map(|entry| entry.value.object()).collect()
    };
    // Elements of other classes, or with other holders, were not allocated for the list.
    let class = orders::most_common(elements.iter().map(|&element| heap.class_id(element)))?;
    let dominated = analysis.subtree(list)?;
    let is_own = |&element: &ObjectId| {
        heap.class_id(element) == class
            && analysis.preorder(element).is_some_and(|preorder| dominated.contains(&preorder))
    };
    let mut addresses: Vec<u64> = elements.into_iter().filter(is_own).map(|element| heap.address(element).0).collect();
    addresses.dedup();
    Some(addresses)
}

/// Votes of numbers in fields, and of classes.
fn objects(namer: Namer<'_>, cells: &Cells, votes: &mut Votes, task: &Task) -> Result<(), Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let stride = heap.len().div_ceil(SAMPLED).max(1);
    let mut by_class: BTreeMap<ClassId, Vec<ObjectId>> = BTreeMap::new();
    for object in (0..heap.len()).step_by(stride).filter_map(ObjectId::new) {
        if heap.class(object).kind == ClassKind::Plain && analysis.is_reachable(object) {
            by_class.entry(heap.class_id(object)).or_default().push(object);
        }
    }
    // A class and its oldest object are in the same cell, as a rule: an object of each class says little, and many of
    // one class would outvote all others.
    for (&class, objects) in &by_class {
        let Some(mirror) = heap.classes.get(class).object else { continue };
        let older = cells.of_object(heap, mirror);
        for &object in objects.iter().step_by(objects.len().div_ceil(8)) {
            let newer = cells.of_object(heap, object);
            if older != newer {
                votes.all.push(Vote { kind: VoteKind::Class, older, newer });
            }
        }
    }
    let mut most: Vec<(Reverse<usize>, ClassId)> = by_class
        .iter()
        .filter(|(_, objects)| objects.len() >= LEAST_OF_ARRAY)
        .map(|(&class, objects)| (Reverse(objects.len()), class))
        .collect();
    most.sort_unstable();
    for (_, class) in most.into_iter().take(CLASSES) {
        task.checkpoint()?;
        numbers(namer, cells, (class, &by_class[&class]), votes);
    }
    Ok(())
}

/// Votes of the numbers in the fields of some objects of a class.
fn numbers(namer: Namer<'_>, cells: &Cells, (class, objects): (ClassId, &[ObjectId]), votes: &mut Votes) {
    let rule = NumberRule { is_runtime: namer.index.is_runtime(class), dumped: namer.heap.origin.taken_at_millis };
    // A class and its superclass may have fields of one name.
    let mut fields: BTreeMap<(String, String), Vec<(i64, u64)>> = BTreeMap::new();
    let stride = objects.len().div_ceil(OF_CLASS);
    for &object in objects.iter().step_by(stride) {
        for field in namer.contents.fields(namer.heap, object).unwrap_or_default() {
            let number = match field.value {
                Value::Int(number) => i64::from(number),
                Value::Long(number) => number,
                _ => continue,
            };
            if !field.is_static {
                let numbers = fields.entry((field.declared_by, field.name)).or_default();
                numbers.push((number, namer.heap.address(object).0));
            }
        }
    }
    for numbers in fields.into_values() {
        if let Some(addresses) = rule.order(numbers) {
            votes.add(VoteKind::Number, cells, &addresses);
        }
    }
}
