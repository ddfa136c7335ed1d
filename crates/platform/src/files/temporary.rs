//! Files with a name of their own until they are complete, which are removed unless they get another name.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{Builder, TempPath};

use crate::signals::UnfinishedFile;

/// The name of a file that is being written. The file is removed when this is dropped, or when a signal ends the process,
/// unless it gets another name before.
#[derive(Debug)]
pub struct TemporaryPath {
    name: TempPath,
    unfinished: UnfinishedFile,
}

impl TemporaryPath {
    /// The name of a file that exists already.
    ///
    /// # Errors
    /// If the working folder is gone, which a relative name begins in.
    pub fn new(path: &Path) -> io::Result<Self> {
        Self::create(|| TempPath::try_from_path(path))
    }

    /// The name of the file that `create` creates.
    pub(super) fn create(create: impl FnOnce() -> io::Result<TempPath>) -> io::Result<Self> {
        let (name, unfinished) = UnfinishedFile::create(create)?;
        Ok(Self { name, unfinished })
    }

    /// Gives the complete file its name, in place of one that is there.
    ///
    /// # Errors
    /// If it cannot be renamed; it is removed then.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let Self { name, unfinished } = self;
        let persisted = name.persist(path).map_err(|failed| failed.error);
        drop(unfinished);
        persisted
    }

    /// Gives the complete file its name, unless there is a file of that name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is one, or if it cannot be renamed; it is removed then.
    pub fn persist_new(self, path: &Path) -> io::Result<()> {
        let Self { name, unfinished } = self;
        let persisted = name.persist_noclobber(path).map_err(|failed| failed.error);
        drop(unfinished);
        persisted
    }
}

impl AsRef<Path> for TemporaryPath {
    fn as_ref(&self) -> &Path {
        &self.name
    }
}

/// A file that is being written, under the name that it has until it is complete.
#[derive(Debug)]
pub struct TemporaryFile {
    file: File,
    path: TemporaryPath,
}

impl TemporaryFile {
    /// An empty file in `folder`, with a name that begins with `prefix`. Only the user can read it.
    ///
    /// # Errors
    /// If no file can be created there.
    pub fn new_in(folder: &Path, prefix: &str) -> io::Result<Self> {
        Self::create(Builder::new().prefix(prefix), folder)
    }

    /// An empty file in `folder`, with the name and the permissions of `builder`.
    pub(super) fn create(builder: &mut Builder, folder: &Path) -> io::Result<Self> {
        let mut opened = None;
        let path = TemporaryPath::create(|| {
            let (file, name) = builder.tempfile_in(folder)?.into_parts();
            opened = Some(file);
            Ok(name)
        })?;
        let file = opened.ok_or(io::ErrorKind::NotFound)?;
        Ok(Self { file, path })
    }

    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The open file, to write to.
    pub fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Closes the file.
    pub fn into_path(self) -> TemporaryPath {
        self.path
    }

    /// Gives the complete file its name, in place of one that is there. It stays open.
    ///
    /// # Errors
    /// If it cannot be renamed; it is removed then.
    pub fn persist(self, path: &Path) -> io::Result<File> {
        self.path.persist(path)?;
        Ok(self.file)
    }
}
