//! Files that a person asked for: the one way in which they are written. They appear under their name once they are
//! complete, never in place of a file that is being read, nor of one that is no output of the same kind.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use heaplens_base::storage::stored;
use heaplens_platform::files::{PendingFile, identity};
use heaplens_platform::paths;

/// Bytes at the beginning of a file by which its kind is recognised.
const BEGINNING: u64 = 1 << 16;
/// Longest chain of links that is followed.
const LINKS: usize = 40;
/// Names of files that this process has open: they are written, never replaced.
const OPEN_FILES: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];

/// What an output is. A file of another kind is not replaced by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// Text in any form, but no dump.
    Text,
    /// A picture.
    Picture,
    /// A table of Parquet.
    Parquet,
    /// A stored analysis.
    Index,
    /// A dump.
    Dump,
}

impl OutputKind {
    /// Name of a file of the kind in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Picture => "a picture",
            Self::Parquet => "a Parquet file",
            Self::Index => "a stored analysis",
            Self::Dump => "a heap dump",
        }
    }

    /// True for the beginning of a file of the kind.
    fn is(self, beginning: &[u8]) -> bool {
        match self {
            Self::Text => !heaplens_formats::recognises(beginning) && !beginning.contains(&0) && is_utf_8(beginning),
            Self::Picture => {
                let webp = beginning.starts_with(b"RIFF") && beginning.get(8..12) == Some(b"WEBP");
                webp || beginning.starts_with(b"\x89PNG") || beginning.starts_with(b"\xff\xd8\xff")
            }
            Self::Parquet => beginning.starts_with(b"PAR1"),
            Self::Index => stored::is_beginning(beginning),
            Self::Dump => heaplens_formats::recognises(beginning),
        }
    }
}

/// A file to write: where, what, and who may read it.
#[derive(Debug, Clone)]
pub struct OutputFile<'a> {
    path: &'a Path,
    kind: OutputKind,
    is_private: bool,
    inputs: &'a [PathBuf],
}

impl<'a> OutputFile<'a> {
    /// An output of a command that reads the files `inputs`.
    pub fn new(path: &'a Path, kind: OutputKind, inputs: &'a [PathBuf]) -> Self {
        Self { path, kind, is_private: false, inputs }
    }

    /// The same; with values of a program in it, only the user can read the file. A file that is there already keeps its
    /// permissions.
    #[must_use]
    pub fn with_values(self, has_values: bool) -> Self {
        Self { is_private: has_values, ..self }
    }

    /// Refuses what must not be replaced. Long commands call it before they begin.
    ///
    /// # Errors
    /// If the destination is a file that the command reads, by whatever name or link, or has contents of another kind.
    pub fn check(&self) -> io::Result<()> {
        let Ok(there) = fs::metadata(self.path) else { return Ok(()) };
        if there.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !there.is_file() {
            return Ok(());
        }
        let own = identity(self.path, &there)?;
        let is_own = |input: &PathBuf| {
            fs::metadata(input).and_then(|metadata| identity(input, &metadata)).is_ok_and(|input| input == own)
        };
        if self.inputs.iter().any(is_own) {
            return Err(refused(
                "the command reads this file, so it is not overwritten. Choose another name".to_owned(),
            ));
        }
        if is_open_file(self.path) {
            return Ok(());
        }
        let mut beginning = Vec::new();
        // A file that cannot be read cannot be recognised as an output.
        File::open(self.path)?.take(BEGINNING).read_to_end(&mut beginning)?;
        if beginning.is_empty() || self.kind.is(&beginning) {
            return Ok(());
        }
        let answer = if heaplens_formats::recognises(&beginning) {
            "a heap dump or a packed file"
        } else {
            "a file of another kind"
        };
        let kind = self.kind.name();
        Err(refused(format!(
            "{answer} has this name, not {kind}, so it is not overwritten. Delete it, or choose another name"
        )))
    }

    /// Path of the file that is written: at the end of links, even of those that lead to no file yet.
    ///
    /// # Errors
    /// If links lead in a circle.
    fn target(&self) -> io::Result<PathBuf> {
        let mut path = self.path.to_owned();
        for _ in 0..LINKS {
            match fs::read_link(&path) {
                Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
                Err(_) => return Ok(paths::real(&path).unwrap_or(path)),
            }
        }
        Err(io::Error::other("links lead in a circle"))
    }

    /// The same for a file that others than [`OutputFile::write`] put there.
    ///
    /// # Errors
    /// If links lead in a circle, or the destination is a device or a pipe.
    pub fn file_target(&self) -> io::Result<PathBuf> {
        let is_special = fs::metadata(self.path).is_ok_and(|there| !there.is_file());
        if is_special || is_open_file(self.path) {
            return Err(io::Error::other("not a regular file. Choose another name"));
        }
        self.target()
    }

    /// Writes the file: a temporary one in the same folder, which takes the place of the destination, or of what a link
    /// there leads to, once `write` has succeeded. Devices and pipes are written directly.
    ///
    /// # Errors
    /// As of [`OutputFile::check`], those of `write`, and those of the file system. What was there is unchanged then.
    pub fn write<T, E: From<io::Error>>(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
    ) -> Result<T, E> {
        self.check()?;
        let there = fs::metadata(self.path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) || there.is_some() && is_open_file(self.path) {
            // Appending, so that what was printed to the same file stays.
            return fill(&OpenOptions::new().append(true).open(self.path)?, write);
        }
        let path = self.target()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let pending = PendingFile::new_in(folder, self.is_private)?;
        let result = fill(pending.file(), write)?;
        if let Some(there) = there {
            pending.file().set_permissions(there.permissions())?;
            // Before it replaces a file, so that a failure of the disk leaves one of both.
            pending.file().sync_data()?;
        }
        // Another program may have put a file there meanwhile.
        self.check()?;
        pending.persist(&path)?;
        Ok(result)
    }
}

