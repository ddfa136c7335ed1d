//! Prefetches the columns and records that [`super::fields::follow`] reads of some matches. Matched objects are anywhere
//! in two heaps, so nearly every look-up is a cache miss; those of several matches overlap if all are prefetched before
//! the first match is followed.
//!
//! Collections gain nothing: prefetching them level by level is as much work as reading them.

use super::context::MatchContext;
use super::tokens::reads_alike;
use crate::diff::HeapSide;
use heaplens_base::storage::prefetch;
use heaplens_heap::{ClassKind, ObjectId, PrefetchStep};

/// Number of references, and of elements of an array, that are prefetched for one object.
const REFERENCES: usize = 16;
const ELEMENTS: usize = 32;
/// Number of references that are prefetched for an element.
const OF_ELEMENT: usize = 4;

/// Prefetches the references and array elements of some matched pairs.
pub(super) fn prefetch_plain(this: MatchContext<'_>, pairs: &[(ObjectId, ObjectId)]) {
    for (which, objects) in of_sides(pairs) {
        let heap = this.side(which).heap;
        let rows = prefetch_rows(this, which, &objects);
        rows.iter().flat_map(|row| row.iter().take(REFERENCES)).for_each(|&to| this.prefetch(which, to));
        let is_array =
            |object: ObjectId| heap.classes.get(this.class(which, object.raw())).kind == ClassKind::ObjectArray;
        // Arrays of which all elements are matched are not read.
        let is_read = |row: &[u32]| row.iter().any(|&to| this.matched_row(which, to).is_none());
        let first_elements = rows.into_iter().map(|row| &row[..row.len().min(ELEMENTS)]);
        let of_objects = objects.iter().copied().zip(first_elements);
        let (arrays, elements): (Vec<ObjectId>, Vec<&[u32]>) =
            of_objects.filter(|&(object, elements)| is_array(object) && is_read(elements)).unzip();
        prefetch_records(this, which, &arrays, &PrefetchStep::OF_RECORD);
        let elements: Vec<ObjectId> = elements.into_iter().flatten().copied().filter_map(ObjectId::from_raw).collect();
        prefetch_tokens(this, which, &elements);
    }
}

/// Prefetches what [`MatchContext::token`] reads of some objects.
fn prefetch_tokens(this: MatchContext<'_>, which: HeapSide, objects: &[ObjectId]) {
    let side = this.side(which);
    let is_value = |object: ObjectId| reads_alike(side, this.class(which, object.raw()));
    let is_unmatched = |object: ObjectId| this.matched_row(which, object.raw()).is_none();
    objects.iter().for_each(|object| this.prefetch(which, object.raw()));
    let (values, others): (Vec<ObjectId>, Vec<ObjectId>) = objects.iter().partition(|&&object| is_value(object));
    prefetch_records(this, which, &values, &PrefetchStep::ALL);
    let others: Vec<ObjectId> = others.into_iter().filter(|&object| is_unmatched(object)).collect();
    let rows = prefetch_rows(this, which, &others);
    prefetch_records(this, which, &others, &PrefetchStep::OF_RECORD);
    let targets = rows.into_iter().flat_map(|row| row.iter().take(OF_ELEMENT).copied());
    let targets: Vec<ObjectId> = targets.filter_map(ObjectId::from_raw).collect();
    targets.iter().for_each(|to| this.prefetch(which, to.raw()));
    let of_targets = targets.into_iter().filter(|&to| is_unmatched(to) && is_value(to));
    prefetch_records(this, which, &of_targets.collect::<Vec<ObjectId>>(), &PrefetchStep::ALL);
}

fn of_sides(pairs: &[(ObjectId, ObjectId)]) -> [(HeapSide, Vec<ObjectId>); 2] {
    let (before, after) = pairs.iter().copied().unzip();
    [(HeapSide::Before, before), (HeapSide::After, after)]
}

/// Prefetches columns and references of some objects; returns the references.
fn prefetch_rows<'a>(this: MatchContext<'a>, which: HeapSide, objects: &[ObjectId]) -> Vec<&'a [u32]> {
    let heap = this.side(which).heap;
    for object in objects {
        this.prefetch(which, object.raw());
        heap.prefetch_references_start(object.raw());
    }
    objects.iter().map(|&object| heap.references(object)).inspect(|row| prefetch(row, 0)).collect()
}

/// Prefetches records of some objects, step by step.
fn prefetch_records(this: MatchContext<'_>, which: HeapSide, objects: &[ObjectId], steps: &[PrefetchStep]) {
    let side = this.side(which);
    for &step in steps {
        objects.iter().for_each(|&object| side.contents.prefetch(side.heap, object, step));
    }
}
