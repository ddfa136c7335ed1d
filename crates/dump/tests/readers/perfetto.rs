//! Heap graphs of Perfetto: generated ones in all forms are read back with the same heap as in HPROF, the cases of
//! Perfetto's own tests give its numbers, and damaged traces are read as far as possible.

use std::collections::BTreeMap;

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{Address, ObjectId, Severity, SizeModel};
use heaplens_testkit::perfetto::graph;
use heaplens_testkit::sketch::Id;

mod android;
mod broken;
mod cases;
mod mappings;
mod same_heap;
mod several;

fn try_bytes(bytes: &[u8], options: &OpenOptions) -> Result<Dump, String> {
    open_with(crate::temporary_file(bytes).path(), options, &Task::new()).map_err(|error| error.to_string())
}

/// Opens a trace with the sizes it records, which are Perfetto's.
fn open_recorded(bytes: &[u8]) -> Dump {
    let mut options = OpenOptions::default();
    options.read.sizes = SizeModel::File;
    try_bytes(bytes, &options).expect("a heap")
}

fn at(dump: &Dump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no object {id:#x}"))
}

/// Type of an object as Perfetto names it.
fn type_name(dump: &Dump, object: ObjectId) -> String {
    let heap = &dump.facts.heap;
    match heap.classes.of_object(object) {
        Some(class) => format!("java.lang.Class<{}>", heap.classes.get(class).name),
        None => heap.class(object).name.to_string(),
    }
}

/// Parse warnings of a dump about something that is missing or wrong.
fn warnings(dump: &Dump) -> Vec<(Severity, u64, String, Option<u64>)> {
    let notes = dump.facts.heap.notes.iter().filter(|note| note.severity != Severity::Info);
    notes.map(|note| (note.severity, note.count, note.message.clone(), note.first_offset)).collect()
}

/// Immediate dominators by id.
fn dominators(dump: &Dump) -> BTreeMap<Id, Option<Id>> {
    let heap = &dump.facts.heap;
    let id = |object: ObjectId| heap.address(object).0;
    heap.objects().map(|object| (id(object), dump.analysis.immediate_dominator(object).map(id))).collect()
}

fn retained(dump: &Dump) -> BTreeMap<Id, u64> {
    let heap = &dump.facts.heap;
    heap.objects().map(|object| (heap.address(object).0, dump.analysis.retained(object).0)).collect()
}
