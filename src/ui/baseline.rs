//! What a comparison tab has beside its own dump: the dump before, and what came
//! of comparing the two, once that is worked out.

use std::sync::Arc;

use super::over_time::{OverTime, is_same};
use super::tab::file_name;
use super::view_context::OpenDump;
use crate::analysis::diff::matches::MatchStatus;
use crate::analysis::diff::{Pair, Side};
use crate::heap::ids::ObjectId;
use crate::heap::origin::DumpFormat;
use crate::session::comparison::{Comparison, compare};
use crate::session::dump::Dump;
use crate::session::jobs::{DeferredDrop, JobError, Jobs};
use crate::session::slot::Slot;
use crate::tables::diff::{BorrowedHeaps, HeapLender};
use crate::task::{Progress, Task};
use crate::units::Bytes;

/// The dump before, and all there is to say of both.
pub struct Baseline {
    /// The dump before.
    pub before: OpenDump,
    found: DeferredDrop<Comparison>,
}

impl Baseline {
    /// What came of comparing.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.found.get()
    }
}

/// The same answers without what they are compared with: a comparison compares dumps, not comparisons.
fn alone(answers: OpenDump) -> OpenDump {
    OpenDump { baseline: None, over_time: None, ..answers }
}

impl OpenDump {
    /// As one side of a comparison; to be asked by jobs alone.
    pub fn side(&self) -> Side<'_> {
        Side { heap: &self.heap, contents: &*self.contents, analyzed: &self.analyzed }
    }

    /// The dump before and the comparison, in a tab that has them.
    pub fn compared(&self) -> Option<(&OpenDump, &Comparison)> {
        let baseline = self.baseline.as_ref()?;
        Some((&baseline.before, baseline.found.get()?))
    }

    /// Both heaps, in a tab that compares; to be asked by jobs alone.
    pub fn pair(&self) -> Option<Pair<'_>> {
        Some(Pair { before: self.baseline.as_ref()?.before.side(), after: self.side() })
    }

    /// What objects retained in the dump before, in a tab that compares. Of those that nobody knows it is taken that they
    /// did not change.
    pub fn retained_then(&self) -> Option<impl Fn(ObjectId) -> Bytes + Sync> {
        let (before, found) = self.compared()?;
        Some(|object| match found.matches.fate_of_after(object) {
            MatchStatus::Matched(old, _) => before.analyzed.retained(old),
            MatchStatus::Alone => Bytes(0),
            MatchStatus::Unknown => self.analyzed.retained(object),
        })
    }

    /// Where an object comes from, in a tab that compares.
    pub fn fate(&self, object: ObjectId) -> Option<MatchStatus> {
        Some(self.compared()?.1.matches.fate_of_after(object))
    }
}

/// A comparison on its way, or done.
pub struct Comparing {
    dump: Dump,
    before: OpenDump,
    slot: Slot<Arc<Baseline>>,
    done: Option<Arc<Baseline>>,
    /// Why the two cannot be compared.
    refused: Option<String>,
    /// All dumps that are open, these two among them, in the order of time.
    open: Vec<OpenDump>,
    following: Slot<Option<Arc<OverTime>>>,
    over_time: Option<Arc<OverTime>>,
}

impl Comparing {
    /// Begins to compare `before`, the answers about `dump`, with `after`.
    pub fn new(dump: Dump, before: OpenDump, after: &OpenDump, jobs: &Jobs) -> Self {
        let before = alone(before);
        let mut comparing = Self::unasked(dump, before);
        comparing.ask(after, jobs);
        comparing
    }

