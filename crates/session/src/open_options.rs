//! Options for opening a dump.

use std::{path::PathBuf, sync::Arc};

use super::storage_options::StorageOptions;
use heaplens_analysis::RuntimeClasses;
use heaplens_dump::mapping::MappingFile;
use heaplens_formats::{JavacoreFile, ReadOptions};
use heaplens_heap::{Rules, collection_list::CollectionList};
use heaplens_process::ProcessRecord;

/// Options for opening a dump.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Options for reading the file.
    pub read: ReadOptions,
    /// Which references and objects count.
    pub rules: Rules,
    /// True to count only the owning references to views, activities and Compose nodes of an Android dump.
    pub owner_rules: bool,
    /// Caching of stored analyses.
    pub storage: StorageOptions,
    /// Runtime classes, which are never owners.
    pub runtime_classes: Arc<RuntimeClasses>,
    /// File of the runtime classes, if it is not the user's default list.
    pub runtime_classes_file: Option<PathBuf>,
    /// File of the user's verdicts; without it they are lost with the window.
    pub verdicts_file: Option<PathBuf>,
    /// The user's list of known leaking Android references.
    pub references_file: Option<PathBuf>,
    /// The user's list of known leaks of libraries.
    pub known_leaks_file: Option<PathBuf>,
    /// File of the collections of libraries, if one is given.
    pub collections_file: Option<PathBuf>,
    /// Collections of libraries, with those of the user; `None`: the built-in list.
    pub collections: Option<Arc<CollectionList>>,
    /// True to redact values of the program.
    pub redact: bool,
    /// Numbers of the heap graphs to open of Perfetto traces: of the first dump, the second, …; the last applies to all
    /// further ones. Empty: the largest.
    pub heap_graphs: Vec<u32>,
    /// ProGuard or R8 mappings, or source maps, for the first dump, the second, …; the last applies to all further ones.
    pub mappings: Vec<Arc<MappingFile>>,
    /// What is known of the process of the first dump, besides the record beside it.
    pub record: Option<Arc<ProcessRecord>>,
}

impl OpenOptions {
    /// Uses a javacore for the first dump instead of the one in its folder.
    pub fn name_javacore(&mut self, path: Option<PathBuf>) {
        self.read.javacore = path.map(|path| JavacoreFile { path, is_given: true });
    }

    /// Files that are read besides the dump.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let javacore = self.read.javacore.iter().map(|javacore| &javacore.path);
        let mappings = self.mappings.iter().map(|mapping| &mapping.path);
        let lists = [&self.runtime_classes_file, &self.collections_file, &self.verdicts_file, &self.references_file]
            .into_iter()
            .chain([&self.known_leaks_file])
            .flatten();
        javacore.chain(mappings).chain(lists).cloned()
    }

    /// Options for the dump at an index among several.
    #[must_use]
    pub fn of_file(&self, index: usize) -> Self {
        let mut options = self.clone();
        options.mappings.drain(..index.min(self.mappings.len().saturating_sub(1)));
        options.heap_graphs.drain(..index.min(self.heap_graphs.len().saturating_sub(1)));
        options.read.heap_graph = options.heap_graphs.first().copied();
        // A given javacore belongs to the first dump: others search theirs.
        options.read.javacore = options.read.javacore.filter(|_| index == 0);
        options.record = options.record.filter(|_| index == 0);
        options
    }
}
