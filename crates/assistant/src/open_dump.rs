//! A dump that clients ask about.

use std::path::PathBuf;
use std::sync::Arc;

use heaplens_analysis::DumpData;
use heaplens_analysis::Namer;
use heaplens_analysis::cuts::Reduction;
use heaplens_base::{Cancelled, Task};
use heaplens_dump::Dump;
use heaplens_heap::{Analysis, Contents, Heap, ImportNote, ObjectId, starts_with_id};
use heaplens_session::LeakRules;
use heaplens_sql::QuerySource;
use heaplens_tables::TableContext;
use heaplens_tables::diff::NamedDump;
use heaplens_tables::export::cuts::Cuts;
use serde_json::Value;

use crate::answer::{Answer, ToolError, ToolResult};

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
}

impl OpenDump {
    /// A dump that the server opened, or one of a tab of the window.
    pub(crate) fn of(name: String, file: PathBuf, dump: &Dump, rules: LeakRules) -> Self {
        let title = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        Self { name, file, title, source: QuerySource::of(dump, rules) }
    }

    /// The same dump without some references; comparisons are not to take one for the other.
    pub(crate) fn with_state(&self, dump: &Dump) -> Self {
        let (name, file, rules) = (format!("{} after removals", self.name), self.file.clone(), self.source.rules());
        Self { name, file, title: self.title.clone(), source: QuerySource::of(dump, rules.clone()) }
    }

    /// Notes on this open.
    pub(crate) fn open_warnings(&self) -> &[ImportNote] {
        &self.source.dump().open_warnings
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
        Ok(self.source.context().with_namer(self.namer(task)?))
    }

    /// One side of a comparison.
    pub(crate) fn side(&self) -> DumpData<'_> {
        self.source.data()
    }

    /// One side of a comparison, with the name of its file.
    pub(crate) fn named(&self) -> NamedDump<'_> {
        NamedDump { side: self.side(), file: &self.title, open_warnings: self.open_warnings() }
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

    /// Refuses answers of a file that could not be read completely, as the file has changed since. An answer about the
    /// heap after removals says so.
    pub(crate) fn checked(&self, answer: ToolResult) -> ToolResult {
        match self.source.facts().doubt() {
            Some(doubt) => Err(ToolError::with("The file changed while it was open. Call open_dump again.", &doubt)),
            None => answer.map(|answer| self.after_removals(answer)),
        }
    }

    /// The answer with what was removed from the heap.
    fn after_removals(&self, mut answer: Answer) -> Answer {
        let Some(reduction) = &self.source.dump().reduction else { return answer };
        // Names that mean nothing here are data of the client.
        let line = Reduction { missing: Vec::new(), ..Reduction::clone(reduction) }.to_string();
        if !line.is_empty() {
            answer.words = format!("{line}. {}", answer.words);
        }
        if let Value::Object(data) = &mut answer.data
            && let Ok(Value::Object(mut cuts)) = serde_json::to_value(Cuts::new(self.heap(), reduction))
        {
            // They take a long list of paths; `what_if` has them.
            cuts.remove("other_ways");
            // Of two dumps, both have one.
            let key = if data.contains_key("cuts") { "before_cuts" } else { "cuts" };
            data.insert(key.to_owned(), Value::Object(cuts));
        }
        answer
    }
}

/// Error of a name.
pub(crate) fn unresolved_error(words: &str, unresolved: heaplens_analysis::naming::Unresolved) -> ToolError {
    match unresolved {
        heaplens_analysis::naming::Unresolved::Cancelled => ToolError::Cancelled,
        why => ToolError::with(words, &why),
    }
}
