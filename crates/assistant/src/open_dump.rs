//! A dump that clients ask about.

use std::path::PathBuf;
use std::sync::Arc;

use heaplens_analysis::diff::Side;
use heaplens_analysis::overview::WasteTotals;
use heaplens_analysis::{LeakFinding, Namer};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{Analysis, Contents, Heap, ImportNote, ObjectId, starts_with_id};
use heaplens_session::shared_answer::SharedAnswer;
use heaplens_session::{Jobs, LeakRules, LoadedDump, OpenDump as TabDump};
use heaplens_sql::QuerySource;
use heaplens_tables::TableContext;
use heaplens_tables::diff::NamedDump;

use crate::answer::{ToolError, ToolResult};

/// A dump that clients ask about.
pub(crate) struct OpenDump {
    /// Name by which clients ask, such as `d1`.
    pub(crate) name: String,
    /// Its file.
    pub(crate) file: PathBuf,
    /// Name of its file, as answers show it.
    pub(crate) title: String,
    /// Its data.
    pub(crate) source: Arc<QuerySource>,
    /// Notes on this open.
    pub(crate) remarks: Vec<ImportNote>,
    /// Findings and waste: a search of seconds for a large heap.
    found: SharedAnswer<(Vec<LeakFinding>, WasteTotals)>,
    /// The dump, if this server opened it: its stored analysis is completed when it is dropped.
    _loaded: Option<LoadedDump>,
}

impl OpenDump {
    /// A dump that the server opened.
    pub(crate) fn loaded(name: String, file: PathBuf, dump: LoadedDump, rules: LeakRules) -> Self {
        let source = QuerySource::loaded(&dump, rules);
        Self { remarks: dump.remarks.clone(), _loaded: Some(dump), ..Self::of(name, file, source) }
    }

    /// A dump of a tab of the window; without its values unless they may be shown.
    pub(crate) fn of_tab(name: String, file: PathBuf, dump: &TabDump, rules: LeakRules, values: bool) -> Self {
        let source = QuerySource::of(dump, rules);
        let source = if values { source } else { source.redacted() };
        Self { remarks: dump.remarks.to_vec(), ..Self::of(name, file, source) }
    }

    fn of(name: String, file: PathBuf, source: Arc<QuerySource>) -> Self {
        let title = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        Self { name, file, title, source, remarks: Vec::new(), found: SharedAnswer::default(), _loaded: None }
    }

    pub(crate) fn heap(&self) -> &Heap {
        self.source.heap()
    }

    pub(crate) fn contents(&self) -> &dyn Contents {
        self.source.contents()
    }

    pub(crate) fn analysis(&self) -> &Analysis {
        self.source.analysis()
    }

    pub(crate) fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        self.source.namer(task)
    }

    /// What tables read, with names of objects.
    pub(crate) fn context(&self, task: &Task) -> Result<TableContext<'_>, Cancelled> {
        Ok(TableContext { namer: Some(self.namer(task)?), ..self.source.context() })
    }

    /// One side of a comparison.
    pub(crate) fn side(&self) -> Side<'_> {
        self.source.to_compare().side()
    }

    /// One side of a comparison, with the name of its file.
    pub(crate) fn named(&self) -> NamedDump<'_> {
        let runtime_classes = self.source.runtime_classes();
        NamedDump { side: self.side(), file: &self.title, runtime_classes, remarks: &self.remarks }
    }

    /// Findings of the leak search and totals of waste; computed once, whoever asks.
    pub(crate) fn found(&self, jobs: &Jobs, task: &Task) -> Result<Arc<(Vec<LeakFinding>, WasteTotals)>, ToolError> {
        let source = Arc::clone(&self.source);
        let search = move |task: &Task| Ok(source.findings_and_waste(task)?);
        Ok(self.found.get((jobs, "search for leaks"), task, search)?)
    }

    /// The object that a client means, by id or by address-free name.
    pub(crate) fn object(&self, text: &str, task: &Task) -> Result<ObjectId, ToolError> {
        if let Some(object) = self.heap().find(text) {
            return Ok(object);
        }
        if starts_with_id(text) {
            let words = "No object has this id in this dump. Ids belong to one dump: take them from its own answers.";
            return Err(ToolError::new(words));
        }
        self.namer(task)?.resolve(text, task).map_err(|unresolved| {
            let words = "No object has this name. Call search for classes and names, or take an id of another answer.";
            unresolved_error(words, unresolved)
        })
    }

    /// Refuses answers of a file that could not be read completely, as the file has changed since.
    pub(crate) fn checked(&self, answer: ToolResult) -> ToolResult {
        match self.source.facts().doubt() {
            Some(doubt) => Err(ToolError::with("The file changed while it was open. Call open_dump again.", &doubt)),
            None => answer,
        }
    }
}

/// Error of a name.
pub(crate) fn unresolved_error(words: &str, unresolved: heaplens_analysis::naming::Unresolved) -> ToolError {
    match unresolved {
        heaplens_analysis::naming::Unresolved::Cancelled => ToolError::Cancelled,
        why => ToolError::with(words, &why),
    }
}