    fn unasked(dump: Dump, before: OpenDump) -> Self {
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

    /// The same two dumps in the other order: `dump` is the one that was after. What was matched is not matched anew.
    #[must_use]
    pub fn swapped(&self, dump: Dump, before: OpenDump, after: &OpenDump, jobs: &Jobs) -> Self {
        let Some(found) = self.done.clone() else { return Self::new(dump, before, after, jobs) };
        let mut comparing = Self::unasked(dump, alone(before));
        let (before, after, theirs) = (comparing.before.clone(), after.clone(), jobs.clone());
        comparing.slot.ask(jobs, "swap before and after", move |task| {
            let pair = Pair { before: before.side(), after: after.side() };
            let found = match found.comparison() {
                Some(comparison) => comparison.swapped(pair, task)?,
                None => compare(pair, task)?,
            };
            Ok(Arc::new(Baseline { before, found: theirs.defer_drop(found) }))
        });
        comparing
    }

    /// The same once more, of the same dump before.
    pub fn again(&self, after: &OpenDump, jobs: &Jobs) -> Option<Self> {
        let mut comparing = Self::unasked(self.dump.again()?, self.before.clone());
        (comparing.done, comparing.refused) = (self.done.clone(), self.refused.clone());
        if comparing.done.is_none() {
            comparing.ask(after, jobs);
        }
        Some(comparing)
    }

    /// Compares, also after somebody gave it up.
    pub fn ask(&mut self, after: &OpenDump, jobs: &Jobs) {
        let formats = [&self.before, after].map(|answers| answers.heap.origin.format);
        let names = [&self.before, after].map(|answers| file_name(&answers.opened.file));
        self.refused = refusal(&names, formats);
        if self.refused.is_some() {
            return;
        }
        let (before, after, theirs) = (self.before.clone(), after.clone(), jobs.clone());
        self.slot.ask(jobs, "compare two dumps", move |task| {
            let found = compare(Pair { before: before.side(), after: after.side() }, task)?;
            Ok(Arc::new(Baseline { before, found: theirs.defer_drop(found) }))
        });
    }

    /// Follows owners through all `open` dumps of the program, given in the order of time, if they are others than
    /// last time.
    pub fn follow(&mut self, open: Vec<OpenDump>, after: &OpenDump, jobs: &Jobs) {
        let Some(baseline) = self.done.clone() else { return };
        if open.len() == self.open.len() && open.iter().zip(&self.open).all(|(one, other)| is_same(one, other)) {
            return;
        }
        self.open = open.into_iter().map(alone).collect();
        let (dumps, after) = (self.open.clone(), after.clone());
        self.following.ask(jobs, "follow owners through dumps", move |task| {
            Ok(OverTime::find(&dumps, &baseline, &after, task)?.map(Arc::new))
        });
    }

    /// Takes in what has come; says whether anything has.
    pub fn poll(&mut self) -> bool {
        let came = self.slot.poll();
        if came {
            self.done = self.slot.take();
        }
        let followed = self.following.poll();
        if followed {
            self.over_time = self.following.take().flatten();
        }
        came || followed
    }

    /// Owners through more than two dumps, if so many of the program are open.
    pub fn over_time(&self) -> Option<&Arc<OverTime>> {
        self.over_time.as_ref()
    }

    /// How far following them is, while it is on its way.
    pub fn following(&self) -> Option<Progress> {
        self.following.progress().filter(|_| self.open.len() > 2)
    }

    /// What came of it, once it is there.
    pub fn done(&self) -> Option<&Arc<Baseline>> {
        self.done.as_ref()
    }

    /// The dump before.
    pub fn dump(&self) -> &Dump {
        &self.dump
    }

    /// The answers about the dump before.
    pub fn before(&self) -> &OpenDump {
        &self.before
    }

    /// Why the two cannot be compared at all.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Why there is no comparison, if it failed.
    pub fn error(&self) -> Option<&str> {
        self.slot.error()
    }

    /// Whether it is on its way.
    pub fn is_running(&self) -> bool {
        self.slot.is_running() || self.following.is_running()
    }

    /// How far it is.
    pub fn progress(&self) -> Option<Progress> {
        self.slot.progress()
    }

    /// Gives it up.
    pub fn cancel(&mut self) {
        self.slot.cancel();
        self.following.cancel();
    }
}

/// Why dumps of two formats cannot be compared.
fn refusal(names: &[String; 2], formats: [DumpFormat; 2]) -> Option<String> {
    let [(one, first), (other, second)] = [(&names[0], formats[0]), (&names[1], formats[1])];
    (first != second).then(|| {
        let (first, second) = (first.title(), second.title());
        format!("Cannot compare {one} ({first}) with {other} ({second}): both dumps must have the same format")
    })
}

/// A comparison that is done, as tables of it ask for it, for as long as they are shown; for jobs.
#[derive(Clone)]
pub struct SharedComparison {
    /// The dump before.
    pub before: OpenDump,
    /// The dump after.
    pub after: OpenDump,
}

impl SharedComparison {
    /// What the tab of some answers compares; names are ready then.
    ///
    /// # Errors
    /// When there is no comparison, or the task is cancelled.
    pub fn of(after: &OpenDump, task: &Task) -> Result<Self, JobError> {
        let Some((before, _)) = after.compared() else {
            return Err(JobError::Failed("no comparison is open".to_owned()));
        };
        after.namer(task)?;
        Ok(Self { before: before.clone(), after: after.clone() })
    }
}

impl HeapLender for SharedComparison {
    fn lend(&self) -> Option<BorrowedHeaps<'_>> {
        let (pair, (_, comparison)) = (self.after.pair()?, self.after.compared()?);
        // The index is there: nothing is worked out that could be cancelled.
        let namer = self.after.namer(&Task::new()).ok()?;
        Some(BorrowedHeaps { pair, comparison, namer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_of_two_formats_are_refused_in_a_sentence() {
        let names = ["a.hprof".to_owned(), "b.heapsnapshot".to_owned()];
        assert_eq!(refusal(&names, [DumpFormat::Hprof, DumpFormat::Hprof]), None);
        let said = refusal(&names, [DumpFormat::Hprof, DumpFormat::V8]).expect("two formats");
        assert!(said.starts_with("Cannot compare a.hprof (HPROF) with b.heapsnapshot (V8 heap snapshot): "));
    }
}
