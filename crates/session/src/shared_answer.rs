//! An answer that several jobs need: computed once, by a job of its own, while all others wait for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::jobs::{Job, JobError, Jobs};
use heaplens_base::Task;

/// Interval at which a waiting job checks for the answer and for its own cancellation.
const INTERVAL: Duration = Duration::from_millis(5);

/// An answer that is computed at most once, whoever asks for it.
pub struct SharedAnswer<T>(Mutex<State<T>>);

struct State<T> {
    stage: Stage<T>,
    /// Number of jobs that wait for the running computation.
    waiting: usize,
}

enum Stage<T> {
    Missing,
    Running(Job<T>),
    Ready(Arc<T>),
    /// Message of a computation that failed; returned until all jobs that waited for it have seen it.
    Failed(String),
}

impl<T> Default for SharedAnswer<T> {
    fn default() -> Self {
        Self(Mutex::new(State { stage: Stage::Missing, waiting: 0 }))
    }
}

/// A job that waits. Once the last one leaves, the computation is cancelled.
struct Waiting<'a, T>(&'a SharedAnswer<T>);

impl<T: Send + 'static> SharedAnswer<T> {
    /// The answer. `compute` runs on a thread called `name` unless the answer is there or being computed. Blocks until
    /// it is there; only for jobs. `task` shows the progress of the computation.
    ///
    /// # Errors
    /// When `task` is cancelled, or the computation failed. If `task` is cancelled, the computation goes on as long as
    /// another job waits for it.
    pub fn get(
        &self,
        (jobs, name): (&Jobs, &str),
        task: &Task,
        compute: impl FnOnce(&Task) -> Result<T, JobError> + Send + 'static,
    ) -> Result<Arc<T>, JobError> {
        let _waiting = {
            let mut state = self.state();
            let is_unseen = state.waiting > 0;
            if matches!(state.stage, Stage::Missing) || matches!(state.stage, Stage::Failed(_)) && !is_unseen {
                state.stage = Stage::Running(jobs.start(name, compute));
            }
            state.waiting += 1;
            Waiting(self)
        };
        let mut shown = ("", 0);
        loop {
            {
                let mut state = self.state();
                if let Some(ended) = state.take_ended() {
                    return ended;
                }
                if let Stage::Running(job) = &state.stage {
                    show_progress(&job.task, task, &mut shown);
                }
            }
            task.checkpoint()?;
            std::thread::sleep(INTERVAL);
        }
    }
}

impl<T> SharedAnswer<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        // A panic elsewhere cannot leave the state half-written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// The answer or the failure, once the computation has ended.
    fn take_ended(&mut self) -> Option<Result<Arc<T>, JobError>> {
        if let Stage::Running(job) = &self.stage {
            self.stage = match job.poll()? {
                Ok(answer) => Stage::Ready(Arc::new(answer)),
                Err(JobError::Failed(why)) => Stage::Failed(why),
                Err(JobError::Cancelled) => Stage::Missing,
            };
        }
        Some(match &self.stage {
            Stage::Ready(answer) => Ok(Arc::clone(answer)),
            Stage::Failed(why) => Err(JobError::Failed(why.clone())),
            Stage::Missing | Stage::Running(_) => Err(JobError::Cancelled),
        })
    }
}

impl<T> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.waiting -= 1;
        if state.waiting == 0 && matches!(state.stage, Stage::Running(_)) {
            state.stage = Stage::Missing;
        }
    }
}

/// Shows the current step of one task as that of another. `shown` is the step and the number of items shown so far.
fn show_progress(from: &Task, to: &Task, shown: &mut (&'static str, u64)) {
    let progress = from.progress();
    if shown.0 != progress.step || progress.done < shown.1 {
        to.step(progress.step, progress.unit, progress.total);
        *shown = (progress.step, 0);
    }
    to.advance(progress.done - shown.1);
    shown.1 = progress.done;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use heaplens_base::Unit;

    fn jobs() -> Jobs {
        Jobs::new(Arc::new(|| {}))
    }

    fn wait_until(is_true: impl Fn() -> bool) {
        for _ in 0..12_000 {
            if is_true() {
                return;
            }
            std::thread::sleep(INTERVAL);
        }
        panic!("it does not come true within a minute");
    }

    #[test]
    fn several_jobs_share_one_computation() {
        let (jobs, shared, runs) = (&jobs(), &SharedAnswer::default(), &Arc::new(AtomicU64::new(0)));
        let (begin, begun) = crossbeam_channel::bounded::<()>(1);
        let answers: Vec<Arc<u64>> = std::thread::scope(|scope| {
            let ask = || {
                let (runs, begun) = (Arc::clone(runs), begun.clone());
                let compute = move |_: &Task| {
                    runs.fetch_add(1, Ordering::Relaxed);
                    begun.recv().map_err(|_closed| JobError::Cancelled)?;
                    Ok(7)
                };
                scope.spawn(move || shared.get((jobs, "a number"), &Task::new(), compute))
            };
            let asked = [ask(), ask(), ask()];
            wait_until(|| shared.state().waiting == 3);
            begin.send(()).expect("it waits");
            asked.map(|asked| asked.join().expect("no panic").expect("an answer")).into()
        });
        let later = shared.get((jobs, "a number"), &Task::new(), |_| Ok(8)).expect("an answer");
        assert!(answers.iter().chain([&later]).all(|answer| Arc::ptr_eq(answer, &answers[0]) && **answer == 7));
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    }

    /// One job is cancelled: the computation goes on for the other. All are cancelled: so is the computation.
    #[test]
    fn the_computation_is_cancelled_once_no_job_waits() {
        let (jobs, shared) = (&jobs(), &SharedAnswer::<u64>::default());
        let (first, second) = (&Task::new(), &Task::new());
        let ended = &Arc::new(AtomicU64::new(0));
        std::thread::scope(|scope| {
            let ask = |task| {
                let ended = Arc::clone(ended);
                let compute = move |task: &Task| {
                    task.step("Counting", Unit::Objects, 10);
                    task.advance(3);
                    while task.checkpoint().is_ok() {
                        std::thread::sleep(INTERVAL);
                    }
                    ended.fetch_add(1, Ordering::Relaxed);
                    Err(JobError::Cancelled)
                };
                scope.spawn(move || shared.get((jobs, "a number"), task, compute))
            };
            let (one, other) = (ask(first), ask(second));
            wait_until(|| [first, second].iter().all(|task| task.progress().percent() == Some(30)));
            assert_eq!(second.progress().step, "Counting");
            first.cancel();
            assert_eq!(one.join().expect("no panic"), Err(JobError::Cancelled));
            assert!(ended.load(Ordering::Relaxed) == 0 && shared.state().waiting == 1);
            second.cancel();
            assert_eq!(other.join().expect("no panic"), Err(JobError::Cancelled));
        });
        wait_until(|| ended.load(Ordering::Relaxed) == 1);
        let again = shared.get((jobs, "a number"), &Task::new(), |_| Ok(9));
        assert_eq!(again.as_deref(), Ok(&9));
    }

    #[test]
    fn a_failed_computation_is_repeated_on_the_next_request() {
        let (jobs, shared) = (jobs(), SharedAnswer::default());
        let failed = shared.get((&jobs, "a number"), &Task::new(), |_| panic!("no such row"));
        assert_eq!(failed, Err(JobError::Failed("internal error: no such row".to_owned())));
        assert_eq!(shared.get((&jobs, "a number"), &Task::new(), |_| Ok(7)).as_deref(), Ok(&7));
    }
}
