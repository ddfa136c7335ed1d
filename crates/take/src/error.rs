//! Why a dump could not be taken.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use heaplens_base::{Bytes, Cancelled};
use heaplens_platform::processes::NOT_LISTED;

/// Why a dump could not be taken. Its text is one sentence for a person, with what to do where something can be done.
#[derive(Debug)]
pub enum TakeError {
    /// The task was cancelled.
    Cancelled,
    /// There is no such process.
    NoProcess(u32),
    /// The process is neither a JVM nor a JavaScript engine that can be asked.
    NotSupported {
        /// Its number.
        pid: u32,
        /// Name of its program.
        program: String,
    },
    /// The process ended before its dump was complete.
    Ended(String),
    /// This user may not ask the process.
    NoPermission {
        /// Its number.
        pid: u32,
        /// Number of the user that it runs as.
        user: u32,
    },
    /// The disk has too little space for the dump.
    DiskFull {
        /// Folder of the dump.
        folder: PathBuf,
        /// Estimated size of the dump.
        needed: Bytes,
        /// Free space, less the reserve that stays free.
        free: Bytes,
    },
    /// A file exists under the name of the dump.
    Exists(PathBuf),
    /// A file could not be written or read.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The process, or a program between it and us, refused or failed: what it said.
    Refused(String),
}

impl TakeError {
    pub(crate) fn file(path: &Path, error: io::Error) -> Self {
        Self::File { path: path.to_owned(), error }
    }
}

impl fmt::Display for TakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::NoProcess(_) if let Some(why) = NOT_LISTED => f.write_str(why),
            Self::NoProcess(pid) => write!(f, "no process {pid}; 'heaplens take' lists those that can be dumped"),
            Self::NotSupported { pid, program } => write!(
                f,
                "process {pid} ({program}) is not a JVM and has no JavaScript inspector; start Node with --inspect, \
                 or use --start-inspector for a running one"
            ),
            Self::Ended(what) => write!(f, "the process ended {what}"),
            Self::NoPermission { pid, user } => {
                write!(f, "process {pid} belongs to user {user}: run heaplens as that user or as root")
            }
            Self::DiskFull { folder, needed, free } => write!(
                f,
                "{}: the dump needs about {needed}, and {free} can be used; choose another folder",
                folder.display()
            ),
            Self::Exists(path) => write!(f, "{} exists; choose another name", path.display()),
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for TakeError {}

impl From<Cancelled> for TakeError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
