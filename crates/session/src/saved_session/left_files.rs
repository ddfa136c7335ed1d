//! Files left by a window that has ended.

use std::fs::{self, File};
use std::path::PathBuf;

/// Extension of a window's lock file.
pub(super) const LOCK: &str = "lock";

/// Files left by an ended window. Its lock is held so that no other window takes them.
pub(super) struct LeftFiles {
    file: PathBuf,
    lock: PathBuf,
    _held: File,
}

impl LeftFiles {
    /// A file and its lock file, which `held` keeps locked.
    pub(super) fn new(file: PathBuf, lock: PathBuf, held: File) -> Self {
        Self { file, lock, _held: held }
    }

    /// The state is saved elsewhere now.
    pub(super) fn delete(&self) {
        let _deleted = (fs::remove_file(&self.file), fs::remove_file(&self.lock));
    }
}