/// True for UTF-8, of which the last character may be cut.
fn is_utf_8(beginning: &[u8]) -> bool {
    str::from_utf8(beginning).err().is_none_or(|error| error.error_len().is_none())
}

fn refused(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, why)
}

fn is_open_file(path: &Path) -> bool {
    OPEN_FILES.iter().any(|name| path.starts_with(name))
}

fn fill<T, E: From<io::Error>>(
    file: &File,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
) -> Result<T, E> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let result = write(&mut out)?;
    out.flush()?;
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use OutputKind::{Dump, Index, Parquet, Picture, Text};

    /// Writes `text` there; the error as text.
    fn put(path: &Path, kind: OutputKind, inputs: &[PathBuf], text: &str) -> Result<(), String> {
        let written = OutputFile::new(path, kind, inputs).write(|out| out.write_all(text.as_bytes()));
        written.map_err(|error| error.to_string())
    }

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn a_file_is_complete_or_as_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let fail = || {
            OutputFile::new(&path, Text, &[]).write(|out| {
                out.write_all(b"half")?;
                Err::<(), _>(io::Error::other("enough"))
            })
        };
        assert!(fail().is_err());
        assert_eq!(names(folder.path()), 0);
        assert_eq!(put(&path, Text, &[], "whole"), Ok(()));
        assert!(fail().is_err());
        assert_eq!((fs::read_to_string(&path).expect("a file"), names(folder.path())), ("whole".to_owned(), 1));
        assert_eq!(put(&path, Text, &[], "again"), Ok(()));
        assert_eq!((fs::read_to_string(&path).expect("a file"), names(folder.path())), ("again".to_owned(), 1));
    }

    #[test]
    fn an_input_is_not_replaced_by_any_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("rules"), "normal Foo").expect("written");
        fs::hard_link(at("rules"), at("hard")).expect("a link");
        let mut own = vec!["rules", "hard"];
        // Windows allows links to few users.
        if paths::link(Path::new("rules"), &at("link")).is_ok() {
            own.push("link");
        }
        fs::create_dir(at("below")).expect("a folder");
        own.push("below/../rules");
        for name in own {
            let why = put(&at(name), Text, &[at("other"), at("rules")], "lost").expect_err(name);
            assert!(why.starts_with("the command reads this file"), "{name}: {why}");
            assert_eq!(fs::read(at("rules")).expect("a file"), b"normal Foo");
        }
        assert_eq!(put(&at("rules"), Text, &[at("other")], "no input"), Ok(()));
    }

    #[test]
    fn a_file_of_another_kind_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let samples: [(&[u8], &[OutputKind]); 9] = [
            (b"", &[Text, Picture, Parquet, Index, Dump]),
            (b"a,b\n1,2\n", &[Text]),
            (b"JAVA PROFILE 1.0.2\0\0\0\0\x08rest", &[Dump]),
            (b"{\"snapshot\":{\"meta\":{}}}", &[Dump]),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\x03packed", &[Dump]),
            (b"PK\x03\x04packed", &[Dump]),
            (b"\x89PNG\r\n\x1a\n", &[Picture]),
            (b"PAR1\0", &[Parquet]),
            (b"\x7fELF\0", &[]),
        ];
        for (contents, kinds) in samples {
            for kind in [Text, Picture, Parquet, Index, Dump] {
                fs::write(&path, contents).expect("written");
                let is_replaced = put(&path, kind, &[], "output").is_ok();
                assert_eq!(is_replaced, kinds.contains(&kind), "{} by {kind:?}", contents.escape_ascii());
                let after = fs::read(&path).expect("a file");
                assert_eq!(after, if is_replaced { b"output" } else { contents });
            }
        }
        assert_eq!(names(folder.path()), 1, "nothing is left behind");
    }

    #[test]
    fn writing_changes_no_other_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let permissions = |name: &str| fs::metadata(at(name)).expect("a file").permissions();
        fs::write(at("usual"), "").expect("written");
        assert_eq!(put(&at("new"), Text, &[], "ours"), Ok(()));
        assert_eq!(permissions("new"), permissions("usual"));
        // A file that is private, as those with values are; the next output there is so too.
        let with_values =
            OutputFile::new(&at("private"), Text, &[]).with_values(true).write(|out| out.write_all(b"key"));
        with_values.expect("written");
        let private = tempfile::NamedTempFile::new_in(folder.path()).expect("a file");
        let before = permissions("private");
        assert_eq!(private.as_file().metadata().expect("a file").permissions(), before);
        drop(private);
        let through = if paths::link(Path::new("private"), &at("link")).is_ok() { "link" } else { "private" };
        assert_eq!(put(&at(through), Text, &[], "through the link"), Ok(()));
        assert_eq!(fs::symlink_metadata(at(through)).expect("it is there").is_symlink(), through == "link");
        let private = (fs::read_to_string(at("private")).expect("a file"), permissions("private"));
        assert_eq!(private, ("through the link".to_owned(), before));
        let expected = 3 + usize::from(through == "link");
        assert_eq!(names(folder.path()), expected, "nothing is left behind");
        // A link to no file yet.
        if through == "link" {
            paths::link(Path::new("later"), &at("ahead")).expect("a link");
            assert_eq!(put(&at("ahead"), Text, &[], "there"), Ok(()));
            assert_eq!(fs::read_to_string(at("later")).expect("a file"), "there");
            assert!(fs::symlink_metadata(at("ahead")).expect("a link").is_symlink());
        }
    }
}
