//! One heap written as HPROF and as a snapshot: retained sizes and dominators of all objects are equal.

use std::collections::BTreeSet;

use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, Rules, Strength};
use heaplens_testkit::heaps::random;
use heaplens_testkit::hprof::{self, Form};
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::v8;

fn open(bytes: &[u8]) -> Dump {
    // Weak edges of a snapshot never hold: as if no reference but a strong one did.
    let rules = Rules { min_strength: Strength::Strong, ..Rules::default() };
    let options = OpenOptions { rules, ..OpenOptions::default() };
    crate::open_bytes(bytes, &options)
}

/// By address: shallow size, retained size, the immediate dominator or 0 for none.
fn tree(dump: &Dump, top: &[u64]) -> Vec<(u64, u64, u64, u64)> {
    let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
    let reachable = heap.objects().filter(|&object| analysis.is_reachable(object));
    let rows = reachable.map(|object| {
        let above = analysis.immediate_dominator(object).map(|by| heap.address(by).0);
        let above = above.filter(|above| !top.contains(above)).unwrap_or(u64::MAX);
        (heap.address(object).0, heap.shallow(object).0, analysis.retained(object).0, above)
    });
    let mut rows: Vec<_> = rows.filter(|row| !top.contains(&row.0)).collect();
    rows.sort_unstable();
    rows
}

/// References of an object except to itself, its class included.
fn held(dump: &Dump, id: u64) -> BTreeSet<u64> {
    let heap = &dump.facts.heap;
    let Some(object) = heap.at(Address(id)) else { return BTreeSet::new() };
    let firm = |&(at, _): &(usize, &u32)| heap.strength(object, at) == Strength::Strong;
    let references = heap.references(object).iter().enumerate().filter(firm);
    let objects = references.filter_map(|(_, &row)| ObjectId::from_raw(row)).chain(heap.class(object).object);
    objects.map(|to| heap.address(to).0).filter(|&to| to != id).collect()
}

fn check(sketch: &Sketch, seed: u64) {
    let java = open(&hprof::write(sketch, Form::MODERN));
    let bytes = |id| java.facts.heap.at(Address(id)).map_or(0, |object| java.facts.heap.shallow(object).0);
    let made = v8::sketch_conversion::snapshot(sketch, bytes);
    let script = open(v8::write::write(&made, &v8::form::Form::random(seed)).as_bytes());
    // The root and the node of all GC roots have no counterpart.
    let (slow, fast) = (tree(&java, &[]), tree(&script, &[1, 3]));
    for &(id, ..) in &slow {
        assert_eq!(held(&java, id), held(&script, id), "seed {seed}: what {id} holds; as HPROF, as a snapshot");
    }
    let differ = slow.iter().zip(&fast).find(|(slow, fast)| slow != fast);
    assert_eq!(differ, None, "seed {seed}: address, bytes, retained, dominator; as HPROF, as a snapshot");
    assert_eq!(slow.len(), fast.len(), "seed {seed}: as many objects");
}

#[test]
fn a_heap_is_the_same_in_both_formats() {
    for seed in 0..300 {
        check(&random(seed, 4 + seed as u32 % 120), seed);
    }
}
