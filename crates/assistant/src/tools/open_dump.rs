//! `open_dump`: opens a file and says what is in it.

use std::path::Path;

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::tool::Tool;
use crate::answer::{Answer, ToolResult};
use crate::assistant::Assistant;
use heaplens_analysis::out_of_memory::MemoryErrorsQuestion;
use heaplens_base::{Bytes, Count, Task};
use heaplens_tables::export::json::{OpenDetails, Summary};
use heaplens_tables::export::memory_errors::ErrorsAnswer;

/// Facts of the summary about opening, which say nothing of the dump.
const OF_OPENING: [&str; 5] = ["phases", "seconds", "peak_memory_bytes", "from_cache", "file"];

const INCOMPLETE: &str =
    "The dump is INCOMPLETE: a part of its file is missing or damaged, see notes. Say so in every conclusion.";
const ERROR: &str = "The dump shows an OutOfMemoryError, see out_of_memory: begin with its kind, which says whether the heap is to blame.";
const HIDDEN: &str = "Values of the program (texts, numbers, keys, thread names) are hidden; only a person can start the server with --values.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct OpenDumpTool {
    /// File, as list_dumps shows it
    file: String,
}

impl Tool for OpenDumpTool {
    const NAME: &'static str = "open_dump";
    const ABOUT: &'static str = "Open a heap dump and summarize it: format, number of objects, sizes, notes on damage. Answers the name (d1, d2, …) by which all other tools take the dump. A dump of gigabytes takes seconds; the second time is faster.";

    fn call(self, assistant: &Assistant, task: &Task) -> ToolResult {
        let (dump, closed) = assistant.open(Path::new(&self.file), task)?;
        let (heap, analysis) = (dump.heap(), dump.analysis());
        let progress = task.progress();
        let details = OpenDetails {
            progress: &progress,
            from_cache: false,
            open_warnings: dump.open_warnings(),
            peak_memory: None,
        };
        let errors = dump.source.data().answer(&MemoryErrorsQuestion, task)?;
        let summary = Summary {
            out_of_memory: ErrorsAnswer::new(&errors),
            ..Summary::new(dump.title.clone(), dump.source.data(), details)
        };
        let mut data = serde_json::to_value(&summary)?;
        if let Value::Object(data) = &mut data {
            data.retain(|key, _| !OF_OPENING.contains(&&**key));
            data.insert("dump".to_owned(), Value::from(&*dump.name));
            data.insert("file".to_owned(), Value::from(&*dump.title));
        }
        let shown = analysis.shown;
        let reachable = (Bytes(shown.shallow.0), Count(shown.objects).of("object", "objects"));
        let is_incomplete = heap.is_incomplete();
        let closed = closed.map(|name| format!("{name} was closed to make room; open its file again to ask about it."));
        let words = [
            Some(format!("The dump is {}: {} in {} reachable.", dump.name, reachable.0, reachable.1)),
            (!errors.is_empty()).then(|| ERROR.to_owned()),
            Some("Ask overview or leaks next.".to_owned()),
            is_incomplete.then(|| INCOMPLETE.to_owned()),
            assistant.is_redacted().then(|| HIDDEN.to_owned()),
            closed,
        ];
        let words = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        dump.checked(Ok(Answer::new(words, data)))
    }
}
