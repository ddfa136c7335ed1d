//! Caching of opened dumps: the stored analysis, the unpacked
//! form of a compressed dump, and temporary files during opening.

use std::path::{Path, PathBuf};

use heaplens_base::storage::build_key::contents_key;
use heaplens_base::storage::folder::{Identity, STORED};
use heaplens_base::storage::stored::Key;
use heaplens_base::storage::{ColumnFile, Folder, KeptCopy, MemoryBudget};
use heaplens_formats::{ReadOptions, error::OpenError};
use heaplens_heap::{ImportNote, Rules, Severity};

/// Cache settings, and the memory limit of an open.
#[derive(Debug, Clone, Default)]
pub struct StorageOptions {
    /// Folder of stored analyses and unpacked dumps; `None` disables the cache.
    pub folder: Option<Folder>,
    /// Folder of unnamed temporary files while a dump is open; `None`: the system's temporary folder.
    pub scratch: Option<PathBuf>,
    /// Memory limit in bytes for columns in progress; `None`: no limit.
    pub memory: Option<u64>,
    /// File to write the stored analysis to, instead of the folder.
    pub target: Option<PathBuf>,
}

impl StorageOptions {
    /// Folder of unnamed temporary files.
    pub fn scratch(&self) -> PathBuf {
        self.scratch.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// The same without a cache folder that others may have written to, and a note about it.
    pub(super) fn trusted(&self) -> (Self, Option<ImportNote>) {
        let why = self.folder.as_ref().and_then(|folder| Some((&folder.path, folder.check_own().err()?)));
        let Some((path, why)) = why else { return (self.clone(), None) };
        let message = format!(
            "the cache folder {} is not used: {why}; choose one that only you can write to with --cache-dir",
            path.display()
        );
        let scratch = self.scratch.clone().filter(|scratch| scratch != path);
        let storage = Self { folder: None, scratch, ..self.clone() };
        (storage, Some(ImportNote::new(Severity::Info, 1, message, None)))
    }

    /// Cache files of the dump at `path`, if the cache is enabled.
    ///
    /// # Errors
    /// If the given javacore cannot be read: an analysis stored without it does not match the request.
    pub(super) fn files(&self, path: &Path, read: &ReadOptions, rules: Rules) -> Result<Option<DumpFiles>, OpenError> {
        let folder = self.folder.as_ref();
        if folder.is_none() && self.target.is_none() {
            return Ok(None);
        }
        let Ok(identity) = Identity::of(path) else { return Ok(None) };
        let Rules { min_strength: weakest, keep_unreachable, vm_roots } = rules;
        let sizes = read.sizes.name();
        let mut options = format!("{sizes} {} {keep_unreachable} {}", weakest.name(), vm_roots.name());
        if let Some(number) = read.heap_graph {
            options = format!("{options} graph {number}");
        }
        // Its contents are part of the stored analysis.
        let beside = match read.javacore.as_ref().map(|javacore| (javacore, Identity::of(&javacore.path))) {
            Some((_, Ok(beside))) => Some(beside.key("javacore")),
            Some((javacore, Err(error))) if javacore.is_given => return Err(javacore.unreadable(&error)),
            Some((_, Err(_))) | None => None,
        };
        let name = match beside {
            Some(beside) => identity.key(&format!("{options} {:032x}", u128::from_be_bytes(beside))),
            None => identity.key(&options),
        };
        let stored = self.target.clone().or_else(|| folder.map(|folder| folder.file(&name, STORED)));
        // The same bytes, with all reading options.
        let unpacked = folder.map(|folder| KeptCopy::of(folder, &identity.key("unpacked")));
        Ok(stored.map(|stored| DumpFiles { name, key: contents_key(&name), stored, unpacked }))
    }

    /// Memory budget of one open.
    ///
    /// # Errors
    /// If the requested file cannot be written.
    pub(super) fn budget(&self, files: Option<&DumpFiles>) -> Result<MemoryBudget, OpenError> {
        let named = files.map(|files| ColumnFile::named(&files.stored, files.key)).transpose();
        let (named, trouble) = match named {
            Ok(shelf) => (shelf, None),
            Err(error) => (None, Some(error)),
        };
        if let (Some(error), Some(target)) = (&trouble, &self.target) {
            return Err(OpenError::Stored(format!("cannot write {}: {error}", target.display())));
        }
        // Without a cache folder, finished columns still go to a file: memory is scarcer than disk.
        let shelf = named.or_else(|| ColumnFile::nameless(&self.scratch()).ok());
        let budget = MemoryBudget::new(self.memory, self.scratch(), shelf);
        trouble.iter().for_each(|error| budget.record_error(error));
        Ok(budget)
    }
}

/// Files of one dump.
#[derive(Debug, Clone)]
pub(super) struct DumpFiles {
    /// What the files are named after: the dump and the options it is read with.
    pub(super) name: Key,
    /// Key of the contents of the stored analysis, which also depend on the build.
    pub(super) key: Key,
    /// The stored analysis.
    pub(super) stored: PathBuf,
    /// The unpacked dump, if it is compressed.
    pub(super) unpacked: Option<KeptCopy>,
}
