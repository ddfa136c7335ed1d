//! Generated IBM heap dumps in all variants are read back exactly, with the same heap as in HPROF; damaged files are read
//! as far as possible.

#![expect(clippy::print_stderr, reason = "prints the seed of a failing case")]

use std::collections::BTreeMap;
use std::path::Path;

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{Address, ObjectId, Severity};
use heaplens_testkit::heaps;
use heaplens_testkit::sketch::{Id, RootRecord, Sketch};

mod broken;
mod fixtures;
mod hostile;
mod reader;
mod same_heap;

/// Opens a file, or returns the error.
fn try_open(path: &Path, options: &OpenOptions) -> Result<Dump, String> {
    open_with(path, options, &Task::new()).map_err(|error| error.to_string())
}

/// Opens bytes as a file.
fn try_bytes(bytes: &[u8], options: &OpenOptions) -> Result<Dump, String> {
    try_open(crate::temporary_file(bytes).path(), options)
}

fn open_bytes(bytes: &[u8], options: &OpenOptions) -> Dump {
    try_bytes(bytes, options).expect("a heap")
}

/// Random heap that both formats can represent: without class loaders, which differ between HPROF and IBM.
fn heap_of(seed: u64, objects: u32) -> Sketch {
    let mut sketch = heaps::random(seed, objects);
    sketch.classes.iter_mut().for_each(|class| class.loader = 0);
    sketch
}

fn at(dump: &Dump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no object {id:#x}"))
}

/// Immediate dominators and distances by address.
fn dominators(dump: &Dump) -> BTreeMap<Id, Option<Id>> {
    let heap = &dump.facts.heap;
    let id = |object: ObjectId| heap.address(object).0;
    heap.objects().map(|object| (id(object), dump.analysis.immediate_dominator(object).map(id))).collect()
}

fn retained(dump: &Dump) -> BTreeMap<Id, u64> {
    let heap = &dump.facts.heap;
    heap.objects().map(|object| (heap.address(object).0, dump.analysis.retained(object).0)).collect()
}

/// Roots of a dump, for a format that does not record them.
fn roots(dump: &Dump) -> Vec<(Id, RootRecord)> {
    let heap = &dump.facts.heap;
    heap.roots.all().iter().map(|root| (heap.address(root.object).0, RootRecord::Unknown)).collect()
}

/// Parse warnings of a dump, except the common ones.
fn warnings(dump: &Dump) -> Vec<(Severity, u64, String, Option<u64>)> {
    let notes = dump.facts.heap.notes.iter().filter(|note| note.severity != Severity::Info);
    notes.map(|note| (note.severity, note.count, note.message.clone(), note.first_offset)).collect()
}
