//! One dump being opened, and then open.
//!
//! Answers arrive in the order in which they become true: the census (header,
//! objects by class), the heap (facts, references), the analysis (dominators,
//! retained sizes). Each is shown the moment it is there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use super::jobs::{Job, JobError, Jobs};
use super::keeping::Keeping;
use super::mapping::{Mapped, MappingFile};
use super::recipe::{Ended, recipe};
use crate::analysis::runtime_classes::RuntimeClasses;
use crate::formats::error::OpenError;
use crate::formats::source::{Source, gone};
use crate::formats::{JavacoreFile, ReadOptions, restore_contents};
use crate::heap::analyzed::{Analyzed, Rules};
use crate::heap::census::Census;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::left_out::LeftOut;
use crate::heap::notes::ImportNote;
use crate::heap::redacted::Redacted;
use crate::storage::space::Sealing;
use crate::storage::stored::{Stored, is_stored};
use crate::task::{Progress, Task};

/// How to open a dump.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// How to read the file.
    pub read: ReadOptions,
    /// Which references and objects count.
    pub rules: Rules,
    /// What is kept, and where.
    pub keeping: Keeping,
    /// Which classes are not the application's: they own nothing.
    pub runtime_classes: Arc<RuntimeClasses>,
    /// The file they were read from, if it is not the user's own.
    pub runtime_classes_file: Option<PathBuf>,
    /// Where the user's verdicts of leaks are kept; without it they are forgotten with the window.
    pub verdicts_file: Option<PathBuf>,
    /// The user's own list of references of Android that are known to leak.
    pub known_leaks_file: Option<PathBuf>,
    /// Leave out what the program had in objects.
    pub redact: bool,
    /// Mappings of ProGuard or R8: of the first dump, of the second, …; the last is that of all further ones.
    pub mappings: Vec<Arc<MappingFile>>,
}

impl OpenOptions {
    /// Has a javacore read with the first dump, instead of the one that may stand beside it.
    pub fn name_javacore(&mut self, path: Option<PathBuf>) {
        self.read.javacore = path.map(|path| JavacoreFile { path, is_given: true });
    }

    /// Those for the dump at a place among several.
    #[must_use]
    pub fn of_file(&self, place: usize) -> Self {
        let mut options = self.clone();
        options.mappings.drain(..place.min(self.mappings.len().saturating_sub(1)));
        // A javacore that was named is of the first: others find theirs.
        options.read.javacore = options.read.javacore.filter(|_| place == 0);
        options
    }
}

/// Facts and the way back to values.
#[derive(Clone)]
pub struct Facts {
    /// The facts.
    pub heap: Arc<Heap>,
    /// The inside of objects.
    pub contents: Arc<dyn Contents>,
    /// The stored analysis it comes from. Once that is found damaged, no answer from it holds.
    pub stored: Option<Arc<Stored>>,
    /// What gave names to classes and fields that are not those of the dump.
    pub mapped: Option<Arc<Mapped>>,
    /// The file that values are read from, if it is here.
    pub source: Option<Source>,
    /// The contents with all values, where [`Facts::contents`] leaves out what the program had in objects.
    pub hidden: Option<Arc<dyn Contents>>,
}

impl Facts {
    /// The same with the names of the dump.
    #[must_use]
    pub fn unmapped(&self) -> Self {
        let Some(mapped) = &self.mapped else { return self.clone() };
        let (heap, contents) = mapped.own.clone();
        let own = Self { heap, contents, mapped: None, hidden: None, ..self.clone() };
        if self.is_redacted() { own.redacted() } else { own }
    }

    /// The same without what the program had in objects: texts, numbers, keys, names of threads.
    #[must_use]
    pub fn redacted(&self) -> Self {
        if self.is_redacted() {
            return self.clone();
        }
        let contents = Arc::new(Redacted::over(self.contents.clone()));
        Self { contents, hidden: Some(self.contents.clone()), ..self.clone() }
    }

    /// Whether these are the same: neither other names, nor another way back to values.
    pub fn is_same(&self, other: &Self) -> bool {
        let contents = |of: &Self| Arc::as_ptr(&of.contents).cast::<()>();
        Arc::ptr_eq(&self.heap, &other.heap) && contents(self) == contents(other)
    }

    /// Whether what the program had in objects is left out.
    pub fn is_redacted(&self) -> bool {
        self.hidden.is_some()
    }

    /// The same with all of it.
    #[must_use]
    pub fn unredacted(&self) -> Self {
        let contents = self.hidden.clone().unwrap_or_else(|| self.contents.clone());
        Self { contents, hidden: None, ..self.clone() }
    }

