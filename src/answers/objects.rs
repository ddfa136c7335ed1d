//! Objects, one row each: every one, those of a class, or some that were named.

use super::arrangement::no_column;
use super::{Arranged, Arrangement, Table, Trouble, optional};
use crate::analysis::dominator_tree::{LevelOrder, in_order};
use crate::analysis::filter::TextFilter;
use crate::export::dictionary::Dictionary;
use crate::export::parts;
use crate::export::table::{Cell, Column, column};
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Task, Unit};

const COLUMNS: [Column; 7] = [
    column("id", "Object"),
    column("class", "Class"),
    column("shallow_bytes", "Shallow"),
    column("retained_bytes", "Retained"),
    column("immediate_dominator", "Immediate dominator"),
    column("distance", "Distance"),
    column("owner", "Owner"),
];

/// Objects, in the order of their addresses, or as they were named. A row is an object's.
#[derive(Default)]
pub struct Objects {
    /// Objects of the heap.
    pub count: usize,
    /// Only of these classes.
    pub classes: Option<Vec<bool>>,
    /// Only these objects, in this order.
    pub named: Option<Vec<ObjectId>>,
    /// Also who of the application holds each object.
    pub owner: bool,
}

/// The order that a column stands for.
pub(super) fn order_of(key: &str) -> Result<LevelOrder, Trouble> {
    LevelOrder::of_key(key).ok_or_else(|| no_column(key, &LevelOrder::ALL.map(LevelOrder::key)))
}

/// The column of a part that a dump has, by its key.
pub(super) fn part_of(from: Dictionary<'_>, key: &str) -> Option<usize> {
    parts::columns(from, false).into_iter().find(|(_, column)| column.key == key).map(|(place, _)| place)
}

/// Objects by a column of a part, most first, those of a heap by its name; equal ones stay as they are.
pub(super) fn by_part(
    from: Dictionary<'_>,
    objects: Vec<ObjectId>,
    place: usize,
    reverse: bool,
    task: &Task,
) -> Result<Vec<ObjectId>, Trouble> {
    let mut keyed = Vec::with_capacity(objects.len());
    for (at, object) in objects.into_iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        keyed.push((parts::of_object(from.heap, from.analyzed, object, place), object));
    }
    let words = keyed.iter().any(|(cell, _)| !cell.is_number());
    keyed.sort_by(|(a, _), (b, _)| if words == reverse { b.order(a) } else { a.order(b) });
    Ok(keyed.into_iter().map(|(_, object)| object).collect())
}

impl Table for Objects {
    fn columns(&self) -> &'static [Column] {
        if self.owner { &COLUMNS } else { &COLUMNS[..COLUMNS.len() - 1] }
    }

    fn beside(&self, from: Dictionary<'_>) -> Vec<(usize, Column)> {
        parts::columns(from, false)
    }

    fn count(&self) -> usize {
        self.count
    }

    fn cell(&self, from: Dictionary<'_>, row: usize, column: usize) -> Cell {
        let Some(object) = ObjectId::new(row) else { return Cell::Nothing };
        let Dictionary { heap, analyzed, .. } = from;
        match column {
            0 => Cell::Text(heap.id_text(object)),
            1 => Cell::Text(heap.class(object).name.to_string()),
            2 => Cell::Size(heap.shallow(object)),
            3 => Cell::Size(analyzed.retained(object)),
            4 => optional(analyzed.immediate_dominator(object).map(|d| heap.id_text(d))),
            5 => analyzed.distance(object).map_or(Cell::Nothing, |d| Cell::Count(u64::from(d))),
            place if place >= parts::FIRST => parts::of_object(heap, analyzed, object, place),
            _ => optional(from.owner(object)),
        }
    }

    fn passes(&self, from: Dictionary<'_>, row: usize, filter: &TextFilter) -> bool {
        let Some(object) = ObjectId::new(row) else { return false };
        if let Some(name) = filter.heap() {
            return from.heap.region_name(object) == Some(name);
        }
        // Where all are of a class that was named, its name chooses nothing.
        (self.classes.is_none() && filter.matches(&from.heap.class(object).name))
            || filter.matches(&from.heap.id_text(object))
            || from.contents.label(from.heap, object).is_some_and(|label| filter.matches(&label))
    }

    fn arranged<'a>(&'a self, from: Dictionary<'a>, how: &Arrangement, task: &Task) -> Result<Arranged<'a>, Trouble> {
        let Dictionary { heap, analyzed, .. } = from;
        let filter = how.pattern()?;
        let places = how.clone();
        let passes = move |object: ObjectId, place: u32| {
            places.has_place(place) && (filter.is_empty() || self.passes(from, object.index(), &filter))
        };
        let of_class = move |&object: &ObjectId| {
            let class = heap.class_id(object).index();
            analyzed.is_reachable(object) && self.classes.as_ref().is_none_or(|of| of.get(class) == Some(&true))
        };
        // An object that was named is shown whatever leads to it.
        let all: Box<dyn Iterator<Item = ObjectId> + 'a> = match &self.named {
            Some(named) => Box::new(named.iter().copied()),
            None => Box::new(heap.objects().filter(of_class)),
        };
        let passing = (0..).zip(all).filter(move |&(place, object)| passes(object, place)).map(|(_, object)| object);
        let expected = self.named.as_ref().map_or(heap.len(), Vec::len) as u64;
        let rows = match &how.sort {
            None if !how.reverse => how.part(passing.map(ObjectId::raw)),
            sort => {
                let part = sort.as_deref().and_then(|key| part_of(from, key));
                let order = match part {
                    Some(_) => LevelOrder::Address,
                    None => sort.as_deref().map_or(Ok(LevelOrder::Address), order_of)?,
                };
                task.step("Sorting", Unit::Objects, expected);
                let objects = passing.take_while(|_| task.advance_checked(1).is_ok()).collect();
                let reverse = how.reverse && part.is_none();
                let mut sorted = in_order(heap, analyzed, objects, (order, reverse), None, task)?;
                if let Some(place) = part {
                    sorted = by_part(from, sorted, place, how.reverse, task)?;
                }
                task.checkpoint()?;
                how.part(sorted.into_iter().map(ObjectId::raw))
            }
        };
        Ok(Arranged { rows, totals: Vec::new(), expected })
    }
}
