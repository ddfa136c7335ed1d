//! Contents of each location: objects by class, counted in one walk over its part of the dominator tree, and the
//! collection that holds them.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::accumulation_point::{AccumulationPoint, Shape};
use super::counts;
use super::evidence::LATELY;
use super::finding::{DominantClass, HoldingCollection};
use super::query::LeakQuery;
use super::samples::Chooser;
use crate::clock::{AgeSpan, Ages, RecentObjects};
use heaplens_base::{Bytes, Cancelled, Task, storage::Slices};
use heaplens_heap::{ClassId, ClassKind, LogicalEntry, ObjectId, Totals, Vacated};

/// Number of the first entries of a collection that evidence about its entries is from.
pub const SAMPLE: u64 = 200;
/// Sample size of the objects of a location whose holders are looked up.
const LOOKED_AT: u64 = 500;
/// Maximum number of steps up from each.
const STEPS: usize = 256;
/// Maximum number of tree positions that one thread counts at a time.
const PIECE: u32 = 1 << 16;

/// Number of objects whose classes are fetched together.
const AT_ONCE: usize = 64;

/// Contents of a location.
#[derive(Default)]
pub(super) struct AccumulationContents {
    /// The class that accumulates, with counts.
    pub(super) accumulated: Option<DominantClass>,
    /// Id of that class.
    pub(super) class: Option<ClassId>,
    /// The collection that holds it, and its first entries.
    pub(super) collection: Option<HoldingCollection>,
    pub(super) entries: Vec<LogicalEntry>,
    /// Places that removed entries left in its table.
    pub(super) vacated: Option<Vacated>,
    /// True if the collection stores its entries in an array.
    pub(super) is_in_array: bool,
    /// Object counts of the classes that occur.
    pub(super) held: Vec<(ClassId, Totals)>,
    /// When its objects were allocated: the percentages of [`Evidence::Allocated`](super::Evidence::Allocated).
    pub(super) allocated: Option<(u8, u8)>,
    /// The same if the order of addresses holds, as it does for most objects.
    pub(super) likely_allocated: Option<(u8, u8)>,
    /// Those of its objects that no collection has moved, if the heap tells which.
    pub(super) recent: Option<RecentObjects>,
    /// True if the accumulated class belongs to the application.
    pub(super) is_of_application: bool,
    /// A sample of its objects, ascending.
    pub(super) sample: Vec<ObjectId>,
}

/// Contents of each location.
pub(super) fn insides(
    question: LeakQuery<'_>,
    points: &[AccumulationPoint],
    task: &Task,
) -> Result<Vec<AccumulationContents>, Cancelled> {
    if points.is_empty() {
        return Ok(Vec::new());
    }
    let ages = question.with_ages.then(|| question.namer.ages(task)).transpose()?;
    let clock = ages.and_then(Ages::clock);
    let heap = question.namer.heap;
    let mut insides = Vec::with_capacity(points.len());
    for point in points {
        let LocationCounts { held, sample, preorders: points } = held_by_class(question, point, task)?;
        let holding = holding(question, point, &sample);
        let mut inside = inside(question, point, held, &holding);
        if let Some(clock) = clock {
            // The accumulated objects; if the sample has few of them, all.
            let is_accumulated = |object: &&ObjectId| Some(heap.class_id(**object)) == inside.class;
            let accumulated: Vec<ObjectId> = sample.iter().filter(is_accumulated).copied().collect();
            let samples = [&accumulated, &sample];
            inside.recent = clock.recent(heap, application_objects(question, &inside), (&sample, &points));
            let is_recent = inside.recent.is_some_and(|recent| recent.objects > 0);
            let span = samples.iter().find_map(|sample| clock.span(heap, sample, &points));
            inside.allocated = span.and_then(|span| known_age(span, is_recent));
            if inside.allocated.is_none() {
                inside.likely_allocated = samples
                    .iter()
                    .find_map(|sample| clock.likely_span(heap, sample, &points))
                    .and_then(|span| known_age(span, is_recent));
            }
        }
        inside.sample = sample;
        insides.push(inside);
    }
    Ok(insides)
}

/// Number of objects in a location that are not of the runtime.
fn application_objects(question: LeakQuery<'_>, inside: &AccumulationContents) -> u64 {
    let of_application = inside.held.iter().filter(|&&(class, _)| !question.namer.index.is_runtime(class));
    of_application.map(|(_, totals)| totals.objects).sum()
}

/// The percentages of a span: as far as it is certain that objects are new, or that they are not. `None` if neither is: it
/// was added to lately, too, while most other objects are newer than most of its own.
/// `is_recent`: some are among the newest of the heap, of which objects of the request for the dump may be many.
fn known_age(AgeSpan { first, last: (least, most), end }: AgeSpan, is_recent: bool) -> Option<(u8, u8)> {
    if least >= LATELY {
        Some((first.min(least), least))
    } else {
        (end < LATELY && !is_recent).then_some((first.min(most), most))
    }
}

