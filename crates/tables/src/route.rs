//! The shortest path between two objects.

use super::{Table, TableError, optional};
use crate::export::columns;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::route::{RouteStep, named, route};
use heaplens_base::task::Task;
use heaplens_core::heap::classes::Strength;
use heaplens_core::heap::ids::ObjectId;

const COLUMNS: [Column; 4] = [
    column_with_help(
        "reference",
        "Reference",
        "Field or element through which the previous object references this one",
    ),
    columns::ID,
    columns::CLASS,
    columns::LABEL,
];

/// Query for a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteQuery {
    /// Start of the path.
    pub from: ObjectId,
    /// End of the path.
    pub to: ObjectId,
    /// Weakest reference strength to follow; `None` for all.
    pub weakest: Option<Strength>,
}

/// Steps including both ends; empty if there is no path.
pub struct Route(pub Vec<RouteStep>);

impl Route {
    /// Computes the path.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn of(from: TableContext<'_>, asked: RouteQuery, task: &Task) -> Result<Self, TableError> {
        let way = route(from.heap, (asked.from, asked.to), asked.weakest, task)?.unwrap_or_default();
        Ok(Self(named(from.heap, from.contents, &way, task)?))
    }
}

impl Table for Route {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(step) = self.0.get(row) else { return Cell::Nothing };
        match column {
            0 => optional(step.reference.clone()),
            1 => Cell::Text(from.heap.id_text(step.object)),
            2 => Cell::Text(from.heap.class(step.object).name.to_string()),
            _ => optional(from.contents.label(from.heap, step.object)),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.0.get(row).is_some_and(|step| filter.passes_object(from.heap, from.contents, step.object))
    }

    fn list(&self) -> (&'static str, bool) {
        ("steps", false)
    }
}
