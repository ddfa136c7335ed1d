//! What is kept of an opened dump, and where: the stored analysis, the unpacked
//! form of a packed dump, and what goes to files while it is opened.

use std::path::{Path, PathBuf};

use crate::formats::JavacoreFile;
use crate::formats::error::OpenError;
use crate::heap::analyzed::Rules;
use crate::heap::origin::SizeModel;
use crate::storage::folder::{Folder, Identity, STORED, UNPACKED};
use crate::storage::shelf::Shelf;
use crate::storage::space::Space;
use crate::storage::stored::{Key, VERSION};

/// What may be kept, and how much memory an open may take.
#[derive(Debug, Clone, Default)]
pub struct Keeping {
    /// Where stored analyses and unpacked dumps are kept; `None`: nothing is, and nothing kept is used.
    pub folder: Option<Folder>,
    /// Where files without a name go while a dump is open; `None`: the system's temporary folder.
    pub scratch: Option<PathBuf>,
    /// Bytes of memory for the columns that are being worked on; `None`: as much as they need and there is.
    pub memory: Option<u64>,
    /// Write the stored analysis to this file, not to the folder.
    pub target: Option<PathBuf>,
}

impl Keeping {
    /// The folder for files without a name.
    pub fn scratch(&self) -> PathBuf {
        self.scratch.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// Where what is kept of the dump at `path` stands, if anything is to be kept.
    ///
    /// # Errors
    /// When the javacore that somebody named cannot be read: what was kept without it is not what was asked for.
    pub(super) fn places(
        &self,
        path: &Path,
        sizes: SizeModel,
        rules: Rules,
        javacore: Option<&JavacoreFile>,
    ) -> Result<Option<Places>, OpenError> {
        let folder = self.folder.as_ref();
        if folder.is_none() && self.target.is_none() {
            return Ok(None);
        }
        let Ok(identity) = Identity::of(path) else { return Ok(None) };
        let Rules { weakest, keep_unreachable, vm_roots } = rules;
        let way = format!("{VERSION} {} {} {keep_unreachable} {}", sizes.name(), weakest.name(), vm_roots.name());
        // What it says is in the stored analysis.
        let beside = match javacore.map(|javacore| (javacore, Identity::of(&javacore.path))) {
            Some((_, Ok(beside))) => Some(beside.key("javacore")),
            Some((javacore, Err(error))) if javacore.is_given => return Err(javacore.unreadable(&error)),
            Some((_, Err(_))) | None => None,
        };
        let key = match beside {
            Some(beside) => identity.key(&format!("{way} {:032x}", u128::from_be_bytes(beside))),
            None => identity.key(&way),
        };
        let stored = self.target.clone().or_else(|| folder.map(|folder| folder.file(&key, STORED)));
        // The same bytes, however they are read.
        let unpacked = folder.map(|folder| folder.file(&identity.key("unpacked"), UNPACKED));
        Ok(stored.map(|stored| Places { key, stored, unpacked }))
    }

    /// The space for one open.
    ///
    /// # Errors
    /// When the file that somebody asked for cannot be written.
    pub(super) fn space(&self, places: Option<&Places>) -> Result<Space, OpenError> {
        let named = places.map(|places| Shelf::named(&places.stored, places.key));
        let (named, trouble) = match named {
            Some(Ok(shelf)) => (Some(shelf), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        if let (Some(error), Some(target)) = (&trouble, &self.target) {
            return Err(OpenError::Stored(format!("cannot write {}: {error}", target.display())));
        }
        // Without a folder to keep it in, what is done still goes to a file: memory is scarcer than disk.
        let shelf = named.or_else(|| Shelf::nameless(&self.scratch()).ok());
        let space = Space::new(self.memory, self.scratch(), shelf);
        trouble.iter().for_each(|error| space.tell(error));
        Ok(space)
    }
}

/// Files of one dump.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub(super) key: Key,
    /// The stored analysis.
    pub(super) stored: PathBuf,
    /// The unpacked dump, if it is packed.
    pub(super) unpacked: Option<PathBuf>,
}
