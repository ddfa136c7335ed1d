//! One dump being opened, and then open.
//!
//! Results arrive as they become available: the census (header, objects by class), the facts (objects, references), the
//! analysis (dominators, retained sizes). Each can be shown at once.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use super::jobs::{Job, JobError, Jobs};
use super::recipe::{OpenResult, recipe};
use super::{open_options::OpenOptions, storage_options::StorageOptions};
use heaplens_analysis::RuntimeClasses;
use heaplens_analysis::cuts::Reduction;
use heaplens_base::storage::stored::is_stored;
use heaplens_base::{Cancelled, Progress, Task};
use heaplens_dump::{Dump, OpenError};
use heaplens_dump::{facts::Facts, open::OpenEvent};
use heaplens_heap::{Analysis, Census, ExcludedReferences, ImportNote};

/// State of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Being read.
    Opening,
    /// Everything is exact.
    Ready,
    /// Cancelled by the user. Results so far remain.
    Cancelled,
    /// Opening failed.
    Failed(OpenFailure),
}

/// Reason why a dump is not open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenFailure {
    /// Cause, as a clause that begins with a small letter.
    pub cause: String,
    /// Advice for the user, as sentences; empty if there is none.
    pub advice: &'static str,
    /// True if the file is no heap dump: it will not be one the next time either.
    pub is_no_dump: bool,
}

impl fmt::Display for OpenFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gap = if self.advice.is_empty() { "" } else { ". " };
        write!(f, "{}{gap}{}", self.cause, self.advice)
    }
}

/// Handle of a dump that is being opened in the background, and then open.
pub struct DumpHandle {
    path: PathBuf,
    options: Arc<OpenOptions>,
    task: Task,
    job: Option<Job<Result<OpenResult, OpenFailure>>>,
    events: Receiver<OpenEvent>,
    state: State,
    /// Results so far.
    census: Option<Arc<Census>>,
    facts: Option<Facts>,
    /// The dump, once it is open.
    dump: Option<Dump>,
    runtime_classes: Arc<RuntimeClasses>,
}

impl DumpHandle {
    /// Begins to open `path` in the background; `jobs` wakes the caller when there is something to [`poll`](Self::poll).
    pub fn open(path: &Path, options: OpenOptions, jobs: &Jobs) -> Self {
        let (sender, events) = crossbeam_channel::unbounded();
        let (file, waker) = (path.to_owned(), jobs.clone());
        let runtime_classes = options.runtime_classes.clone();
        let options = Arc::new(options);
        let shared = options.clone();
        let job = jobs.start("open dump", move |task| {
            let on_event = |event| on_event(&sender, &waker, event);
            match recipe(&file, &shared, task, &on_event) {
                Ok(ended) => Ok(Ok(ended)),
                Err(OpenError::Cancelled) => Err(JobError::Cancelled),
                Err(error) => Ok(Err(OpenFailure {
                    cause: error.cause(),
                    advice: error.advice(),
                    is_no_dump: error.is_no_dump(),
                })),
            }
        });
        Self {
            path: path.to_owned(),
            options,
            task: job.task.clone(),
            job: Some(job),
            events,
            state: State::Opening,
            census: None,
            facts: None,
            dump: None,
            runtime_classes,
        }
    }

    /// Another handle of the same dump, which shares its data; `None` unless it is open.
    pub fn share(&self) -> Option<Self> {
        (self.state == State::Ready).then(|| Self {
            path: self.path.clone(),
            options: self.options.clone(),
            task: self.task.clone(),
            job: None,
            events: crossbeam_channel::never(),
            state: State::Ready,
            census: self.census.clone(),
            facts: self.facts.clone(),
            dump: self.dump.clone(),
            runtime_classes: self.runtime_classes.clone(),
        })
    }

