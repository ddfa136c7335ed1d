//! Details of single steps: names, labels and the number of alternatives, read from the file in the background for
//! steps on screen.

use std::collections::HashMap;

use super::query::{PathQuery, Steps};
use heaplens_analysis::PathStep;
use heaplens_analysis::paths::finder::Finder;
use heaplens_analysis::paths::ignored::IgnoredReferences;
use heaplens_analysis::paths::step;
use heaplens_session::{Jobs, OpenDump, Slot};

/// Maximum number of cached steps; then the cache is cleared.
const LIMIT: usize = 20_000;

/// Steps of one path.
#[derive(Default)]
pub struct StepDetails {
    known: HashMap<usize, PathStep>,
    choices: HashMap<usize, usize>,
    wanted: Vec<usize>,
    uncounted: Vec<usize>,
    reading: Slot<Vec<(usize, PathStep)>>,
    counting: Slot<Vec<(usize, usize)>>,
}

impl StepDetails {
    /// A step, if it is known; requests it otherwise.
    pub fn step(&mut self, at: usize) -> Option<&PathStep> {
        if !self.known.contains_key(&at) {
            self.wanted.push(at);
        }
        self.known.get(&at)
    }

    /// A step, if it is known, without requesting it.
    pub fn known(&self, at: usize) -> Option<&PathStep> {
        self.known.get(&at)
    }

    /// True if steps cannot be read.
    pub fn has_failed(&self) -> bool {
        self.reading.error().is_some()
    }

    /// Number of referrers that a step can be reached by, if it is known; requests it otherwise.
    pub fn choices(&mut self, at: usize) -> Option<usize> {
        if !self.choices.contains_key(&at) {
            self.uncounted.push(at);
        }
        self.choices.get(&at).copied()
    }

    /// Takes over details that were read and requests missing ones. Call once per frame.
    pub fn tick(&mut self, (open_dump, jobs): (&OpenDump, &Jobs), steps: &Steps, options: &PathQuery) {
        if self.reading.poll() {
            if self.known.len() > LIMIT {
                self.known.clear();
            }
            self.known.extend(self.reading.take().unwrap_or_default());
        }
        if self.counting.poll() {
            if self.choices.len() > LIMIT {
                self.choices.clear();
            }
            self.choices.extend(self.counting.take().unwrap_or_default());
        }
        let wanted = std::mem::take(&mut self.wanted);
        if !wanted.is_empty() && !self.reading.is_running() && self.reading.error().is_none() {
            let (dump, steps) = (open_dump.clone(), steps.clone());
            self.reading.ask(jobs, "path steps", move |task| {
                let mut read = Vec::with_capacity(wanted.len());
                for at in wanted.into_iter().filter(|&at| at < steps.as_slice().len()) {
                    task.checkpoint()?;
                    read.push((at, step(&dump.heap, &*dump.contents, &dump.analysis, steps.as_slice(), at)));
                }
                Ok(read)
            });
        }
        let wanted = std::mem::take(&mut self.uncounted);
        if !wanted.is_empty() && !self.counting.is_running() && self.counting.error().is_none() {
            let (dump, steps, options) = (open_dump.clone(), steps.clone(), options.clone());
            self.counting.ask(jobs, "alternative paths", move |task| {
                let (heap, contents) = (&*dump.heap, &*dump.contents);
                let ignoring = IgnoredReferences::new(heap, &options.ignored);
                let finder = Finder::new(heap, contents, &dump.analysis, options.weakest, &ignoring);
                let mut counted = Vec::with_capacity(wanted.len());
                for at in wanted {
                    let way = steps.as_slice();
                    // A GC root needs no referrer.
                    let count = match way.get(at).filter(|_| at > 0) {
                        Some(&object) => finder.choices(object, way.get(at + 1).copied(), task)?,
                        None => 0,
                    };
                    counted.push((at, count));
                }
                Ok(counted)
            });
        }
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.reading.is_at_work() || self.counting.is_at_work()
    }
}
