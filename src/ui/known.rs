//! What is read in the background of the objects on screen: a text each, or
//! that there is none. A row is drawn without it until it is there.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::scene::Answers;
use crate::heap::ids::ObjectId;
use crate::session::jobs::{JobError, Jobs};
use crate::session::slot::Slot;
use crate::task::Task;

/// Texts kept at most; then all are read anew as they are seen.
const LIMIT: usize = 50_000;
/// How long one batch reads before it shows what it has.
const BATCH: Duration = Duration::from_millis(150);

/// Texts by object.
#[derive(Default)]
pub struct Known {
    texts: HashMap<ObjectId, Option<Box<str>>>,
    wanted: Vec<ObjectId>,
    slot: Slot<Vec<(ObjectId, Option<String>)>>,
}

impl Known {
    /// The text, if it is known that there is one; else it is asked for.
    pub fn of(&mut self, object: ObjectId) -> Option<&str> {
        if !self.texts.contains_key(&object) {
            self.wanted.push(object);
            return None;
        }
        self.texts.get(&object)?.as_deref()
    }

    /// The text, if it is known; it is not asked for.
    pub fn known(&self, object: ObjectId) -> Option<&str> {
        self.texts.get(&object)?.as_deref()
    }

    /// Takes in what was read and asks `read` for what is wanted. Once a frame.
    pub fn tick(
        &mut self,
        answers: &Answers,
        jobs: &Jobs,
        what: &str,
        read: impl Fn(&Answers, ObjectId, &Task) -> Result<Option<String>, JobError> + Send + 'static,
    ) {
        if self.slot.poll()
            && let Some(read) = self.slot.get_mut()
        {
            if self.texts.len() > LIMIT {
                self.texts.clear();
            }
            let read = std::mem::take(read);
            self.texts.extend(read.into_iter().map(|(o, text)| (o, text.map(String::into_boxed_str))));
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

    /// Whether texts are on their way.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}
