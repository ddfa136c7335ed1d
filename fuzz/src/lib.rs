//! Common part of all targets: opens the input as a file and runs all queries.
//!
//! A target fails on a panic (including integer overflow), an inconsistent result, or excessive memory or time; limits of
//! the latter two are arguments of the fuzzer, see `README.md`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::leaks::{LeakQuery, default_min_bytes};
use heaplens_tables::dump::{folded::LevelQuery, objects::ObjectsQuery, ownership};
use heaplens_tables::relations::RELATIONS;
use heaplens_heap::{Heap, ObjectId, SoftLinks};
use heaplens_dump::Dump;
use heaplens_session::{LeakRules, OpenOptions};
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::find_leaks;
use heaplens_session::overview::{DetailsQuestion, WasteTotalsQuestion};
use heaplens_tables::query::TableKind;
use heaplens_tables::relation::Relation;
use heaplens_tables::{OutputForm, RowQuery, TableContext, write};
use heaplens_base::Task;

pub mod made;
mod messages;
pub mod structure;

/// Number of objects inspected one by one.
const OBJECTS: usize = 48;
/// Maximum number of objects for which all queries run: small heaps find the same bugs, 100 times faster.
const SMALL: usize = 600;

/// Folder for temporary files, in memory if possible.
fn folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

/// Runs all work on the fuzzer's thread: waking another takes longer than the work.
fn stay_on_this_thread() {
    static POOL: Once = Once::new();
    POOL.call_once(|| {
        rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().expect("the first pool");
    });
}

/// Sample of objects, spread over the heap.
fn some(heap: &Heap) -> impl Iterator<Item = ObjectId> {
    heap.objects().step_by(heap.len().div_ceil(OBJECTS).max(1))
}

/// Writes the bytes to a temporary file.
///
/// # Panics
/// If the file cannot be written.
pub fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    stay_on_this_thread();
    let mut file = tempfile::NamedTempFile::new_in(folder()).expect("a temporary file");
    file.write_all(bytes).expect("disk space");
    file
}

/// Opens the bytes as a dump and runs all queries.
pub fn open(bytes: &[u8]) {
    open_with(bytes, &OpenOptions::default());
}

/// Like [`open`], with options.
pub fn open_with(bytes: &[u8], options: &OpenOptions) {
    let file = file(bytes);
    if let Ok(dump) = open_and_wait(file.path(), options, &Task::new()) {
        ask(&dump);
        if dump.facts.heap.len() <= SMALL {
            messages::one(file.path(), bytes, &dump.facts.heap);
        }
    }
}

/// Opens the bytes as a stored analysis, whose columns may be inconsistent.
pub fn open_stored(bytes: &[u8]) {
    if let Ok(dump) = open_and_wait(file(bytes).path(), &OpenOptions::default(), &Task::new()) {
        for object in some(&dump.facts.heap) {
            let (retained, dominator) = (dump.analysis.retained(object), dump.analysis.immediate_dominator(object));
            let _read = (retained, dominator, dump.analysis.is_reachable(object));
            read_contents(&dump, object);
        }
        if dump.facts.heap.len() <= SMALL {
            tables(&dump);
            findings(&dump);
        }
    }
}

/// Runs all queries of the window and the command line.
///
/// # Panics
/// If a result is inconsistent.
pub fn ask(dump: &Dump) {
    let heap = &*dump.facts.heap;
    sound(dump);
    for object in some(heap) {
        read_contents(dump, object);
    }
    if heap.len() <= SMALL {
        tables(dump);
        findings(dump);
    }
}

/// Checks invariants of all heaps.
fn sound(dump: &Dump) {
    let (heap, analysis) = (&*dump.facts.heap, &dump.analysis);
    let mut below = vec![0_u64; heap.len()];
    let mut top = 0_u64;
    for object in heap.objects() {
        let reachable = analysis.is_reachable(object);
        let retained = analysis.retained(object).0;
        match analysis.immediate_dominator(object) {
            Some(dominator) => {
                assert!(reachable && analysis.is_reachable(dominator), "dominators are reachable");
                below[dominator.index()] = below[dominator.index()].saturating_add(retained);
            }
            None if reachable => top = top.saturating_add(retained),
            None => {}
        }
    }
    // The root of a snapshot is an object itself, so top-level objects have no virtual root as parent.
    if heap.snapshot().is_some() {
        return;
    }
    assert_eq!(top, analysis.shown.shallow.0, "what the top level retains is what is shown");
    for object in heap.objects().filter(|&object| analysis.is_reachable(object)) {
        let all = below[object.index()].saturating_add(heap.shallow(object).0);
        assert_eq!(all, analysis.retained(object).0, "an object retains itself and what it dominates");
    }
}

fn read_contents(dump: &Dump, object: ObjectId) {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let _found = heap.find(&heap.id_text(object));
    let _fields = contents.fields(heap, object);
    let _elements = contents.elements(heap, object, 0..20);
    let _beyond = contents.elements(heap, object, u64::MAX - 1..u64::MAX);
    let _length = contents.array_length(heap, object);
    let _texts = (contents.label(heap, object), contents.text(heap, object, 100), contents.stack(heap, object));
    let _beside = (contents.digest(heap, object), contents.nulls(heap, object), contents.capacity(heap, object));
    let _place = (contents.script_location(heap, object), contents.fingerprint(heap, object), contents.boxed(heap, object));
    let _logical = contents.logical(heap, object, 0..20);
    for &to in heap.references(object).iter().take(3) {
        let to = ObjectId::from_raw(to).expect("a row");
        let _names = contents.reference_names(heap, object, to, 100);
    }
}

/// Writes all tables of a dump.
fn tables(dump: &Dump) {
    let of_relation = |relation: &&'static Relation| -> Arc<dyn TableKind> { Arc::new(*relation) };
    let mut kinds: Vec<Arc<dyn TableKind>> = RELATIONS.iter().map(of_relation).collect();
    kinds.push(Arc::new(ObjectsQuery::All));
    kinds.push(Arc::new(LevelQuery::children(None)));
    kinds.push(Arc::new(ownership::OwnershipQuery { soft: SoftLinks::default(), every_object: true }));
    let context = TableContext::of(dump);
    for kind in kinds {
        let method = RowQuery { top: Some(20), ..RowQuery::default() };
        let task = Task::new();
        let Ok(table) = kind.table(context, &method, &task) else { continue };
        for form in [OutputForm::Text, OutputForm::Json] {
            let _no_answer = write(&*table, context, &method, form, &mut std::io::sink(), &task);
        }
    }
}

/// Runs the overview and the leak search.
fn findings(dump: &Dump) {
    let (heap, analysis) = (&*dump.facts.heap, &dump.analysis);
    let task = Task::new();
    let _details = dump.answer(&DetailsQuestion, &task);
    let _wasted = dump.answer(&WasteTotalsQuestion, &task);
    let Ok(namer) = dump.namer(&task) else { return };
    for object in heap.objects().take(20) {
        let _called = namer.name(object, &task);
        let _whose = namer.owner(object, &task);
    }
    let min_bytes = default_min_bytes(analysis.shown.shallow);
    let _leaks = find_leaks(LeakQuery { namer, with_ages: true, rules: &LeakRules::default(), min_bytes }, &task);
    let _pattern = TextFilter::parse("/a.b/");
}
