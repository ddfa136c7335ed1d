//! A running or finished comparison of two open dumps, and of all open dumps of their program.

use std::sync::Arc;

use crate::comparison::compare_dumps;
use crate::open_dump::{Baseline, OverTime, is_same};
use crate::{DumpHandle, Jobs, OpenDump, Slot, files::file_name, over_time::follow};
use heaplens_analysis::diff::Pair;
use heaplens_base::Progress;
use heaplens_heap::format::Format;

/// A running or finished comparison.
pub struct Comparing {
    dump: DumpHandle,
    before: OpenDump,
    slot: Slot<Arc<Baseline>>,
    done: Option<Arc<Baseline>>,
    /// Reason why the two dumps cannot be compared.
    refused: Option<String>,
    /// All open dumps, oldest first, including the two that are compared.
    open: Vec<OpenDump>,
    following: Slot<Option<Arc<OverTime>>>,
    over_time: Option<Arc<OverTime>>,
}

impl Comparing {
    /// Starts to compare `before`, the data of `dump`, with `after`.
    pub fn new(dump: DumpHandle, before: &OpenDump, after: &OpenDump, jobs: &Jobs) -> Self {
        let before = before.alone();
        let mut comparing = Self::unstarted(dump, before);
        comparing.ask(after, jobs);
        comparing
    }

    fn unstarted(dump: DumpHandle, before: OpenDump) -> Self {
        Self {
            dump,
            before,
            slot: Slot::default(),
            done: None,
            refused: None,
            open: Vec::new(),
            following: Slot::default(),
            over_time: None,
        }
    }

    /// The same two dumps with baseline and target swapped: `dump` is the former target. Objects are not matched again.
    #[must_use]
    pub fn swapped(&self, dump: DumpHandle, before: &OpenDump, after: &OpenDump, jobs: &Jobs) -> Self {
        let Some(done) = self.done.clone() else { return Self::new(dump, before, after, jobs) };
        let mut comparing = Self::unstarted(dump, before.alone());
        let (before, after, dropper) = (comparing.before.clone(), after.clone(), jobs.clone());
        comparing.slot.ask(jobs, "swap before and after", move |task| {
            let pair = Pair { before: before.data(), after: after.data() };
            let done = match done.comparison() {
                Some(comparison) => comparison.swapped(pair, task)?,
                None => compare_dumps(pair, task)?,
            };
            Ok(Arc::new(Baseline::new(before, &after, dropper.defer_drop(done))))
        });
        comparing
    }

    /// A copy of the comparison for another tab; starts the job if it has no result yet. `None` if the baseline is not
    /// ready.
    pub fn again(&self, after: &OpenDump, jobs: &Jobs) -> Option<Self> {
        let mut comparing = Self::unstarted(self.dump.share()?, self.before.clone());
        (comparing.done, comparing.refused) = (self.done.clone(), self.refused.clone());
        if comparing.done.is_none() {
            comparing.ask(after, jobs);
        }
        Some(comparing)
    }

    /// Starts the comparison, also after it was cancelled.
    pub fn ask(&mut self, after: &OpenDump, jobs: &Jobs) {
        let formats = [&self.before, after].map(|dump| dump.heap.origin.format);
        let names = [&self.before, after].map(|dump| file_name(&dump.opened.file));
        self.refused = refusal(&names, formats);
        if self.refused.is_some() {
            return;
        }
        let (before, after, dropper) = (self.before.clone(), after.clone(), jobs.clone());
        self.slot.ask(jobs, "compare two dumps", move |task| {
            let comparison = compare_dumps(Pair { before: before.data(), after: after.data() }, task)?;
            Ok(Arc::new(Baseline::new(before, &after, dropper.defer_drop(comparison))))
        });
    }

    /// Follows owners through all `open` dumps of the program, oldest first. Does nothing if they are the same as in
    /// the last call.
    pub fn follow(&mut self, open: Vec<OpenDump>, after: &OpenDump, jobs: &Jobs) {
        let Some(baseline) = self.done.clone() else { return };
        if open.len() == self.open.len() && open.iter().zip(&self.open).all(|(one, other)| is_same(one, other)) {
            return;
        }
        self.open = open.into_iter().map(|dump| dump.alone()).collect();
        let (dumps, after) = (self.open.clone(), after.clone());
        self.following.ask(jobs, "follow owners through dumps", move |task| {
            Ok(follow(&dumps, &baseline, &after, task)?.map(Arc::new))
        });
    }

    /// Takes over finished results; true if there are any.
    pub fn poll(&mut self) -> bool {
        let has_result = self.slot.poll();
        if has_result {
            self.done = self.slot.take();
        }
        let has_lines = self.following.poll();
        if has_lines {
            self.over_time = self.following.take().flatten();
        }
        has_result || has_lines
    }

    /// Owners in more than two dumps; `None` if fewer dumps of the program are open.
    pub fn over_time(&self) -> Option<&Arc<OverTime>> {
        self.over_time.as_ref()
    }

    /// Progress of following owners, while it runs for more than two dumps.
    pub fn following(&self) -> Option<Progress> {
        self.following.progress().filter(|_| self.open.len() > 2)
    }

    /// Result of the comparison, once it is finished.
    pub fn done(&self) -> Option<&Arc<Baseline>> {
        self.done.as_ref()
    }

    /// Baseline.
    pub fn dump(&self) -> &DumpHandle {
        &self.dump
    }

    /// Data of the baseline.
    pub fn before(&self) -> &OpenDump {
        &self.before
    }

    /// Reason why the two dumps cannot be compared at all.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Error message of a failed comparison.
    pub fn error(&self) -> Option<&str> {
        self.slot.error()
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.slot.is_running() || self.following.is_running()
    }

    /// Progress of the comparison.
    pub fn progress(&self) -> Option<Progress> {
        self.slot.progress()
    }

    /// Cancels running jobs.
    pub fn cancel(&mut self) {
        self.slot.cancel();
        self.following.cancel();
    }
}

/// Error message for dumps of different formats, which cannot be compared.
fn refusal(names: &[String; 2], formats: [Format; 2]) -> Option<String> {
    let [(one, first), (other, second)] = [(&names[0], formats[0]), (&names[1], formats[1])];
    (first != second).then(|| {
        let (first, second) = (first.title(), second.title());
        format!("Cannot compare {one} ({first}) with {other} ({second}): both dumps must have the same format")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_of_two_formats_are_refused_in_a_sentence() {
        let names = ["a.hprof".to_owned(), "b.heapsnapshot".to_owned()];
        assert_eq!(refusal(&names, [Format::Hprof, Format::Hprof]), None);
        let message = refusal(&names, [Format::Hprof, Format::V8]).expect("two formats");
        assert!(message.starts_with("Cannot compare a.hprof (HPROF) with b.heapsnapshot (V8 heap snapshot): "));
    }
}
