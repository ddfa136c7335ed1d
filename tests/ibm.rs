//! Heapdumps of IBM's virtual machines, made up in every form: read back exactly, the same heap in all of them as in
//! HPROF, and what is broken read as far as it goes.

#![expect(clippy::print_stderr, reason = "a case says its seed, for when it fails")]

use std::collections::BTreeMap;
use std::path::Path;

use heaplens::heap::ids::{Address, ObjectId};
use heaplens::heap::notes::Severity;
use heaplens::session::dump::{OpenDump, OpenOptions, open_and_wait};
use heaplens::synth::heaps;
use heaplens::synth::sketch::{Id, Sketch, Why};
use heaplens::task::Task;

#[path = "ibm/broken.rs"]
mod broken;
#[path = "ibm/fixtures.rs"]
mod fixtures;
#[path = "ibm/hostile.rs"]
mod hostile;
#[path = "ibm/javacore.rs"]
mod javacore;
#[path = "ibm/leading.rs"]
mod leading;
#[path = "ibm/reader.rs"]
mod reader;
#[path = "ibm/same_heap.rs"]
mod same_heap;

/// Opens a file, or says why it cannot.
fn try_open(path: &Path, options: &OpenOptions) -> Result<OpenDump, String> {
    open_and_wait(path, options, &Task::new()).map_err(|error| error.to_string())
}

/// Opens bytes as a file.
fn try_bytes(bytes: &[u8], options: &OpenOptions) -> Result<OpenDump, String> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("room for it");
    try_open(file.path(), options)
}

fn open_bytes(bytes: &[u8], options: &OpenOptions) -> OpenDump {
    try_bytes(bytes, options).expect("a heap")
}

/// A random heap that both formats can say: without loaders, of which HPROF and IBM have different notions.
fn heap_of(seed: u64, objects: u32) -> Sketch {
    let mut sketch = heaps::random(seed, objects);
    sketch.classes.iter_mut().for_each(|class| class.loader = 0);
    sketch
}

fn at(dump: &OpenDump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no object {id:#x}"))
}

/// Everything that depends on references: immediate dominators and distances by address.
fn dominators(dump: &OpenDump) -> BTreeMap<Id, Option<Id>> {
    let heap = &dump.facts.heap;
    let id = |object: ObjectId| heap.address(object).0;
    heap.objects().map(|object| (id(object), dump.analyzed.immediate_dominator(object).map(id))).collect()
}

fn retained(dump: &OpenDump) -> BTreeMap<Id, u64> {
    let heap = &dump.facts.heap;
    heap.objects().map(|object| (heap.address(object).0, dump.analyzed.retained(object).0)).collect()
}

/// The roots of a dump, for one that has to be told.
fn roots(dump: &OpenDump) -> Vec<(Id, Why)> {
    let heap = &dump.facts.heap;
    heap.roots.all().iter().map(|root| (heap.address(root.object).0, Why::Unknown)).collect()
}

/// What is said of a dump, but for what is usual.
fn said(dump: &OpenDump) -> Vec<(Severity, u64, String, Option<u64>)> {
    let notes = dump.facts.heap.notes.iter().filter(|note| note.severity != Severity::Info);
    notes.map(|note| (note.severity, note.count, note.message.clone(), note.first_offset)).collect()
}
