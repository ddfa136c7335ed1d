//! A result that several tasks need: computed at most once at a time, while all others wait for it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use crate::task::{Cancelled, Task};

/// Interval at which a waiting task checks for its own cancellation and shows the progress of the computation.
const INTERVAL: Duration = Duration::from_millis(5);

/// A result that is computed at most once at a time, whoever asks for it.
pub struct Shared<T> {
    retained: OnceLock<Arc<T>>,
    state: Mutex<State<T>>,
    ended: Condvar,
    computations: AtomicU32,
}

struct State<T> {
    /// The task of the computation that is under way.
    running: Option<Task>,
    /// A result that is too large to be retained; there as long as somebody holds it.
    held: Weak<T>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        let state = Mutex::new(State { running: None, held: Weak::new() });
        Self { retained: OnceLock::new(), state, ended: Condvar::new(), computations: AtomicU32::new(0) }
    }
}

/// The computation under way; its end, also by a panic, wakes those that wait.
struct Running<'a, T>(&'a Shared<T>);

impl<T> Drop for Running<'_, T> {
    fn drop(&mut self) {
        self.0.state().running = None;
        self.0.ended.notify_all();
    }
}

impl<T> Shared<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        // A panic elsewhere cannot leave the state half-written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result, if it is there.
    pub fn known(&self) -> Option<Arc<T>> {
        self.retained.get().cloned().or_else(|| self.state().held.upgrade())
    }

    /// The result, if it is there and retained.
    pub fn retained(&self) -> Option<&T> {
        self.retained.get().map(Arc::as_ref)
    }

    /// Number of completed computations.
    pub fn computations(&self) -> u32 {
        self.computations.load(Ordering::Relaxed)
    }

    /// The result: computed on this thread, unless it is there or another thread computes it, which is waited for. A
    /// computation goes on until all that wait for it are cancelled; of one that fails or panics, the next task in line
    /// takes over. A result for which `is_retained` is false is dropped once nobody holds it.
    ///
    /// # Errors
    /// Those of `compute`, and when `task` is cancelled.
    pub fn get<E: From<Cancelled>>(
        &self,
        task: &Task,
        is_retained: impl FnOnce(&T) -> bool,
        compute: impl FnOnce(&Task) -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let work = loop {
            if let Some(known) = self.known() {
                return Ok(known);
            }
            task.checkpoint()?;
            let mut state = self.state();
            match state.running.clone() {
                None if self.retained.get().is_none() && state.held.strong_count() == 0 => {
                    break state.running.insert(task.shared()).clone();
                }
                None => {}
                // A thread of the pool must not wait: the computation may be suspended on its own stack.
                Some(_) if rayon::current_thread_index().is_some() => {
                    drop(state);
                    return Ok(self.put(compute(task)?, is_retained));
                }
                Some(running) => self.wait(state, &running, task)?,
            }
        };
        let _running = Running(self);
        Ok(self.put(compute(&work)?, is_retained))
    }

    /// Waits until a computation has ended.
    fn wait(&self, mut state: MutexGuard<'_, State<T>>, running: &Task, task: &Task) -> Result<(), Cancelled> {
        running.join(task);
        let mut shown = ("", 0);
        while state.running.as_ref().is_some_and(|now| now.is_same(running)) {
            running.show_on(task, &mut shown);
            task.checkpoint()?;
            (state, _) = self.ended.wait_timeout(state, INTERVAL).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    fn put(&self, result: T, is_retained: impl FnOnce(&T) -> bool) -> Arc<T> {
        self.computations.fetch_add(1, Ordering::Relaxed);
        if is_retained(&result) {
            // A thread of the pool may have finished first, with the same result.
            return Arc::clone(self.retained.get_or_init(|| Arc::new(result)));
        }
        let result = Arc::new(result);
        self.state().held = Arc::downgrade(&result);
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::task::Unit;

    fn wait_until(is_true: impl Fn() -> bool) {
        for _ in 0..12_000 {
            if is_true() {
                return;
            }
            std::thread::sleep(INTERVAL);
        }
        panic!("it does not come true within a minute");
    }

    fn number(shared: &Shared<u64>, number: u64) -> Result<u64, Cancelled> {
        shared.get(&Task::new(), |_| true, |_| Ok(number)).map(|answer| *answer)
    }

    #[test]
    fn several_tasks_share_one_computation() {
        let shared = &Shared::default();
        let answers: Vec<Arc<u64>> = std::thread::scope(|scope| {
            let (begin, begun) = mpsc::channel::<()>();
            let first = Task::new();
            let theirs = first.clone();
            let compute = move |_: &Task| begun.recv().map(|()| 7).map_err(|_closed| Cancelled);
            let one = scope.spawn(move || shared.get(&theirs, |_| true, compute));
            wait_until(|| shared.state().running.is_some());
            let others: Vec<_> = (0..2)
                .map(|_| scope.spawn(|| shared.get(&Task::new(), |_| true, |_| panic!("a second computation"))))
                .collect();
            let count = |running: &Task| running.waiting();
            wait_until(|| shared.state().running.as_ref().map(count) == Some(3));
            begin.send(()).expect("it waits");
            let answers = std::iter::once(one).chain(others).map(|thread| thread.join().expect("no panic"));
            answers.map(|answer: Result<_, Cancelled>| answer.expect("an answer")).collect()
        });
        assert!(answers.iter().all(|answer| Arc::ptr_eq(answer, &answers[0]) && **answer == 7));
        assert_eq!((number(shared, 8), shared.computations()), (Ok(7), 1));
    }

    /// The task that computes is cancelled: the computation goes on for the other. All are cancelled: so is the computation.
    #[test]
    fn the_computation_is_cancelled_once_no_task_waits() {
        let shared = &Shared::<u64>::default();
        let [first, second] = &[Task::new(), Task::new()];
        std::thread::scope(|scope| {
            let compute = |task: &Task| {
                task.step("Counting", Unit::Objects, 10);
                task.advance(3);
                while task.checkpoint().is_ok() {
                    std::thread::sleep(INTERVAL);
                }
                Err(Cancelled)
            };
            let one = scope.spawn(move || shared.get(first, |_| true, compute));
            wait_until(|| first.progress().percent() == Some(30));
            let other = scope.spawn(|| shared.get(second, |_| true, |_| Ok::<_, Cancelled>(8)));
            wait_until(|| second.progress().percent() == Some(30));
            assert_eq!(second.progress().step, "Counting");
            first.cancel();
            std::thread::sleep(10 * INTERVAL);
            assert!(!one.is_finished() && !other.is_finished());
            second.cancel();
            assert_eq!(other.join().expect("no panic"), Err(Cancelled));
            assert_eq!(one.join().expect("no panic"), Err(Cancelled));
        });
        assert_eq!((number(shared, 9), shared.computations()), (Ok(9), 1));
    }

    #[test]
    fn a_waiting_task_that_is_cancelled_leaves_the_computation_to_the_others() {
        let shared = &Shared::<u64>::default();
        let (begin, begun) = mpsc::channel::<()>();
        let second = &Task::new();
        std::thread::scope(|scope| {
            let compute = move |task: &Task| {
                begun.recv().map_err(|_closed| Cancelled)?;
                task.checkpoint()?;
                Ok::<_, Cancelled>(7)
            };
            let one = scope.spawn(move || shared.get(&Task::new(), |_| true, compute));
            wait_until(|| shared.state().running.is_some());
            let other = scope.spawn(|| shared.get(second, |_| true, |_| Ok::<_, Cancelled>(8)));
            wait_until(|| shared.state().running.as_ref().map(Task::waiting) == Some(2));
            second.cancel();
            assert_eq!(other.join().expect("no panic"), Err(Cancelled));
            begin.send(()).expect("it waits");
            assert_eq!(one.join().expect("no panic").as_deref(), Ok(&7));
        });
    }

    #[test]
    fn a_waiting_task_takes_over_from_a_computation_that_panics() {
        let shared = &Shared::<u64>::default();
        let (begin, begun) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let compute = move |_: &Task| -> Result<u64, Cancelled> {
                begun.recv().map_err(|_closed| Cancelled)?;
                panic!("no such row")
            };
            let one = scope.spawn(move || shared.get(&Task::new(), |_| true, compute));
            wait_until(|| shared.state().running.is_some());
            let other = scope.spawn(|| number(shared, 8));
            wait_until(|| shared.state().running.as_ref().map(Task::waiting) == Some(2));
            begin.send(()).expect("it waits");
            assert!(one.join().is_err());
            assert_eq!(other.join().expect("no panic"), Ok(8));
        });
        assert_eq!((number(shared, 9), shared.computations()), (Ok(8), 1));
    }

    /// A thread of the pool that waited for another one could wait for itself.
    #[test]
    fn a_thread_of_the_pool_computes_for_itself() {
        let shared = &Shared::<u64>::default();
        let inner = |_: &Task| {
            let answer = rayon::scope(|_| number(shared, 7))?;
            Ok::<_, Cancelled>(answer + 1)
        };
        let answer = shared.get(&Task::new(), |_| true, inner);
        assert_eq!((answer.as_deref(), shared.computations()), (Ok(&7), 2));
    }

    #[test]
    fn a_large_result_is_shared_as_long_as_somebody_holds_it() {
        let shared = Shared::<u64>::default();
        let ask = |number| shared.get(&Task::new(), |_| false, |_| Ok::<_, Cancelled>(number)).expect("an answer");
        let first = ask(7);
        assert_eq!((*ask(8), shared.known().as_deref()), (7, Some(&7)));
        drop(first);
        assert_eq!((shared.known(), *ask(9), shared.computations()), (None, 9, 2));
    }
}
