//! Dumps that are open, and comparisons of two of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heaplens_analysis::diff::Pair;
use heaplens_base::Task;
use heaplens_session::Jobs;
use heaplens_session::shared_answer::SharedAnswer;
use heaplens_tables::diff::HeapComparison;

use crate::answer::ToolError;
use crate::open_dump::OpenDump;

/// Maximum number of dumps that a server holds open: the one that was not asked for the longest time is closed.
const MOST: usize = 6;

/// Comparison of two dumps.
type Compared = SharedAnswer<HeapComparison>;

/// Dumps that are open.
pub(crate) struct Dumps {
    jobs: Jobs,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Those asked last are last.
    open: Vec<Arc<OpenDump>>,
    /// Number of dumps that were ever open.
    named: usize,
    /// By the names of both dumps.
    compared: BTreeMap<(String, String), Arc<Compared>>,
}

impl Dumps {
    pub(crate) fn new(jobs: Jobs) -> Self {
        Self { jobs, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere cannot leave the list half-written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs jobs that several clients may wait for.
    pub(crate) fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// Name for the next dump.
    pub(crate) fn next_name(&self) -> String {
        let mut state = self.state();
        state.named += 1;
        format!("d{}", state.named)
    }

    /// Adds a dump, and returns the name of one that was closed to make room.
    pub(crate) fn add(&self, dump: OpenDump) -> (Arc<OpenDump>, Option<String>) {
        let dump = Arc::new(dump);
        let mut state = self.state();
        state.open.push(Arc::clone(&dump));
        let closed = (state.open.len() > MOST).then(|| state.open.remove(0));
        let name = closed.as_ref().map(|closed| closed.name.clone());
        state.forget(name.as_deref());
        drop(state);
        // Freeing a large heap takes longer than a client should wait.
        drop(closed.map(|closed| self.jobs.defer_drop(closed)));
        (dump, name)
    }

    /// The open dump of a file.
    pub(crate) fn of_file(&self, file: &Path) -> Option<Arc<OpenDump>> {
        self.state().open.iter().find(|dump| dump.file == file).cloned()
    }

    /// The dump with a name. It is closed last.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<OpenDump>, ToolError> {
        let mut state = self.state();
        let Some(at) = state.open.iter().position(|dump| dump.name == name) else {
            drop(state);
            let open = self.all();
            let names: Vec<&str> = open.iter().map(|dump| &*dump.name).collect();
            let open = if names.is_empty() { "none is".to_owned() } else { format!("open: {}", names.join(", ")) };
            return Err(ToolError::new(format!(
                "No open dump has this name ({open}). Call list_dumps, then open_dump with a file; it answers the name."
            )));
        };
        let dump = state.open.remove(at);
        state.open.push(Arc::clone(&dump));
        Ok(dump)
    }

    /// All open dumps, in the order in which they were opened.
    pub(crate) fn all(&self) -> Vec<Arc<OpenDump>> {
        let mut all = self.state().open.clone();
        all.sort_by_key(|dump| dump.name.trim_start_matches('d').parse::<usize>().unwrap_or(usize::MAX));
        all
    }

    /// Closes those that `keep` refuses.
    pub(crate) fn retain(&self, keep: impl Fn(&OpenDump) -> bool) {
        let mut state = self.state();
        let (kept, closed): (Vec<_>, Vec<_>) = std::mem::take(&mut state.open).into_iter().partition(|dump| keep(dump));
        state.open = kept;
        closed.iter().for_each(|dump| state.forget(Some(&dump.name)));
        drop(state);
        drop(self.jobs.defer_drop(closed));
    }

    /// Comparison of two dumps; computed once, whoever asks.
    pub(crate) fn compared(
        &self,
        before: &Arc<OpenDump>,
        after: &Arc<OpenDump>,
        task: &Task,
    ) -> Result<Arc<HeapComparison>, ToolError> {
        let [old, new] = [before, after].map(|dump| dump.heap().origin.format);
        if old != new {
            return Err(ToolError::new(format!(
                "{} is {} and {} is {}: only dumps of the same format can be compared.",
                before.name,
                old.title(),
                after.name,
                new.title()
            )));
        }
        if before.name == after.name {
            return Err(ToolError::new("Both names mean the same dump: open an older dump of the program."));
        }
        let key = (before.name.clone(), after.name.clone());
        let shared = Arc::clone(self.state().compared.entry(key).or_default());
        let (before, after) = (Arc::clone(before), Arc::clone(after));
        let compare =
            move |task: &Task| Ok(HeapComparison::find(Pair { before: before.side(), after: after.side() }, task)?);
        Ok(shared.get((&self.jobs, "compare dumps"), task, compare)?)
    }
}

impl State {
    /// Forgets comparisons with a closed dump.
    fn forget(&mut self, closed: Option<&str>) {
        self.compared.retain(|(before, after), _| closed != Some(before) && closed != Some(after));
    }
}