    /// That the file could not be read any more, in words; values read since then may be wrong.
    pub fn lost(&self) -> Option<String> {
        self.source.as_ref()?.lost().map(gone)
    }

    /// Why what was read so far may be wrong, in words.
    pub fn doubt(&self) -> Option<String> {
        let is_damaged = self.stored.as_ref().is_some_and(|stored| stored.is_damaged());
        self.lost().or_else(|| is_damaged.then(|| "its stored analysis is damaged".to_owned()))
    }

    /// The same without the file: what follows from references, names and shapes stays, values are not available.
    ///
    /// # Errors
    /// When that cannot be made, in words.
    pub fn without_file(&self) -> Result<Self, String> {
        let own = self.unmapped();
        let contents = restore_contents(&own.heap, &own.contents.save(), None).map_err(|error| error.to_string())?;
        // Without the file there is nothing to be hidden.
        let facts = Self { contents, source: None, hidden: None, ..own };
        Ok(self.mapped.as_ref().map_or_else(|| facts.clone(), |mapped| mapped.file.put(&facts)))
    }
}

/// What becomes known on the way.
pub(super) enum Event {
    Census(Arc<Census>),
    Facts(Facts),
}

/// How far a dump has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Being read.
    Opening,
    /// Everything is exact.
    Ready,
    /// Given up by the user. What was known by then stays.
    Cancelled,
    /// It could not be opened, and why.
    Failed(String),
}

/// A dump, opening or open.
pub struct Dump {
    path: PathBuf,
    options: Arc<OpenOptions>,
    task: Task,
    job: Option<Job<Ended>>,
    events: Receiver<Event>,
    state: State,
    census: Option<Arc<Census>>,
    facts: Option<Facts>,
    analyzed: Option<Arc<Analyzed>>,
    remarks: Vec<ImportNote>,
    runtime_classes: Arc<RuntimeClasses>,
}

