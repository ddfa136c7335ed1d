//! Objects, one row each: all, those of a class, or a list of objects.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::row_query::no_column;
use super::{OrderedRows, RowQuery, Table, TableError, optional, ownership};
use crate::export::columns;
use crate::export::parts;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::dominator_tree::{LevelOrder, in_order};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::ownership::Ownership;
use heaplens_base::task::{Task, Unit};
use heaplens_core::heap::ids::ObjectId;

const COLUMNS: [Column; 7] = [
    columns::ID,
    columns::CLASS,
    columns::SHALLOW,
    columns::RETAINED,
    column_with_help(
        "immediate_dominator",
        "Immediate dominator",
        "Nearest object through which every path from a GC root leads; empty if there is none",
    ),
    column_with_help("distance", "Distance", "References on the shortest path from a GC root"),
    columns::OWNER,
];

/// Objects in address order, or in the given order. The row number is the object's.
#[derive(Default)]
pub struct Objects {
    /// Number of objects in the heap.
    pub count: usize,
    /// Only objects of these classes.
    pub classes: Option<Vec<bool>>,
    /// Only these objects, in this order.
    pub named: Option<Vec<ObjectId>>,
    /// True to add the owner of each object.
    pub owner: bool,
    /// Only objects whose id is in this range.
    pub ids: Option<RangeInclusive<u64>>,
    /// Adds the inferred root of each object.
    pub ownership: Option<Arc<Ownership>>,
}

/// Sort order of a column.
///
/// # Errors
/// A message that lists the available columns.
pub(crate) fn order_of(from: TableContext<'_>, key: &str) -> Result<LevelOrder, TableError> {
    let all = LevelOrder::all(from.heap, from.analysis);
    let keys: Vec<&str> = all.iter().map(|order| order.key()).collect();
    all.iter().find(|order| order.key() == key).copied().ok_or_else(|| no_column(key, &keys))
}

impl Table for Objects {
    fn columns(&self) -> &'static [Column] {
        if self.owner { &COLUMNS } else { &COLUMNS[..COLUMNS.len() - 1] }
    }

    fn optional_columns(&self, from: TableContext<'_>) -> Vec<(usize, Column)> {
        let owned = self.ownership.iter().flat_map(|_| ownership::beside());
        parts::columns(from).into_iter().chain(owned).collect()
    }

    fn count(&self) -> usize {
        self.count
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(object) = ObjectId::new(row) else { return Cell::Nothing };
        let TableContext { heap, analysis, .. } = from;
        match column {
            0 => Cell::Text(heap.id_text(object)),
            1 => Cell::Text(heap.class(object).name.to_string()),
            2 => Cell::Size(heap.shallow(object)),
            3 => Cell::Size(analysis.retained(object)),
            4 => optional(analysis.shown_immediate_dominator(heap, object).map(|d| heap.id_text(d))),
            5 => analysis.shown_distance(heap, object).map_or(Cell::Nothing, |d| Cell::Count(u64::from(d))),
            place if place >= ownership::BESIDE => match &self.ownership {
                Some(found) => ownership::owned_cell(from, found, object, place - ownership::BESIDE),
                None => Cell::Nothing,
            },
            place if place >= parts::FIRST => parts::of_object(heap, analysis, object, place),
            _ => optional(from.owner(object)),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        let Some(object) = ObjectId::new(row) else { return false };
        let words = filter.words();
        // If all objects are of a given class, its name is not filtered.
        filter.in_its_heap(from.heap, object)
            && (words.is_empty()
                || (self.classes.is_none() && words.matches(&from.heap.class(object).name))
                || words.matches(&from.heap.id_text(object))
                || from.contents.label(from.heap, object).is_some_and(|label| words.matches(&label)))
    }

    fn arranged<'a>(
        &'a self,
        from: TableContext<'a>,
        how: &RowQuery,
        task: &Task,
    ) -> Result<OrderedRows<'a>, TableError> {
        let TableContext { heap, analysis, .. } = from;
        let filter = how.pattern()?;
        let places = how.clone();
        let passes = move |object: ObjectId, place: u32| {
            let has_id = self.ids.as_ref().is_none_or(|ids| ids.contains(&heap.address(object).0));
            has_id && places.has_place(place) && (filter.is_empty() || self.passes(from, object.index(), &filter))
        };
        let of_class = move |&object: &ObjectId| {
            let class = heap.class_id(object).index();
            analysis.is_reachable(object) && self.classes.as_ref().is_none_or(|of| of.get(class) == Some(&true))
        };
        // Listed objects are shown even if unreachable.
        let all: Box<dyn Iterator<Item = ObjectId> + 'a> = match &self.named {
            Some(named) => Box::new(named.iter().copied()),
            None => Box::new(heap.objects().filter(of_class)),
        };
        let passing = (0..).zip(all).filter(move |&(place, object)| passes(object, place)).map(|(_, object)| object);
        let expected = self.named.as_ref().map_or(heap.len(), Vec::len) as u64;
        let rows = match how.sort.as_deref() {
            None if !how.reverse => how.part(passing.map(ObjectId::raw)),
            Some(key) if self.ownership.is_some() && ownership::by_of(key).is_some() => {
                let (found, by) = (self.ownership.as_ref(), ownership::by_of(key).unwrap_or_default());
                task.step("Sorting", Unit::Objects, expected);
                let mut objects: Vec<ObjectId> = passing.take_while(|_| task.advance_checked(1).is_ok()).collect();
                task.checkpoint()?;
                found.into_iter().for_each(|found| found.sort(&mut objects, by));
                if how.reverse {
                    objects.reverse();
                }
                how.part(objects.into_iter().map(ObjectId::raw))
            }
            sort => {
                let order = sort.map_or(Ok(LevelOrder::Address), |key| order_of(from, key))?;
                task.step("Sorting", Unit::Objects, expected);
                let objects = passing.take_while(|_| task.advance_checked(1).is_ok()).collect();
                let sorted = in_order(heap, analysis, objects, (order, how.reverse), None, task)?;
                task.checkpoint()?;
                how.part(sorted.into_iter().map(ObjectId::raw))
            }
        };
        Ok(OrderedRows { rows, totals: Vec::new(), expected })
    }
}