    /// The same dump with other facts about the same objects: other names, or no file. `None` unless it is open.
    pub fn with_facts(&self, facts: Facts) -> Option<Self> {
        let dump = self.dump.as_ref()?.with_facts(facts.clone());
        Some(Self { facts: Some(facts), dump: Some(dump), ..self.share()? })
    }

    /// Rules for runtime classes.
    pub fn runtime_classes(&self) -> &Arc<RuntimeClasses> {
        &self.runtime_classes
    }

    /// Replaces the rules for runtime classes: the dump has other answers then, which are not kept on disk.
    pub fn set_runtime_classes(&mut self, rules: Arc<RuntimeClasses>) {
        self.dump = self.dump.take().map(|dump| dump.with_answers(rules.clone(), None));
        self.runtime_classes = rules;
    }

    /// Receives pending events; true if there were any.
    pub fn poll(&mut self) -> bool {
        let ended = self.job.as_ref().and_then(Job::poll);
        let mut changed = ended.is_some();
        for event in self.events.try_iter() {
            changed = true;
            match event {
                OpenEvent::Census(census) => self.census = Some(census),
                OpenEvent::Facts(facts) => self.facts = Some(facts),
            }
        }
        if let Some(ended) = ended {
            self.job = None;
            self.state = match ended {
                Ok(Ok(OpenResult { analysis, open_warnings, storage, .. })) => {
                    let (census, facts) = (self.census.clone().unwrap_or_default(), self.facts.clone());
                    let facts = facts.unwrap_or_else(|| unreachable!("an analysis without facts"));
                    // Kept answers belong to the lists with which the dump was opened; they may have been replaced since.
                    let storage = storage.filter(|_| self.runtime_classes == self.options.runtime_classes);
                    let dump = Dump::new(census, facts, analysis, open_warnings);
                    self.dump = Some(dump.with_answers(self.runtime_classes.clone(), storage));
                    State::Ready
                }
                Err(JobError::Cancelled) => State::Cancelled,
                Ok(Err(failure)) => State::Failed(failure),
                Err(JobError::Failed(cause)) => State::Failed(OpenFailure { cause, advice: "", is_no_dump: false }),
            };
        }
        changed
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Options it was opened with.
    pub fn options(&self) -> &OpenOptions {
        &self.options
    }

    /// State of the dump.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Current step, and the phases so far.
    pub fn progress(&self) -> Progress {
        self.task.progress()
    }

    /// Cancels opening, at once for the user: the background work ends at its
    /// next checkpoint and frees its memory, without blocking.
    pub fn cancel(&mut self) {
        self.poll();
        if self.job.take().is_some() {
            self.task.cancel();
            self.state = State::Cancelled;
        }
    }

    /// Header and objects by class, as soon as they are counted.
    pub fn census(&self) -> Option<&Arc<Census>> {
        self.census.as_ref()
    }

    /// Objects and references, as soon as they are read.
    pub fn facts(&self) -> Option<&Facts> {
        self.facts.as_ref()
    }

    /// The dump, once it is open.
    pub fn dump(&self) -> Option<&Dump> {
        self.dump.as_ref()
    }

    /// Dominators and all derived columns.
    pub fn analysis(&self) -> Option<&Arc<Analysis>> {
        Some(&self.dump.as_ref()?.analysis)
    }

    /// Notes about this open, not about the dump.
    pub fn open_warnings(&self) -> &[ImportNote] {
        self.dump.as_ref().map_or(&[], |dump| &dump.open_warnings)
    }

    /// True if its stored analysis was found damaged. Results shown since then are invalid: the dump has
    /// to be reopened.
    pub fn is_damaged(&self) -> bool {
        self.facts.as_ref().and_then(|facts| facts.stored.as_ref()).is_some_and(|stored| stored.is_damaged())
    }

    /// True if the file is itself a stored analysis, opened without its dump.
    pub fn is_stored_analysis(&self) -> bool {
        is_stored(&self.path).unwrap_or(false)
    }

    /// Marks the dump as failed because of `why`.
    pub fn fail(&mut self, why: &str) {
        self.cancel();
        self.state = State::Failed(OpenFailure { cause: why.to_owned(), advice: "", is_no_dump: false });
    }
}

fn on_event(sender: &Sender<OpenEvent>, jobs: &Jobs, event: OpenEvent) {
    // The window may have closed the dump: the result is dropped.
    let _closed = sender.send(event);
    jobs.wake();
}

/// Reason why there is no answer from a dump.
#[derive(Debug)]
pub enum AnswerError {
    /// The dump cannot be opened, or the answer was cancelled.
    Open(OpenError),
    /// The file could no longer be read while it was searched, or it is a damaged index.
    Lost(String),
}

impl From<Cancelled> for AnswerError {
    fn from(_: Cancelled) -> Self {
        Self::Open(OpenError::Cancelled)
    }
}

/// Opens a dump, and answers from it. An answer from a damaged stored analysis is computed again from the dump itself.
///
/// # Errors
/// If the dump cannot be opened, is lost, or the task is cancelled.
pub fn answer_from<T>(
    path: &Path,
    options: &OpenOptions,
    task: &Task,
    mut answer: impl FnMut(&Dump) -> Result<T, Cancelled>,
) -> Result<T, AnswerError> {
    let mut options = options.clone();
    loop {
        let dump = open_and_wait(path, &options, task).map_err(AnswerError::Open)?;
        let answer = answer(&dump)?;
        let (changed, doubt) = (dump.facts.changed(), dump.facts.doubt());
        match changed.or_else(|| doubt.clone().filter(|_| options.storage.folder.is_none())) {
            Some(why) => return Err(AnswerError::Lost(why)),
            None if doubt.is_none() => return Ok(answer),
            // Without stored analyses, the dump itself is read.
            None => options.storage.folder = None,
        }
    }
}

/// The dump without some references, with all columns derived anew. The result is not stored.
///
/// # Errors
/// If memory or a file fails, or the task is cancelled.
pub(crate) fn without(
    dump: &Dump,
    excluded: &ExcludedReferences,
    storage: &StorageOptions,
    task: &Task,
) -> Result<Dump, OpenError> {
    let budget = storage.budget(None)?;
    let dump = dump.without(excluded, &budget, task)?;
    budget.mark_successful();
    Ok(dump)
}

/// The dump after the removals of `reduction`, which it keeps; without any, the same heap.
///
/// # Errors
/// If memory or a file fails, or the task is cancelled.
pub fn reduced(dump: &Dump, reduction: Reduction, storage: &StorageOptions, task: &Task) -> Result<Dump, OpenError> {
    let cuts = &reduction.effect.cuts;
    let after = if cuts.is_empty() { dump.clone() } else { without(dump, &reduction.effect.excluded, storage, task)? };
    Ok(after.with_reduction(reduction))
}

/// Opens a dump and waits for all results.
///
/// # Errors
/// If it cannot be opened or is cancelled.
pub fn open_and_wait(path: &Path, options: &OpenOptions, task: &Task) -> Result<Dump, OpenError> {
    let (sender, events) = crossbeam_channel::unbounded();
    let ended = recipe(path, options, task, &|event| {
        // The receiver outlives this function.
        let _sent = sender.send(event);
    });
    task.finish();
    let OpenResult { analysis, open_warnings, storing, storage } = ended?;
    let (mut census, mut facts) = (Arc::default(), None);
    for event in events.try_iter() {
        match event {
            OpenEvent::Census(c) => census = c,
            OpenEvent::Facts(f) => facts = Some(f),
        }
    }
    let facts = facts.unwrap_or_else(|| unreachable!("an analysis without facts"));
    let dump = Dump::new(census, facts, analysis, open_warnings);
    Ok(dump.with_answers(options.runtime_classes.clone(), storage).with_storing(storing))
}