impl Dump {
    /// Begins to open `path` in the background.
    pub fn open(path: &Path, options: OpenOptions, jobs: &Jobs) -> Self {
        let (sender, events) = crossbeam_channel::unbounded();
        let (theirs, waker) = (path.to_owned(), jobs.clone());
        let runtime_classes = options.runtime_classes.clone();
        let options = Arc::new(options);
        let asked = options.clone();
        let job = jobs.start("open dump", move |task| {
            let tell = |event| tell(&sender, &waker, event);
            match recipe(&theirs, &asked, task, &tell) {
                Ok(ended) => Ok(ended),
                Err(OpenError::Cancelled) => Err(JobError::Cancelled),
                Err(error) => Err(JobError::Failed(error.to_string())),
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
            analyzed: None,
            remarks: Vec::new(),
            runtime_classes,
        }
    }

    /// The same dump once more, if it is open: what is known of it is shared, not copied.
    pub fn again(&self) -> Option<Self> {
        (self.state == State::Ready).then(|| Self {
            path: self.path.clone(),
            options: self.options.clone(),
            task: self.task.clone(),
            job: None,
            events: crossbeam_channel::never(),
            state: State::Ready,
            census: self.census.clone(),
            facts: self.facts.clone(),
            analyzed: self.analyzed.clone(),
            remarks: self.remarks.clone(),
            runtime_classes: self.runtime_classes.clone(),
        })
    }

    /// The same dump, if it is open, with other facts about the same objects: other names, or no file to read.
    pub fn with_facts(&self, facts: Facts) -> Option<Self> {
        Some(Self { facts: Some(facts), ..self.again()? })
    }

    /// Which classes are not the application's.
    pub fn runtime_classes(&self) -> &Arc<RuntimeClasses> {
        &self.runtime_classes
    }

    /// Other rules say from now on which classes are not the application's.
    pub fn put_runtime_classes(&mut self, rules: Arc<RuntimeClasses>) {
        self.runtime_classes = rules;
    }

    /// Takes in what has arrived; says whether anything did.
    pub fn poll(&mut self) -> bool {
        let ended = self.job.as_ref().and_then(Job::poll);
        let mut news = ended.is_some();
        for event in self.events.try_iter() {
            news = true;
            match event {
                Event::Census(census) => self.census = Some(census),
                Event::Facts(facts) => self.facts = Some(facts),
            }
        }
        if let Some(ended) = ended {
            self.job = None;
            self.state = match ended {
                Ok(Ended { analyzed, remarks, .. }) => {
                    self.analyzed = Some(analyzed);
                    self.remarks = remarks;
                    State::Ready
                }
                Err(JobError::Cancelled) => State::Cancelled,
                Err(JobError::Failed(why)) => State::Failed(why),
            };
        }
        news
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How it was opened.
    pub fn options(&self) -> &OpenOptions {
        &self.options
    }

    /// How far it has come.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What is being done, and the phases so far.
    pub fn progress(&self) -> Progress {
        self.task.progress()
    }

    /// Gives up opening, at once for whoever looks: the work behind it ends at its
    /// next checkpoint, and gives its memory back, without anybody waiting.
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

    /// Dominators and all that follows from them.
    pub fn analyzed(&self) -> Option<&Arc<Analyzed>> {
        self.analyzed.as_ref()
    }

    /// What there is to say of this open, not of the dump.
    pub fn remarks(&self) -> &[ImportNote] {
        &self.remarks
    }

    /// Whether the stored analysis it came from was found damaged. Nothing shown since then holds: the dump is
    /// to be opened again.
    pub fn is_damaged(&self) -> bool {
        self.facts.as_ref().and_then(|facts| facts.stored.as_ref()).is_some_and(|stored| stored.is_damaged())
    }

    /// Whether the file is itself a stored analysis, to be opened without its dump.
    pub fn is_of_its_own(&self) -> bool {
        is_stored(&self.path).unwrap_or(false)
    }

    /// Gives the dump up, because of `why`.
    pub fn fail(&mut self, why: &str) {
        self.cancel();
        self.state = State::Failed(why.to_owned());
    }
}

fn tell(sender: &Sender<Event>, jobs: &Jobs, event: Event) {
    // The window may have closed the dump: then nobody needs to know.
    let _closed = sender.send(event);
    jobs.wake();
}

/// A dump opened to the end, for callers that can wait.
pub struct OpenDump {
    /// Header and objects by class.
    pub census: Census,
    /// Objects and references.
    pub facts: Facts,
    /// Dominators and all that follows from them.
    pub analyzed: Arc<Analyzed>,
    /// What there is to say of this open, not of the dump.
    pub remarks: Vec<ImportNote>,
    /// Which classes are not the application's.
    pub runtime_classes: Arc<RuntimeClasses>,
    storing: Option<Sealing>,
}

impl Drop for OpenDump {
    /// Waits until the stored analysis is complete: a process that ended now would leave it half-written.
    fn drop(&mut self) {
        // Why it is not there was said, or nobody needs to know.
        let _stored = self.storing.as_ref().map(Sealing::wait);
    }
}

impl OpenDump {
    /// The same dump as if some references were not there, with all that follows from that. Nothing of it is kept for
    /// the next time.
    ///
    /// # Errors
    /// When the task is cancelled.
    pub fn without(&self, left_out: &LeftOut, keeping: &Keeping, task: &Task) -> Result<Self, OpenError> {
        let space = keeping.space(None)?;
        let (heap, analyzed) = self.facts.heap.without(&self.analyzed, left_out, &space, task)?;
        space.settle_down();
        Ok(Self {
            census: self.census.clone(),
            facts: Facts { heap: Arc::new(heap), ..self.facts.clone() },
            analyzed: Arc::new(analyzed),
            remarks: self.remarks.clone(),
            runtime_classes: self.runtime_classes.clone(),
            storing: None,
        })
    }

    /// Whether it came from a stored analysis.
    pub fn from_cache(&self) -> bool {
        self.facts.stored.is_some()
    }
}

/// Opens a dump and waits for everything.
///
/// # Errors
/// When it cannot be opened or is cancelled.
pub fn open_and_wait(path: &Path, options: &OpenOptions, task: &Task) -> Result<OpenDump, OpenError> {
    let (sender, events) = crossbeam_channel::unbounded();
    let ended = recipe(path, options, task, &|event| {
        // The receiver lives as long as this function.
        let _sent = sender.send(event);
    });
    task.finish();
    let Ended { analyzed, remarks, storing } = ended?;
    let (mut census, mut facts) = (Census::default(), None);
    for event in events.try_iter() {
        match event {
            Event::Census(c) => census = Arc::unwrap_or_clone(c),
            Event::Facts(f) => facts = Some(f),
        }
    }
    let facts = facts.unwrap_or_else(|| unreachable!("an analysis without facts"));
    let runtime_classes = options.runtime_classes.clone();
    Ok(OpenDump { census, facts, analyzed, remarks, runtime_classes, storing })
}
