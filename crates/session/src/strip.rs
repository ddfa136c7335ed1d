//! Writes a copy of a dump without the program's values.

use std::path::Path;

use super::files::write_whole;
use heaplens_base::Task;
use heaplens_core::formats::check_values as search_values;
pub use heaplens_core::formats::value_check::{KindCheck, ValueCheck, ValueExample, ValueKind};
use heaplens_core::formats::{ReadOptions, error::OpenError, read_source, source::gone, strip as strip_dump};
pub use heaplens_core::formats::{StripOptions, StripStatistics};
use heaplens_platform::paths;

/// Writes the stripped dump at `from` to `to` atomically: until it is complete, an existing file remains.
///
/// # Errors
/// A message with the reason.
pub fn strip(
    from: &Path,
    to: &Path,
    what: &StripOptions,
    options: &ReadOptions,
    task: &Task,
) -> Result<StripStatistics, String> {
    let is_same = paths::real(to).is_ok_and(|to| paths::real(from).is_ok_and(|from| from == to));
    if is_same {
        return Err("a dump cannot overwrite itself: choose another file name".to_owned());
    }
    let source = read_source(from, options, task).map_err(|error| error.describe(from))?;
    let blame = |error: std::io::Error| format!("cannot write {}: {error}", to.display());
    write_whole(to, |out| {
        let stripped = strip_dump(&source, what, out, task)?;
        // Zeros in place of unreadable bytes would look like stripped values.
        source.lost().map_or(Ok(stripped), |at| Err(StripFailure::Lost(at)))
    })
    .map_err(|failed| match failed {
        // I/O errors during writing concern the new file.
        StripFailure::Dump(OpenError::Io(error)) => blame(error),
        StripFailure::Dump(error) => error.describe(from),
        StripFailure::Lost(at) => format!("cannot read {}: {}", from.display(), gone(at)),
    })
}

/// Finds out whether the dump at `path` has values of the program.
///
/// # Errors
/// A message with the reason.
pub fn check_values(path: &Path, options: &ReadOptions, task: &Task) -> Result<ValueCheck, String> {
    let source = read_source(path, options, task).map_err(|error| error.describe(path))?;
    let found = search_values(&source, task).map_err(|error| error.describe(path))?;
    // Zeros in place of unreadable bytes would look like stripped values.
    source.lost().map_or(Ok(found), |at| Err(format!("cannot read {}: {}", path.display(), gone(at))))
}

/// Reason why nothing was written.
enum StripFailure {
    Dump(OpenError),
    /// The dump could not be read from this offset on.
    Lost(u64),
}

impl<E: Into<OpenError>> From<E> for StripFailure {
    fn from(error: E) -> Self {
        Self::Dump(error.into())
    }
}
