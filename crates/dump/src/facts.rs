//! Objects, names and values of a dump, and how they are shown: with the names of a mapping, with redacted values,
//! without the file.

use std::path::Path;
use std::sync::Arc;

use super::mapping::{MappingFile, MappingResult};
use super::record::record_beside;
use super::source_maps::{AppliedSources, NamedHeap};
use heaplens_base::storage::StoredAnalysis;
use heaplens_formats::restore_contents;
use heaplens_formats::source::{Source, unreadable_from};
use heaplens_heap::{Contents, Heap, collection_list::CollectionList, redaction::RedactedContents};
use heaplens_process::ProcessRecord;

/// Objects, references and values of a dump, with names and values as the reader chose to see them.
#[derive(Clone)]
pub struct Facts {
    /// Heap read from the file.
    pub heap: Arc<Heap>,
    /// Access to object contents.
    pub contents: Arc<dyn Contents>,
    /// Stored analysis it comes from. Once it is found damaged, no result from it is valid.
    pub stored: Option<Arc<StoredAnalysis>>,
    /// Mapping that renamed classes and fields.
    pub mapped: Option<Arc<MappingResult>>,
    /// Source maps of a snapshot, looked for when it was opened.
    pub sources: Option<Arc<AppliedSources>>,
    /// File that values are read from, if available.
    pub source: Option<Source>,
    /// Heap and contents with all values, if [`Facts::contents`] is redacted.
    pub hidden: Option<(Arc<Heap>, Arc<dyn Contents>)>,
    /// What was recorded of the process when the dump was taken.
    pub record: Option<Arc<ProcessRecord>>,
}

impl Facts {
    /// The facts with the names in the file and in the source maps beside it, without a mapping.
    #[must_use]
    pub fn unmapped(&self) -> Self {
        let Some(mapped) = &self.mapped else { return self.clone() };
        let own = Self { mapped: None, hidden: None, ..self.named(mapped.unmapped.clone()) };
        if self.is_redacted() { own.redacted() } else { own }
    }

    /// The facts with the names of a mapping, which replaces an earlier one.
    #[must_use]
    pub fn renamed(&self, mapping: &Arc<MappingFile>) -> Self {
        let own = self.unmapped().unredacted();
        let (named, result) = mapping.apply(own.names(), own.path().map(Path::to_owned));
        let named = Self { mapped: Some(Arc::new(result)), ..own.named(named) };
        if self.is_redacted() { named.redacted() } else { named }
    }

    /// The facts with the names of source maps beside the dump, whose file is `path`, and beside its scripts.
    #[must_use]
    pub fn with_sources_beside(&self, path: &Path) -> Self {
        self.named(self.names().with_sources(Some(path.to_owned()), None))
    }

    /// The facts with the record beside the dump, whose file is `path`, if there is one.
    #[must_use]
    pub fn with_record_beside(&self, path: &Path) -> Self {
        match record_beside(path) {
            Some(record) => self.with_record(&record),
            None => self.clone(),
        }
    }

    /// The facts with a record of the process, whose values precede those of the present one.
    #[must_use]
    pub fn with_record(&self, record: &ProcessRecord) -> Self {
        let mut all = record.clone();
        if let Some(present) = &self.record {
            all.add(ProcessRecord::clone(present));
        }
        Self { record: Some(Arc::new(all)), ..self.clone() }
    }

    fn names(&self) -> NamedHeap {
        let Self { heap, contents, sources, .. } = self.clone();
        NamedHeap { heap, contents, sources }
    }

    fn named(&self, NamedHeap { heap, contents, sources }: NamedHeap) -> Self {
        Self { heap, contents, sources, ..self.clone() }
    }

    /// The facts with another list of collections; unchanged for a format without one.
    #[must_use]
    pub fn with_collections(&self, list: &Arc<CollectionList>) -> Self {
        let own = self.unmapped().unredacted();
        let contents = own.contents.with_collections(&own.heap, list).unwrap_or_else(|| own.contents.clone());
        let own = Self { contents, ..own };
        let named = self.mapped.as_ref().map_or_else(|| own.clone(), |mapped| own.renamed(&mapped.file));
        if self.is_redacted() { named.redacted() } else { named }
    }

    /// The facts with redacted values: strings, numbers, keys, thread names, values in names of classes.
    #[must_use]
    pub fn redacted(&self) -> Self {
        if self.is_redacted() {
            return self.clone();
        }
        let heap = self.heap.redacted(&*self.contents).map_or_else(|| self.heap.clone(), Arc::new);
        let contents = Arc::new(RedactedContents::over(self.contents.clone()).with_shapes_of(&heap));
        Self { heap, contents, hidden: Some((self.heap.clone(), self.contents.clone())), ..self.clone() }
    }

    /// True if names and access to values are the same.
    pub fn is_same(&self, other: &Self) -> bool {
        let contents = |of: &Self| Arc::as_ptr(&of.contents).cast::<()>();
        Arc::ptr_eq(&self.heap, &other.heap) && contents(self) == contents(other)
    }

    /// True if values are redacted.
    pub fn is_redacted(&self) -> bool {
        self.hidden.is_some()
    }

    /// The facts with all values.
    #[must_use]
    pub fn unredacted(&self) -> Self {
        let (heap, contents) = self.hidden.clone().unwrap_or_else(|| (self.heap.clone(), self.contents.clone()));
        Self { heap, contents, hidden: None, ..self.clone() }
    }

    /// Path by which the file was opened; `None` for a copy of it, such as an unpacked one.
    pub fn path(&self) -> Option<&Path> {
        self.source.as_ref()?.path()
    }

    /// Message if the file could no longer be read; values read since then may be wrong.
    pub fn read_failure(&self) -> Option<String> {
        self.source.as_ref()?.lost_at().map(unreadable_from)
    }

    /// Message if the file could no longer be read, or another program wrote to it: values read since then may be wrong.
    /// Asks the system: at the end of an answer, not in every frame.
    pub fn changed(&self) -> Option<String> {
        self.source.as_ref()?.doubt()
    }

    /// Reason why values read so far may be wrong. Asks the system, as [`Facts::changed`].
    pub fn doubt(&self) -> Option<String> {
        let is_damaged = self.stored.as_ref().is_some_and(|stored| stored.is_damaged());
        self.changed().or_else(|| is_damaged.then(|| "its stored analysis is damaged".to_owned()))
    }

    /// The facts without the file: references, names and shapes remain, values are unavailable.
    pub fn without_file(&self) -> Result<Self, String> {
        let own = self.unmapped().unredacted();
        let contents = restore_contents(&own.heap, &own.contents.save(), None).map_err(|error| error.to_string())?;
        let facts = Self { contents, source: None, hidden: None, ..own };
        let named = self.mapped.as_ref().map_or_else(|| facts.clone(), |mapped| facts.renamed(&mapped.file));
        // Names of classes and threads are stored.
        Ok(if self.is_redacted() { named.redacted() } else { named })
    }
}
