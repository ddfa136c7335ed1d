//! The shortest path between two objects.

use crate::columns::{Columns, Item, heading, headings};
use crate::export::table_context::TableContext;
use crate::table::RowOf;
use crate::{TableError, TypedTable};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::route::{RouteStep, named, route};
use heaplens_base::task::Task;
use heaplens_core::heap::classes::Strength;
use heaplens_core::heap::ids::ObjectId;

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

impl TypedTable for Route {
    type Record = Item<RouteStep>;

    fn columns(&self) -> Columns<Self::Record> {
        COLUMNS
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.0.get(row)
    }

    fn passes(&self, from: TableContext<'_>, step: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.passes_object(from.heap, from.contents, step.object)
    }

    fn list(&self) -> (&'static str, bool) {
        ("steps", false)
    }
}
