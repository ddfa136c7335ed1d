//! A column that is being written to a file: single values are read from memory until the file is written; readers of
//! ranges wait.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// A column `C` in memory until it is written as `M`.
pub struct SpillingColumn<C, M> {
    memory: RwLock<Option<Arc<C>>>,
    made: OnceLock<M>,
}

impl<C, M> SpillingColumn<C, M> {
    pub(super) fn new(memory: Arc<C>) -> Self {
        Self { memory: RwLock::new(Some(memory)), made: OnceLock::new() }
    }

    /// Sets the written column and frees the one in memory.
    pub(super) fn set(&self, made: M) {
        // Set only once, by the writer thread.
        let _first = self.made.set(made);
        self.memory.write().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The written column; waits until it is set.
    pub(super) fn wait(&self) -> &M {
        self.made.wait()
    }

    /// The written column, if it is set.
    #[inline]
    pub(super) fn written(&self) -> Option<&M> {
        self.made.get()
    }

    /// A value: with `keep` from memory, or with `read` once the column is written.
    #[inline]
    pub(super) fn get<T>(&self, keep: impl Fn(&C) -> Option<T>, read: impl Fn(&M) -> Option<T>) -> Option<T> {
        if let Some(made) = self.made.get() {
            return read(made);
        }
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner).clone();
        match memory {
            Some(column) => keep(&column),
            // Set between the two checks.
            None => read(self.wait()),
        }
    }
}
