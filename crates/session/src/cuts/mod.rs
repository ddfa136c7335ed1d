//! Cuts of an opened dump: references that the user excludes to see what would be freed. They add up until they are
//! undone; the dump itself does not change.

use std::collections::HashSet;

use super::{jobs::Jobs, open_dump::OpenDump, slot::Slot};
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{CutEffect, frees_at_least};
use heaplens_base::{Bytes, Task};
use heaplens_heap::Heap;

/// Maximum number of characters of a name in the status.
const SHOWN: usize = 36;
/// Maximum number of cuts that are listed by name; of the others only the number is shown.
pub const NAMED: usize = 24;

/// Cuts of one dump and their effect.
#[derive(Default)]
pub struct Cuts {
    made: Vec<Cut>,
    /// The same cuts as a set, for lookups.
    is_made: HashSet<Cut>,
    /// Number of cuts added by each step, oldest first. Undo removes one step.
    steps: Vec<usize>,
    bound: Slot<(Vec<Cut>, Bytes)>,
    effect: Slot<CutEffect>,
}

impl Cuts {
    /// The cuts, oldest first.
    pub fn all(&self) -> &[Cut] {
        &self.made
    }

    /// True if nothing is cut.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.effect.is_running() || self.bound.is_running()
    }

    /// Adds a cut, or removes it if it exists.
    pub fn toggle(&mut self, cut: Cut, dump: &OpenDump, jobs: &Jobs) {
        self.toggle_all(vec![cut], dump, jobs);
    }

    /// Adds several cuts as one step; if all of them exist, removes them.
    pub fn toggle_all(&mut self, cuts: Vec<Cut>, dump: &OpenDump, jobs: &Jobs) {
        if self.has(&cuts) {
            cuts.iter().for_each(|cut| self.take_back(cut));
        } else {
            self.add(cuts);
        }
        self.ask(dump, jobs);
    }

    /// Adds the cuts of an earlier window, step by step, before those made since.
    pub fn restore(&mut self, steps: Vec<Vec<Cut>>, dump: &OpenDump, jobs: &Jobs) {
        let since = std::mem::take(self);
        let mut made = since.made.into_iter();
        steps.into_iter().for_each(|step| self.add(step));
        since.steps.into_iter().for_each(|length| self.add(made.by_ref().take(length).collect()));
        self.ask(dump, jobs);
    }

    /// Adds those of several cuts that do not exist as one step.
    fn add(&mut self, mut cuts: Vec<Cut>) {
        cuts.retain(|cut| self.is_made.insert(cut.clone()));
        if !cuts.is_empty() {
            self.steps.push(cuts.len());
            self.made.extend(cuts);
        }
    }

    /// True if all of these cuts exist.
    pub fn has(&self, cuts: &[Cut]) -> bool {
        cuts.iter().all(|cut| self.is_made.contains(cut))
    }

    fn take_back(&mut self, cut: &Cut) {
        let Some(at) = self.made.iter().position(|made| made == cut) else { return };
        self.made.remove(at);
        self.is_made.remove(cut);
        let mut before = 0;
        for step in &mut self.steps {
            before += *step;
            if at < before {
                *step -= 1;
                break;
            }
        }
        self.steps.retain(|&step| step > 0);
    }

    /// Undoes the last step.
    pub fn undo(&mut self, dump: &OpenDump, jobs: &Jobs) {
        let last = self.steps.pop().unwrap_or(0);
        for cut in self.made.split_off(self.made.len().saturating_sub(last)) {
            self.is_made.remove(&cut);
        }
        self.ask(dump, jobs);
    }

    /// Removes all cuts.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes over finished results.
    pub fn poll(&mut self) {
        self.bound.poll();
        self.effect.poll();
    }

    fn ask(&mut self, open_dump: &OpenDump, jobs: &Jobs) {
        if self.made.is_empty() {
            return self.clear();
        }
        let (cuts, dump) = (self.made.clone(), open_dump.clone());
        self.bound.ask(jobs, "what cutting frees at least", move |_| {
            let bytes = frees_at_least(dump.data(), &cuts);
            Ok((cuts, bytes))
        });
        let (cuts, dump) = (self.made.clone(), open_dump.clone());
        self.effect.ask(jobs, "what cutting frees", move |task: &Task| {
            Ok(CutEffect::of(dump.namer(task)?, cuts, NAMED, task)?)
        });
    }

    /// Effect of the current cuts, once it is computed.
    pub fn effect(&self) -> Option<&CutEffect> {
        self.effect.get().filter(|effect| effect.cuts == self.made)
    }

    /// Text of each cut for the command line: its name if that is known, else with ids.
    pub fn texts(&self, heap: &Heap) -> Vec<String> {
        let known = self.effect().map_or(&[][..], |effect| &effect.names);
        let text = |(at, cut): (usize, &Cut)| known.get(at).cloned().unwrap_or_else(|| cut.text_with_ids(heap));
        self.made.iter().enumerate().map(text).collect()
    }

    /// Texts of the cuts by step, oldest first, with ids: they are valid for this dump and contain no values.
    pub fn steps_with_ids(&self, heap: &Heap) -> Vec<Vec<String>> {
        let mut made = self.made.iter();
        let step = |&length: &usize| made.by_ref().take(length).map(|cut| cut.text_with_ids(heap)).collect();
        self.steps.iter().map(step).collect()
    }

    /// The cuts and what they free, or how far the search for it is, in one line.
    pub fn status(&self) -> String {
        let what = |name: Option<&String>| match (self.made.len(), name) {
            (1, Some(name)) => format!("Cut {}", ending(name)),
            (1, None) => "Cut".to_owned(),
            (n, _) => format!("{n} cuts"),
        };
        if let Some(effect) = self.effect() {
            return format!("{}: {}", what(effect.names.first()), effect.what);
        }
        if let Some(error) = self.effect.error() {
            return format!("{}: {error}", what(None));
        }
        let bound = self.bound.get().filter(|(cuts, bytes)| *cuts == self.made && *bytes > Bytes(0));
        let at_least = bound.map(|(_, bytes)| format!("frees at least {bytes}, ")).unwrap_or_default();
        let progress = self.effect.progress().and_then(|progress| progress.percent());
        let percent = progress.map(|percent| format!(" {percent} %")).unwrap_or_default();
        format!("{}: {at_least}searching…{percent}", what(None))
    }
}

/// Last characters of a long name: its end identifies the cut.
fn ending(name: &str) -> String {
    let long = name.chars().count();
    if long <= SHOWN { name.to_owned() } else { format!("…{}", name.chars().skip(long - SHOWN).collect::<String>()) }
}