/// Counts of one location.
struct LocationCounts {
    held: Vec<(ClassId, Totals)>,
    sample: Vec<ObjectId>,
    /// Where its objects are in the dominator tree, ascending.
    preorders: Vec<Range<u32>>,
}

/// Objects counted so far.
struct ClassCounts<'a> {
    column: Slices<'a>,
    chooser: Chooser,
    /// By class.
    counts: Vec<Totals>,
    sample: Vec<ObjectId>,
    /// Objects whose classes are being loaded, with their shallow sizes.
    waiting: Vec<(ObjectId, Bytes)>,
}

impl ClassCounts<'_> {
    fn add(&mut self, object: ObjectId, shallow: Bytes) {
        self.column.prefetch(object.index());
        self.waiting.push((object, shallow));
        if self.waiting.len() == AT_ONCE {
            self.settle();
        }
    }

    /// Counts the objects that wait.
    fn settle(&mut self) {
        for (object, shallow) in self.waiting.drain(..) {
            let class = self.column.get(object.index()).and_then(|class| self.counts.get_mut(class as usize));
            class.into_iter().for_each(|totals: &mut Totals| totals.add(Totals { objects: 1, shallow }));
            if self.chooser.takes(object) {
                self.sample.push(object);
            }
        }
    }

    fn settled(mut self) -> Self {
        self.settle();
        self
    }

    fn and(self, other: Self) -> Self {
        let (mut all, mut more) = (self.settled(), other.settled());
        all.counts.iter_mut().zip(more.counts).for_each(|(totals, more)| totals.add(more));
        all.sample.append(&mut more.sample);
        all
    }
}

/// Application classes by the share of a sample that they hold.
fn holding(question: LeakQuery<'_>, point: &AccumulationPoint, sample: &[ObjectId]) -> Vec<(ClassId, Bytes)> {
    let namer = question.namer;
    let (heap, analysis) = (namer.heap, namer.analysis);
    let mut held: BTreeMap<ClassId, Bytes> = BTreeMap::new();
    for &object in sample {
        let (mut at, mut top) = (object, None);
        for _ in 0..STEPS {
            let class = heap.class_id(at);
            if !namer.index.is_runtime(class) && heap.class(at).kind == ClassKind::Plain {
                top = Some(class);
            }
            if at == point.unit || point.members.binary_search(&at).is_ok() {
                break;
            }
            match analysis.immediate_dominator(at) {
                Some(above) => at = above,
                None => break,
            }
        }
        if let Some(class) = top {
            *held.entry(class).or_default() += heap.shallow(object);
        }
    }
    let mut held: Vec<(ClassId, Bytes)> = held.into_iter().collect();
    let name = |class: ClassId| &*heap.classes.get(class).name;
    held.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| name(a.0).cmp(name(b.0))).then(a.0.cmp(&b.0)));
    held
}

/// Objects and bytes by class in the retained set of a location, and a sample of its objects.
fn held_by_class(question: LeakQuery<'_>, point: &AccumulationPoint, task: &Task) -> Result<LocationCounts, Cancelled> {
    let (heap, analysis) = (question.namer.heap, question.namer.analysis);
    let runs = point.runs(analysis);
    // A long run is counted by several threads.
    let pieces = runs.par_iter().flat_map_iter(|run| {
        let run = run.clone();
        run.clone().step_by(PIECE as usize).map(move |begin| begin..run.end.min(begin.saturating_add(PIECE)))
    });
    let chooser = Chooser::one_of(point.totals(analysis).objects / LOOKED_AT);
    let column = heap.class_column().slices();
    let none = || ClassCounts {
        column,
        chooser,
        counts: vec![Totals::default(); heap.classes.len()],
        sample: Vec::new(),
        waiting: Vec::new(),
    };
    let counted = pieces.try_fold(none, |mut counted, piece| {
        task.checkpoint()?;
        analysis.objects_at(piece).for_each(|(object, shallow)| counted.add(object, shallow));
        Ok(counted)
    });
    let ClassCounts { counts, mut sample, .. } = counted.try_reduce(none, |one, other| Ok(one.and(other)))?.settled();
    sample.par_sort_unstable();
    let classes = counts.into_iter().enumerate().filter(|(_, totals)| totals.objects > 0);
    let held = classes.filter_map(|(class, totals)| Some((ClassId::from_raw(class as u32)?, totals))).collect();
    Ok(LocationCounts { held, sample, preorders: runs })
}

