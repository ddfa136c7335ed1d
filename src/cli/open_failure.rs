//! Errors of opening a dump, with the option of the command line that their advice is about.

use std::path::Path;

use super::failure::Failure;
use heaplens_dump::OpenError;

/// The failure of an open: the error, with the option of the command line that its advice is about.
pub(super) fn open_failure(error: &OpenError, file: &Path) -> Failure {
    Failure::Unusable(described(error, file))
}

/// The error of an open, with the option of the command line that its advice is about.
pub(super) fn described(error: &OpenError, file: &Path) -> String {
    let option = match error {
        OpenError::Scratch { .. } => "--cache-dir DIR",
        OpenError::Unpacked(_) => "--unpack-ratio N",
        OpenError::Memory(_) => "--memory SIZE",
        _ => return error.describe(file),
    };
    format!("{}: {option}.", error.describe(file).trim_end_matches('.'))
}
