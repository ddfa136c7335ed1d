//! Background thread that writes finished columns to their file while the open continues. The depth-first search, for
//! example, uses only one core.

use std::sync::mpsc::{Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

use crate::threads;

type Work = Box<dyn FnOnce() + Send>;

/// The writer thread; started on first use.
#[derive(Default)]
pub(super) struct Writer(Mutex<Option<Sender<Work>>>);

impl Writer {
    /// Queues `work`. It always runs, since readers wait for its result; on the calling thread if there is no writer.
    pub(super) fn run(&self, work: impl FnOnce() + Send + 'static) {
        let mut sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = sender.get_or_insert_with(|| {
            let (sender, waiting) = channel::<Work>();
            let started = threads::start("write columns", move || waiting.into_iter().for_each(|work| work()));
            // If the thread cannot be started, sending fails and the work runs on the calling thread.
            let _not_started = started;
            sender
        });
        if let Err(undone) = sender.send(Box::new(work)) {
            (undone.0)();
        }
    }

    /// Waits until all queued work is done.
    pub(super) fn wait(&self) {
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return;
        }
        let (done, waiting) = sync_channel::<()>(1);
        self.run(move || drop(done));
        // Receives an error once the queued closure is run and drops its sender.
        let _gone = waiting.recv();
    }
}
