//! Copied rows of merged paths. In JSON, rows are nested like the tree that the command line prints.

use super::{clip, headings};
use crate::export::copy::{Clip, ClipBody, Row, Rows};
use crate::export::json::{MergedNode, text};
use crate::query::TableKind as _;
use crate::{columns::Value, trees::merged_paths::MergedAnswer};
use heaplens_base::{Bytes, Task};
use heaplens_session::{JobError, OpenDump};

/// Rows of merged paths, each with its depth and its node.
pub fn merged_paths(
    dump: &OpenDump,
    answer: &MergedAnswer,
    rows: &[(usize, usize)],
    task: &Task,
) -> Result<Clip, JobError> {
    let (mut copied, mut json) = (Vec::with_capacity(rows.len()), NestedJson::default());
    let command = answer.question.command(&dump.heap, &dump.opened);
    for &(depth, at) in rows {
        task.checkpoint()?;
        let node = MergedNode::new(dump.data(), &answer.tree, at, answer.question.by);
        let named = match answer.root_kind(dump, at) {
            Some(kind) => format!("{kind} {}", node.text()),
            None => node.text(),
        };
        let cells = vec![
            Value::text(named),
            Value::Bytes(Bytes(node.retained_bytes)),
            Value::Count(node.objects),
            Value::Bytes(Bytes(node.shallow_bytes)),
        ];
        copied.push(Row { depth, cells });
        json.put(depth, &text(&node));
    }
    let headings = headings(&["Path", "Retained size", "Objects", "Shallow size"]);
    let body = ClipBody::Rows(Rows { headings, rows: copied, json: ("rows", json.end()) });
    Ok(clip(dump, "Merged paths", command, body))
}

/// Nested JSON objects, written row by row: brackets are opened and closed as the depth changes.
#[derive(Default)]
struct NestedJson {
    done: Vec<String>,
    now: String,
    open: Vec<usize>,
}

impl NestedJson {
    fn put(&mut self, depth: usize, row: &str) {
        self.close(depth);
        if !self.now.is_empty() && !self.now.ends_with('[') {
            self.now.push(',');
        }
        self.now.push_str(row.strip_suffix('}').unwrap_or(row));
        self.now.push_str(",\"children\":[");
        self.open.push(depth);
    }

    /// Closes the open rows at `depth` or deeper.
    fn close(&mut self, depth: usize) {
        while self.open.pop_if(|open| *open >= depth).is_some() {
            self.now.push_str("]}");
        }
        if self.open.is_empty() && !self.now.is_empty() {
            self.done.push(std::mem::take(&mut self.now));
        }
    }

    fn end(mut self) -> Vec<String> {
        self.close(0);
        self.done
    }
}
