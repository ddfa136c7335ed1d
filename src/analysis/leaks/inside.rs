//! What there is in each place: objects by class, in one walk over the heap for
//! all places together, and the collection that keeps them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::places::{Place, Shape};
use super::{Accumulated, Inside, Question};
use crate::heap::contents::{Logical, LogicalEntry};
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::totals::Totals;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// Entries of a collection that stand for all.
pub(super) const SAMPLE: u64 = 200;

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
    /// Objects by class, of the classes there are.
    pub(super) held: Vec<(ClassId, Totals)>,
    /// Whether what accumulates is of the application.
    pub(super) is_of_application: bool,
}

/// What is in each of some places.
pub(super) fn insides(question: Question<'_>, places: &[Place], task: &Task) -> Result<Vec<Found>, Cancelled> {
    let held = held_by_class(question, places, task)?;
    let mut found = Vec::with_capacity(places.len());
    for (place, held) in places.iter().zip(held) {
        task.checkpoint()?;
        found.push(inside(question, place, held));
    }
    Ok(found)
}

/// Objects and bytes by class of what each place keeps alive.
fn held_by_class(
    question: Question<'_>,
    places: &[Place],
    task: &Task,
) -> Result<Vec<Vec<(ClassId, Totals)>>, Cancelled> {
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
    type Counts = BTreeMap<(u32, u32), Totals>;
    let parts = analyzed.places().par_chunks(CHECKPOINT_EVERY * 16).enumerate().map(|(block, places)| {
        task.checkpoint()?;
        let mut counts = Counts::new();
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
        }
        Ok(counts)
    });
    let counts = parts.try_reduce(Counts::new, |mut all, more| {
        more.into_iter().for_each(|(key, totals)| all.entry(key).or_default().add(totals));
        Ok(all)
    })?;
    let mut held = vec![Vec::new(); places.len()];
    for ((whose, class), totals) in counts {
        if let (Some(of_place), Some(class)) = (held.get_mut(whose as usize), ClassId::from_raw(class)) {
            of_place.push((class, totals));
        }
    }
    Ok(held)
}

fn inside(question: Question<'_>, place: &Place, held: Vec<(ClassId, Totals)>) -> Found {
    let namer = question.namer;
    let (heap, analyzed) = (namer.heap, namer.analyzed);
    let is_application = |class: ClassId| !namer.index.is_runtime(class);
    let logical =
        (place.shape == Shape::Collection).then(|| namer.contents.logical(heap, place.unit, 0..SAMPLE)).flatten();
    let entries = match (&logical, place.shape, place.chain) {
        (Some(found), ..) => commonest(question, found).map(|class| (class, found.size)),
        (None, Shape::Siblings | Shape::Shared, _) => {
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
    // What it is made for; else what the application takes most room with; else anything.
    let is_much = |totals: &Totals| totals.shallow.0 >= all.0.div_ceil(100);
    let chosen = entries
        .filter(|&(class, _)| is_application(class))
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
    let is_of_application = held.iter().any(|&(class, totals)| is_application(class) && is_much(&totals));
    Found {
        accumulated,
        class: chosen.map(|(class, _)| class),
        collection,
        entries: logical.map(|found| found.entries).unwrap_or_default(),
        held,
        is_of_application,
    }
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
    Some((class, elements.len() as u64))
}

fn most_of(question: Question<'_>, objects: impl Iterator<Item = ObjectId>, of: usize) -> Option<ClassId> {
    let mut classes: BTreeMap<ClassId, usize> = BTreeMap::new();
    objects.for_each(|object| *classes.entry(question.namer.heap.class_id(object)).or_default() += 1);
    let (class, times) = classes.into_iter().max_by_key(|&(class, times)| (times, std::cmp::Reverse(class)))?;
    (times * 10 >= of * 9).then_some(class)
}
