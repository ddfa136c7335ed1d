//! Paths as bytes and in addresses, and links to files.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// A path of these bytes: any on Unix, UTF-8 elsewhere; `None` for other bytes.
pub fn of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    #[cfg(unix)]
    let path: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let path = OsString::from(String::from_utf8(bytes).ok()?);
    Some(PathBuf::from(path))
}

/// The path of a `file:` address, without the slash before a drive: `/C:/dumps` is `C:/dumps` on Windows.
pub fn of_address(path: &str) -> &str {
    let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    if is_drive { path.strip_prefix('/').unwrap_or(path) } else { path }
}

/// A path with slashes, as addresses have them, and the drive before it, such as `C`.
pub fn drive_and_slashes(path: &str) -> (Option<&str>, String) {
    let drive = path.get(..1).filter(|_| cfg!(windows) && path.get(1..2) == Some(":"));
    let rest = if drive.is_some() { path.get(2..).unwrap_or_default() } else { path };
    (drive, if cfg!(windows) { rest.replace('\\', "/") } else { rest.to_owned() })
}

/// The path with all its links followed, absolute, and as the user would write it.
///
/// # Errors
/// If there is no such file.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    #[cfg(unix)]
    return path.canonicalize();
    #[cfg(windows)]
    return dunce::canonicalize(path);
}

/// Makes `link` lead to the file `target`.
///
/// # Errors
/// If it exists, or this user may make no links.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link);
    #[cfg(windows)]
    return std::os::windows::fs::symlink_file(target, link);
}

/// Path of a file on this machine, given as a path or as a `file://` address by a program that ran on some machine. `None` of
/// other addresses, and of one on another machine, `\\host\share`, which would be asked for over the network.
pub fn local_file(name: &str) -> Option<PathBuf> {
    let path = name.strip_prefix("file://").unwrap_or(name);
    let is_drive = |path: &str| path.as_bytes().get(1..3).is_some_and(|rest| rest == b":\\" || rest == b":/");
    if cfg!(windows) {
        let path = path.strip_prefix('/').filter(|path| is_drive(path)).unwrap_or(path);
        return is_drive(path).then(|| PathBuf::from(path));
    }
    (path.starts_with('/') && !path.starts_with("//")).then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_bytes() {
        assert_eq!(of_bytes("/a b/é".into()), Some(PathBuf::from("/a b/é")));
        assert_eq!(of_bytes(b"/\xff".to_vec()).is_some(), cfg!(unix));
    }

    #[test]
    fn only_windows_has_drives() {
        let is_windows = cfg!(windows);
        assert_eq!(of_address("/C:/dumps"), if is_windows { "C:/dumps" } else { "/C:/dumps" });
        assert_eq!(of_address("/dumps"), "/dumps");
        let expected = if is_windows { (Some("C"), "/a/b".to_owned()) } else { (None, r"C:\a\b".to_owned()) };
        assert_eq!(drive_and_slashes(r"C:\a\b"), expected);
    }

    #[cfg(unix)]
    #[test]
    fn files_are_of_this_machine() {
        assert_eq!(local_file("file:///srv/a.js"), Some(PathBuf::from("/srv/a.js")));
        for other in ["//host/share/a.js", "http://localhost/a.js", "webpack://a/b.js", "a/b.js"] {
            assert_eq!(local_file(other), None, "{other}");
        }
    }
}
