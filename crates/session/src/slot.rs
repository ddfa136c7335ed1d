//! A slot for an asynchronous result. While a new result is pending, or
//! after it failed, the previous one remains visible.

use super::jobs::{Job, JobError, Jobs};
use heaplens_base::{Progress, Task};

/// A result that may be requested, pending or available.
pub struct Slot<T> {
    answer: Option<T>,
    job: Option<Job<T>>,
    error: Option<String>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { answer: None, job: None, error: None }
    }
}

impl<T: Send + 'static> Slot<T> {
    /// Starts a new request. A running job of this slot is cancelled.
    pub fn ask(&mut self, jobs: &Jobs, name: &str, work: impl FnOnce(&Task) -> Result<T, JobError> + Send + 'static) {
        self.error = None;
        self.job = Some(jobs.start(name, work));
    }

    /// Receives the result if available; true if there was one.
    pub fn poll(&mut self) -> bool {
        let Some(ended) = self.job.as_ref().and_then(Job::poll) else { return false };
        self.job = None;
        match ended {
            Ok(answer) => {
                self.answer = Some(answer);
                true
            }
            Err(JobError::Cancelled) => false,
            Err(JobError::Failed(error)) => {
                self.error = Some(error);
                false
            }
        }
    }

    /// The last result, if any.
    pub fn get(&self) -> Option<&T> {
        self.answer.as_ref()
    }

    /// The last result, mutable.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.answer.as_mut()
    }

    /// Takes the last result.
    pub fn take(&mut self) -> Option<T> {
        self.answer.take()
    }

    /// Receives the result if available, and takes it.
    pub fn take_new(&mut self) -> Option<T> {
        if self.poll() { self.take() } else { None }
    }

    /// Receives the result or the error of a request, once.
    pub fn take_ended(&mut self) -> Option<Result<T, String>> {
        self.take_new().map(Ok).or_else(|| self.error.take().map(Err))
    }

    /// Error of the last request.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// True if a result is pending, or available but not yet received.
    pub fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// True if a result is being computed. An available one does not count: its view may not
    /// be visible, and receives it when it is again.
    pub fn is_at_work(&self) -> bool {
        self.job.as_ref().is_some_and(|job| !job.has_ended())
    }

    /// Progress of the pending result.
    pub fn progress(&self) -> Option<Progress> {
        self.job.as_ref().map(|job| job.task.progress())
    }

    /// Cancels the running job; the previous result remains.
    pub fn cancel(&mut self) {
        self.job = None;
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::*;

    fn jobs() -> (Jobs, crossbeam_channel::Receiver<()>) {
        let (wake, woken) = crossbeam_channel::unbounded();
        (Jobs::new(Arc::new(move || wake.send(()).expect("somebody waits"))), woken)
    }

    #[test]
    fn a_panic_fails_its_job_and_keeps_the_previous_answer() {
        let (jobs, woken) = jobs();
        let mut slot = Slot::default();
        for is_bad in [false, true] {
            slot.ask(&jobs, "a number", move |_| if is_bad { panic!("no such row") } else { Ok(7) });
            woken.recv_timeout(Duration::from_mins(1)).expect("it ends");
            assert_eq!(slot.poll(), !is_bad);
        }
        assert_eq!(slot.error(), Some("internal error: no such row"));
        assert!(!slot.is_running());
        assert_eq!(slot.get(), Some(&7));
    }

    /// A result that is not received because its view is hidden does not count as busy.
    #[test]
    fn a_finished_answer_waits_to_be_taken() {
        let (jobs, woken) = jobs();
        let (begin, begun) = crossbeam_channel::bounded::<()>(1);
        let mut slot = Slot::default();
        slot.ask(&jobs, "a number", move |_| Ok(begun.recv().map_or(0, |()| 7)));
        assert!(slot.is_running() && slot.is_at_work());
        begin.send(()).expect("it waits");
        woken.recv_timeout(Duration::from_mins(1)).expect("it ends");
        assert!(slot.is_running() && !slot.is_at_work());
        assert!(slot.poll() && !slot.is_running());
        assert_eq!(slot.get(), Some(&7));
    }
}
