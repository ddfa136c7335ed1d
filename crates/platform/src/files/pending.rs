//! Files that appear under their name once they are complete.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::{TemporaryFile, TemporaryPath, system, usual_permissions};

/// Prefix and suffix of the names that files have until they are complete, where the system asks for one.
const PREFIX: &str = ".heaplens-";
const SUFFIX: &str = ".part";

/// A file that has no name in its folder yet, or one that readers ignore: nothing is left of it unless it is given its
/// own. Where the system has files without a name, not even after the process was killed.
#[derive(Debug)]
pub struct PendingFile(Content);

#[derive(Debug)]
enum Content {
    /// A file without a name, and its folder.
    Unnamed(File, PathBuf),
    Named(TemporaryFile),
}

impl PendingFile {
    /// An empty file on the disk of `folder`. Only the user can read a private one.
    ///
    /// # Errors
    /// If no file can be created there.
    pub fn new_in(folder: &Path, is_private: bool) -> io::Result<Self> {
        if let Some(file) = system::unnamed_file(folder, is_private) {
            return Ok(Self(Content::Unnamed(file, folder.to_owned())));
        }
        TemporaryFile::create(&mut builder(is_private), folder).map(|file| Self(Content::Named(file)))
    }

    /// The file, to write to.
    pub fn file(&self) -> &File {
        match &self.0 {
            Content::Unnamed(file, _) => file,
            Content::Named(temporary) => temporary.file(),
        }
    }

    /// Names the file `path`, in its folder, in place of a file of that name.
    ///
    /// # Errors
    /// Those of the file system; the other file is unchanged then.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let name = match self.0 {
            Content::Named(temporary) => temporary.into_path(),
            // A link replaces no file, but renaming one does.
            Content::Unnamed(file, folder) => TemporaryPath::create(|| {
                let named = builder(true).make_in(folder, |name| system::name_file(&file, name))?;
                Ok(named.into_temp_path())
            })?,
        };
        name.persist(path)
    }
}

fn builder<'a>(is_private: bool) -> Builder<'a, 'a> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Temporary files are private unless something else is asked for.
    if let Some(permissions) = usual_permissions().filter(|_| !is_private) {
        builder.permissions(permissions);
    }
    builder
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let names = || fs::read_dir(folder.path()).expect("a folder").count();
        for text in ["first", "second"] {
            let pending = PendingFile::new_in(folder.path(), false).expect("a file");
            pending.file().write_all(text.as_bytes()).expect("written");
            pending.persist(&path).expect("named");
            assert_eq!((fs::read_to_string(&path).expect("a file"), names()), (text.to_owned(), 1));
        }
        drop(PendingFile::new_in(folder.path(), true).expect("a file"));
        assert_eq!(names(), 1, "nothing is left");
        fs::create_dir(folder.path().join("b")).expect("a folder");
        let pending = PendingFile::new_in(folder.path(), true).expect("a file");
        assert!(pending.persist(&folder.path().join("b")).is_err());
        assert_eq!(names(), 2, "nothing is left");
    }
}
