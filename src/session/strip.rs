//! Writes a dump anew without what the program had in it.

use std::fs;
use std::path::Path;

use super::files::write_whole;
pub use crate::formats::Stripped;
use crate::formats::error::OpenError;
use crate::formats::source::gone;
use crate::formats::{ReadOptions, read_source, strip as strip_dump};
use crate::task::Task;

/// Writes the dump at `from` to `to`, whole or not at all: until then what was there before stays.
///
/// # Errors
/// Why not, for a person.
pub fn strip(from: &Path, to: &Path, heaps: &[String], options: &ReadOptions, task: &Task) -> Result<Stripped, String> {
    let is_same = fs::canonicalize(to).is_ok_and(|to| fs::canonicalize(from).is_ok_and(|from| from == to));
    if is_same {
        return Err("a dump cannot overwrite itself: choose another file name".to_owned());
    }
    let source = read_source(from, options, task).map_err(|error| error.describe(from))?;
    let blame = |error: std::io::Error| format!("cannot write {}: {error}", to.display());
    write_whole(to, |out| {
        let stripped = strip_dump(&source, heaps, out, task)?;
        // Zeros that stood in for what could not be read would pass for blanks.
        source.lost().map_or(Ok(stripped), |at| Err(Failed::Lost(at)))
    })
    .map_err(|failed| match failed {
        // Whatever the system says while it is written, it says of the new file.
        Failed::Dump(OpenError::Io(error)) => blame(error),
        Failed::Dump(error) => error.describe(from),
        Failed::Lost(at) => format!("cannot read {}: {}", from.display(), gone(at)),
    })
}

/// Why nothing was written.
enum Failed {
    Dump(OpenError),
    /// From this offset on the dump could not be read any more.
    Lost(u64),
}

impl<E: Into<OpenError>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::Dump(error.into())
    }
}
