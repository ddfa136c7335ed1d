//! One piece of long work as seen from outside: what it is doing, how far it
//! is, and whether anybody still wants it.
//!
//! Every long function takes a [`Task`] first, names its step, and calls
//! [`Task::checkpoint`] at least every 65,536 items. There is no process-wide
//! progress: two dumps may be opening at once.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often memory has run out.
static STARVED: AtomicU64 = AtomicU64::new(0);

/// Has all work under way end at its next checkpoint: there is no memory left. What begins later is not touched.
pub fn starve() {
    STARVED.fetch_add(1, Ordering::Relaxed);
}

/// Whether memory has run out in this process.
pub fn has_starved() -> bool {
    STARVED.load(Ordering::Relaxed) > 0
}

/// How many items a loop may do between two checkpoints.
/// Under Miri fewer, so that small work is cut into blocks for several threads there, too.
pub const CHECKPOINT_EVERY: usize = if cfg!(miri) { 1 << 7 } else { 1 << 16 };

/// The work was no longer wanted. Nothing half-built is left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// What a step counts.
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

/// A step that has ended, for the list of phases.
#[derive(Debug, Clone, PartialEq)]
pub struct Phase {
    /// The name given to [`Task::step`].
    pub name: &'static str,
    /// How long it took.
    pub elapsed: Duration,
}

/// Where a task stands, copied out at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The step under way, or the last one when the task has ended.
    pub step: &'static str,
    /// What `done` and `total` count.
    pub unit: Unit,
    /// Items of this step that are done.
    pub done: u64,
    /// Items of this step altogether; 0 when nobody can know.
    pub total: u64,
    /// How long this step has been running.
    pub step_elapsed: Duration,
    /// How long the task has been running, or ran.
    pub elapsed: Duration,
    /// The steps before this one, in order.
    pub finished: Vec<Phase>,
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
    cancelled: AtomicBool,
    /// How often memory had run out when it began.
    starved: u64,
    done: AtomicU64,
    started: Instant,
    steps: Mutex<Steps>,
}

/// A handle on one piece of work; clones are the same task.
#[derive(Clone)]
pub struct Task(Arc<Inner>);

impl Default for Task {
    fn default() -> Self {
        Self::new()
    }
}

impl Task {
    /// A task that has not begun its first step.
    pub fn new() -> Self {
        let now = Instant::now();
        Self(Arc::new(Inner {
            cancelled: AtomicBool::new(false),
            starved: STARVED.load(Ordering::Relaxed),
            done: AtomicU64::new(0),
            started: now,
            steps: Mutex::new(Steps {
                current: "",
                unit: Unit::Bytes,
                total: 0,
                since: now,
                finished: Vec::new(),
                ended: None,
            }),
        }))
    }

    fn steps(&self) -> std::sync::MutexGuard<'_, Steps> {
        // A panic elsewhere cannot leave `Steps` half-written: every field is plain data.
        self.0.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the step before and begins one called `name` of `total` items.
    pub fn step(&self, name: &'static str, unit: Unit, total: u64) {
        let now = Instant::now();
        let mut steps = self.steps();
        close(&mut steps, now);
        steps.current = name;
        steps.unit = unit;
        steps.total = total;
        steps.since = now;
        self.0.done.store(0, Ordering::Relaxed);
    }

    /// Says that the last step has ended; the clock stops.
    pub fn finish(&self) {
        let now = Instant::now();
        let mut steps = self.steps();
        if steps.ended.is_none() {
            close(&mut steps, now);
            steps.ended = Some(now - self.0.started);
        }
    }

    /// Counts `items` of the current step as done.
    pub fn advance(&self, items: u64) {
        self.0.done.fetch_add(items, Ordering::Relaxed);
    }

    /// Asks whoever does the work to stop at the next checkpoint.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`Task::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Whether memory has run out since it began.
    pub fn is_starved(&self) -> bool {
        self.0.starved != STARVED.load(Ordering::Relaxed)
    }

    /// Fails once the task is cancelled. Cheap enough for inner loops.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Task::cancel`], and when memory has run out.
    pub fn checkpoint(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() || self.is_starved() { Err(Cancelled) } else { Ok(()) }
    }

    /// [`Task::advance`] and [`Task::checkpoint`] in one.
    ///
    /// # Errors
    /// [`Cancelled`] after [`Task::cancel`].
    pub fn advance_checked(&self, items: u64) -> Result<(), Cancelled> {
        self.advance(items);
        self.checkpoint()
    }

    /// `0..len` in blocks, with a checkpoint before each.
    pub fn blocks(&self, len: usize) -> impl DoubleEndedIterator<Item = Result<Range<usize>, Cancelled>> {
        (0..len.div_ceil(CHECKPOINT_EVERY)).map(move |block| {
            self.checkpoint()?;
            Ok(block * CHECKPOINT_EVERY..((block + 1) * CHECKPOINT_EVERY).min(len))
        })
    }

    /// Where the task stands now.
    pub fn progress(&self) -> Progress {
        let steps = self.steps();
        Progress {
            step: steps.current,
            unit: steps.unit,
            done: self.0.done.load(Ordering::Relaxed),
            total: steps.total,
            step_elapsed: steps.since.elapsed(),
            elapsed: steps.ended.unwrap_or_else(|| self.0.started.elapsed()),
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
