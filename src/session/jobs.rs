//! Work in the background: named threads, one per job, and a callback that
//! wakes whoever shows the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::task::{Cancelled, Task};

/// Called from worker threads when there is something new to look at.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// How a job ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobError {
    /// It was cancelled.
    Cancelled,
    /// It failed, and this is what it says.
    Failed(String),
}

impl From<Cancelled> for JobError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Starts jobs; clones start them for the same window.
#[derive(Clone)]
pub struct Jobs {
    wake: Wake,
}

/// A job under way; dropping it cancels the job.
pub struct Job<T> {
    /// Its progress and cancel flag.
    pub task: Task,
    answer: Receiver<Result<T, JobError>>,
}

impl Jobs {
    /// Jobs that call `wake` when they end.
    pub fn new(wake: Wake) -> Self {
        Self { wake }
    }

    /// Calls the wake callback.
    pub fn wake(&self) {
        (self.wake)();
    }

    /// Runs `work` on a thread called `name`. A panic in it becomes a failed answer.
    pub fn start<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&Task) -> Result<T, JobError> + Send + 'static,
    ) -> Job<T> {
        let task = Task::new();
        let (sender, answer) = crossbeam_channel::bounded(1);
        let (theirs, wake, to) = (task.clone(), self.wake.clone(), sender.clone());
        let started = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| work(&theirs))).unwrap_or_else(|panic| {
                Err(JobError::Failed(format!("an error inside heaplens: {}", panic_text(panic.as_ref()))))
            });
            theirs.finish();
            // Nobody may be listening any more; then the answer is not wanted.
            let _unwanted = to.send(ended);
            wake();
        });
        if let Err(error) = started {
            // The channel holds one answer and this is the first: it cannot be full.
            let _full = sender.send(Err(JobError::Failed(format!("no thread could be started: {error}"))));
        }
        Job { task, answer }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it does not say which")
}

impl<T> Job<T> {
    /// The answer, if it is there.
    pub fn poll(&self) -> Option<Result<T, JobError>> {
        self.answer.try_recv().ok()
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.task.cancel();
    }
}
