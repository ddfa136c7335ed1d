//! Heaps generated from fuzzer input, written in a format chosen by it, read, and compared with definitions: references
//! are read back exactly, and an object retains the objects that are not reached without it.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use heaplens_heap::{Address, ObjectId, Rules};
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::heaps;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Body, Id, Sketch, Value};
use heaplens_base::Task;
use heaplens_fuzz::{ask, file};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&[form, seed, size, rules], drawn)) = bytes.split_first_chunk() else { return };
    let sketch = heaps::drawn(Random::chosen(drawn), u64::from(seed), u32::from(size % 40));
    let forms = Form::all();
    let form = forms[usize::from(form) % forms.len()];
    let mut options = OpenOptions::default();
    options.rules = Rules { keep_unreachable: rules % 4 == 1, ..Rules::default() };
    let opened = open_and_wait(file(&write(&sketch, form)).path(), &options, &Task::new());
    let dump = opened.expect("a complete file opens");
    same_references(&sketch, &dump);
    retained_by_definition(&dump);
    ask(&dump);
});

/// References of all instances and arrays equal those of the sketch, including duplicates.
fn same_references(sketch: &Sketch, dump: &Dump) {
    let heap = &*dump.facts.heap;
    let known: BTreeSet<Id> = sketch.objects.iter().map(|o| o.id).chain(sketch.classes.iter().map(|c| c.id)).collect();
    for object in &sketch.objects {
        let drawn: Vec<Id> = match &object.body {
            Body::Instance { fields, .. } => fields.iter().filter_map(reference).collect(),
            Body::Objects { elements, .. } => elements.clone(),
            Body::Primitives { .. } => Vec::new(),
        };
        let mut drawn: Vec<Id> = drawn.into_iter().filter(|id| known.contains(id)).collect();
        let row = heap.at(Address(object.id)).expect("every object is there");
        let targets = heap.own_references(row).iter().filter_map(|&to| ObjectId::from_raw(to));
        let mut read: Vec<Id> = targets.map(|to| heap.address(to).0).collect();
        drawn.sort_unstable();
        read.sort_unstable();
        // A thread object also refers to its local variables.
        let holds_more = heap.class(row).name.contains("Thread");
        assert!(drawn == read || holds_more, "{:#x}: {drawn:x?} drawn, {read:x?} read", object.id);
    }
}

fn reference(value: &Value) -> Option<Id> {
    if let Value::Object(id) = value { Some(*id) } else { None }
}

/// Compares retained sizes with the result of removing each object and searching again.
fn retained_by_definition(dump: &Dump) {
    let (heap, analysis) = (&*dump.facts.heap, &dump.analysis);
    let weakest = analysis.rules.min_strength;
    let mut edges: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
    for object in heap.objects() {
        let targets = heap.references(object).iter().enumerate();
        let strong = targets.filter(|&(index, _)| heap.strength(object, index) <= weakest);
        let row = strong.filter_map(|(_, &to)| ObjectId::from_raw(to)).chain(heap.class(object).object);
        edges.insert(object, row.collect());
    }
    let reached = |without: Option<ObjectId>| {
        let mut waiting: Vec<ObjectId> =
            analysis.roots().objects().iter().filter_map(|&root| ObjectId::from_raw(root)).collect();
        let mut reached = BTreeSet::new();
        while let Some(object) = waiting.pop() {
            if Some(object) != without && reached.insert(object) {
                waiting.extend(&edges[&object]);
            }
        }
        reached
    };
    let all = reached(None);
    for &object in &all {
        let left = reached(Some(object));
        let stored: u64 = all.difference(&left).map(|&removed| heap.shallow(removed).0).sum();
        assert_eq!(stored, analysis.retained(object).0, "{}", heap.id_text(object));
    }
}
