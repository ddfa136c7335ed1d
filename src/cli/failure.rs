//! Errors of commands: exit status and message on stderr.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use heaplens_base::storage::{OutOfMemory, stored::take_damage};
use heaplens_base::{Cancelled, task};
use heaplens_tables::TableError;
use heaplens_tables::export::printable::{Printable, one_line};

/// Reasons for which a command ends with an exit status other than 0.
#[derive(Debug)]
pub(super) enum Failure {
    /// Unusable file: status 1.
    Unusable(String),
    /// Wrong usage: status 2.
    Usage(String),
    /// Cancelled by the user: status 130.
    Interrupted,
    /// Error while writing the result: status 1, or 0 for a closed pipe.
    Output(io::Error),
    /// A limit of `--fail-if-grew` or `--fail-on` was exceeded, or a check failed, after the result was printed, one line
    /// each: status 3.
    Grew(Vec<String>),
    /// Files still have values; the result was printed: status 3.
    ValuesLeft,
    /// Damaged stored analysis; nothing was printed yet.
    Damaged,
}

/// Reasons to discard a result.
#[derive(Debug)]
pub(super) enum DamagedSource {
    /// Damaged stored analysis.
    Stored,
    /// Dump that can no longer be read, with the reason.
    Dump(String),
}

impl fmt::Display for DamagedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored => f.write_str("the stored analysis is damaged"),
            Self::Dump(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for DamagedSource {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<DamagedSource>()) {
            Some(DamagedSource::Stored) => Self::Damaged,
            Some(damage @ DamagedSource::Dump(_)) => Self::Unusable(damage.to_string()),
            None => Self::Output(error),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Cancelled => Cancelled.into(),
            TableError::InvalidQuery(what) => Self::Usage(what),
            TableError::Output(error) => error.into(),
        }
    }
}

impl From<Cancelled> for Failure {
    fn from(_: heaplens_base::Cancelled) -> Self {
        // Out of memory also cancels the task, but is no interruption.
        if task::has_starved() { Self::Unusable(OutOfMemory::unknown().to_string()) } else { Self::Interrupted }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::Unusable(text) | Self::Usage(text) => f.write_str(text),
            Self::Grew(owners) => f.write_str(&owners.join("\n")),
            Self::Damaged => {
                f.write_str("the stored analysis is damaged; copy the index file again, or open the dump itself")
            }
            Self::ValuesLeft => f.write_str("files still have values"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// The same, unless it failed because of a damaged stored analysis: an object that is not found may be in a damaged block.
pub(super) fn found_damage(ended: Result<(), Failure>) -> Result<(), Failure> {
    match ended {
        Err(Failure::Unusable(_) | Failure::Usage(_)) if take_damage() => Err(Failure::Damaged),
        ended => ended,
    }
}

/// Prints a remark to stderr, in one line and without control characters: names in it come from dumps.
pub(super) fn remark(text: &str) {
    // Ignored: if stderr is closed, there is no other place for it.
    let _unheard = writeln!(io::stderr(), "heaplens: {}", one_line(text));
}

/// Prints the error to stderr and returns the exit status.
pub(super) fn exit(ended: Result<(), Failure>) -> ExitCode {
    let Err(failure) = ended else { return ExitCode::SUCCESS };
    let status = match &failure {
        // `heaplens … | head` closes the pipe early, which is no error.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Failure::Output(_) | Failure::Unusable(_) | Failure::Damaged => 1,
        Failure::Usage(_) => 2,
        Failure::Grew(owners) => {
            owners.iter().for_each(|owner| remark(owner));
            return ExitCode::from(3);
        }
        Failure::ValuesLeft => return ExitCode::from(3),
        Failure::Interrupted => 130,
    };
    // Ignored: if stderr is closed, there is no other place for it.
    let _ = writeln!(Printable(io::stderr()), "heaplens: {failure}");
    ExitCode::from(status)
}
