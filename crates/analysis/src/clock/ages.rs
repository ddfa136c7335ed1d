//! Ages of objects, and of what structures hold: one answer for tables, the inspector and the command line.

use rayon::prelude::*;

use super::{AgeInterval, Clock};
use crate::answers::{DumpData, Question, RetainedQuestion};
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{Heap, ObjectId};

/// Maximum number of objects of a structure whose ages are looked up.
const SAMPLE: u32 = 512;
/// A structure that dominates fewer objects has no history.
const LEAST: u32 = 16;
/// An interval of more than this part of the heap tells nothing to people.
const WIDEST: f64 = 0.9;
/// Number of equal parts of the history of a heap.
pub const TENTHS: usize = 10;
/// An edge of an interval that is no farther from the edge of a tenth is on it.
const ROUNDING: f64 = 1e-9;

/// Ages of the objects of a dump; of none if the dump does not tell the order of allocation.
pub struct Ages(Option<Clock>);

/// The ages of the objects of a dump.
#[derive(Clone, PartialEq, Eq)]
pub struct AgesQuestion;

impl Question for AgesQuestion {
    type Answer = Ages;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Ages, Cancelled> {
        Ages::find(dump.namer(task)?, task)
    }
}

impl RetainedQuestion for AgesQuestion {}

impl<'a> DumpData<'a> {
    /// Ages of the objects, measured on the first call.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn ages(self, task: &Task) -> Result<&'a Ages, Cancelled> {
        self.retained_answer(&AgesQuestion, task)
    }
}

/// When the objects that a structure dominates were allocated: a sample of them by tenths of the history of the heap. Those of
/// an entry are allocated when it is added, or shortly before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntryAges {
    /// Objects looked up.
    pub sampled: u32,
    /// Those of them whose age is known.
    pub known: u32,
    /// Part of the known ones in each tenth, oldest first; an object whose interval spans several is divided among them.
    pub tenths: [f64; TENTHS],
    /// What is certain about most of them.
    pub span: EntrySpan,
}

/// What is certain about the ages of most entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntrySpan {
    /// Nothing: too few ages are known, or not exactly enough.
    Unknown,
    /// More than half are in the newest tenth of all objects.
    Newest,
    /// More than half are in the oldest tenth.
    Oldest,
    /// At least a tenth is in the oldest quarter of all objects, and at least a tenth in the newest.
    AllTimes,
    /// At least nine tenths are newer than the first percentage of all objects, and nine tenths are not newer than the second.
    Between(u8, u8),
}

impl AgeInterval {
    /// False if the interval is of nearly the whole heap.
    pub fn is_narrow(self) -> bool {
        self.to - self.from <= WIDEST
    }

    /// The middle of the interval, to sort by.
    pub fn middle(self) -> f64 {
        f64::midpoint(self.from, self.to)
    }
}

impl Ages {
    /// The order of allocation; `None` if the dump does not tell it.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.0.as_ref()
    }

    /// Measures the order of allocation.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn find(namer: Namer<'_>, task: &Task) -> Result<Self, Cancelled> {
        Ok(Self(Clock::find(namer, task)?))
    }

    /// Age of an object as far as the dump tells it; `None` if it is not known.
    pub fn interval(&self, heap: &Heap, object: ObjectId) -> Option<AgeInterval> {
        self.0.as_ref()?.interval(heap, object)
    }

    /// Age of an object if it is known well enough to show.
    pub fn shown(&self, heap: &Heap, object: ObjectId) -> Option<AgeInterval> {
        self.interval(heap, object).filter(|age| age.is_narrow())
    }

    /// Sorts objects, newest first by the middle of their intervals, or oldest first, then in the order that they have; those
    /// whose age is not known come last.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn sort(
        &self,
        heap: &Heap,
        objects: &mut [ObjectId],
        is_oldest_first: bool,
        task: &Task,
    ) -> Result<(), Cancelled> {
        task.checkpoint()?;
        objects.par_sort_by_cached_key(|&object| order_key(self.shown(heap, object), is_oldest_first));
        task.checkpoint()
    }

    /// When the objects that a structure dominates were allocated; `None` if it dominates only a few.
    pub fn of_entries(&self, dump: DumpData<'_>, structure: ObjectId) -> Option<EntryAges> {
        let preorders = dump.analysis.subtree(structure)?;
        // The structure itself is the first.
        let (first, below) = (preorders.start + 1, preorders.end.saturating_sub(preorders.start + 1));
        if below < LEAST {
            return None;
        }
        let sampled = below.min(SAMPLE);
        let ages: Vec<AgeInterval> = (0..sampled)
            .filter_map(|nth| {
                let preorder = first + sampled_index(nth, sampled, below);
                let (object, _) = dump.analysis.objects_at(preorder..preorder + 1).next()?;
                self.shown(dump.heap, object)
            })
            .collect();
        Some(EntryAges::of(sampled, &ages))
    }
}

