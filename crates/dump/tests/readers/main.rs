//! Dumps of every format, generated and real, opened and compared with what was written: what the readers find, and
//! what follows from it.

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};

mod archives;
mod collections;
mod completeness;
mod flat_objects;
mod front_door;
mod hprof;
mod hprof_text;
mod ibm;
mod labels;
mod old_machines;
mod perfetto;
mod stored_contents;
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
fn open_bytes(bytes: impl AsRef<[u8]>, options: &OpenOptions) -> Dump {
    let file = temporary_file(bytes);
    open_with(file.path(), options, &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}