fn inside(
    question: LeakQuery<'_>,
    point: &AccumulationPoint,
    held: Vec<(ClassId, Totals)>,
    holding: &[(ClassId, Bytes)],
) -> AccumulationContents {
    let namer = question.namer;
    let heap = namer.heap;
    let is_application = |class: ClassId| !namer.index.is_runtime(class);
    let logical =
        (point.shape == Shape::Collection).then(|| namer.contents.logical(heap, point.unit, 0..SAMPLE)).flatten();
    let retained = |class: ClassId| counts::retained(heap, &held, class);
    let entries = match (&logical, point.shape, point.chain) {
        (Some(entries_read), ..) => {
            let values = entries_read.entries.iter().filter_map(|entry| entry.value.object());
            let class = most_of(question, values, entries_read.entries.len());
            class.map(|class| (class, counts::entries(question, (point.unit, entries_read), class, retained(class))))
        }
        (None, Shape::Siblings | Shape::Shared | Shape::Finalizers | Shape::Cleaners, _) => {
            let class = heap.class_id(point.unit);
            point
                .members
                .iter()
                .all(|&member| heap.class_id(member) == class)
                .then_some((class, point.members.len() as u64))
        }
        (None, _, Some(chain)) => Some((heap.class_id(chain.head), chain.objects)),
        // Links with objects of other classes between them.
        (None, Shape::Chain, None) => Some((heap.class_id(point.unit), retained(heap.class_id(point.unit)))),
        (None, Shape::Array, _) => {
            let elements = heap.references(point.unit);
            let some = elements.iter().take(SAMPLE as usize).filter_map(|&row| ObjectId::from_raw(row));
            let class = most_of(question, some, elements.len().min(SAMPLE as usize));
            class.map(|class| (class, counts::elements(heap, point.unit, class)))
        }
        _ => None,
    };
    let all: Bytes = held.iter().map(|(_, totals)| totals.shallow).sum();
    let name = |class: ClassId| &*heap.classes.get(class).name;
    let most = |only_application: bool| {
        let rows = held.iter().filter(|(class, _)| !only_application || is_application(*class));
        rows.max_by(|(a, x), (b, y)| x.shallow.cmp(&y.shallow).then_with(|| name(*b).cmp(name(*a))).then(b.cmp(a)))
    };
    let is_much = |totals: &Totals| totals.shallow.0 >= all.0.div_ceil(100);
    let entries = entries.filter(|&(_, objects)| objects > 0);
    // The class of the entries, else the application class that holds most, else the class with most bytes.
    let holds_most = holding.first().map(|&(class, _)| (class, retained(class))).filter(|&(_, objects)| objects > 1);
    let chosen = entries
        .filter(|&(class, _)| is_application(class))
        .or(holds_most)
        .or_else(|| most(true).filter(|(_, totals)| is_much(totals)).map(|&(class, _)| (class, retained(class))))
        .or(entries)
        .or_else(|| most(false).map(|&(class, _)| (class, retained(class))));
    let accumulated = chosen.map(|(class, objects)| DominantClass {
        class: name(class).to_owned(),
        objects,
        freed: retained(class),
        of_all: counts::of_heap(namer.dump, class),
    });
    let collection = logical.as_ref().map(|entries_read| HoldingCollection {
        class: heap.class(point.unit).name.to_string(),
        kind: entries_read.kind,
        size: entries_read.size,
    });
    let sampled: Bytes = holding.iter().map(|&(_, bytes)| bytes).sum();
    let is_of_application = sampled.0.saturating_mul(2) > all.0 / (objects(&held) / LOOKED_AT).max(1)
        || held.iter().any(|&(class, totals)| is_application(class) && is_much(&totals));
    AccumulationContents {
        accumulated,
        class: chosen.map(|(class, _)| class),
        collection,
        vacated: logical.as_ref().and_then(|entries_read| entries_read.vacated),
        is_in_array: logical.as_ref().is_some_and(|entries_read| entries_read.capacity.is_some()),
        entries: logical.map(|entries_read| entries_read.entries).unwrap_or_default(),
        allocated: None,
        likely_allocated: None,
        recent: None,
        held,
        is_of_application,
        sample: Vec::new(),
    }
}

fn objects(held: &[(ClassId, Totals)]) -> u64 {
    held.iter().map(|(_, totals)| totals.objects).sum()
}

/// By name: a reloaded plug-in has a new class each time.
fn most_of(question: LeakQuery<'_>, objects: impl Iterator<Item = ObjectId>, of: usize) -> Option<ClassId> {
    let mut classes: BTreeMap<&str, (usize, ClassId)> = BTreeMap::new();
    for object in objects {
        let class = question.namer.heap.class_id(object);
        let row = classes.entry(&question.namer.heap.classes.get(class).name).or_insert((0, class));
        *row = (row.0 + 1, row.1.min(class));
    }
    let (_, (times, class)) = classes.into_iter().max_by_key(|&(name, (times, _))| (times, std::cmp::Reverse(name)))?;
    (times * 10 >= of * 9).then_some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_that_was_added_to_lately_is_not_called_old() {
        let age = |last, end| known_age(AgeSpan { first: 5, last, end }, false);
        assert_eq!(age((40, 44), 50), Some((5, 44)));
        assert_eq!(age((40, 44), LATELY), None, "its newest objects may be among the newest of the heap");
        assert_eq!(age((40, LATELY), 100), None, "not known");
        assert_eq!(age((LATELY, 100), 100), Some((5, LATELY)));
        assert_eq!(known_age(AgeSpan { first: 5, last: (40, 44), end: 50 }, true), None, "some are recent");
    }
}
