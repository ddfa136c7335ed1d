//! Linux and macOS.

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::process::geteuid;

/// Everything for the user, nothing for others.
const PRIVATE: u32 = 0o700;
/// What others may do.
const OTHERS: u32 = 0o077;
/// Writing by others.
const WRITTEN_BY_OTHERS: u32 = 0o022;

pub(super) fn create_private_folder(folder: &Path, is_ours: bool) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE).create(folder)?;
    if is_ours && fs::metadata(folder)?.mode() & OTHERS != 0 {
        // Ignored: a folder of another user cannot be changed.
        let _unchanged = fs::set_permissions(folder, Permissions::from_mode(PRIVATE));
    }
    Ok(())
}

pub(super) fn require_private_folder(folder: &Path) -> io::Result<()> {
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above)?;
    }
    match DirBuilder::new().mode(PRIVATE).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let metadata = fs::symlink_metadata(folder)?;
    // A folder of another user is not trusted; changing its mode fails.
    if !metadata.is_dir() {
        return Err(io::Error::other("not a folder"));
    }
    if metadata.mode() & OTHERS != 0 {
        fs::set_permissions(folder, Permissions::from_mode(PRIVATE))?;
    }
    Ok(())
}

/// Does not wait for the writer of a pipe.
pub(super) fn open_unlinked(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

pub(super) fn check_owner(metadata: &Metadata) -> io::Result<()> {
    if metadata.uid() != geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if metadata.mode() & WRITTEN_BY_OTHERS != 0 {
        return Err(io::Error::other("other users can write to it"));
    }
    Ok(())
}

/// The owner of a file may set its times without opening it for writing.
pub(super) fn open_to_touch(path: &Path) -> io::Result<File> {
    open_unlinked(path)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn memory_file() -> io::Result<File> {
    let file = rustix::fs::memfd_create("heaplens", rustix::fs::MemfdFlags::CLOEXEC)?;
    Ok(File::from(file))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn memory_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Temporary files are private; the umask takes from this what the user wants.
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
pub(super) fn usual_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

/// A file without a name on the disk of `folder`; `None` where there are none, such as on a network.
#[cfg(target_os = "linux")]
pub(super) fn unnamed_file(folder: &Path, is_private: bool) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    // Without /proc it could not be named.
    if !Path::new(OWN_FILES).is_dir() {
        return None;
    }
    let mode = Mode::from_raw_mode(if is_private { 0o600 } else { 0o666 });
    open(folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode).ok().map(File::from)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn unnamed_file(_folder: &Path, _is_private: bool) -> Option<File> {
    None
}

/// Open files of this process by number.
#[cfg(target_os = "linux")]
const OWN_FILES: &str = "/proc/self/fd";

/// Names a file that has no name.
#[cfg(target_os = "linux")]
pub(super) fn name_file(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let own = Path::new(OWN_FILES).join(file.as_raw_fd().to_string());
    Ok(linkat(CWD, &own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn name_file(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[expect(clippy::unnecessary_wraps, reason = "other systems must open the file")]
pub(super) fn identity(_path: &Path, metadata: &Metadata) -> io::Result<(u64, u64)> {
    Ok((metadata.dev(), metadata.ino()))
}

pub(super) fn changed(file: &File) -> io::Result<i128> {
    let metadata = file.metadata()?;
    Ok(i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec()))
}

pub(super) fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}

/// Does not wait for a writer if the file is a pipe.
pub(super) fn open_at_once(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

pub(super) fn kind(metadata: &Metadata) -> &'static str {
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

pub(super) fn is_pipe(metadata: &Metadata) -> bool {
    metadata.file_type().is_fifo()
}

#[cfg(test)]
mod tests {
    use super::super::{check_own_folder, open_own, touch_own};
    use super::*;

    #[test]
    fn files_that_others_may_have_written_are_not_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).expect("ours");
        fs::write(at("a"), "text").expect("a file");
        set(&at("a"), 0o644);
        open_own(&at("a")).expect("it is ours");
        touch_own(&at("a")).expect("it is ours");
        for mode in [0o664, 0o646] {
            set(&at("a"), mode);
            assert!(open_own(&at("a")).is_err() && touch_own(&at("a")).is_err(), "{mode:o}");
        }
        set(&at("a"), 0o600);
        std::os::unix::fs::symlink(at("a"), at("link")).expect("a link");
        assert!(open_own(&at("link")).is_err() && open_own(folder.path()).is_err() && open_own(&at("none")).is_err());
        for (mode, is_own) in [(0o700, true), (0o755, true), (0o775, false), (0o757, false), (0o777, false)] {
            set(folder.path(), mode);
            assert_eq!(check_own_folder(folder.path()).is_ok(), is_own, "{mode:o}");
        }
        // A test of root can give a file away.
        set(folder.path(), 0o700);
        if geteuid().is_root() && std::os::unix::fs::chown(at("a"), Some(12), Some(12)).is_ok() {
            assert!(open_own(&at("a")).is_err_and(|why| why.to_string().contains("another user")));
        }
    }

    #[test]
    fn a_folder_for_secrets_is_closed_to_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("a");
        let mode = |path: &Path| fs::metadata(path).expect("a folder").mode() & 0o777;
        require_private_folder(&inside).expect("it is made");
        assert_eq!(mode(&inside), PRIVATE);
        fs::set_permissions(&inside, Permissions::from_mode(0o755)).expect("ours");
        require_private_folder(&inside).expect("it is closed");
        assert_eq!(mode(&inside), PRIVATE);
        std::os::unix::fs::symlink(&inside, folder.path().join("link")).expect("a link");
        assert!(require_private_folder(&folder.path().join("link")).is_err());
    }

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").expect("written");
        std::os::unix::fs::symlink(at("file"), at("link")).expect("a link");
        assert!(super::super::open_regular(&at("file")).is_ok());
        assert!(super::super::open_regular(&at("link")).is_ok());
        let socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("a socket");
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().expect("a command of POSIX");
        assert!(made.success());
        std::os::unix::fs::symlink(at("pipe"), at("to-pipe")).expect("a link");
        for (path, what) in [
            (at("socket"), "a socket"),
            (at("pipe"), "a pipe"),
            (at("to-pipe"), "a pipe"),
            (folder.path().to_owned(), "a folder"),
            (Path::new("/dev/zero").to_owned(), "a device"),
        ] {
            let error = super::super::open_regular(&path).expect_err("it is no file");
            assert_eq!(error.to_string(), format!("{what}, not a regular file"));
        }
        assert!(super::super::is_pipe(&at("to-pipe")) && !super::super::is_pipe(&at("file")));
        assert!(super::super::read_at_most(Path::new("/dev/zero"), 1000).is_err());
        drop(socket);
    }
}
