//! Values by number, read in jobs for rows on screen. A row is drawn without its value until that is read.

use std::collections::HashMap;

use heaplens_base::Task;
use heaplens_session::{JobError, Jobs, Slot};

/// Values that were read, and those to read next.
pub(crate) struct ReadCache<T> {
    known: HashMap<usize, T>,
    wanted: Vec<usize>,
    slot: Slot<Vec<(usize, T)>>,
}

impl<T> Default for ReadCache<T> {
    fn default() -> Self {
        Self { known: HashMap::new(), wanted: Vec::new(), slot: Slot::default() }
    }
}

impl<T: Send + 'static> ReadCache<T> {
    /// A value, if it is known; requests it otherwise.
    pub(crate) fn of(&mut self, at: usize) -> Option<&T> {
        if !self.known.contains_key(&at) {
            self.wanted.push(at);
        }
        self.known.get(&at)
    }

    /// A value, if it is known, without requesting it.
    pub(crate) fn known(&self, at: usize) -> Option<&T> {
        self.known.get(&at)
    }

    /// Takes over values that were read; a cache of more than `limit` is cleared before. Gives the numbers of requested
    /// values if a job should read them now. Call once per frame.
    pub(crate) fn tick(&mut self, limit: usize) -> Option<Vec<usize>> {
        if self.slot.poll() {
            if self.known.len() > limit {
                self.known.clear();
            }
            self.known.extend(self.slot.take().unwrap_or_default());
        }
        let wanted = std::mem::take(&mut self.wanted);
        Some(wanted).filter(|wanted| !wanted.is_empty() && !self.slot.is_running() && !self.has_failed())
    }

    /// Starts the job `what`, which reads values.
    pub(crate) fn ask(
        &mut self,
        jobs: &Jobs,
        what: &str,
        read: impl FnOnce(&Task) -> Result<Vec<(usize, T)>, JobError> + Send + 'static,
    ) {
        self.slot.ask(jobs, what, read);
    }

    /// True if values cannot be read.
    pub(crate) fn has_failed(&self) -> bool {
        self.slot.error().is_some()
    }

    /// True while a job is running.
    pub(crate) fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}
