//! Files and folders: who may read them, which file it is, writing at a place.

mod pending;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::path::Path;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

pub use self::pending::PendingFile;

/// Creates a folder, and its parents, that only the user can read. With `is_ours`, a folder that others can read, and
/// that is there already, is closed to them as far as possible.
///
/// # Errors
/// If it cannot be created.
pub fn create_private_folder(folder: &Path, is_ours: bool) -> io::Result<()> {
    system::create_private_folder(folder, is_ours)
}

/// Creates a folder that only the user can read, or checks that it is one, for secrets.
///
/// # Errors
/// If it cannot be created or closed to others, or is a link.
pub fn require_private_folder(folder: &Path) -> io::Result<()> {
    system::require_private_folder(folder)
}

/// Permissions of a new file that is not private, for systems where temporary files are.
pub fn usual_permissions() -> Option<Permissions> {
    system::usual_permissions()
}

/// Disk and number of the file at `path`, whose metadata these are, by which a replaced file is found out.
///
/// # Errors
/// If it cannot be read.
pub fn identity(path: &Path, metadata: &Metadata) -> io::Result<(u64, u64)> {
    system::identity(path, metadata)
}

/// Time of the last change of the file or its status, in nanoseconds since a moment that the system chooses. Programs set
/// it less easily than the time of modification.
///
/// # Errors
/// If it cannot be read.
pub fn changed(file: &File) -> io::Result<i128> {
    system::changed(file)
}

/// Writes all bytes at the offset `at`.
///
/// # Errors
/// Those of the file.
pub fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    system::write_all_at(file, bytes, at)
}
