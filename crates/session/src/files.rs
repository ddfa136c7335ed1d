//! Output files: a free name, and atomic writing: a file is complete or does not exist.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use heaplens_core::format::short_file_name;
use heaplens_platform::files::usual_permissions;
use heaplens_platform::paths;

/// Last component of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// File name of a dump without its extensions.
pub fn short_name(path: &Path) -> String {
    short_file_name(&file_name(path)).to_owned()
}

/// `folder/stem.extension`, or with a number after the stem if that file exists.
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    // A path of a dump may contain characters that a file name must not.
    let clean = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let stem: String = stem.chars().map(clean).take(120).collect();
    let named = |number: u32| match number {
        1 => folder.join(format!("{stem}.{extension}")),
        number => folder.join(format!("{stem} {number}.{extension}")),
    };
    (1..10_000).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(1))
}

/// Writes a temporary file first, and moves it to `path`, or to the target of a link there, once `write` has
/// succeeded. Special files such as pipes are written directly.
///
/// # Errors
/// Errors of `write`, and of the file system.
pub fn write_whole<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let there = fs::metadata(path).ok();
    if there.as_ref().is_some_and(|there| !there.is_file() && !there.is_dir()) {
        return fill(&OpenOptions::new().write(true).open(path)?, write);
    }
    let path = paths::real(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut part = tempfile::Builder::new();
    part.prefix(".heaplens-").suffix(".part");
    // Temporary files are private by default; the final file gets the usual mode.
    if let Some(usual) = usual_permissions() {
        part.permissions(usual);
    }
    let part = part.tempfile_in(folder)?;
    let result = fill(part.as_file(), write)?;
    if let Some(there) = there {
        part.as_file().set_permissions(there.permissions())?;
    }
    part.persist(&path).map_err(|error| error.error)?;
    Ok(result)
}

fn fill<T, E: From<io::Error>>(file: &File, write: impl FnOnce(&mut dyn Write) -> Result<T, E>) -> Result<T, E> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let result = write(&mut out)?;
    out.flush()?;
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_atomically() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = free_name(folder.path(), "a/b: histogram", "csv");
        assert!(path.ends_with("a_b_ histogram.csv"));
        let failed: Result<(), _> = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("enough"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
        write_whole(&path, |out| out.write_all(b"whole")).expect("written");
        assert_eq!(fs::read(&path).expect("a file"), b"whole");
        assert!(free_name(folder.path(), "a/b: histogram", "csv").ends_with("a_b_ histogram 2.csv"));
    }

    #[test]
    fn writing_changes_no_other_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let permissions = |name: &str| fs::metadata(at(name)).expect("a file").permissions();
        // An unrelated file of the same name.
        fs::write(at("new.part"), "theirs").expect("written");
        fs::write(at("usual"), "").expect("written");
        write_whole(&at("new"), |out| out.write_all(b"ours")).expect("written");
        assert_eq!(fs::read(at("new.part")).expect("a file"), b"theirs");
        assert_eq!(permissions("new"), permissions("usual"));
        // A file that is private, as temporary ones are.
        let private = tempfile::NamedTempFile::new_in(folder.path()).expect("a file");
        private.persist(at("private")).expect("a file");
        let before = permissions("private");
        let through = match paths::link(Path::new("private"), &at("link")) {
            Ok(()) => "link",
            Err(error) => {
                assert_eq!(error.raw_os_error(), Some(1314), "Windows allows links to few users: {error}");
                "private"
            }
        };
        write_whole(&at(through), |out| out.write_all(b"through the link")).expect("written");
        assert_eq!(fs::symlink_metadata(at(through)).expect("it is there").is_symlink(), through == "link");
        assert_eq!(
            (fs::read(at("private")).expect("a file"), permissions("private")),
            (b"through the link".to_vec(), before)
        );
        let expected = 4 + usize::from(through == "link");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), expected, "nothing is left behind");
    }
}
