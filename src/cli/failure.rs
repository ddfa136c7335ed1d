//! How a command ends without an answer: the exit status and the one line on
//! stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use super::held::DamagedSource;
use super::remark;
use crate::export::printable::Printable;
use crate::storage::shortage::Shortage;
use crate::tables::Trouble;
use crate::task::{self, Cancelled};

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// The file could not be used: status 1.
    Unusable(String),
    /// The wish makes no sense: status 2.
    Usage(String),
    /// It was cancelled: status 130.
    Interrupted,
    /// Nobody takes the answer.
    Output(io::Error),
    /// The answer was given, but an owner grew by more than it may, each in a line: status 3.
    Grew(Vec<String>),
    /// The stored analysis it was read from is damaged. Nothing was printed.
    Damaged,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<DamagedSource>()) {
            Some(DamagedSource::Stored) => Self::Damaged,
            Some(gone @ DamagedSource::Dump(_)) => Self::Unusable(gone.to_string()),
            None => Self::Output(error),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Cancelled => Cancelled.into(),
            Trouble::Wish(what) => Self::Usage(what),
            Trouble::Output(error) => error.into(),
        }
    }
}

impl From<Cancelled> for Failure {
    fn from(_: crate::task::Cancelled) -> Self {
        // Nobody interrupted what ended for want of memory.
        if task::has_starved() { Self::Unusable(Shortage::unknown().to_string()) } else { Self::Interrupted }
    }
}

/// Says what is wrong, and with which status to exit.
pub(super) fn exit(ended: Result<(), Failure>) -> ExitCode {
    let (status, text) = match ended {
        Ok(()) => return ExitCode::SUCCESS,
        // `heaplens … | head`: whoever read has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Err(Failure::Output(error)) => (1, format!("cannot write the answer: {error}")),
        Err(Failure::Unusable(text)) => (1, text),
        Err(Failure::Usage(text)) => (2, text),
        Err(Failure::Grew(owners)) => {
            owners.iter().for_each(|owner| remark(owner));
            return ExitCode::from(3);
        }
        Err(Failure::Damaged) => (1, "the stored analysis is damaged: copy it again".to_owned()),
        Err(Failure::Interrupted) => (130, "interrupted".to_owned()),
    };
    // With stderr closed nobody can be told.
    let _ = writeln!(Printable(io::stderr()), "heaplens: {text}");
    ExitCode::from(status)
}
