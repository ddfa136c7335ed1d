//! Merged paths, computed in the background, and the names of references on screen.

use std::sync::Arc;

use super::merged_baseline::baseline_counts;
use crate::dump::merged::MergedPathsQuery;
use heaplens_analysis::paths::merged::{MergeBy, MergedTree, merged_paths};
use heaplens_base::Task;
use heaplens_session::read_cache::ReadCache;
use heaplens_session::{DeferredDrop, JobError, Jobs, OpenDump};

/// Maximum number of cached names; then the cache is cleared.
const LIMIT: usize = 50_000;

/// The tree and its query.
pub struct MergedAnswer {
    /// The query.
    pub question: MergedPathsQuery,
    /// The tree.
    pub tree: MergedTree,
    /// By node: number of objects with the same path in the baseline; empty without a comparison.
    pub then: Vec<u32>,
}

impl MergedAnswer {
    /// Kind of the GC root that a row is, in the dump of the answer; `None` for the rows below.
    pub fn root_kind(&self, dump: &OpenDump, node: usize) -> Option<&'static str> {
        let entry = self.tree.node(node).filter(|entry| entry.before().is_none())?;
        let is_single = self.question.by == MergeBy::Object || entry.steps == 1;
        let root = entry.object().filter(|_| is_single).and_then(|object| dump.analysis.roots().of(object).first());
        Some(root.map_or("GC root", |root| root.kind.name()))
    }
}

/// Merges the paths.
pub fn find(dump: &OpenDump, question: MergedPathsQuery, task: &Task) -> Result<MergedAnswer, JobError> {
    let MergedPathsQuery { of, by, min_strength } = &question;
    let tree = merged_paths(dump.data(), of, *by, *min_strength, task)?;
    let then = baseline_counts(dump, &question, &tree, task)?;
    Ok(MergedAnswer { question, tree, then })
}

/// Names of references for rows on screen.
#[derive(Default)]
pub struct ReferenceNames(ReadCache<usize, String>);

impl ReferenceNames {
    /// Name of a reference, if it is known; requests it otherwise.
    pub fn of(&mut self, node: usize) -> Option<&str> {
        self.0.of(node).map(String::as_str)
    }

    /// Takes over names that were read and requests missing ones. Call once per frame.
    pub fn tick(&mut self, dump: &OpenDump, jobs: &Jobs, answer: &Arc<DeferredDrop<MergedAnswer>>) {
        let Some(wanted) = self.0.tick(LIMIT) else { return };
        let (dump, answer) = (dump.clone(), answer.clone());
        self.0.ask(jobs, "reference names", move |task| {
            let mut read = Vec::with_capacity(wanted.len());
            for node in wanted {
                task.checkpoint()?;
                let merged = answer.get().and_then(|answer| answer.tree.node(node));
                let Some((from, to)) = merged.and_then(|merged| merged.before().zip(merged.object())) else { continue };
                let name = dump.contents.reference_names(&dump.heap, from, to, 1).pop();
                read.push((node, name.map_or_else(|| "<unknown>".to_owned(), |name| name.text)));
            }
            Ok(read)
        });
    }

    /// True while names are being read.
    pub fn is_running(&self) -> bool {
        self.0.is_at_work()
    }
}
