//! What there is in each place: objects by class, in one walk over the heap for
//! all places together, and the collection that keeps them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::place::{Place, Shape};
use super::{Accumulated, Inside, Question};
use crate::heap::classes::ClassKind;
use crate::heap::contents::{Logical, LogicalEntry};
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::totals::Totals;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// Entries of a collection that stand for all.
pub(super) const SAMPLE: u64 = 200;
/// Objects of a place of which is looked who holds them.
const LOOKED_AT: u64 = 500;
/// Steps up from each.
const STEPS: usize = 256;

/// What is in a place.
#[derive(Default)]
pub(super) struct Found {
    /// What there is most of.
    pub(super) accumulated: Option<Accumulated>,
    /// The class of that.
    pub(super) class: Option<ClassId>,
    /// The collection that keeps it, and its first entries.
    pub(super) collection: Option<Inside>,
    pub(super) entries: Vec<LogicalEntry>,
    /// Whether the collection keeps its entries in an array.
    pub(super) is_in_array: bool,
    /// Objects by class, of the classes there are.
    pub(super) held: Vec<(ClassId, Totals)>,
    /// Whether what accumulates is of the application.
    pub(super) is_of_application: bool,
}

/// What is in each of some places.
pub(super) fn insides(question: Question<'_>, places: &[Place], task: &Task) -> Result<Vec<Found>, Cancelled> {
    let counted = held_by_class(question, places, task)?;
    let mut found = Vec::with_capacity(places.len());
    for (place, counted) in places.iter().zip(counted) {
        task.checkpoint()?;
        let holding = holding(question, place, &counted.sample);
        found.push(inside(question, place, counted.held, &holding));
    }
    Ok(found)
}

/// What was counted of one place.
#[derive(Default, Clone)]
struct Counted {
    held: Vec<(ClassId, Totals)>,
    sample: Vec<ObjectId>,
}

