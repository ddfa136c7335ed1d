//! Details of single steps: names, labels and the number of alternatives, read from the file in the background for
//! steps on screen.

use super::query::{PathQuery, Steps};
use heaplens_analysis::preview::label_or_preview;
use heaplens_analysis::{PathStep, paths::finder::Finder, paths::ignored::IgnoredReferences, paths::step};
use heaplens_session::read_cache::ReadCache;
use heaplens_session::{Jobs, OpenDump};

/// Maximum number of cached steps; then the cache is cleared.
const LIMIT: usize = 20_000;

/// Steps of one path.
#[derive(Default)]
pub struct StepDetails {
    steps: ReadCache<usize, PathStep>,
    choices: ReadCache<usize, usize>,
}

impl StepDetails {
    /// A step, if it is known; requests it otherwise.
    pub fn step(&mut self, at: usize) -> Option<&PathStep> {
        self.steps.of(at)
    }

    /// A step, if it is known, without requesting it.
    pub fn known(&self, at: usize) -> Option<&PathStep> {
        self.steps.known(at)
    }

    /// True if steps cannot be read.
    pub fn has_failed(&self) -> bool {
        self.steps.has_failed()
    }

    /// Number of referrers that a step can be reached by, if it is known; requests it otherwise.
    pub fn choices(&mut self, at: usize) -> Option<usize> {
        self.choices.of(at).copied()
    }

    /// Takes over details that were read and requests missing ones. Call once per frame.
    pub fn tick(&mut self, (open_dump, jobs): (&OpenDump, &Jobs), steps: &Steps, options: &PathQuery) {
        if let Some(wanted) = self.steps.tick(LIMIT) {
            let (dump, path) = (open_dump.clone(), steps.clone());
            self.steps.ask(jobs, "path steps", move |task| {
                let mut read = Vec::with_capacity(wanted.len());
                for at in wanted.into_iter().filter(|&at| at < path.as_slice().len()) {
                    task.checkpoint()?;
                    let mut step = step(dump.data(), path.as_slice(), at);
                    if let Some(&object) = path.as_slice().get(at).filter(|_| step.label.is_none()) {
                        step.label = label_or_preview(dump.data(), object, task)?;
                    }
                    read.push((at, step));
                }
                Ok(read)
            });
        }
        if let Some(wanted) = self.choices.tick(LIMIT) {
            let (dump, steps, options) = (open_dump.clone(), steps.clone(), options.clone());
            self.choices.ask(jobs, "alternative paths", move |task| {
                let (heap, path) = (&*dump.heap, steps.as_slice());
                let ignoring = IgnoredReferences::new(heap, &options.ignored);
                let finder = Finder::new(dump.data(), options.min_strength, &ignoring);
                let mut counted = Vec::with_capacity(wanted.len());
                for at in wanted {
                    // A GC root needs no referrer.
                    let count = match path.get(at).filter(|_| at > 0) {
                        Some(&object) => finder.choices(object, path.get(at + 1).copied(), task)?,
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
        self.steps.is_at_work() || self.choices.is_at_work()
    }
}
