//! The shortest path between two objects.

use std::sync::Arc;

use crate::columns::{Columns, Item, heading, headings};
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::{Relation, relation};
use crate::{List, Table, TableContext, TableError};
use heaplens_analysis::route::{RouteStep, named, route};
use heaplens_base::{Named, Task};
use heaplens_heap::{Heap, ObjectId, Rules, Strength};
use heaplens_session::OpenSettings;

pub(crate) const COLUMNS: Columns<Item<RouteStep>> = &[&[
    heading("reference", "Reference", "Field or element through which the previous object references this one")
        .text(|step, _| step.reference.as_deref().map(Into::into)),
    headings::ID.object(|step, _| Some(step.object)),
    headings::CLASS.text(|step, dump| dump.class_of(step.object)),
    headings::LABEL.text(|step, dump| dump.label(step.object)),
]];

/// Path between two objects.
pub const ROUTE: Relation = relation!("route", COLUMNS);

/// Query for a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteQuery {
    /// Start of the path.
    pub from: ObjectId,
    /// End of the path.
    pub to: ObjectId,
    /// Weakest reference strength to follow; `None` for all.
    pub min_strength: Option<Strength>,
}

impl TableKind for RouteQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(&ROUTE)
    }

    fn table(&self, dump: TableContext<'_>, _rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        Ok(Arc::new(route_table(dump, *self, task)?))
    }

    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        // The options of the opened dump include a strength too: it is the same option.
        let rules = Rules { min_strength: Strength::Phantom, ..opened.rules };
        let line = Question::new("route", &OpenSettings { rules, ..opened.clone() });
        let line = line.argument(heap.id_text(self.from)).argument(heap.id_text(self.to));
        line.some("strength", self.min_strength.map(Named::word))
    }

    /// A path is printed from its start.
    fn command_rows(&self, rows: &RowQuery) -> RowQuery {
        let top = rows.top.map(|top| top.saturating_add(rows.skip));
        RowQuery { skip: 0, top, ..rows.clone() }
    }
}

/// Steps of the path including both ends; none if there is no path.
pub fn route_table(dump: TableContext<'_>, query: RouteQuery, task: &Task) -> Result<List<RouteStep>, TableError> {
    let route_objects = route(dump.heap, (query.from, query.to), query.min_strength, task)?.unwrap_or_default();
    Ok(step_table(named(dump.data(), &route_objects, task)?))
}

/// Table of computed steps.
pub fn step_table(steps: Vec<RouteStep>) -> List<RouteStep> {
    let table = List::new(COLUMNS, steps).with_name("steps");
    table.with_filter(|step, dump, filter| filter.passes_object(dump.data(), step.object))
}
