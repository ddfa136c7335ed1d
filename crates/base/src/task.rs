//! Progress and cancellation of a long-running operation.
//!
//! Every long function takes a [`Task`] first, names its step, and calls
//! [`Task::checkpoint`] at least every 65,536 items. There is no process-wide
//! progress: two dumps may be opening at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, ops::Range};

use rayon::prelude::*;

/// Number of times that memory has run out in this process.
static STARVED: AtomicU64 = AtomicU64::new(0);

/// Ends all running tasks at their next checkpoint because memory has run out. Tasks that start later are not affected.
pub fn starve() {
    STARVED.fetch_add(1, Ordering::Relaxed);
}

/// True if memory has run out in this process.
pub fn has_starved() -> bool {
    STARVED.load(Ordering::Relaxed) > 0
}

/// Maximum number of items that a loop processes between two checkpoints.
/// Smaller under Miri, so that small inputs are split into blocks for several threads too.
pub const CHECKPOINT_EVERY: usize = if cfg!(miri) { 1 << 7 } else { 1 << 16 };

/// Error of a task that was cancelled, or that ran out of memory ([`Task::is_starved`]). It leaves no partial result behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// Unit of a step's progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Objects of a heap.
    Objects,
    /// References between objects.
    References,
    /// Rows of a table that is written.
    Rows,
}

/// A finished step, for the list of phases.
#[derive(Debug, Clone, PartialEq)]
pub struct Phase {
    /// The name given to [`Task::step`].
    pub name: &'static str,
    /// Duration of the step.
    pub elapsed: Duration,
}

/// Snapshot of a task's progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Current step, or the last one if the task has ended.
    pub step: &'static str,
    /// Unit of `done` and `total`.
    pub unit: Unit,
    /// Finished items of this step.
    pub done: u64,
    /// Total number of items of this step; 0 if unknown.
    pub total: u64,
    /// Time since the start of this step.
    pub step_elapsed: Duration,
    /// Duration of the task until now, or until its end.
    pub elapsed: Duration,
    /// The steps before this one, in order.
    pub finished: Vec<Phase>,
}

impl Progress {
    /// Part of the current step that is done, from 0 to 1; `None` if its length is unknown. The next step begins at 0 again:
    /// how long all steps take is not known before.
    pub fn fraction(&self) -> Option<f64> {
        (self.total > 0).then(|| self.done.min(self.total) as f64 / self.total as f64)
    }

    /// Percentage of the current step that is done; `None` if its length is unknown.
    pub fn percent(&self) -> Option<u64> {
        (self.total > 0).then(|| (self.done.min(self.total) * 100) / self.total)
    }
}

struct Steps {
    current: &'static str,
    unit: Unit,
    total: u64,
    since: Instant,
    finished: Vec<Phase>,
    ended: Option<Duration>,
}

struct Inner {
    done: AtomicU64,
    started: Instant,
    steps: Mutex<Steps>,
}

struct Cancellation {
    cancelled: AtomicBool,
    /// Value of [`STARVED`] at the start of the task.
    starved: u64,
    /// Of a shared task: once all that wait for the result are cancelled, so is this one.
    waiting: Option<Waiting>,
}

/// Tasks that wait for one result.
struct Waiting {
    first: Task,
    others: Mutex<Vec<Task>>,
}

impl Waiting {
    fn others(&self) -> MutexGuard<'_, Vec<Task>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The list is locked only once the first is cancelled: loops ask often.
    fn are_all_cancelled(&self) -> bool {
        self.first.is_cancelled() && self.others().iter().all(Task::is_cancelled)
    }
}

/// Handle to a long-running operation; clones refer to the same task. A task that was cancelled stays so: what is tried
/// again gets a new one.
#[derive(Clone)]
pub struct Task {
    progress: Arc<Inner>,
    cancellation: Arc<Cancellation>,
}

impl Default for Task {
    fn default() -> Self {
        Self::new()
    }
}

impl Task {
    /// Creates a task without a current step.
    pub fn new() -> Self {
        let now = Instant::now();
        let steps = Steps { current: "", unit: Unit::Bytes, total: 0, since: now, finished: Vec::new(), ended: None };
        let progress = Inner { done: AtomicU64::new(0), started: now, steps: Mutex::new(steps) };
        let starved = STARVED.load(Ordering::Relaxed);
        let cancellation = Cancellation { cancelled: AtomicBool::new(false), starved, waiting: None };
        Self { progress: Arc::new(progress), cancellation: Arc::new(cancellation) }
    }

    /// A task for a result that others may wait for, too: its progress is that of this task, and it is cancelled once this
    /// one and all that joined are.
    #[must_use]
    pub(crate) fn shared(&self) -> Self {
        let cancellation = Cancellation {
            cancelled: AtomicBool::new(false),
            starved: self.cancellation.starved,
            waiting: Some(Waiting { first: self.clone(), others: Mutex::default() }),
        };
        Self { progress: Arc::clone(&self.progress), cancellation: Arc::new(cancellation) }
    }

