//! Answers about whole heaps against naive references, real dumps and generated ones.

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::{LeakQuery, default_min_bytes, find_leaks, rules::LeakRules};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};

mod android;
mod class_owners;
mod cut_entries;
mod cut_oracle;
mod cuts;
mod entry_groups;
mod entry_roles;
mod facts;
mod findings;
mod folding;
mod grouped;
mod growing;
mod jsc;
mod long_records;
mod names;
mod native;
mod native_graphs;
mod out_of_memory;
mod outline;
mod outside;
mod owners;
mod ownership_naive;
mod packages;
mod partial_values;
mod paths;
mod previews;
mod related;
mod secrets;
mod structures;
mod together;
mod traces;
mod v8;
mod variables;

/// Temporary file with these bytes, deleted when the value is dropped.
fn temporary_file(bytes: impl AsRef<[u8]>) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("disk space");
    file
}

/// Opens the bytes of a dump; fails the test if they are not readable.
fn open_bytes(bytes: impl AsRef<[u8]>, options: &OpenOptions) -> Dump {
    let file = temporary_file(bytes);
    open_with(file.path(), options, &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// Findings of the leak search in a dump.
fn leaks_of(dump: &Dump) -> Vec<LeakFinding> {
    let task = &Task::new();
    let namer = dump.namer(task).expect("not cancelled");
    let (rules, min_bytes) = (&LeakRules::default(), default_min_bytes(dump.analysis.shown.shallow));
    let question = LeakQuery { namer, with_ages: true, rules, min_bytes };
    find_leaks(question, task).expect("not cancelled")
}
