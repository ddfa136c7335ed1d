//! Which objects of a heap a collection has copied, and which are where they were allocated.
//!
//! An allocation buffer is filled from low to high addresses, and an entry of a map is allocated after its key and value:
//! it refers to lower addresses. A collector that copies an object then copies what it refers to: to higher addresses. A
//! collection that slides objects together changes neither. Young collections copy: where a heap has objects of both
//! kinds, those that were not copied were allocated after the last young collection.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::cells::Cells;
use super::sequences::Votes;
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, ObjectId};

/// Entries of collections, which are allocated after what they hold.
const ENTRIES: [&str; 10] = [
    "java.util.HashMap$Node",
    "java.util.LinkedHashMap$Entry",
    "java.util.concurrent.ConcurrentHashMap$Node",
    "java.util.Hashtable$Entry",
    "java.util.TreeMap$Entry",
    "java.util.LinkedList$Node",
    "java.util.WeakHashMap$Entry",
    "java.util.concurrent.ConcurrentLinkedQueue$Node",
    "java.util.concurrent.ConcurrentLinkedDeque$Node",
    "java.util.concurrent.LinkedBlockingQueue$Node",
];
/// Objects examined per cell.
const OF_CELL: usize = 128;
/// Cells with a state on either side that are compared with those of a cell.
const AROUND: usize = 2;
/// Objects at most this far apart were allocated or copied together, in bytes.
const NEAR: u64 = 4_096;
/// Objects that are more rows apart are farther apart than that: none is smaller than eight bytes.
const NEAR_ROWS: usize = NEAR as usize / 8;
/// Of so many runs of examined objects the parts of one are looked up: objects repeat at regular distances.
const RUNS: usize = 4;
const RUN: usize = 8;
/// A cell with fewer references of one direction tells nothing.
const LEAST_OF_CELL: u32 = 3;
/// References of a kind in cells of either state, at least, that show how it is in both.
const LEAST_OF_KIND: u32 = 16;
/// Maximum number of silent cells, and one, between objects in place that are in place, too.
const SHORT_GAP: usize = 3;
/// A cell has objects of the application if more than one of so many is.
const FEW: usize = 20;
/// Maximum number of the newest objects that are looked up.
const RECENT: usize = 1 << 17;

/// Whether the objects of a cell were copied since they were allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyState {
    /// A collection copied them.
    Copied,
    /// They are in the order of allocation.
    InPlace,
}

/// Near references by direction.
#[derive(Debug, Default, Clone, Copy)]
struct Directions {
    to_lower: u32,
    to_higher: u32,
}

impl Directions {
    fn add(&mut self, other: Self) {
        self.to_lower += other.to_lower;
        self.to_higher += other.to_higher;
    }

    /// The state of the cell they are in, if nine in ten agree.
    fn state(self) -> Option<CopyState> {
        let is_most = |some: u32, others: u32| some >= LEAST_OF_CELL && some >= others.saturating_mul(9);
        if is_most(self.to_lower, self.to_higher) {
            Some(CopyState::InPlace)
        } else {
            is_most(self.to_higher, self.to_lower).then_some(CopyState::Copied)
        }
    }
}

/// Classes of both ends of a reference.
type ReferenceClasses = (ClassId, ClassId);

/// References of a cell.
#[derive(Default)]
struct CellReferences {
    of_entries: Directions,
    of_others: Vec<(ReferenceClasses, Directions)>,
    /// Cells of distant parts of its objects.
    distant_parts: Vec<usize>,
    /// Number of parts of its objects.
    parts: usize,
    /// Number of examined objects, and of those that are not of the runtime.
    objects: usize,
    of_application: usize,
}

/// What references tell of the cells of a heap.
pub(super) struct CellStates {
    /// By cell; `None` where it is not known.
    pub(super) states: Vec<Option<CopyState>>,
    /// Pairs of distant cells with objects that were allocated together: one is a part of the other.
    pub(super) together: Vec<(usize, usize)>,
    /// True of cells with objects of the application, by cell.
    pub(super) has_application: Vec<bool>,
    /// Number of pairs of objects that were allocated together, in all cells.
    pub(super) pairs: usize,
}

