//! Threads of long operations.

use std::io;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle};

use rayon::ThreadPoolBuilder;

use crate::addresses::addresses_left;

/// Addresses in bytes that one more thread may need: its stack, the stack of its signal handler, and the first block of
/// its allocator.
const ADDRESSES_OF_THREAD: u64 = 80 << 20;

/// Starts a thread called `name`.
///
/// # Errors
/// If the system refuses it, or if the process has few addresses left (`ulimit -v`): the standard library ends the whole
/// process if a thread that did start finds no room for the stack of its signal handler.
pub fn start<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    require_addresses(1)?;
    Builder::new().name(name.to_owned()).spawn(work)
}

/// # Errors
/// If `threads` more threads may need more addresses than the process has left.
fn require_addresses(threads: usize) -> io::Result<()> {
    match addresses_left() {
        Some(left) if left < ADDRESSES_OF_THREAD.saturating_mul(threads as u64) => {
            Err(io::Error::new(io::ErrorKind::OutOfMemory, "the limit on addresses (ulimit -v) leaves no room for it"))
        }
        _ => Ok(()),
    }
}

/// Runs both, the second one on a thread called `name`; one after the other if no thread can be started. Unlike in
/// `rayon::join`, each may wait for a result that others compute.
pub fn join<A, B: Send>(name: &str, one: impl FnOnce() -> A, other: impl FnOnce() -> B + Send) -> (A, B) {
    let other = Mutex::new(Some(other));
    let run = || other.lock().unwrap_or_else(PoisonError::into_inner).take().map(|other| other());
    thread::scope(|scope| {
        let started = require_addresses(1).and_then(|()| Builder::new().name(name.to_owned()).spawn_scoped(scope, run));
        let one = one();
        let other = match started {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => run(),
        };
        (one, other.unwrap_or_else(|| unreachable!("it is taken once")))
    })
}

/// Runs `work` on a thread of a pool of its own, with as many threads as the caller's pool has.
///
/// A thread outside the pool hands each parallel step to a worker and sleeps until it is done: an open has about a
/// hundred such steps, and the cores have to wake up for each. A pool of its own, because a thread that waits in a pool
/// begins whatever else is queued there: the results of one open would wait for the whole of another.
///
/// Runs `work` on the calling thread if that is in a pool already, or if no threads can be started.
pub fn in_own_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let threads = rayon::current_num_threads();
    if require_addresses(threads).is_err() {
        return work();
    }
    match ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_in_a_pool_once_and_its_result_and_panic_reach_the_caller() {
        let threads = rayon::current_num_threads();
        let inner = in_own_pool(|| {
            let outer = std::thread::current().id();
            assert_eq!(rayon::current_num_threads(), threads);
            in_own_pool(|| rayon::current_thread_index().is_some() && std::thread::current().id() == outer)
        });
        assert!(inner && rayon::current_thread_index().is_none());
        let panic = std::panic::catch_unwind(|| in_own_pool(|| std::panic::panic_any(7_u8)));
        assert_eq!(panic.map_err(|value| value.downcast_ref::<u8>().copied()), Err(Some(7)));
    }
}
