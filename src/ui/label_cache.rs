//! What is read in the background of the objects on screen: something of each, or
//! that there is none. A row is drawn without it until it is there.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::view_context::OpenDump;
use crate::heap::ids::ObjectId;
use crate::session::jobs::{JobError, Jobs};
use crate::session::slot::Slot;
use crate::task::Task;

/// Answers kept at most; then all are read anew as they are seen.
const LIMIT: usize = 50_000;
/// How long one batch reads before it shows what it has.
const BATCH: Duration = Duration::from_millis(150);

/// Answers by object.
pub struct LabelCache<T> {
    answers: HashMap<ObjectId, Option<T>>,
    wanted: Vec<ObjectId>,
    slot: Slot<Vec<(ObjectId, Option<T>)>>,
}

impl<T> Default for LabelCache<T> {
    fn default() -> Self {
        Self { answers: HashMap::new(), wanted: Vec::new(), slot: Slot::default() }
    }
}

impl<T: Send + 'static> LabelCache<T> {
    /// What there is of an object, or that there is nothing; if neither is known, it is asked for.
    pub fn of(&mut self, object: ObjectId) -> Option<Option<&T>> {
        let known = self.answers.get(&object);
        if known.is_none() {
            self.wanted.push(object);
        }
        known.map(Option::as_ref)
    }

    /// What is known to be there of an object; it is not asked for.
    pub fn known(&self, object: ObjectId) -> Option<&T> {
        self.answers.get(&object)?.as_ref()
    }

    /// Takes in what was read and asks `read` for what is wanted. Once a frame.
    pub fn tick(
        &mut self,
        answers: &OpenDump,
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
        if self.wanted.is_empty() || self.slot.is_running() || failed {
            self.wanted.clear();
            return;
        }
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort_unstable();
        wanted.dedup();
        let answers = answers.clone();
        self.slot.ask(jobs, what, move |task| {
            let begun = Instant::now();
            let mut found = Vec::with_capacity(wanted.len());
            for object in wanted {
                task.checkpoint()?;
                found.push((object, read(&answers, object, task)?));
                if begun.elapsed() > BATCH {
                    // What is still on screen is asked for again.
                    break;
                }
            }
            Ok(found)
        });
    }

    /// Whether answers are on their way.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}
