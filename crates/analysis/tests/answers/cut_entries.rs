//! Ranges of entries that are cut from the collections of real dumps: afterwards a collection leads to the remaining
//! entries, and to no other.

use std::collections::{BTreeMap, BTreeSet};

use heaplens_analysis::cuts::{Cut, EntryRange, excluded_references, what_if};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{ExcludedReferences, ObjectId, Value};
use heaplens_testkit::fixtures;

/// Entries of a collection, as objects: keys, values and elements. Without enum constants: a collection of some of them
/// has an array of all.
fn objects(dump: &Dump, collection: ObjectId, range: std::ops::Range<u64>) -> BTreeSet<ObjectId> {
    let logical = dump.facts.contents.logical(&dump.facts.heap, collection, range);
    let entries = logical.map(|logical| logical.entries).unwrap_or_default();
    let objects = entries.into_iter().flat_map(|entry| [entry.key, Some(entry.value)]).flatten();
    objects.filter_map(Value::object).filter(|&object| !is_constant(dump, object)).collect()
}

fn is_constant(dump: &Dump, object: ObjectId) -> bool {
    let classes = &dump.facts.heap.classes;
    let above = |class| classes.get(class).superclass;
    let line = std::iter::successors(Some(dump.facts.heap.class_id(object)), |&class| above(class));
    line.into_iter().any(|class| &*classes.get(class).name == "java.lang.Enum")
}

/// Entries that a collection still leads to, through the objects of its implementation.
fn led_to(dump: &Dump, collection: ObjectId, excluded: &ExcludedReferences) -> BTreeSet<ObjectId> {
    let heap = &dump.facts.heap;
    let all = dump.facts.contents.logical(heap, collection, 0..u64::MAX).expect("a collection");
    let entries = objects(dump, collection, 0..u64::MAX);
    let inside: BTreeSet<ObjectId> = all.internals.into_iter().chain(all.backing).collect();
    let is_inside = |object: ObjectId| {
        inside.contains(&object) || heap.class(object).name.starts_with("java.util.") && !entries.contains(&object)
    };
    let (mut reached, mut waiting, mut led_to) = (BTreeSet::from([collection]), vec![collection], BTreeSet::new());
    while let Some(from) = waiting.pop() {
        for to in heap.references(from).iter().filter(|&&to| !excluded.excludes(from.raw(), to)) {
            let to = ObjectId::from_raw(*to).expect("an object");
            if entries.contains(&to) {
                led_to.insert(to);
            }
            if is_inside(to) && reached.insert(to) {
                waiting.push(to);
            }
        }
    }
    led_to
}

fn check(fixture: &str, kinds: &mut BTreeMap<String, u32>) {
    let dump = open_with(fixtures::path(fixture), &OpenOptions::default(), &Task::new());
    let dump = dump.unwrap_or_else(|error| panic!("{fixture}: {error}"));
    let (heap, task) = (&dump.facts.heap, &Task::new());
    let ranges = [(None, None), (None, Some(-2)), (Some(1), None), (Some(1), Some(-1)), (Some(-1), None)];
    let mut tried: BTreeMap<&str, u32> = BTreeMap::new();
    for collection in dump.objects().filter(|&object| dump.analysis.is_reachable(object)) {
        let Some(shape) = dump.facts.contents.logical(heap, collection, 0..0) else { continue };
        let of_class = tried.entry(&heap.class(collection).name).or_default();
        // Large ones take long to read, and many of a class are alike. A part of a list has no array of its own.
        let is_part = heap.class(collection).name.ends_with("SubList");
        if !(2..3_000).contains(&shape.size) || *of_class >= 30 || is_part {
            continue;
        }
        *of_class += 1;
        for (begin, end) in ranges {
            let range = EntryRange { begin, end };
            let bound = |bound: Option<i64>, open| match bound {
                None => open,
                Some(at) if at < 0 => shape.size.saturating_sub(at.unsigned_abs()),
                Some(at) => at.unsigned_abs().min(shape.size),
            };
            let (begin, end) = (bound(begin, 0), bound(end, shape.size));
            let removed = begin..end.max(begin);
            let left: BTreeSet<ObjectId> = [0..removed.start, removed.end..shape.size]
                .into_iter()
                .flat_map(|range| objects(&dump, collection, range))
                .collect();
            let cuts = [Cut::Entries { of: Box::new(Cut::Object(collection)), range }];
            let excluded = excluded_references(dump.data(), &cuts, task).expect("not cancelled");
            let after = led_to(&dump, collection, &excluded);
            let name = &heap.class(collection).name;
            assert_eq!(after, left, "{fixture}: {name} {} {removed:?} of {}", heap.id_text(collection), shape.size);
            let effect = what_if(dump.data(), &cuts, task).expect("not cancelled");
            assert_eq!(effect.unread, 0, "{fixture}: {name} {}", heap.id_text(collection));
            *kinds.entry(name.to_string()).or_default() += 1;
        }
    }
}

#[test]
fn a_collection_without_a_range_of_entries_leads_to_the_others() {
    let mut kinds = BTreeMap::new();
    for fixture in ["facts-jdk17.hprof.gz", "facts-jdk25.hprof.gz", "leak-after-nocoops.hprof.gz"] {
        check(fixture, &mut kinds);
    }
    for name in ["HashMap", "LinkedHashMap", "TreeMap", "concurrent.ConcurrentHashMap", "ArrayList", "LinkedList"] {
        assert!(kinds.contains_key(&format!("java.util.{name}")), "{name} is not tried: {kinds:?}");
    }
    let mut kinds = BTreeMap::new();
    check("node/desk-final.heapsnapshot.gz", &mut kinds);
    assert!(kinds.contains_key("Map") && kinds.contains_key("Set"), "{kinds:?}");
}
