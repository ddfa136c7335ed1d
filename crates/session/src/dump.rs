//! One dump being opened, and then open.
//!
//! Results arrive as they become available: the census (header, objects by class), the facts (objects, references), the
//! analysis (dominators, retained sizes). Each can be shown at once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fmt, ops::Deref};

use crossbeam_channel::{Receiver, Sender};

use super::comparison::ComparedDump;
use super::jobs::{Job, JobError, Jobs};
use super::kept_answers::KeptAnswers;
use super::recipe::{OpenResult, recipe};
use super::{open_options::OpenOptions, storage_options::StorageOptions};
use heaplens_analysis::clock::{Ages, SharedAges};
use heaplens_analysis::naming::NameIndex;
use heaplens_analysis::{Namer, RuntimeClasses};
use heaplens_base::storage::{memory_budget::PendingSeal, stored::is_stored};
use heaplens_base::{Cancelled, Progress, Task};
use heaplens_dump::OpenError;
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
    census: Option<Arc<Census>>,
    facts: Option<Facts>,
    analysis: Option<Arc<Analysis>>,
    remarks: Vec<ImportNote>,
    kept: KeptAnswers,
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
            let tell = |event| tell(&sender, &waker, event);
            match recipe(&file, &shared, task, &tell) {
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
            analysis: None,
            remarks: Vec::new(),
            kept: KeptAnswers::default(),
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
            analysis: self.analysis.clone(),
            remarks: self.remarks.clone(),
            kept: self.kept.clone(),
            runtime_classes: self.runtime_classes.clone(),
        })
    }

    /// The same dump with other facts about the same objects: other names, or no file. `None` unless it is open.
    pub fn with_facts(&self, facts: Facts) -> Option<Self> {
        Some(Self { facts: Some(facts), kept: KeptAnswers::default(), ..self.share()? })
    }

    /// Rules for runtime classes.
    pub fn runtime_classes(&self) -> &Arc<RuntimeClasses> {
        &self.runtime_classes
    }

    /// Replaces the rules for runtime classes. Answers kept by others no longer apply.
    pub fn set_runtime_classes(&mut self, rules: Arc<RuntimeClasses>) {
        self.runtime_classes = rules;
        self.kept = KeptAnswers::default();
    }

    /// Receives pending events; true if there were any.
    pub fn poll(&mut self) -> bool {
        let ended = self.job.as_ref().and_then(Job::poll);
        let mut news = ended.is_some();
        for event in self.events.try_iter() {
            news = true;
            match event {
                OpenEvent::Census(census) => self.census = Some(census),
                OpenEvent::Facts(facts) => self.facts = Some(facts),
            }
        }
        if let Some(ended) = ended {
            self.job = None;
            self.state = match ended {
                Ok(Ok(OpenResult { analysis, remarks, kept, .. })) => {
                    self.analysis = Some(analysis);
                    self.remarks = remarks;
                    // Answers belong to the lists with which the dump was opened; they may have been replaced since.
                    if self.runtime_classes == self.options.runtime_classes {
                        self.kept = kept;
                    }
                    State::Ready
                }
                Err(JobError::Cancelled) => State::Cancelled,
                Ok(Err(failure)) => State::Failed(failure),
                Err(JobError::Failed(cause)) => State::Failed(OpenFailure { cause, advice: "", is_no_dump: false }),
            };
        }
        news
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

    /// Dominators and all derived columns.
    pub fn analysis(&self) -> Option<&Arc<Analysis>> {
        self.analysis.as_ref()
    }

    /// Kept answers of searches.
    pub fn kept(&self) -> &KeptAnswers {
        &self.kept
    }

    /// Notes about this open, not about the dump.
    pub fn remarks(&self) -> &[ImportNote] {
        &self.remarks
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

fn tell(sender: &Sender<OpenEvent>, jobs: &Jobs, event: OpenEvent) {
    // The window may have closed the dump: the result is dropped.
    let _closed = sender.send(event);
    jobs.wake();
}

/// Namer of a dump whose index is computed on the first call.
pub fn namer<'a>(
    facts: &'a Facts,
    analysis: &'a Analysis,
    name_index: &'a OnceLock<NameIndex>,
    rules: &RuntimeClasses,
    task: &Task,
) -> Result<Namer<'a>, Cancelled> {
    let (heap, contents) = (&*facts.heap, &*facts.contents);
    let index = match name_index.get() {
        Some(index) => index,
        None => {
            let index = NameIndex::new(heap, contents, analysis, rules.clone(), task)?;
            // Another job may have finished first, with the same result.
            name_index.get_or_init(|| index)
        }
    };
    Ok(Namer { heap, contents, analysis, index })
}

