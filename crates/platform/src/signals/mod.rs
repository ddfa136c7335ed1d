//! Signals that end the process: files that are being written are removed first. A write beyond the limit on the size of
//! files is an ordinary error.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::path::Path;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

/// Prepares the process; to be called once, before it writes anything. A write beyond the limit on the size of files
/// (`ulimit -f`) fails from then on, instead of ending the process. Before SIGHUP, SIGINT or SIGTERM end it, unfinished
/// files are removed. On Windows there are no such signals.
pub fn prepare() {
    system::prepare();
}

/// A file that is being written. If a signal ends the process while this exists, the file is removed.
#[derive(Debug)]
pub struct UnfinishedFile {
    _entry: system::Entry,
}

impl UnfinishedFile {
    /// The file at `path`, which may not exist yet. Many can be unfinished at once; beyond that a file stays when a
    /// signal ends the process, as it does when the power fails.
    pub fn new(path: &Path) -> Self {
        Self { _entry: system::Entry::new(path) }
    }
}