/// Classes of the application by how much of a sample they hold.
fn holding(question: Question<'_>, place: &Place, sample: &[ObjectId]) -> Vec<(ClassId, Bytes)> {
    let namer = question.namer;
    let (heap, analyzed) = (namer.heap, namer.analyzed);
    let mut held: BTreeMap<ClassId, Bytes> = BTreeMap::new();
    for &object in sample {
        let (mut at, mut top) = (object, None);
        for _ in 0..STEPS {
            let class = heap.class_id(at);
            if !namer.index.is_runtime(class) && heap.class(at).kind == ClassKind::Plain {
                top = Some(class);
            }
            if at == place.unit || place.members.binary_search(&at).is_ok() {
                break;
            }
            match analyzed.immediate_dominator(at) {
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

/// By place and class.
type Counts = BTreeMap<(u32, u32), Totals>;

/// Objects and bytes by class of what each place keeps alive.
fn held_by_class(question: Question<'_>, places: &[Place], task: &Task) -> Result<Vec<Counted>, Cancelled> {
    let (heap, analyzed) = (question.namer.heap, question.namer.analyzed);
    // What is below an object is a run of places of the tree: begin, end, and whose it is.
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    for (at, place) in (0..).zip(places) {
        let run = |&top: &ObjectId| {
            let begin = analyzed.place(top)?;
            Some((begin, begin.saturating_add(analyzed.dominated(top) as u32), at))
        };
        runs.extend(place.tops().iter().filter_map(run));
    }
    runs.sort_unstable();
    let column = heap.class_column().slices();
    // Every so manieth object of a place is looked at: by address, so that it is the same on any number of threads.
    let objects = |place: &Place| place.tops().iter().map(|&top| analyzed.dominated(top) + 1).sum::<u64>();
    let strides: Vec<u64> = places.iter().map(|place| (objects(place) / LOOKED_AT).max(1)).collect();
    let parts = analyzed.places().par_chunks(CHECKPOINT_EVERY * 16).enumerate().map(|(block, places)| {
        task.checkpoint()?;
        let (mut counts, mut sample) = (Counts::new(), Vec::new());
        for (row, &place) in (block * CHECKPOINT_EVERY * 16..).zip(places) {
            let Some(&(begin, end, whose)) =
                runs.partition_point(|run| run.0 <= place).checked_sub(1).map(|at| &runs[at])
            else {
                continue;
            };
            if place == 0 || !(begin..=end).contains(&place) {
                continue;
            }
            let (Some(class), Some(object)) = (column.get(row), ObjectId::new(row)) else { continue };
            counts.entry((whose, class)).or_default().add(Totals { objects: 1, shallow: heap.shallow(object) });
            // The place in the tree has nothing to do with the class.
            if strides.get(whose as usize).is_some_and(|&stride| u64::from(place).is_multiple_of(stride)) {
                sample.push((whose, object));
            }
        }
        Ok((counts, sample))
    });
    let none = || (Counts::new(), Vec::new());
    let (counts, mut sample) = parts.try_reduce(none, |mut all, (counts, mut sample)| {
        counts.into_iter().for_each(|(key, totals)| all.0.entry(key).or_default().add(totals));
        all.1.append(&mut sample);
        Ok(all)
    })?;
    sample.sort_unstable();
    let mut counted = vec![Counted::default(); places.len()];
    for ((whose, class), totals) in counts {
        if let (Some(of_place), Some(class)) = (counted.get_mut(whose as usize), ClassId::from_raw(class)) {
            of_place.held.push((class, totals));
        }
    }
    for (whose, object) in sample {
        counted.get_mut(whose as usize).into_iter().for_each(|of_place| of_place.sample.push(object));
    }
    Ok(counted)
}

fn inside(question: Question<'_>, place: &Place, held: Vec<(ClassId, Totals)>, holding: &[(ClassId, Bytes)]) -> Found {
    let namer = question.namer;
    let (heap, analyzed) = (namer.heap, namer.analyzed);
    let is_application = |class: ClassId| !namer.index.is_runtime(class);
    let logical =
        (place.shape == Shape::Collection).then(|| namer.contents.logical(heap, place.unit, 0..SAMPLE)).flatten();
    let entries = match (&logical, place.shape, place.chain) {
        (Some(found), ..) => commonest(question, found).map(|class| (class, found.size)),
        (None, Shape::Siblings | Shape::Shared | Shape::Finalizers | Shape::Cleaners, _) => {
            let class = heap.class_id(place.unit);
            place
                .members
                .iter()
                .all(|&member| heap.class_id(member) == class)
                .then_some((class, place.members.len() as u64))
        }
        (None, _, Some(chain)) => Some((heap.class_id(chain.head), chain.objects)),
        (None, Shape::Array, _) => of_array(question, place.unit),
        _ => None,
    };
    let all: Bytes = held.iter().map(|(_, totals)| totals.shallow).sum();
    let name = |class: ClassId| &*heap.classes.get(class).name;
    let most = |only_application: bool| {
        let rows = held.iter().filter(|(class, _)| !only_application || is_application(*class));
        rows.max_by(|(a, x), (b, y)| x.shallow.cmp(&y.shallow).then_with(|| name(*b).cmp(name(*a))).then(b.cmp(a)))
    };
    let is_much = |totals: &Totals| totals.shallow.0 >= all.0.div_ceil(100);
    let objects_of = |class: ClassId| held.iter().find(|(of, _)| *of == class).map_or(0, |(_, totals)| totals.objects);
    // What it is made for; else what of the application holds most of it; else what takes most room.
    let holds_most = holding.first().map(|&(class, _)| (class, objects_of(class))).filter(|&(_, objects)| objects > 1);
    let chosen = entries
        .filter(|&(class, _)| is_application(class))
        .or(holds_most)
        .or_else(|| most(true).filter(|(_, totals)| is_much(totals)).map(|&(class, totals)| (class, totals.objects)))
        .or(entries)
        .or_else(|| most(false).map(|&(class, totals)| (class, totals.objects)));
    let accumulated = chosen.map(|(class, objects)| Accumulated {
        class: name(class).to_owned(),
        objects,
        of_all: analyzed.class_totals(class).objects,
    });
    let collection = logical.as_ref().map(|found| Inside {
        class: heap.class(place.unit).name.to_string(),
        kind: found.kind,
        size: found.size,
    });
    let sampled: Bytes = holding.iter().map(|&(_, bytes)| bytes).sum();
    let is_of_application = sampled.0.saturating_mul(2) > all.0 / (objects(&held) / LOOKED_AT).max(1)
        || held.iter().any(|&(class, totals)| is_application(class) && is_much(&totals));
    Found {
        accumulated,
        class: chosen.map(|(class, _)| class),
        collection,
        is_in_array: logical.as_ref().is_some_and(|found| found.capacity.is_some()),
        entries: logical.map(|found| found.entries).unwrap_or_default(),
        held,
        is_of_application,
    }
}

fn objects(held: &[(ClassId, Totals)]) -> u64 {
    held.iter().map(|(_, totals)| totals.objects).sum()
}

/// The class that most entries of a collection have.
fn commonest(question: Question<'_>, found: &Logical) -> Option<ClassId> {
    let values = found.entries.iter().filter_map(|entry| entry.value.object());
    most_of(question, values, found.entries.len())
}

/// The class that most elements of an array have, and how many there are.
fn of_array(question: Question<'_>, array: ObjectId) -> Option<(ClassId, u64)> {
    let elements = question.namer.heap.references(array);
    let some = elements.iter().take(SAMPLE as usize).filter_map(|&row| ObjectId::from_raw(row));
    let class = most_of(question, some, elements.len().min(SAMPLE as usize))?;
    // What the engine itself has in an array (its shape, the array before it grew) is no element of the program.
    let of_engine = question.namer.heap.snapshot().is_some();
    let is_one = |row: &&u32| ObjectId::from_raw(**row).is_some_and(|o| question.namer.heap.class_id(o) == class);
    let count = if of_engine { elements.iter().filter(is_one).count() } else { elements.len() };
    Some((class, count as u64))
}

/// By name: of a plug-in that is loaded again each time the class is another.
fn most_of(question: Question<'_>, objects: impl Iterator<Item = ObjectId>, of: usize) -> Option<ClassId> {
    let mut classes: BTreeMap<&str, (usize, ClassId)> = BTreeMap::new();
    for object in objects {
        let class = question.namer.heap.class_id(object);
        let row = classes.entry(&question.namer.heap.classes.get(class).name).or_insert((0, class));
        *row = (row.0 + 1, row.1.min(class));
    }
    let (_, (times, class)) = classes.into_iter().max_by_key(|&(name, (times, _))| (times, std::cmp::Reverse(name)))?;
    (times * 10 >= of * 9).then_some(class)
}