/// States of the cells of a heap.
pub(super) fn states(namer: Namer<'_>, cells: &Cells, votes: &Votes, task: &Task) -> Result<CellStates, Cancelled> {
    let heap = namer.heap;
    if heap.snapshot().is_some() || !heap.is_in_order() {
        let states = vec![None; cells.len()];
        let has_application = vec![true; cells.len()];
        return Ok(CellStates { states, together: Vec::new(), has_application, pairs: 0 });
    }
    let mut is_entry = vec![false; heap.classes.len()];
    for (class, row) in heap.classes.iter() {
        is_entry[class.index()] = ENTRIES.contains(&&*row.name);
    }
    let near = |cell: usize| {
        task.checkpoint()?;
        Ok(near_references(namer, (cells, cell), &is_entry))
    };
    let near: Vec<CellReferences> = (0..cells.len()).into_par_iter().map(near).collect::<Result<_, Cancelled>>()?;
    let mut directions: Vec<Directions> = near.iter().map(|cell| cell.of_entries).collect();
    // Neighbours in a list that are in reverse order cannot have been allocated there.
    for &cell in &votes.reversed {
        directions[cell].to_higher += 1;
    }
    for &cell in &votes.straight {
        // Nor does a straight list prove anything; it is against the reverse alone.
        if directions[cell].to_higher > 0 {
            directions[cell].to_lower += 1;
        }
    }
    let known: Vec<Option<CopyState>> = directions.iter().map(|directions| directions.state()).collect();
    let kinds = kinds_that_change(&near, &known);
    for (all, cell) in directions.iter_mut().zip(&near) {
        let of_kinds = cell.of_others.iter().filter(|(classes, _)| kinds.binary_search(classes).is_ok());
        of_kinds.for_each(|&(_, some)| all.add(some));
    }
    let mut states: Vec<Option<CopyState>> = directions.iter().map(|directions| directions.state()).collect();
    drop_outliers(&mut states);
    fill_gaps(&mut states, &directions);
    let pairs = near.iter().map(|cell| cell.parts).sum();
    let together =
        near.iter().enumerate().flat_map(|(cell, of)| of.distant_parts.iter().map(move |&part| (cell, part)));
    let has_application = near.iter().map(|cell| cell.of_application * FEW > cell.objects).collect();
    Ok(CellStates { states, together: together.collect(), has_application, pairs })
}

/// References of some objects of a cell.
fn near_references(namer: Namer<'_>, (cells, cell): (&Cells, usize), is_entry: &[bool]) -> CellReferences {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let rows = cell * cells.objects..heap.len().min((cell + 1) * cells.objects);
    let objects = rows.step_by((cells.objects / OF_CELL).max(1)).filter_map(ObjectId::new);
    // A damaged stored analysis may have classes that do not exist.
    let is_entry = |class: ClassId| is_entry.get(class.index()) == Some(&true);
    let mut references = CellReferences::default();
    let mut of_others: BTreeMap<ReferenceClasses, Directions> = BTreeMap::new();
    for (nth, object) in objects.enumerate() {
        let class = heap.class_id(object);
        references.objects += 1;
        references.of_application += usize::from(!namer.index.is_runtime(class));
        if heap.classes.get(class).kind != ClassKind::Plain || heap.classes.of_object(object).is_some() {
            continue;
        }
        let is_of_entry = is_entry(class);
        if !is_of_entry && namer.index.is_runtime(class) {
            continue;
        }
        let has_parts = |other: ObjectId| {
            // What an object dominates comes after it.
            (nth / RUN).is_multiple_of(RUNS)
                && analysis.preorder(other) > analysis.preorder(object)
                && analysis.immediate_dominator(other) == Some(object)
        };
        let (mut near, mut far) = (Directions::default(), Directions::default());
        for other in heap.own_references(object).iter().filter_map(|&row| ObjectId::from_raw(row)) {
            let other_class = heap.class_id(other);
            if other == object || is_of_entry && is_entry(other_class) {
                continue;
            }
            // Rows are in the order of addresses.
            let is_far = object.index().abs_diff(other.index()) > NEAR_ROWS
                || heap.address(object).0.abs_diff(heap.address(other).0) > NEAR;
            // What a collection holds is replaced as it grows.
            if heap.classes.get(other_class).kind != ClassKind::ObjectArray && has_parts(other) {
                references.parts += 1;
                let part = if is_far { cells.of_object(heap, other) } else { cell };
                references.distant_parts.extend((part.abs_diff(cell) > 1).then_some(part));
            }
            let direction = Directions { to_lower: u32::from(other < object), to_higher: u32::from(other > object) };
            if is_far {
                far.add(direction);
            } else if is_of_entry {
                near.add(direction);
            } else {
                of_others.entry((class, other_class)).or_default().add(direction);
            }
        }
        references.of_entries.add(near);
        // Serial copies breadth first: all entries of a map, then all values. Old values may be anywhere.
        if is_of_entry && near.to_lower == 0 && near.to_higher == 0 && far.to_lower == 0 {
            references.of_entries.to_higher += u32::from(far.to_higher > 0);
        }
    }
    references.of_others = of_others.into_iter().collect();
    references
}

/// Kinds of references, ascending, that are to lower addresses where objects are in place, and to higher ones where
/// they were copied.
fn kinds_that_change(near: &[CellReferences], known: &[Option<CopyState>]) -> Vec<ReferenceClasses> {
    let mut kinds: BTreeMap<ReferenceClasses, [Directions; 2]> = BTreeMap::new();
    for (cell, state) in near.iter().zip(known) {
        let Some(state) = state else { continue };
        for &(classes, directions) in &cell.of_others {
            kinds.entry(classes).or_default()[usize::from(*state == CopyState::Copied)].add(directions);
        }
    }
    let is_nearly_all = |some: u32, others: u32| some >= LEAST_OF_KIND && some >= others.saturating_mul(19);
    let changes = |[in_place, copied]: &[Directions; 2]| {
        is_nearly_all(in_place.to_lower, in_place.to_higher) && is_nearly_all(copied.to_higher, copied.to_lower)
    };
    kinds.into_iter().filter(|(_, both)| changes(both)).map(|(classes, _)| classes).collect()
}

