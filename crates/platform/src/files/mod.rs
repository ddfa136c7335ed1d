//! Files and folders: who may read them, which file it is, whether it is one, writing at a place.

mod pending;
mod temporary;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read};
use std::path::Path;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

pub use self::pending::PendingFile;
pub use self::temporary::{TemporaryFile, TemporaryPath};

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

/// Opens a plain file of the user for reading. One that is a link, that belongs to another user, or that others can write
/// to, may have been put there by somebody else. On Windows only links are refused: who may write to a file is what its
/// folder, which belongs to the user's profile, passes on.
///
/// # Errors
/// If it cannot be opened, or is not such a file.
pub fn open_own(path: &Path) -> io::Result<File> {
    let file = system::open_unlinked(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a plain file"));
    }
    system::check_owner(&metadata)?;
    Ok(file)
}

/// Checks that a folder belongs to the user and that nobody else can write to it. On Windows every folder passes.
///
/// # Errors
/// If it cannot be read, or others can put files there; the message says which.
pub fn check_own_folder(folder: &Path) -> io::Result<()> {
    system::check_owner(&std::fs::metadata(folder)?)
}

/// Sets the time of modification of a file of the user to now.
///
/// # Errors
/// As of [`open_own`], or if the file cannot be changed.
pub fn touch_own(path: &Path) -> io::Result<()> {
    drop(open_own(path)?);
    system::open_to_touch(path)?.set_modified(std::time::SystemTime::now())
}

/// A file in memory, for data that no folder takes; it ends with its last handle.
///
/// # Errors
/// If there is none, as on all systems but Linux.
pub fn memory_file() -> io::Result<File> {
    system::memory_file()
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

/// Opens a file for reading, if it is a regular one. A pipe would wait for a writer, and reading a device may never end.
///
/// # Errors
/// Those of the file, and what it is if it is not regular.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Before it is opened: opening some devices has effects.
    refuse_irregular(&fs::metadata(path)?)?;
    let file = system::open_at_once(path)?;
    // Another file may have taken its place.
    refuse_irregular(&file.metadata()?)?;
    Ok(file)
}

fn refuse_irregular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() { "a folder" } else { system::kind(metadata) };
    Err(io::Error::other(format!("{what}, not a regular file")))
}

/// Contents of a file that the user named, of at most `most` bytes: also of a pipe or another stream.
///
/// # Errors
/// Those of the file; [`io::ErrorKind::FileTooLarge`] if it is larger.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let why = format!("more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// True if the file at `path` is a named pipe, which can be read once, from beginning to end.
pub fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| system::is_pipe(&metadata))
}
