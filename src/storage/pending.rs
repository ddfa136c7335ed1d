//! A column on its way into a file: single values are read from memory until
//! it is there; who wants more at once waits.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bytemuck::Pod;

use super::column::Column;

/// What memory has of something until `made` holds it.
pub struct Pending<T, M> {
    memory: RwLock<Option<Arc<Column<T>>>>,
    made: OnceLock<M>,
}

impl<T: Pod, M> Pending<T, M> {
    pub(super) fn new(memory: Arc<Column<T>>) -> Self {
        Self { memory: RwLock::new(Some(memory)), made: OnceLock::new() }
    }

    /// Says what was made of it. Memory is given back.
    pub(super) fn set(&self, made: M) {
        // It is set once, by the thread that writes.
        let _first = self.made.set(made);
        self.memory.write().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// What was made of it; waits until then.
    pub(super) fn wait(&self) -> &M {
        self.made.wait()
    }

    /// One value, by `read` once it is made, from memory before.
    #[inline]
    pub(super) fn get(&self, row: usize, read: impl Fn(&M) -> Option<T>) -> Option<T> {
        if let Some(made) = self.made.get() {
            return read(made);
        }
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner).clone();
        match memory {
            Some(column) => column.get(row),
            // It was made just now.
            None => read(self.wait()),
        }
    }
}
