//! Errors of opening a file: location in the file, expected and actual content, and advice for the user.

use std::path::{Path, PathBuf};
use std::{fmt, io::ErrorKind};

pub use super::unpack_limit::UnpackLimit;
use heaplens_base::{Cancelled, Count, storage::OutOfMemory};

/// Malformed or unsupported file content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// Name of the detected format; empty if the format is unknown.
    pub format: &'static str,
    /// Offset of the error in the (unpacked) file, in bytes; 0 if it concerns the file as a whole.
    pub offset: u64,
    /// Expected content at that offset, as a noun phrase.
    pub expected: String,
    /// Actual content, as a noun phrase; empty if the file ends there.
    pub actual: String,
    /// Advice for the user, as sentences with full stops.
    pub advice: &'static str,
}

impl FormatError {
    /// Creates an error from the values of its fields.
    pub fn new(
        format: &'static str,
        offset: u64,
        expected: impl Into<String>,
        actual: impl Into<String>,
        advice: &'static str,
    ) -> Self {
        Self { format, offset, expected: expected.into(), actual: actual.into(), advice }
    }

    /// Error for a heap with more objects than there are row numbers.
    pub(super) fn too_many_objects(format: &'static str, advice: &'static str) -> Self {
        Self::new(format, 0, format!("at most {} objects", Count(u64::from(u32::MAX) - 1)), "more", advice)
    }

    /// Cause of the error, without advice: `hprof: file is truncated at byte 1,996,679, expected …`.
    pub fn cause(&self) -> String {
        let Self { format, expected, actual, .. } = self;
        let before = if format.is_empty() { String::new() } else { format!("{format}: ") };
        let at = if self.offset > 0 { format!(" at byte {}", Count(self.offset)) } else { String::new() };
        if actual.is_empty() {
            format!("{before}file is truncated{at}, expected {expected}")
        } else {
            format!("{before}expected {expected}{at}, found {actual}")
        }
    }
}

impl std::error::Error for FormatError {}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.cause(), self.advice)
    }
}

/// Error of opening a dump. [`OpenError::describe`] puts the path of the file in front.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// I/O error while reading the file.
    Io(std::io::Error),
    /// I/O error while writing the unpacked form of a file; the dump itself is readable.
    Scratch {
        /// Destination folder.
        folder: PathBuf,
        /// Error of the file system.
        error: std::io::Error,
    },
    /// The file is unpacked to more than the allowed multiple of its size.
    Unpacked(UnpackLimit),
    /// Malformed or unsupported content.
    Format(FormatError),
    /// Error of using or writing a stored analysis, as text.
    Stored(String),
    /// Out of memory.
    Memory(OutOfMemory),
    /// Cancelled by the caller.
    Cancelled,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.advice() {
            "" => f.write_str(&self.cause()),
            advice => write!(f, "{}. {advice}", self.cause()),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) | Self::Scratch { error, .. } => Some(error),
            Self::Unpacked(limit) => Some(limit),
            Self::Format(error) => Some(error),
            Self::Memory(shortage) => Some(shortage),
            Self::Stored(_) | Self::Cancelled => None,
        }
    }
}

impl From<Cancelled> for OpenError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == ErrorKind::OutOfMemory { Self::Memory(OutOfMemory::unknown()) } else { Self::Io(error) }
    }
}

impl OpenError {
    /// Cause of the error, without advice.
    pub fn cause(&self) -> String {
        match self {
            Self::Scratch { folder, error } => format!("cannot unpack the file into {}: {error}", folder.display()),
            Self::Unpacked(limit) => limit.to_string(),
            Self::Format(error) => error.cause(),
            Self::Memory(shortage) => shortage.cause(),
            Self::Io(error) => error.to_string(),
            Self::Stored(why) => format!("stored analysis: {why}"),
            Self::Cancelled => "cancelled".to_owned(),
        }
    }

    /// Advice for the user, as sentences; empty if there is none.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Scratch { .. } => "Choose another folder for temporary files.",
            Self::Unpacked(_) => "If the file is what it should be, raise the limit.",
            Self::Format(error) => error.advice,
            Self::Memory(_) => OutOfMemory::ADVICE,
            Self::Io(_) | Self::Stored(_) | Self::Cancelled => "",
        }
    }

    /// True if the file is of no known format.
    pub fn is_no_dump(&self) -> bool {
        matches!(self, Self::Format(error) if error.format.is_empty())
    }

    /// Error message for the user about the dump at `path`, such as "cannot read app.hprof: …".
    pub fn describe(&self, path: &Path) -> String {
        let verb = if matches!(self, Self::Io(_) | Self::Format(_)) { "read" } else { "open" };
        format!("cannot {verb} {}: {self}", path.display())
    }

    /// Converts an I/O error on a temporary file in `folder`.
    pub fn scratch(folder: &Path, error: std::io::Error) -> Self {
        let limit = error.get_ref().and_then(|inner| inner.downcast_ref::<UnpackLimit>()).copied();
        if let Some(limit) = limit {
            return Self::Unpacked(limit);
        }
        match Self::from(error) {
            Self::Io(error) => Self::Scratch { folder: folder.to_owned(), error },
            other => other,
        }
    }
}

impl From<FormatError> for OpenError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}
