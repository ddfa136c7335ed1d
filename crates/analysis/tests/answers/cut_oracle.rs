//! The heap derived for a set of cuts equals that of a file written without these references: reachable objects, retained
//! sizes, dominators and distances of all objects, in every format that the test kit writes.

use std::collections::BTreeMap;

use heaplens_analysis::cuts::{Cut, excluded_references, what_if};
use heaplens_base::Task;
use heaplens_base::storage::MemoryBudget;
use heaplens_dump::Dump;
use heaplens_heap::{ObjectId, Strength};

mod files;
mod sketches;
mod snapshots;

/// Columns of a reachable object that follow from the references.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    shallow: u64,
    retained: u64,
    /// Number of objects in the retained set.
    objects: u64,
    dominator: Option<u64>,
    /// Number of references from a root, and the strength of that path.
    path: Option<(u32, Strength)>,
}

/// Reachable objects by id.
fn rows(dump: &Dump) -> BTreeMap<u64, Row> {
    let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
    let id = |object: ObjectId| heap.address(object).0;
    let row = |object: ObjectId| Row {
        shallow: heap.shallow(object).0,
        retained: analysis.retained(object).0,
        objects: analysis.kept_by(object).objects,
        dominator: analysis.immediate_dominator(object).map(id),
        path: analysis.distance(object).zip(analysis.strength(object)),
    };
    dump.objects().filter(|&object| analysis.is_reachable(object)).map(|object| (id(object), row(object))).collect()
}

/// The same dump without the references of the cuts. What they free is the difference between both.
fn cut(dump: &Dump, cuts: &[Cut]) -> Dump {
    let task = &Task::new();
    let excluded = excluded_references(dump.data(), cuts, task).expect("not cancelled");
    let after = dump.without(&excluded, &MemoryBudget::default(), task);
    let after = after.unwrap_or_else(|error| panic!("{error}"));
    let (answer, left) = (what_if(dump.data(), cuts, task).expect("not cancelled"), after.analysis.shown);
    assert_eq!(answer.of, dump.analysis.shown);
    assert_eq!(answer.freed.objects, answer.of.objects - left.objects, "{cuts:?}");
    assert_eq!(answer.freed.shallow, answer.of.shallow - left.shallow, "{cuts:?}");
    after
}

/// The first difference between two heaps, if there is one.
fn difference(derived: &BTreeMap<u64, Row>, written: &BTreeMap<u64, Row>) -> Option<String> {
    let mut ids: Vec<u64> = derived.keys().chain(written.keys()).copied().collect();
    ids.sort_unstable();
    let id = ids.into_iter().find(|id| derived.get(id) != written.get(id))?;
    Some(format!("{id:#x}: derived {:?}, written {:?}", derived.get(&id), written.get(&id)))
}
