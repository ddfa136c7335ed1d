//! Dumps opened with everything that a session adds: stored analyses, mappings, comparisons, copies without values.

use std::path::Path;

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;

mod ages;
mod android;
mod bundles;
mod class_first;
mod diff;
mod fixes;
mod javacore;
mod reopened;
mod stripping;

/// Temporary file with these bytes, deleted when the value is dropped.
fn temporary_file(bytes: impl AsRef<[u8]>) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("disk space");
    file
}

/// Opens a file, or returns the error.
fn try_open(path: &Path, options: &OpenOptions) -> Result<Dump, String> {
    open_and_wait(path, options, &Task::new()).map_err(|error| error.to_string())
}

/// Opens the bytes of a dump; fails the test if they are not readable.
fn open_bytes(bytes: impl AsRef<[u8]>, options: &OpenOptions) -> Dump {
    try_open(temporary_file(bytes).path(), options).unwrap_or_else(|error| panic!("{error}"))
}
