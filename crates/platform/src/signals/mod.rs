//! Signals that end the process: files that are being written are removed first. A write beyond the limit on the size of
//! files is an ordinary error.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;
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
    /// Runs `create`, which creates a file, and lists the file at the path of the result. A signal that arrives meanwhile
    /// ends the process after that. Many files can be unfinished at once; beyond that a file stays when a signal ends the
    /// process, as it does when the power fails.
    ///
    /// # Errors
    /// Those of `create`.
    pub fn create<T: AsRef<Path>>(create: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Self)> {
        let _creation = system::Creation::begin();
        let file = create()?;
        let entry = system::Entry::new(file.as_ref());
        Ok((file, Self { _entry: entry }))
    }
}
