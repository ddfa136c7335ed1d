//! Calls of one client: how many are at work, and how many wait.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::connection::Connection;

/// Maximum number of calls at work at the same time.
const AT_ONCE: usize = 8;
/// The same of calls that are answered at once, whatever the others do.
const QUICK_AT_ONCE: usize = 2;
/// Number of threads that calls need.
pub(crate) const MOST_THREADS: usize = AT_ONCE + QUICK_AT_ONCE;
/// Maximum number of calls that wait.
const MOST_WAITING: usize = 64;
/// Maximum size of calls that wait, as lines in bytes.
const MOST_WAITING_BYTES: usize = 16 << 20;
/// Time between two looks at whether the client reads again.
const INTERVAL: Duration = Duration::from_millis(20);

/// Why a call is not begun.
pub(crate) const FULL: &str = "Too many calls wait for their answers. Wait for some, or cancel some, then call again.";

/// Calls of one client.
pub(crate) struct Calls {
    pub(crate) connection: Arc<Connection>,
    slow: Queue,
    quick: Queue,
}

/// Calls that wait for each other.
struct Queue {
    /// One for each that may be at work.
    at_work: Arc<Semaphore>,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    calls: usize,
    bytes: usize,
}

/// Too many calls wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

/// A call that waits; leaves the queue when dropped.
struct Queued<'a> {
    queue: &'a Queue,
    bytes: usize,
}

impl Calls {
    pub(crate) fn new(connection: Arc<Connection>) -> Self {
        let queue = |most| Queue { at_work: Arc::new(Semaphore::new(most)), waiting: Mutex::default() };
        Self { connection, slow: queue(AT_ONCE), quick: queue(QUICK_AT_ONCE) }
    }

    /// Waits until a call of `bytes` may begin; it is at work as long as the result lives. A call that is cancelled drops
    /// the future, and leaves the queue.
    ///
    /// # Errors
    /// If too many calls wait.
    pub(crate) async fn turn(&self, is_quick: bool, bytes: usize) -> Result<OwnedSemaphorePermit, QueueFull> {
        let queue = if is_quick { &self.quick } else { &self.slow };
        let _queued = queue.enter(bytes)?;
        let permit = Arc::clone(&queue.at_work).acquire_owned().await.map_err(|_never_closed| QueueFull)?;
        // Its answer would only wait in memory.
        while self.connection.is_behind() {
            sleep(INTERVAL).await;
        }
        Ok(permit)
    }

    /// Waits until no call is at work, as long as `patience`.
    pub(crate) async fn wait_until_idle(&self, patience: Duration) {
        let all = async {
            let _slow = self.slow.at_work.acquire_many(AT_ONCE as u32).await;
            let _quick = self.quick.at_work.acquire_many(QUICK_AT_ONCE as u32).await;
        };
        // A call that still works ends with the process.
        let _idle = timeout(patience, all).await;
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // A panic elsewhere cannot leave the numbers half-written.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, bytes: usize) -> Result<Queued<'_>, QueueFull> {
        let mut waiting = self.waiting();
        // A single call may be as long as a line.
        if waiting.calls >= MOST_WAITING || waiting.calls > 0 && waiting.bytes + bytes > MOST_WAITING_BYTES {
            return Err(QueueFull);
        }
        waiting.calls += 1;
        waiting.bytes += bytes;
        drop(waiting);
        Ok(Queued { queue: self, bytes })
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        let mut waiting = self.queue.waiting();
        waiting.calls -= 1;
        waiting.bytes -= self.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(work)
    }

    fn calls() -> Calls {
        Calls::new(Arc::default())
    }

    #[test]
    fn the_queue_has_an_end_and_cancelled_calls_leave_it() {
        run(async {
            let calls = calls();
            let mut at_work = Vec::new();
            for _ in 0..AT_ONCE {
                at_work.push(calls.turn(false, 10).await.expect("a turn"));
            }
            let mut waiting: Vec<_> = (0..MOST_WAITING).map(|_| Box::pin(calls.turn(false, 10))).collect();
            for call in &mut waiting {
                assert!(timeout(Duration::ZERO, call).await.is_err(), "it waits");
            }
            assert_eq!(calls.turn(false, 10).await.err(), Some(QueueFull));
            assert!(calls.turn(true, 10).await.is_ok(), "a quick one has a queue of its own");
            waiting.truncate(MOST_WAITING - 1);
            waiting.push(Box::pin(calls.turn(false, 10)));
            assert!(timeout(Duration::ZERO, waiting.last_mut().expect("a call")).await.is_err(), "it waits");
            at_work.pop();
            assert!(waiting.remove(0).await.is_ok(), "its turn");
        });
    }

    #[test]
    fn long_calls_fill_the_queue_earlier() {
        run(async {
            let calls = calls();
            let _at_work = calls.slow.at_work.acquire_many(AT_ONCE as u32).await.expect("all of them");
            let mut long = Box::pin(calls.turn(false, MOST_WAITING_BYTES + 1));
            assert!(timeout(Duration::ZERO, &mut long).await.is_err(), "a single one may be longer");
            assert_eq!(calls.turn(false, 1).await.err(), Some(QueueFull));
            drop(long);
            assert!(timeout(Duration::ZERO, calls.turn(false, 1)).await.is_err(), "it waits");
        });
    }
}