/// Drops the state of cells that differ from most of those around them.
fn drop_outliers(states: &mut [Option<CopyState>]) {
    let known: Vec<(usize, CopyState)> =
        states.iter().enumerate().filter_map(|(cell, state)| Some((cell, (*state)?))).collect();
    for (at, &(cell, state)) in known.iter().enumerate() {
        let around = &known[at.saturating_sub(AROUND)..known.len().min(at + AROUND + 1)];
        let alike = around.iter().filter(|(_, other)| *other == state).count();
        if alike * 2 <= around.len() {
            states[cell] = None;
        }
    }
}

/// Gives cells that tell nothing the state of the cells around them, if that is the same on both sides.
fn fill_gaps(states: &mut [Option<CopyState>], directions: &[Directions]) {
    let known: Vec<usize> = (0..states.len()).filter(|&cell| states[cell].is_some()).collect();
    for two in known.windows(2) {
        let (first, last) = (two[0], two[1]);
        let is_silent = |cell: usize| directions[cell].to_lower == 0 && directions[cell].to_higher == 0;
        // What is between two stretches in place may be of another time.
        let is_short = states[first] == Some(CopyState::Copied) || last - first <= SHORT_GAP;
        if states[first] == states[last] && is_short && (first + 1..last).all(is_silent) {
            let state = states[first];
            states[first + 1..last].fill(state);
        }
    }
}

/// The newest objects: those of a heap with copied ones that no collection has copied.
pub(super) struct Recent {
    /// Their places in the dominator tree, ascending; of a sample.
    preorders: Vec<u32>,
    /// Those of classes that are not of the runtime.
    application: Vec<u32>,
    /// Number of objects that each in the sample stands for.
    stride: u64,
    /// Number of reachable objects that are not of the runtime.
    all: f64,
}

/// Objects of a location that no collection has moved yet, where others were moved: the newest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecentObjects {
    /// Estimated number of them.
    pub objects: u64,
    /// Number of objects of the application expected if the location had grown as the rest of the heap did.
    pub expected: u64,
    /// Part of the location's objects of the application that they are, from 0 to 1.
    pub part: f64,
    /// Part of the application's other objects that are as new, from 0 to 1.
    pub part_of_others: f64,
}

/// The newest objects of a heap. `None` if there are none.
pub(super) fn recent(
    namer: Namer<'_>,
    cells: &Cells,
    states: &[Option<CopyState>],
    task: &Task,
) -> Result<Option<Recent>, Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    // The first and last cells of a stretch may have objects of its neighbours.
    let is_inner = |&cell: &usize| {
        let is_in_place = |cell: usize| states.get(cell) == Some(&Some(CopyState::InPlace));
        is_in_place(cell)
            && (cell + 1 == states.len() || is_in_place(cell + 1))
            && cell.checked_sub(1).is_none_or(is_in_place)
    };
    let inner: Vec<usize> = (0..cells.len()).filter(is_inner).collect();
    let stride = (inner.len() * cells.objects).div_ceil(RECENT).max(1);
    let (mut preorders, mut application) = (Vec::new(), Vec::new());
    for cell in inner {
        task.checkpoint()?;
        let rows = cell * cells.objects..heap.len().min((cell + 1) * cells.objects);
        for object in rows.step_by(stride).filter_map(ObjectId::new) {
            let Some(preorder) = analysis.preorder(object) else { continue };
            preorders.push(preorder);
            if !namer.index.is_runtime(heap.class_id(object)) {
                application.push(preorder);
            }
        }
    }
    if preorders.is_empty() {
        return Ok(None);
    }
    preorders.sort_unstable();
    application.sort_unstable();
    let classes = heap.classes.iter().filter(|&(class, _)| !namer.index.is_runtime(class));
    let all: u64 = classes.map(|(class, _)| analysis.class_totals(class).objects).sum();
    Ok(Some(Recent { preorders, application, stride: stride as u64, all: all as f64 }))
}

impl Recent {
    /// Those of a location, which is in some places of the dominator tree and has so many objects of the application.
    pub(super) fn of_location(&self, of_application: u64, preorders: &[Range<u32>]) -> RecentObjects {
        let part = of_application as f64 / self.all.max(1.0);
        let count = |all: &[u32]| {
            let before = |preorder: u32| all.partition_point(|&recent| recent < preorder);
            preorders.iter().map(|range| before(range.end) - before(range.start)).sum::<usize>()
        };
        // Most of the newest objects are of the request for the dump, as a rule, and of the runtime.
        let own = count(&self.application);
        let others = self.application.len() - own;
        let stride = self.stride as f64;
        let rest = (1.0 - part).max(f64::EPSILON);
        RecentObjects {
            objects: count(&self.preorders) as u64 * self.stride,
            expected: (others as f64 * stride * part / rest) as u64,
            part: own as f64 * stride / (part * self.all).max(1.0),
            part_of_others: others as f64 * stride / (rest * self.all).max(1.0),
        }
    }
}
