//! Why a file could not be opened: which file, where, what was expected there,
//! what was found, and what a person can do.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::storage::shortage::Shortage;
use crate::task::Cancelled;

/// A file that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// The format it was taken for; empty when it was not recognised.
    pub format: &'static str,
    /// Offset in the (unpacked) file.
    pub offset: u64,
    /// What should have been there.
    pub expected: String,
    /// What was there.
    pub found: String,
    /// What to do about it.
    pub advice: &'static str,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.format.is_empty() {
            write!(f, "{}: ", self.format)?;
        }
        write!(f, "at offset {}: expected {}, found {}; {}", self.offset, self.expected, self.found, self.advice)
    }
}

/// Why an open ended without a heap.
#[derive(Debug)]
pub enum OpenError {
    /// The system would not give us the file.
    Io(std::io::Error),
    /// A packed file could not be unpacked here; the dump itself is readable.
    Scratch {
        /// Where it was to be unpacked.
        folder: PathBuf,
        /// What went wrong there.
        error: std::io::Error,
    },
    /// The file is not what we can read.
    Format(FormatError),
    /// A stored analysis could not be used or written, and why.
    Stored(String),
    /// There is not enough memory.
    Memory(Shortage),
    /// Nobody wants it any more.
    Cancelled,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the file: {error}"),
            Self::Scratch { folder, error } => write!(
                f,
                "cannot unpack the file into the folder {}: {error}; choose another with --cache-dir",
                folder.display()
            ),
            Self::Format(error) => error.fmt(f),
            Self::Memory(shortage) => shortage.fmt(f),
            Self::Stored(why) => write!(f, "stored analysis: {why}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<Cancelled> for OpenError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == ErrorKind::OutOfMemory { Self::Memory(Shortage::unknown()) } else { Self::Io(error) }
    }
}

impl OpenError {
    /// What went wrong with a file of our own in `folder`.
    pub fn scratch(folder: &Path, error: std::io::Error) -> Self {
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
