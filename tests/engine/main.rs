//! The engine against naive references, real dumps and generated ones. Nothing here starts the program.

use heaplens_analysis::LeakFinding;
use heaplens_analysis::clock::SharedAges;
use heaplens_analysis::leaks::{LeakQuery, leaks, rules::LeakRules, usual_least};
use heaplens_analysis::naming::{NameIndex, Namer};
use heaplens_base::Task;
use heaplens_session::dump::open_and_wait;
use heaplens_session::{LoadedDump, OpenOptions};

mod ages;
mod android;
mod cuts;
mod diff;
mod entry_roles;
mod findings;
mod flat_objects;
mod folding;
mod hprof;
mod hprof_text;
mod ibm;
mod jsc;
mod names;
mod old_machines;
mod outline;
mod owners;
mod ownership_naive;
mod paths;
mod perfetto;
mod rawheap;
mod related;
mod secrets;
mod stored_contents;
mod structures;
mod together;
mod traces;
mod true_sizes;
mod truncated;
mod v8;

/// Temporary file with these bytes, deleted when the value is dropped.
fn temporary_file(bytes: impl AsRef<[u8]>) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("disk space");
    file
}

/// Opens the bytes of a dump; fails the test if they are not readable.
fn open_bytes(bytes: impl AsRef<[u8]>, options: &OpenOptions) -> LoadedDump {
    let file = temporary_file(bytes);
    open_and_wait(file.path(), options, &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// Findings of the leak search in a dump.
fn leaks_of(dump: &LoadedDump) -> Vec<LeakFinding> {
    let (heap, contents, analysis) = (&*dump.facts.heap, &*dump.facts.contents, &*dump.analysis);
    let task = &Task::new();
    let index =
        &NameIndex::new(heap, contents, analysis, (*dump.runtime_classes).clone(), task).expect("not cancelled");
    let namer = Namer { heap, contents, analysis, index };
    let (rules, least) = (&LeakRules::default(), usual_least(analysis.shown.shallow));
    let ages = SharedAges::default();
    let question = LeakQuery { namer, ages: Some(&ages), rules, least };
    leaks(question, task).expect("not cancelled")
}