/// Sort key of an age, newest or oldest first; the largest of one that is not known.
fn order_key(age: Option<AgeInterval>, is_oldest_first: bool) -> u32 {
    let part = |age: AgeInterval| if is_oldest_first { age.middle() } else { 1.0 - age.middle() };
    age.map_or(u32::MAX, |age| (part(age).clamp(0.0, 1.0) * f64::from(u32::MAX - 1)) as u32)
}

/// The place of a sampled object: one of each of `sampled` equal parts of `below`, not always the same of it, as structures
/// have their objects at regular distances.
fn sampled_index(nth: u32, sampled: u32, below: u32) -> u32 {
    let at = |nth: u32| u64::from(nth) * u64::from(below) / u64::from(sampled.max(1));
    let (start, end) = (at(nth), at(nth + 1));
    let within = u64::from(nth.wrapping_mul(0x9e37_79b1).rotate_left(15)) % (end - start).max(1);
    u32::try_from(start + within).unwrap_or(u32::MAX)
}

impl EntryAges {
    fn of(sampled: u32, ages: &[AgeInterval]) -> Self {
        let mut tenths = [0.0; TENTHS];
        for age in ages {
            let (from, to) = (age.from * TENTHS as f64, age.to * TENTHS as f64);
            for (nth, part) in tenths.iter_mut().enumerate() {
                let (start, end) = (nth as f64, nth as f64 + 1.0);
                // An interval without a length is of one tenth alone.
                let shared = if to - from > ROUNDING {
                    (to.min(end) - from.max(start)).max(0.0) / (to - from)
                } else {
                    f64::from(u8::from((from.floor().min(TENTHS as f64 - 1.0) - start).abs() < ROUNDING))
                };
                *part += shared / ages.len() as f64;
            }
        }
        Self { sampled, known: ages.len() as u32, tenths, span: EntrySpan::of(sampled as usize, ages) }
    }

    /// True if something is known about most of them.
    pub fn is_known(&self) -> bool {
        self.span != EntrySpan::Unknown
    }
}

