//! Windows: folders of a user are private by what they inherit from the home folder.

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::windows::fs::FileExt;
use std::path::Path;

use winapi_util::file::information;

pub(super) fn create_private_folder(folder: &Path, _is_ours: bool) -> io::Result<()> {
    fs::create_dir_all(folder)
}

pub(super) fn require_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Temporary files have the permissions of their folder.
pub(super) fn usual_permissions() -> Option<Permissions> {
    None
}

/// The standard library has the numbers in no metadata yet.
pub(super) fn identity(path: &Path, _metadata: &Metadata) -> io::Result<(u64, u64)> {
    let about = information(&File::open(path)?)?;
    Ok((about.volume_serial_number(), about.file_index()))
}

/// Programs can set it, as any time of a file.
pub(super) fn changed(_metadata: &Metadata) -> i128 {
    0
}

pub(super) fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = file.seek_write(bytes, at)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = bytes.get(written..).unwrap_or_default();
        at += written as u64;
    }
    Ok(())
}
