//! A level of the dominator tree: the children of an object.

use std::io::{self, Write};

use super::objects::order_of;
use super::{OrderedRows, RowQuery, Table, TableError, optional};
use crate::export::columns;
use crate::export::json::DominatorRow;
use crate::export::parts;
use crate::export::table::{Cell, Column};
use crate::export::table_context::TableContext;
use heaplens_analysis::dominator_tree::{LevelOrder, level};
use heaplens_analysis::filter::{ObjectFilter, TextFilter};
use heaplens_analysis::unreachable::Unreachable;
use heaplens_base::task::Task;
use heaplens_base::units::Share;
use heaplens_core::heap::ids::ObjectId;

/// The columns.
pub const COLUMNS: [Column; 8] = [
    columns::ID,
    columns::CLASS,
    columns::LABEL,
    columns::SHALLOW,
    columns::RETAINED,
    columns::SHARE_OF_RETAINED,
    columns::DOMINATED,
    columns::OWNER,
];

/// Shown columns: owners only on request.
pub fn columns(owner: bool) -> &'static [Column] {
    if owner { &COLUMNS } else { &COLUMNS[..COLUMNS.len() - 1] }
}

/// Children of an object, largest retained size first. The row number is the object's.
#[derive(Default)]
pub struct Level {
    /// The object; `None`: the virtual root.
    pub of: Option<ObjectId>,
    /// Only objects whose class name contains this text.
    pub of_class: TextFilter,
    /// Only objects of these classes.
    pub only: Option<Unreachable>,
    /// True to add the owner of each object.
    pub owner: bool,
}

impl Level {
    /// The objects in an order, filtered by class only.
    ///
    /// # Errors
    /// [`TableError::Cancelled`] if the task is cancelled.
    pub fn objects(
        &self,
        from: TableContext<'_>,
        order: (LevelOrder, bool),
        task: &Task,
    ) -> Result<Vec<ObjectId>, TableError> {
        let passing = ObjectFilter::new(from.heap, &self.of_class);
        Ok(level(from.heap, from.analysis, self.of, |object| passing.has(object), order, task)?)
    }
}

/// The cells of an object.
pub fn cell(from: TableContext<'_>, object: ObjectId, column: usize) -> Cell {
    let TableContext { heap, contents, analysis, .. } = from;
    match column {
        0 => Cell::Text(heap.id_text(object)),
        1 => Cell::Text(heap.class(object).name.to_string()),
        2 => optional(contents.label(heap, object)),
        3 => Cell::Size(heap.shallow(object)),
        4 => Cell::Size(analysis.retained(object)),
        5 => Cell::Share(Share::of(analysis.retained(object), analysis.shown.shallow)),
        6 => Cell::Count(analysis.dominated_count(object)),
        place if place >= parts::FIRST => parts::of_object(heap, analysis, object, place),
        _ => optional(from.owner(object)),
    }
}

impl Table for Level {
    fn columns(&self) -> &'static [Column] {
        columns(self.owner)
    }

    fn optional_columns(&self, from: TableContext<'_>) -> Vec<(usize, Column)> {
        parts::columns(from)
    }

    fn count(&self) -> usize {
        0
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        ObjectId::new(row).map_or(Cell::Nothing, |object| cell(from, object, column))
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        ObjectId::new(row).is_some_and(|object| filter.passes_object(from.heap, from.contents, object))
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let Some(object) = ObjectId::new(row) else { return Ok(()) };
        let mut shown = DominatorRow::new(from, object);
        shown.owner = self.owner.then(|| from.owner(object));
        serde_json::to_writer(out, &shown)?;
        Ok(())
    }

    fn arranged<'a>(
        &'a self,
        from: TableContext<'a>,
        how: &RowQuery,
        task: &Task,
    ) -> Result<OrderedRows<'a>, TableError> {
        let filter = how.pattern()?;
        let order = how.sort.as_deref().map_or(Ok(LevelOrder::Retained), |key| sort_of(from, key))?;
        let mut objects = self.objects(from, (order, how.reverse), task)?;
        if let Some(only) = &self.only {
            objects.retain(|&object| only.contains(object));
        }
        let expected = objects.len() as u64;
        let rows = objects.into_iter().map(ObjectId::raw);
        let passing = rows.filter(move |&row| filter.is_empty() || self.passes(from, row as usize, &filter));
        Ok(OrderedRows { rows: how.part(passing), totals: Vec::new(), expected })
    }
}

/// Sort order of a column of the tree.
///
/// # Errors
/// A message that lists the available columns.
pub fn sort_of(from: TableContext<'_>, key: &str) -> Result<LevelOrder, TableError> {
    // Share sorts like retained size.
    if key == "share" { Ok(LevelOrder::Retained) } else { order_of(from, key) }
}