impl EntrySpan {
    fn of(sampled: usize, ages: &[AgeInterval]) -> Self {
        let known = ages.len();
        // Of fewer known ages, nine tenths may be less than half of all.
        if known * TENTHS < sampled * 6 || known == 0 {
            return Self::Unknown;
        }
        let count = |is_meant: &dyn Fn(&AgeInterval) -> bool| ages.iter().filter(|age| is_meant(age)).count();
        if count(&|age| age.from >= 0.9 - ROUNDING) * 2 > sampled {
            return Self::Newest;
        }
        if count(&|age| age.to <= 0.1 + ROUNDING) * 2 > sampled {
            return Self::Oldest;
        }
        let sorted = |edge: fn(&AgeInterval) -> f64| {
            let mut edges: Vec<f64> = ages.iter().map(edge).collect();
            edges.sort_by(f64::total_cmp);
            edges
        };
        let (from, to) = (sorted(|age| age.from), sorted(|age| age.to));
        let nine_tenths = (known * (TENTHS - 1)).div_ceil(TENTHS).max(1) - 1;
        let first = from.get(known / TENTHS).map_or(0.0, |from| (from * 100.0).floor());
        let last = to.get(nine_tenths).map_or(100.0, |to| (to * 100.0).ceil());
        if last - first <= WIDEST * 100.0 {
            return Self::Between(first.clamp(0.0, 100.0) as u8, last.clamp(0.0, 100.0) as u8);
        }
        let is_part = |some: usize| some * TENTHS >= known;
        let is_spread = is_part(count(&|age| age.to <= 0.25)) && is_part(count(&|age| age.from >= 0.75));
        if is_spread { Self::AllTimes } else { Self::Unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ages(some: &[(f64, f64, usize)]) -> EntryAges {
        let all = some.iter().flat_map(|&(from, to, times)| std::iter::repeat_n(AgeInterval { from, to }, times));
        let all: Vec<AgeInterval> = all.collect();
        EntryAges::of(100, &all)
    }

    #[test]
    fn an_object_is_divided_among_the_tenths_that_its_interval_spans() {
        let ages = ages(&[(0.8, 1.0, 30), (0.95, 0.95, 10), (0.0, 0.1, 40)]);
        let expected = [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1875, 0.3125];
        assert!(ages.tenths.iter().zip(expected).all(|(part, expected)| (part - expected).abs() < 1e-6), "{ages:?}");
        assert_eq!((ages.known, ages.span), (80, EntrySpan::AllTimes));
    }

    #[test]
    fn nothing_is_said_about_most_entries_that_their_intervals_leave_open() {
        let span = |some| ages(some).span;
        assert_eq!(span(&[]), EntrySpan::Unknown);
        assert_eq!(span(&[(0.9, 1.0, 49)]), EntrySpan::Unknown, "half of the ages are not known");
        assert_eq!(span(&[(0.9, 1.0, 51), (0.0, 0.1, 39)]), EntrySpan::Newest);
        assert_eq!(span(&[(0.9, 1.0, 39), (0.0, 0.1, 51)]), EntrySpan::Oldest);
        assert_eq!(span(&[(0.401, 0.5, 5), (0.55, 0.702, 94), (0.9, 1.0, 1)]), EntrySpan::Between(55, 71));
        assert_eq!(span(&[(0.89, 1.0, 100)]), EntrySpan::Between(89, 100));
        assert_eq!(span(&[(0.9, 1.0, 41), (0.0, 0.1, 39)]), EntrySpan::AllTimes, "no half in either");
        assert_eq!(span(&[(0.0, 0.2, 20), (0.8, 1.0, 80)]), EntrySpan::AllTimes);
        assert_eq!(span(&[(0.0, 0.5, 20), (0.5, 1.0, 80)]), EntrySpan::Unknown, "all may be of the middle");
        assert_eq!(span(&[(0.0, 0.6, 50), (0.4, 1.0, 50)]), EntrySpan::Unknown, "they may be of one time");
    }

    #[test]
    fn objects_of_unknown_age_come_last_in_both_orders() {
        let key = |age: Option<(f64, f64)>| order_key(age.map(|(from, to)| AgeInterval { from, to }), false);
        assert!(key(Some((0.9, 1.0))) < key(Some((0.1, 1.0))) && key(Some((0.1, 1.0))) < key(Some((0.0, 0.2))));
        assert!(key(Some((0.0, 0.0))) < key(None));
        let oldest_first = |age: Option<(f64, f64)>| order_key(age.map(|(from, to)| AgeInterval { from, to }), true);
        assert!(oldest_first(Some((0.0, 0.2))) < oldest_first(Some((0.9, 1.0))));
        assert!(oldest_first(Some((1.0, 1.0))) < oldest_first(None));
    }

    #[test]
    fn each_part_of_a_structure_has_one_place_in_the_sample() {
        for (sampled, below) in [(16, 16), (512, 512), (512, 513), (512, 4_000_000_000)] {
            let indexes: Vec<u32> = (0..sampled).map(|nth| sampled_index(nth, sampled, below)).collect();
            assert!(indexes.is_sorted_by(|a, b| a < b) && indexes.iter().all(|&index| index < below), "{below}");
        }
    }
}
