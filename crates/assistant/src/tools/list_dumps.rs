//! `list_dumps`: files that may be opened, and open dumps.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rows::Page;
use super::tool::Tool;
use crate::answer::{Answer, ToolResult};
use crate::assistant::Assistant;
use heaplens_base::Task;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ListDumps {
    /// Number of files to skip
    skip: Option<usize>,
}

impl Tool for ListDumps {
    const NAME: &'static str = "list_dumps";
    const ABOUT: &'static str = "List the heap dumps that may be opened, with their sizes, and the names of those that are open. Call it first.";
    const IS_QUICK: bool = true;

    fn call(self, assistant: &Assistant, _task: &Task) -> ToolResult {
        let open = assistant.dumps.all();
        let (mut files, is_cut) = assistant.allowed_paths.list();
        files.retain(|file| !open.iter().any(|dump| dump.file == file.path));
        let of_open = open.iter().map(|dump| {
            json!({"dump": dump.name, "file": dump.file.to_string_lossy(), "format": dump.heap().origin.format.key()})
        });
        let closed = files.iter().map(|file| json!({"file": file.path.to_string_lossy(), "bytes": file.bytes}));
        let rows: Vec<Value> = of_open.chain(closed).collect();
        let (total, page) = (rows.len(), Page::new(None, self.skip, super::rows::MOST));
        let rows: Vec<Value> = rows.into_iter().skip(page.skip).take(page.top).collect();
        let more =
            if is_cut { " There are more files: a person can start the server with a smaller folder." } else { "" };
        let words = match total {
            0 => "No dump may be opened: a person has to start the server with files or folders.".to_owned(),
            _ => format!(
                "{} open, {} more may be opened. Ask open_dump for a file; it answers the name by which other tools take the dump.{more}",
                open.len(),
                files.len(),
            ),
        };
        Ok(Answer::new(words, json!({"dumps": rows})).listing(page.part_of(total, "dumps")))
    }
}
