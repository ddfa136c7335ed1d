//! The shortest path between two objects.

use crate::columns::{Columns, Item, heading, headings};
use crate::{List, TableContext, TableError};
use heaplens_analysis::route::{RouteStep, named, route};
use heaplens_base::Task;
use heaplens_heap::{ObjectId, Strength};

pub(crate) const COLUMNS: Columns<Item<RouteStep>> = &[&[
    heading("reference", "Reference", "Field or element through which the previous object references this one")
        .text(|step, _| step.reference.as_deref().map(Into::into)),
    headings::ID.object(|step, _| Some(step.object)),
    headings::CLASS.text(|step, from| from.class_of(step.object)),
    headings::LABEL.text(|step, from| from.label(step.object)),
]];

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

/// Steps of the path including both ends; none if there is no path.
pub fn route_table(from: TableContext<'_>, query: RouteQuery, task: &Task) -> Result<List<RouteStep>, TableError> {
    let route_objects = route(from.heap, (query.from, query.to), query.weakest, task)?.unwrap_or_default();
    Ok(step_table(named(from.heap, from.contents, &route_objects, task)?))
}

/// Table of computed steps.
pub fn step_table(steps: Vec<RouteStep>) -> List<RouteStep> {
    let table = List::new(COLUMNS, steps).with_name("steps");
    table.with_filter(|step, from, filter| filter.passes_object(from.heap, from.contents, step.object))
}
