//! A thread beside an open that writes finished columns into their file, one
//! after the other, while others go on: the search, above all, is one long
//! chain on one core.

use std::sync::mpsc::{Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

type Work = Box<dyn FnOnce() + Send>;

/// The thread; started by the first that has work for it.
#[derive(Default)]
pub(super) struct Writer(Mutex<Option<Sender<Work>>>);

impl Writer {
    /// Has `work` done, after all given before. Work is never lost: who waits for what it makes waits for ever
    /// otherwise.
    pub(super) fn run(&self, work: impl FnOnce() + Send + 'static) {
        let mut sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = sender.get_or_insert_with(|| {
            let (sender, waiting) = channel::<Work>();
            let started = std::thread::Builder::new()
                .name("write columns".to_owned())
                .spawn(move || waiting.into_iter().for_each(|work| work()));
            // Without a thread nobody receives, and work comes back to be done here.
            let _not_started = started;
            sender
        });
        if let Err(undone) = sender.send(Box::new(work)) {
            (undone.0)();
        }
    }

    /// Waits until all work given so far is done.
    pub(super) fn wait(&self) {
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return;
        }
        let (done, waiting) = sync_channel::<()>(1);
        self.run(move || drop(done));
        // Nothing comes: the other end is gone when the turn is its.
        let _gone = waiting.recv();
    }
}