/// A fully opened dump, for callers that can wait.
pub struct LoadedDump {
    dump: heaplens_dump::Dump,
    /// Rules for runtime classes.
    pub runtime_classes: Arc<RuntimeClasses>,
    /// Kept answers of searches.
    pub kept: KeptAnswers,
    name_index: OnceLock<NameIndex>,
    ages: Arc<SharedAges>,
    storing: Option<PendingSeal>,
}

impl Deref for LoadedDump {
    type Target = heaplens_dump::Dump;

    fn deref(&self) -> &heaplens_dump::Dump {
        &self.dump
    }
}

impl Drop for LoadedDump {
    /// Waits until the stored analysis is complete: ending the process earlier would leave it half-written.
    fn drop(&mut self) {
        self.wait_until_stored();
    }
}

impl LoadedDump {
    /// The same dump with redacted values. It keeps no answers.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let dump = &self.dump;
        let dump = heaplens_dump::Dump { facts: dump.facts.redacted(), ..dump.clone() };
        Self {
            dump,
            runtime_classes: Arc::clone(&self.runtime_classes),
            kept: KeptAnswers::default(),
            name_index: OnceLock::new(),
            ages: Arc::default(),
            storing: None,
        }
    }

    /// The dump as one to compare with another.
    pub fn to_compare(&self) -> ComparedDump<'_> {
        ComparedDump { facts: &self.facts, analysis: &self.analysis, kept: &self.kept }
    }

    /// Waits until the stored analysis is complete, if one is written. Dropping the dump does so, too.
    pub fn wait_until_stored(&self) {
        // Failures were reported before, or do not matter.
        let _stored = self.storing.as_ref().map(PendingSeal::wait);
    }

    /// The same dump without some references, with all columns derived anew. The result is not stored.
    pub fn without(
        &self,
        excluded: &ExcludedReferences,
        storage: &StorageOptions,
        task: &Task,
    ) -> Result<Self, OpenError> {
        let space = storage.space(None)?;
        let dump = self.dump.without(excluded, &space, task)?;
        space.mark_successful();
        let runtime_classes = self.runtime_classes.clone();
        let (kept, name_index, ages) = (KeptAnswers::default(), OnceLock::new(), Arc::default());
        Ok(Self { dump, runtime_classes, kept, name_index, ages, storing: None })
    }

    /// Names objects and finds them by name. The first call reads the names of all classes and static fields.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        namer(&self.facts, &self.analysis, &self.name_index, &self.runtime_classes, task)
    }

    /// Ages of the objects, measured on the first call.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn ages(&self, task: &Task) -> Result<&Ages, Cancelled> {
        self.ages.get(self.namer(task)?, task)
    }

    /// The ages, measured once for all that read them.
    pub fn shared_ages(&self) -> &Arc<SharedAges> {
        &self.ages
    }
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
    mut answer: impl FnMut(&LoadedDump) -> Result<T, Cancelled>,
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

/// Opens a dump and waits for all results.
///
/// # Errors
/// If it cannot be opened or is cancelled.
pub fn open_and_wait(path: &Path, options: &OpenOptions, task: &Task) -> Result<LoadedDump, OpenError> {
    let (sender, events) = crossbeam_channel::unbounded();
    let ended = recipe(path, options, task, &|event| {
        // The receiver outlives this function.
        let _sent = sender.send(event);
    });
    task.finish();
    let OpenResult { analysis, remarks, storing, kept } = ended?;
    let (mut census, mut facts) = (Arc::default(), None);
    for event in events.try_iter() {
        match event {
            OpenEvent::Census(c) => census = c,
            OpenEvent::Facts(f) => facts = Some(f),
        }
    }
    let facts = facts.unwrap_or_else(|| unreachable!("an analysis without facts"));
    let dump = heaplens_dump::Dump { census, facts, analysis, remarks };
    let runtime_classes = options.runtime_classes.clone();
    let (name_index, ages) = (OnceLock::new(), Arc::default());
    Ok(LoadedDump { dump, runtime_classes, kept, name_index, ages, storing })
}
