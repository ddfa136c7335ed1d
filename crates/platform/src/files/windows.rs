//! Windows: folders of a user are private by what they inherit from the home folder.
#![expect(unsafe_code, reason = "a call of the system")]

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::path::Path;

use winapi_util::file::information;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_BASIC_INFO, FILE_FLAG_OPEN_REPARSE_POINT, FileBasicInfo, GetFileInformationByHandleEx,
};

pub(super) fn create_private_folder(folder: &Path, _is_ours: bool) -> io::Result<()> {
    fs::create_dir_all(folder)
}

pub(super) fn require_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// A link is opened itself, and is no plain file.
pub(super) fn open_unlinked(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(path)
}

#[expect(clippy::unnecessary_wraps, reason = "other systems have owners")]
pub(super) fn check_owner(_metadata: &Metadata) -> io::Result<()> {
    Ok(())
}

pub(super) fn open_to_touch(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

pub(super) fn memory_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Temporary files have the permissions of their folder.
pub(super) fn usual_permissions() -> Option<Permissions> {
    None
}

/// Files always have a name.
pub(super) fn unnamed_file(_folder: &Path, _is_private: bool) -> Option<File> {
    None
}

pub(super) fn name_file(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The standard library has the numbers in no metadata yet.
pub(super) fn identity(path: &Path, _metadata: &Metadata) -> io::Result<(u64, u64)> {
    let about = information(&File::open(path)?)?;
    Ok((about.volume_serial_number(), about.file_index()))
}

pub(super) fn changed(file: &File) -> io::Result<i128> {
    let mut about = FILE_BASIC_INFO::default();
    let len = size_of_val(&about) as u32;
    // SAFETY: the handle is open, and the structure has the length that is said.
    let is_read =
        unsafe { GetFileInformationByHandleEx(file.as_raw_handle(), FileBasicInfo, (&raw mut about).cast(), len) };
    // In units of 100 nanoseconds. The time of modification is another one, which `SetFileTime` sets.
    if is_read == 0 { Err(io::Error::last_os_error()) } else { Ok(i128::from(about.ChangeTime) * 100) }
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

/// Opening a file never waits.
pub(super) fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

pub(super) fn kind(_metadata: &Metadata) -> &'static str {
    "a device"
}

pub(super) fn is_pipe(_metadata: &Metadata) -> bool {
    false
}
