//! Values of rows or objects on screen, read in jobs. A row is drawn without its value until that is read.

use std::collections::HashMap;
use std::hash::Hash;

use crate::{JobError, Jobs, Slot};
use heaplens_base::Task;

/// Values that were read, and those to read next.
pub struct ReadCache<K, T> {
    known: HashMap<K, T>,
    wanted: Vec<K>,
    slot: Slot<Vec<(K, T)>>,
}

impl<K, T> Default for ReadCache<K, T> {
    fn default() -> Self {
        Self { known: HashMap::new(), wanted: Vec::new(), slot: Slot::default() }
    }
}

impl<K: Copy + Hash + Ord + Send + 'static, T: Send + 'static> ReadCache<K, T> {
    /// A value, if it is known; requests it otherwise.
    pub fn of(&mut self, key: K) -> Option<&T> {
        if !self.known.contains_key(&key) {
            self.wanted.push(key);
        }
        self.known.get(&key)
    }

    /// A value, if it is known, without requesting it.
    pub fn known(&self, key: K) -> Option<&T> {
        self.known.get(&key)
    }

    /// Takes over values that were read; a cache of more than `limit` is cleared before. Returns the keys of requested
    /// values, each once, if a job should read them now. Call once per frame.
    pub fn tick(&mut self, limit: usize) -> Option<Vec<K>> {
        if self.slot.poll() {
            if self.known.len() > limit {
                self.known.clear();
            }
            self.known.extend(self.slot.take().unwrap_or_default());
        }
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort_unstable();
        wanted.dedup();
        Some(wanted).filter(|wanted| !wanted.is_empty() && !self.slot.is_running() && !self.has_failed())
    }

    /// Starts the job `what`, which reads values.
    pub fn ask(
        &mut self,
        jobs: &Jobs,
        what: &str,
        read: impl FnOnce(&Task) -> Result<Vec<(K, T)>, JobError> + Send + 'static,
    ) {
        self.slot.ask(jobs, what, read);
    }

    /// True if values cannot be read.
    pub fn has_failed(&self) -> bool {
        self.slot.error().is_some()
    }

    /// True until the values of a job are taken over.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }

    /// True while a job is running.
    pub fn is_at_work(&self) -> bool {
        self.slot.is_at_work()
    }
}
