//! Background cache of labels, names or other data of the objects on screen. A row is drawn without its label until
//! that is read.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::OpenDump;
use crate::{JobError, Jobs, Slot};
use heaplens_base::Task;
use heaplens_heap::ObjectId;

/// Maximum number of cached answers; beyond it the cache is cleared.
const LIMIT: usize = 50_000;
/// Maximum duration of one batch, so that its results show early.
const BATCH: Duration = Duration::from_millis(150);

/// Answers by object.
pub struct LabelCache<T> {
    answers: HashMap<ObjectId, Option<T>>,
    requested: Vec<ObjectId>,
    slot: Slot<Vec<(ObjectId, Option<T>)>>,
}

impl<T> Default for LabelCache<T> {
    fn default() -> Self {
        Self { answers: HashMap::new(), requested: Vec::new(), slot: Slot::default() }
    }
}

impl<T: Send + 'static> LabelCache<T> {
    /// Cached answer about an object, `Some(None)` if the object has none. Requests it if it is not cached.
    pub fn of(&mut self, object: ObjectId) -> Option<Option<&T>> {
        let known = self.answers.get(&object);
        if known.is_none() {
            self.requested.push(object);
        }
        known.map(Option::as_ref)
    }

    /// Cached answer about an object, without requesting it.
    pub fn known(&self, object: ObjectId) -> Option<&T> {
        self.answers.get(&object)?.as_ref()
    }

    /// Takes over results, and starts a job that calls `read` for requested objects. Call once per frame.
    pub fn tick(
        &mut self,
        dump: &OpenDump,
        jobs: &Jobs,
        what: &str,
        read: impl Fn(&OpenDump, ObjectId, &Task) -> Result<Option<T>, JobError> + Send + 'static,
    ) {
        if self.slot.poll()
            && let Some(read) = self.slot.get_mut()
        {
            if self.answers.len() > LIMIT {
                self.answers.clear();
            }
            self.answers.extend(std::mem::take(read));
        }
        let failed = self.slot.error().is_some();
        if self.requested.is_empty() || self.slot.is_running() || failed {
            self.requested.clear();
            return;
        }
        let mut requested = std::mem::take(&mut self.requested);
        requested.sort_unstable();
        requested.dedup();
        let dump = dump.clone();
        self.slot.ask(jobs, what, move |task| {
            let begun = Instant::now();
            let mut found = Vec::with_capacity(requested.len());
            for object in requested {
                task.checkpoint()?;
                found.push((object, read(&dump, object, task)?));
                if begun.elapsed() > BATCH {
                    // Remaining objects are requested again while they are on screen.
                    break;
                }
            }
            Ok(found)
        });
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}
