//! Full arrays that bound nothing: those whose elements grow (segments of a cache, buckets of a wheel, stripes, pages), and
//! those that are copied for each element that is added, as by a `CopyOnWriteArrayList`.

use std::collections::BTreeMap;

use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_heap::{ClassId, Heap, ObjectId};

/// Maximum number of elements examined, those that retain most first.
const EXAMINED: usize = 16;
/// Maximum number of steps from an element to what accumulates in it.
const STEPS: usize = 8;
/// Maximum number of children counted per object.
const CHILDREN: usize = 4_096;
/// An object with this many children of one class, or below this many links, grows.
const MANY: u64 = 6;
/// Arrays of this size may lie apart from other objects: half of the smallest region of the G1 collector.
const APART: Bytes = Bytes(512 << 10);

/// The list of the Java library that copies its array for each change, and its iterators, which hold one of these arrays.
const COPYING: [&str; 2] =
    ["java.util.concurrent.CopyOnWriteArrayList", "java.util.concurrent.CopyOnWriteArrayList$COWIterator"];

/// True of the array of a list that copies it for each change.
pub(super) fn is_of_copying_list(dump: DumpData<'_>, array: ObjectId) -> bool {
    let mut referrers = dump.analysis.referrers(array).take(CHILDREN);
    referrers.any(|from| COPYING.contains(&&*dump.heap.class(from).name))
}

/// True if the elements that retain most of an array have parts that grow with what is added: many objects of one
/// class directly below one object, or linked to each other; or if the array is one of several linked ones.
pub(super) fn has_growing_elements(dump: DumpData<'_>, array: ObjectId) -> bool {
    let DumpData { heap, analysis, .. } = dump;
    let class = heap.class_id(array);
    if analysis.referrers(array).any(|from| heap.class_id(from) == class) {
        return true;
    }
    let mut elements: Vec<ObjectId> =
        heap.references(array).iter().filter_map(|&row| ObjectId::from_raw(row)).collect();
    elements.retain(|&element| analysis.immediate_dominator(element) == Some(array));
    elements.sort_by_key(|&element| (std::cmp::Reverse(analysis.retained(element)), element));
    elements.dedup();
    elements.truncate(EXAMINED);
    if elements.iter().any(|&element| heap.class_id(element) == class) {
        return true;
    }
    let bytes = |elements: &[ObjectId]| elements.iter().map(|&element| analysis.retained(element)).sum::<Bytes>();
    let all = bytes(&elements);
    elements.retain(|&element| grows(dump, element));
    !elements.is_empty() && bytes(&elements).0.saturating_mul(2) >= all.0
}

/// True if a JavaScript array has exactly the room of its elements: it was made with its length. One that elements are
/// added to has half as much again, and 16 (`JSObject::NewElementsCapacity` of V8). Its shallow size has four words for
/// the array, two for its elements, and one for each; words are of eight bytes, or of four where pointers are
/// compressed.
pub(super) fn has_no_room(heap: &Heap, array: ObjectId, elements: u64) -> bool {
    let words = elements.saturating_add(6);
    let shallow = heap.shallow(array).0;
    &*heap.class(array).name == "Array" && (shallow == words.saturating_mul(8) || shallow == words.saturating_mul(4))
}

/// True if an array was allocated after nearly all of its elements, as a copy is. Only where the order of addresses is
/// that of allocation; of larger arrays it tells nothing.
pub(super) fn is_copied(heap: &Heap, array: ObjectId) -> bool {
    let (elements, own) = (heap.references(array), heap.address(array));
    let is_earlier = |&element: &ObjectId| heap.address(element) < own;
    let earlier = elements.iter().filter_map(|&row| ObjectId::from_raw(row)).filter(is_earlier).count();
    heap.shallow(array) < APART && earlier * 10 >= elements.len() * 9
}

/// True if many objects of one class are below an object, reached through its largest child.
fn grows(dump: DumpData<'_>, element: ObjectId) -> bool {
    let heap = dump.heap;
    let (mut at, mut links) = (element, 0);
    for _ in 0..STEPS {
        let mut classes: BTreeMap<ClassId, u64> = BTreeMap::new();
        let mut biggest = None;
        for (child, retained) in dump.analysis.dominator_children_with_retained(Some(at)).take(CHILDREN) {
            *classes.entry(heap.class_id(child)).or_default() += 1;
            biggest = biggest.max(Some((retained, std::cmp::Reverse(child))));
        }
        let Some((_, std::cmp::Reverse(child))) = biggest else { return false };
        links += u64::from(heap.class_id(child) == heap.class_id(at));
        if links >= MANY || classes.into_values().any(|count| count >= MANY) {
            return true;
        }
        at = child;
    }
    false
}
