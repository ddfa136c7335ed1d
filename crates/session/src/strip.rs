//! Writes a copy of a dump without the program's values.

use std::path::Path;

use super::output_file::{OutputFile, OutputKind};
use heaplens_base::Task;
use heaplens_formats::check_values as search_values;
pub use heaplens_formats::value_check::{KindCheck, ValueCheck, ValueExample, ValueKind};
use heaplens_formats::{ReadOptions, error::OpenError, read_source, strip as strip_dump};
pub use heaplens_formats::{StripOptions, StripStatistics};

/// Values that a stripped dump may have.
const LEFT: [ValueKind; 2] = [ValueKind::Fields, ValueKind::Keys];

/// Writes the stripped dump at `from` to `to`, which is replaced when the new file is complete, and only if it is a stripped
/// dump itself.
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
    let inputs = [from.to_owned()];
    let output = OutputFile::new(to, OutputKind::Dump, &inputs);
    output.check().map_err(|error| format!("{}: {error}", to.display()))?;
    let is_file = to.metadata().is_ok_and(|there| there.is_file() && there.len() > 0);
    if is_file && !check_values(to, options, task).is_ok_and(|there| !there.has_values(&LEFT)) {
        return Err(format!(
            "{}: a dump that is not stripped has this name, so it is not overwritten. Delete it, or choose another name",
            to.display()
        ));
    }
    let source = read_source(from, options, task).map_err(|error| error.describe(from))?;
    let blame = |error: std::io::Error| format!("cannot write {}: {error}", to.display());
    output
        .write(|out| {
            let stripped = strip_dump(&source, what, out, task)?;
            // Zeros in place of unreadable bytes would look like stripped values.
            let stripped = StripStatistics { is_damaged: source.damage.is_some(), ..stripped };
            source.doubt().map_or(Ok(stripped), |why| Err(StripFailure::Changed(why)))
        })
        .map_err(|failed| match failed {
            // I/O errors during writing concern the new file.
            StripFailure::Dump(OpenError::Io(error)) => blame(error),
            StripFailure::Dump(error) => error.describe(from),
            StripFailure::Changed(why) => format!("cannot read {}: {why}", from.display()),
        })
}

/// Finds out whether the dump at `path` has values of the program.
///
/// # Errors
/// A message with the reason.
pub fn check_values(path: &Path, options: &ReadOptions, task: &Task) -> Result<ValueCheck, String> {
    let source = read_source(path, options, task).map_err(|error| error.describe(path))?;
    let mut check = search_values(&source, task).map_err(|error| error.describe(path))?;
    check.see_outside(&source);
    // Zeros in place of unreadable bytes would look like stripped values.
    source.doubt().map_or(Ok(check), |why| Err(format!("cannot read {}: {why}", path.display())))
}

/// Reason why nothing was written.
enum StripFailure {
    Dump(OpenError),
    /// The dump could not be read, or was written to, with the reason.
    Changed(String),
}

impl<E: Into<OpenError>> From<E> for StripFailure {
    fn from(error: E) -> Self {
        Self::Dump(error.into())
    }
}
