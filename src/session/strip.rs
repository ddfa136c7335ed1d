//! Writes a dump anew without what the program had in it.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

pub use crate::formats::Stripped;
use crate::formats::error::OpenError;
use crate::formats::{ReadOptions, read_source, strip as strip_dump};
use crate::task::Task;

/// Writes the dump at `from` to `to`; what could not be written to the end is not there.
///
/// # Errors
/// Why not, for a person.
pub fn strip(from: &Path, to: &Path, heaps: &[String], options: &ReadOptions, task: &Task) -> Result<Stripped, String> {
    let is_same = fs::canonicalize(to).is_ok_and(|to| fs::canonicalize(from).is_ok_and(|from| from == to));
    if is_same {
        return Err("a dump cannot be written over itself: choose another name".to_owned());
    }
    let source = read_source(from, options, task).map_err(|error| format!("{}: {error}", from.display()))?;
    let blame = |error: std::io::Error| format!("cannot write {}: {error}", to.display());
    let mut out = BufWriter::with_capacity(1 << 20, File::create(to).map_err(blame)?);
    let done = strip_dump(&source, heaps, &mut out, task);
    let written = out.flush().map_err(blame);
    let stripped = match done {
        Ok(stripped) => written.map(|()| stripped),
        // Whatever the system says while it is written, it says of the new file.
        Err(OpenError::Io(error)) => Err(blame(error)),
        Err(error) => Err(format!("{}: {error}", from.display())),
    };
    if stripped.is_err() {
        // Half of a dump is of no use to anybody.
        let _gone = fs::remove_file(to);
    }
    stripped
}
