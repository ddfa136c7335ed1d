//! Dumps that are open, and comparisons of two of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heaplens_analysis::diff::Pair;
use heaplens_base::{Shared, Task};
use heaplens_session::Jobs;
use heaplens_tables::diff::HeapComparison;

use crate::answer::ToolError;
use crate::open_dump::OpenDump;

/// Maximum number of dumps that a server holds open: the one that was not asked for the longest time is closed.
const MOST: usize = 6;

/// Comparison of two dumps.
type Compared = Shared<HeapComparison>;

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
    /// A dump without some references: the name of the dump, those of the references, and what remains.
    reduced: Option<(String, Vec<String>, Arc<OpenDump>)>,
}

impl Dumps {
    pub(crate) fn new(jobs: Jobs) -> Self {
        Self { jobs, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere cannot leave the list half-written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Name for the next dump.
    pub(crate) fn next_name(&self) -> String {
        let mut state = self.state();
        state.named += 1;
        format!("d{}", state.named)
    }

    /// Closes the dump that was not asked for the longest time if no other may be opened; returns its name.
    pub(crate) fn make_room(&self) -> Option<String> {
        let mut state = self.state();
        let closed = (state.open.len() >= MOST).then(|| state.open.remove(0))?;
        state.forget(&closed.name);
        drop(state);
        let name = closed.name.clone();
        // Freeing a large heap takes longer than a client should wait.
        drop(self.jobs.defer_drop(closed));
        Some(name)
    }

    /// Adds a dump.
    pub(crate) fn add(&self, dump: OpenDump) -> Arc<OpenDump> {
        let dump = Arc::new(dump);
        self.state().open.push(Arc::clone(&dump));
        dump
    }

    /// The open dump of a file. It is closed last.
    pub(crate) fn of_file(&self, file: &Path) -> Option<Arc<OpenDump>> {
        self.state().find_asked(|dump| dump.file == file)
    }

    /// The dump with a name. It is closed last.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<OpenDump>, ToolError> {
        // The lock is released before the list is taken again.
        let known = self.state().find_asked(|dump| dump.name == name);
        known.ok_or_else(|| {
            let open = self.all();
            let names: Vec<&str> = open.iter().map(|dump| &*dump.name).collect();
            let open = if names.is_empty() { "none is".to_owned() } else { format!("open: {}", names.join(", ")) };
            ToolError::new(format!(
                "No open dump has this name ({open}). Call list_dumps, then open_dump with a file; it answers the name."
            ))
        })
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
        let (open, closed): (Vec<_>, Vec<_>) = std::mem::take(&mut state.open).into_iter().partition(|dump| keep(dump));
        state.open = open;
        if closed.is_empty() {
            return;
        }
        closed.iter().for_each(|dump| state.forget(&dump.name));
        drop(state);
        drop(self.jobs.defer_drop(closed));
    }

    /// The dump without some references, if it is the one at hand.
    pub(crate) fn reduced(&self, name: &str, cuts: &[String]) -> Option<Arc<OpenDump>> {
        let state = self.state();
        let (of, without, reduced) = state.reduced.as_ref()?;
        (of == name && without == cuts).then(|| Arc::clone(reduced))
    }

    /// Keeps a dump without some references in place of another.
    pub(crate) fn put_reduced(&self, name: &str, cuts: &[String], reduced: Arc<OpenDump>) {
        let mut state = self.state();
        // One of a dump that was closed meanwhile is nobody's to forget.
        let is_open = state.open.iter().any(|dump| dump.name == name);
        let replaced = if is_open { state.reduced.replace((name.to_owned(), cuts.to_vec(), reduced)) } else { None };
        drop(state);
        drop(replaced.map(|(.., replaced)| self.jobs.defer_drop(replaced)));
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
        let shared = {
            let mut state = self.state();
            let is_open = |of: &OpenDump| state.open.iter().any(|dump| dump.name == of.name);
            let key = (before.name.clone(), after.name.clone());
            // One of a dump that was closed meanwhile is nobody's to forget.
            if is_open(before) && is_open(after) {
                Arc::clone(state.compared.entry(key).or_default())
            } else {
                Arc::default()
            }
        };
        let pair = Pair { before: before.side(), after: after.side() };
        Ok(shared.get(task, |_| true, |task| HeapComparison::find(pair, task))?)
    }
}

impl State {
    /// The dump that is meant, which is now the one asked last.
    fn find_asked(&mut self, is_meant: impl Fn(&OpenDump) -> bool) -> Option<Arc<OpenDump>> {
        let at = self.open.iter().position(|dump| is_meant(dump))?;
        let dump = self.open.remove(at);
        self.open.push(Arc::clone(&dump));
        Some(dump)
    }

    /// Forgets comparisons with a closed dump, and the heap of it without some references.
    fn forget(&mut self, closed: &str) {
        self.compared.retain(|(before, after), _| closed != before && closed != after);
        self.reduced.take_if(|(of, ..)| of == closed);
    }
}