    /// Makes `other` wait for the result of this task, which must be a shared one.
    pub(crate) fn join(&self, other: &Self) {
        if let Some(waiting) = &self.cancellation.waiting {
            waiting.others().push(other.clone());
        }
    }

    /// Number of tasks that wait for the result.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.cancellation.waiting.as_ref().map_or(0, |waiting| waiting.others().len() + 1)
    }

    /// True if both are handles of the same task.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.cancellation, &other.cancellation)
    }

    /// Shows the current step of this task as that of another. `shown` is the step and the number of items shown so far.
    pub(crate) fn show_on(&self, other: &Self, shown: &mut (&'static str, u64)) {
        let progress = self.progress();
        if shown.0 != progress.step || progress.done < shown.1 {
            other.step(progress.step, progress.unit, progress.total);
            *shown = (progress.step, 0);
        }
        other.advance(progress.done - shown.1);
        shown.1 = progress.done;
    }

    fn steps(&self) -> MutexGuard<'_, Steps> {
        // A panic elsewhere cannot leave `Steps` half-written: every field is plain data.
        self.progress.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the previous step and starts the step `name` with `total` items.
    pub fn step(&self, name: &'static str, unit: Unit, total: u64) {
        let now = Instant::now();
        let mut steps = self.steps();
        close(&mut steps, now);
        steps.current = name;
        steps.unit = unit;
        steps.total = total;
        steps.since = now;
        self.progress.done.store(0, Ordering::Relaxed);
    }

    /// Ends the last step and stops the clock.
    pub fn finish(&self) {
        let now = Instant::now();
        let mut steps = self.steps();
        if steps.ended.is_none() {
            close(&mut steps, now);
            steps.ended = Some(now - self.progress.started);
        }
    }

    /// Adds `items` to the finished items of the current step.
    pub fn advance(&self, items: u64) {
        self.progress.done.fetch_add(items, Ordering::Relaxed);
    }

    /// Requests that the task stops at its next checkpoint.
    pub fn cancel(&self) {
        self.cancellation.cancelled.store(true, Ordering::Relaxed);
    }

    /// True after [`Task::cancel`].
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.cancelled.load(Ordering::Relaxed)
            || self.cancellation.waiting.as_ref().is_some_and(Waiting::are_all_cancelled)
    }

    /// True if memory has run out since the start of the task.
    #[inline]
    pub fn is_starved(&self) -> bool {
        self.cancellation.starved != STARVED.load(Ordering::Relaxed)
    }

    /// Returns an error once the task is cancelled. Cheap enough for loops with a body of some weight;
    /// [`Task::checkpoint_at`] is for the others.
    #[inline]
    pub fn checkpoint(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() || self.is_starved() { Err(Cancelled) } else { Ok(()) }
    }

    /// [`Task::checkpoint`] if `at`, the index of an item, is a multiple of [`CHECKPOINT_EVERY`].
    #[inline]
    pub fn checkpoint_at(&self, at: usize) -> Result<(), Cancelled> {
        if at.is_multiple_of(CHECKPOINT_EVERY) { self.checkpoint() } else { Ok(()) }
    }

    /// [`Task::advance`] and [`Task::checkpoint`] in one.
    pub fn advance_checked(&self, items: u64) -> Result<(), Cancelled> {
        self.advance(items);
        self.checkpoint()
    }

    /// Splits `0..len` into blocks, with a checkpoint before each.
    pub fn blocks(&self, len: usize) -> impl DoubleEndedIterator<Item = Result<Range<usize>, Cancelled>> {
        (0..len.div_ceil(CHECKPOINT_EVERY)).map(move |block| {
            self.checkpoint()?;
            Ok(block * CHECKPOINT_EVERY..((block + 1) * CHECKPOINT_EVERY).min(len))
        })
    }

    /// [`Task::blocks`] for several threads.
    pub fn par_blocks(&self, len: usize) -> impl IndexedParallelIterator<Item = Result<Range<usize>, Cancelled>> {
        (0..len.div_ceil(CHECKPOINT_EVERY)).into_par_iter().with_max_len(1).map(move |block| {
            self.checkpoint()?;
            Ok(block * CHECKPOINT_EVERY..((block + 1) * CHECKPOINT_EVERY).min(len))
        })
    }

    /// Current progress.
    pub fn progress(&self) -> Progress {
        let steps = self.steps();
        Progress {
            step: steps.current,
            unit: steps.unit,
            done: self.progress.done.load(Ordering::Relaxed),
            total: steps.total,
            step_elapsed: steps.since.elapsed(),
            elapsed: steps.ended.unwrap_or_else(|| self.progress.started.elapsed()),
            finished: steps.finished.clone(),
        }
    }
}

fn close(steps: &mut Steps, now: Instant) {
    if !steps.current.is_empty() && steps.ended.is_none() {
        let elapsed = now - steps.since;
        steps.finished.push(Phase { name: steps.current, elapsed });
    }
}
