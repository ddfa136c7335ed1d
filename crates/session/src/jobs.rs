//! Work in the background: named threads, one per job, and a callback that wakes the window when there is a result.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::Sender;

use heaplens_base::{Cancelled, Task, storage::OutOfMemory, threads};

/// Callback of worker threads when there is something new to show.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Reason why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobError {
    /// It was cancelled.
    Cancelled,
    /// It failed, with this message.
    Failed(String),
}

impl From<Cancelled> for JobError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Starter of jobs; clones belong to the same window.
#[derive(Clone)]
pub struct Jobs {
    wake: Wake,
    /// Queue of the thread that frees memory.
    unwanted: Sender<Box<dyn Send>>,
}

/// A large value: freeing it takes longer than a frame, so another thread does it, wherever the value is dropped.
pub struct DeferredDrop<T: Send + 'static> {
    value: Option<T>,
    jobs: Jobs,
}

/// A job under way; dropping it cancels the job.
pub struct Job<T> {
    /// Its progress and cancel flag.
    pub task: Task,
    answer: Answer<T>,
}

/// Result of a job, once it has ended and until it is polled. Not a channel: a program has dozens of types of results,
/// and the code of a channel is long.
type Answer<T> = Arc<Mutex<Option<Result<T, JobError>>>>;

impl Jobs {
    /// Creates a starter of jobs that call `wake` when they end.
    pub fn new(wake: Wake) -> Self {
        let (unwanted, values) = crossbeam_channel::unbounded::<Box<dyn Send>>();
        // Without the thread, values are dropped by the caller.
        let _started = threads::start("give memory back", move || values.into_iter().for_each(drop));
        Self { wake, unwanted }
    }

    /// Drops a value without blocking the caller.
    pub fn discard(&self, value: impl Send + 'static) {
        // Without the thread the value is returned and dropped here.
        let _here = self.unwanted.send(Box::new(value));
    }

    /// Wraps a value that is dropped on another thread.
    pub fn defer_drop<T: Send + 'static>(&self, value: T) -> DeferredDrop<T> {
        DeferredDrop { value: Some(value), jobs: self.clone() }
    }

    /// Calls the wake callback.
    pub fn wake(&self) {
        (self.wake)();
    }

    /// Runs `work` on a thread called `name`. A panic becomes a failed result.
    pub fn start<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Task) -> Result<T, JobError> + Send + 'static,
    ) -> Job<T> {
        let (task, answer) = (Task::new(), Answer::default());
        let (theirs, wake, to) = (task.clone(), self.wake.clone(), answer.clone());
        // Boxed: one way to start a thread serves all jobs.
        let run: Box<dyn FnOnce() + Send> = Box::new(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| work(&theirs)))
                .unwrap_or_else(|panic| Err(failure_of(panic.as_ref())))
                .map_err(|why| named_shortage(why, &theirs));
            theirs.finish();
            put(&to, ended);
            wake();
        });
        if let Err(error) = threads::start(name, run) {
            put(&answer, Err(JobError::Failed(format!("cannot start a thread: {error}"))));
        }
        Job { task, answer }
    }
}

/// Result of a job that panicked.
fn failure_of(panic: &(dyn Any + Send)) -> JobError {
    JobError::Failed(match OutOfMemory::of(panic) {
        Some(shortage) => shortage.to_string(),
        None => format!("internal error: {}", panic_text(panic)),
    })
}

/// The shortage of memory behind a cancelled job, if the user did not cancel it.
fn named_shortage(why: JobError, task: &Task) -> JobError {
    if why == JobError::Cancelled && task.is_starved() && !task.is_cancelled() {
        return JobError::Failed(OutOfMemory::unknown().to_string());
    }
    why
}

fn put<T>(answer: &Answer<T>, result: Result<T, JobError>) {
    *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
}

impl<T: Send + 'static> DeferredDrop<T> {
    /// The value.
    pub fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }
}

impl<T: Send + 'static> DeferredDrop<Vec<T>> {
    /// The whole value.
    pub fn as_slice(&self) -> &[T] {
        self.value.as_deref().unwrap_or(&[])
    }
}

impl<T: Send + 'static> Drop for DeferredDrop<T> {
    fn drop(&mut self) {
        if let Some(value) = self.value.take() {
            self.jobs.discard(value);
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown cause")
}

impl<T> Job<T> {
    /// The result, if available.
    pub fn poll(&self) -> Option<Result<T, JobError>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// True if the result is available for the next poll.
    pub fn has_ended(&self) -> bool {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.task.cancel();
    }
}
