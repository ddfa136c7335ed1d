//! Merged paths, computed in the background, and the names of references on screen.

use std::collections::HashMap;
use std::sync::Arc;

use super::baseline_counts;
use crate::ui::view_context::ViewContext;
use heaplens_analysis::paths::merged::{MergedTree, merged_paths};
use heaplens_base::task::Task;
use heaplens_session::jobs::{DeferredDrop, JobError};
use heaplens_session::open_dump::OpenDump;
use heaplens_session::slot::Slot;
use heaplens_tables::merged::MergedPathsQuery;

/// Maximum number of cached names; then the cache is cleared.
const LIMIT: usize = 50_000;

/// The tree and its query.
pub(super) struct Answer {
    pub(super) question: MergedPathsQuery,
    pub(super) tree: MergedTree,
    /// By node: number of objects with the same path in the baseline; empty without a comparison.
    pub(super) then: Vec<u32>,
}

/// Merges the paths.
pub(super) fn find(dump: &OpenDump, question: MergedPathsQuery, task: &Task) -> Result<Answer, JobError> {
    let (heap, contents) = (&dump.heap, &*dump.contents);
    let MergedPathsQuery { of, by, weakest } = &question;
    let tree = merged_paths(heap, contents, &dump.analysis, of, *by, *weakest, task)?;
    let then = baseline_counts::baseline_counts(dump, &question, &tree, task)?;
    Ok(Answer { question, tree, then })
}

/// Names of references for rows on screen.
#[derive(Default)]
pub(super) struct Names {
    known: HashMap<usize, String>,
    wanted: Vec<usize>,
    slot: Slot<Vec<(usize, String)>>,
}

impl Names {
    /// Name of a reference, if it is known; requests it otherwise.
    pub(super) fn of(&mut self, node: usize) -> Option<&str> {
        if !self.known.contains_key(&node) {
            self.wanted.push(node);
        }
        self.known.get(&node).map(String::as_str)
    }

    /// Takes over names that were read and requests missing ones. Call once per frame.
    pub(super) fn tick(&mut self, context: &ViewContext<'_>, answer: &Arc<DeferredDrop<Answer>>) {
        if self.slot.poll() {
            if self.known.len() > LIMIT {
                self.known.clear();
            }
            self.known.extend(self.slot.take().unwrap_or_default());
        }
        let wanted = std::mem::take(&mut self.wanted);
        if wanted.is_empty() || self.slot.is_running() || self.slot.error().is_some() {
            return;
        }
        let (dump, answer) = (context.dump.clone(), answer.clone());
        self.slot.ask(context.jobs, "reference names", move |task| {
            let mut read = Vec::with_capacity(wanted.len());
            for node in wanted {
                task.checkpoint()?;
                let found = answer.get().and_then(|answer| answer.tree.node(node));
                let Some((from, to)) = found.and_then(|found| found.before().zip(found.object())) else { continue };
                let name = dump.contents.reference_names(&dump.heap, from, to, 1).pop();
                read.push((node, name.map_or_else(|| "<unknown>".to_owned(), |name| name.text)));
            }
            Ok(read)
        });
    }

    /// True while names are being read.
    pub(super) fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}
