//! Dumps of one program in chronological order, each compared with the next, so that an
//! object can be followed through all of them.

use super::comparison::compare_dumps;
use heaplens_analysis::DumpData;
use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::{Amount, Pair};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// The dumps, and the comparison of each with the next.
pub struct Chain<'a> {
    dumps: Vec<DumpData<'a>>,
    steps: Vec<Step<'a>>,
}

enum Step<'a> {
    Known(&'a Comparison),
    Made(Box<Comparison>),
}

impl<'a> Chain<'a> {
    /// Compares each dump with the next, except comparisons that are `known` already, by index.
    pub fn new(
        dumps: Vec<DumpData<'a>>,
        known: impl Fn(usize) -> Option<&'a Comparison>,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let step = |(at, pair): (usize, &[DumpData<'a>])| match known(at) {
            Some(comparison) => Ok(Step::Known(comparison)),
            None => {
                compare_dumps(Pair { before: pair[0], after: pair[1] }, task).map(|made| Step::Made(Box::new(made)))
            }
        };
        let steps = dumps.windows(2).enumerate().map(step).collect::<Result<_, Cancelled>>()?;
        Ok(Self { dumps, steps })
    }

    /// Number of dumps.
    pub fn len(&self) -> usize {
        self.dumps.len()
    }

    /// True if there is no dump.
    pub fn is_empty(&self) -> bool {
        self.dumps.is_empty()
    }

    /// The comparisons, each with the index of its baseline.
    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, &Comparison)> {
        (0..self.steps.len()).filter_map(|at| Some((at, self.step(at)?)))
    }

    /// Comparison of dump `at` with the next.
    fn step(&self, at: usize) -> Option<&Comparison> {
        Some(match self.steps.get(at)? {
            Step::Known(comparison) => comparison,
            Step::Made(comparison) => comparison,
        })
    }

    /// First dump that contains an object of dump `at`, and the object there.
    pub(super) fn first(&self, mut at: usize, mut object: ObjectId) -> (usize, ObjectId) {
        while let Some(before) = at.checked_sub(1)
            && let Some(earlier) = self.step(before).and_then(|step| step.matches.before(object))
        {
            (at, object) = (before, earlier);
        }
        (at, object)
    }

    /// Matching object in dump `to` of an object in dump `from`; `None` if a match in between is missing.
    pub fn follow(&self, from: usize, object: ObjectId, to: usize) -> Option<ObjectId> {
        let (mut at, mut object) = (from, object);
        while at < to {
            object = self.step(at)?.matches.after(object)?;
            at += 1;
        }
        while at > to {
            at -= 1;
            object = self.step(at)?.matches.before(object)?;
        }
        Some(object)
    }

    /// The heap of a dump.
    pub(super) fn side(&self, dump: usize) -> Option<DumpData<'a>> {
        self.dumps.get(dump).copied()
    }

    /// Totals of some objects of a dump.
    pub fn amount(&self, dump: usize, objects: &[ObjectId]) -> Amount {
        let Some(DumpData { heap, analysis, .. }) = self.side(dump) else { return Amount::default() };
        Amount {
            objects: objects.iter().map(|&object| analysis.dominated_count(object) + 1).sum(),
            shallow: objects.iter().map(|&object| heap.shallow(object)).sum(),
            retained: analysis.retained_together(objects.iter().copied()),
        }
    }
}
