//! What people and programs read of answers: titles, sentences, traces, reports, JSON.

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

mod counts;
mod growth_limits;
mod json_fields;
mod koom;
mod leak_titles;
mod named_objects;
mod traces;
mod variables;

/// Dump of a heap in the notation, with 4-byte ids.
fn sketched(heap: &str) -> Dump {
    let sketch = notation::read(heap).unwrap_or_else(|why| panic!("{why}"));
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), write(&sketch, Form { id_bytes: 4, ..Form::MODERN })).expect("disk space");
    open_and_wait(file.path(), &OpenOptions::default(), &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}
