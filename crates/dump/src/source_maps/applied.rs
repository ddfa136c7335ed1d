//! A snapshot with the names of its source maps.

use std::path::PathBuf;
use std::sync::Arc;

use super::given::{GivenMaps, Search};
use super::maps::SourceMaps;
use heaplens_heap::{ClassId, Contents, Heap, ImportNote, ScriptSources};

/// Source maps of a snapshot, and what they changed in it.
pub struct AppliedSources {
    /// The maps.
    pub maps: Arc<SourceMaps>,
    /// The dump, whose folder was looked at.
    dump: Option<PathBuf>,
    /// Renamed classes with their names in the file, ascending.
    classes: Vec<(ClassId, Box<str>)>,
    /// Notes about the maps.
    notes: Vec<ImportNote>,
}

/// Heap and contents with their names.
#[derive(Clone)]
pub struct NamedHeap {
    /// Objects, classes and references.
    pub heap: Arc<Heap>,
    /// Access to object contents.
    pub contents: Arc<dyn Contents>,
    /// Source maps that some names come from.
    pub sources: Option<Arc<AppliedSources>>,
}

impl NamedHeap {
    /// The snapshot with its source maps: those that the user names, those beside the dump, and those beside scripts on
    /// this machine. Unchanged for a format without scripts. `dump` is its file, unless maps were looked for before.
    #[must_use]
    pub(crate) fn with_sources(&self, dump: Option<PathBuf>, given: Option<&GivenMaps>) -> Self {
        let dump = self.sources.as_ref().and_then(|sources| sources.dump.clone()).or(dump);
        let own = self.without_sources();
        if own.heap.snapshot().is_none() {
            return own;
        }
        let maps = Arc::new(SourceMaps::find(&*own.contents, Search { dump: dump.as_deref(), given }));
        let mut classes = Vec::new();
        let renamed = own.heap.with_class_names(|id, class| {
            let name = maps.location(class.made_at?)?.name?;
            classes.push((id, Box::from(&*class.name)));
            Some(name)
        });
        let notes = maps.notes(classes.len() as u64);
        let heap = if notes.is_empty() {
            own.heap
        } else {
            let named = notes.iter().cloned().fold(renamed, Heap::noted);
            Arc::new(named)
        };
        let scripts = (maps.scripts() > 0).then(|| Arc::clone(&maps) as Arc<dyn ScriptSources>);
        let contents = scripts.and_then(|scripts| own.contents.with_sources(Some(scripts)));
        let sources = Some(Arc::new(AppliedSources { maps, dump, classes, notes }));
        Self { heap, contents: contents.unwrap_or(own.contents), sources }
    }

    /// The snapshot with the names in its file.
    fn without_sources(&self) -> Self {
        let Some(sources) = self.sources.as_ref().filter(|sources| !sources.notes.is_empty()) else {
            return Self { sources: None, ..self.clone() };
        };
        let names = &sources.classes;
        let mut heap = self.heap.with_class_names(|class, _| {
            let at = names.binary_search_by_key(&class, |(class, _)| *class).ok()?;
            names.get(at).map(|(_, name)| name.to_string())
        });
        heap.notes.retain(|note| !sources.notes.contains(note));
        let contents = self.contents.with_sources(None).unwrap_or_else(|| self.contents.clone());
        Self { heap: Arc::new(heap), contents, sources: None }
    }
}
