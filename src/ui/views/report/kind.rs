//! Kind of report: what differs between reports that share one view.

use std::sync::Arc;

use crate::ui::ViewContext;
use crate::ui::widgets::{Column, Row};
use heaplens_base::{Bytes, Task};
use heaplens_session::open_dump::selection::Listing;
use heaplens_session::{JobError, OpenDump};
use heaplens_tables::columns::{Condition, Value};
use heaplens_tables::relation::Relation;
use heaplens_tables::reports::rows::Rows;
use heaplens_tables::{ColumnInfo, RowTarget};

/// Kind of report: columns, texts and the job that computes it.
pub struct Kind {
    /// Name for screen readers and messages.
    pub name: &'static str,
    /// Layout of its columns; the first is the name of a row. Other columns of the table follow with a usual layout, so
    /// that a new one needs no entry.
    pub columns: &'static [Column],
    /// Keys of the columns of the table that it does not show, separated by spaces.
    pub hidden: &'static str,
    /// Key of the column that the rows are sorted by at first, greatest first.
    pub sorted: Option<&'static str>,
    /// Placeholder of the filter.
    pub filter: &'static str,
    /// Title and explanation of the empty state.
    pub nothing: (&'static str, &'static str),
    /// Table of the top-level rows; `None` if the rows define it.
    pub relation: Option<&'static Relation>,
    /// Computes the rows.
    pub make: fn(&OpenDump, &Task) -> Result<Rows, JobError>,
    /// True if a command prints just these rows, in this order and with this filter.
    pub is_command: bool,
    /// True if rows are classes and the cursor is on the selected one, whether an object of it is selected or not.
    pub follows_class: bool,
    /// True if the label of an object, such as the name of a thread, comes before its class.
    pub label_first: bool,
    /// Adapts the layout to the columns that the dump has.
    pub fit: fn(&mut [Column]),
    /// Draws a row; `None` for the usual drawing.
    pub draw: Option<fn(&mut Row<'_>, &mut ViewContext<'_>, &NamedCells<'_>)>,
    /// Objects of selected rows; `None` for those that the rows lead to.
    pub listing: Option<fn(&OpenDump, &[NamedCells<'_>]) -> Listing>,
    /// Objects behind one selected row at the top, which has no object of its own.
    pub group: Option<fn(&OpenDump, &NamedCells<'_>) -> Option<Listing>>,
}

/// Values of a top-level row by key.
#[derive(Debug, Clone, Copy)]
pub struct NamedCells<'a> {
    /// The columns.
    pub columns: &'a [Column],
    /// Values by column.
    pub values: &'a [Value<'static>],
    /// What the row leads to.
    pub target: RowTarget,
    /// Bytes that fill a bar.
    pub total: Bytes,
}

impl<'a> NamedCells<'a> {
    /// Columns with their indices and values.
    pub fn cells(&self) -> impl Iterator<Item = (usize, &'a Column, &'a Value<'static>)> {
        self.columns.iter().zip(self.values).enumerate().map(|(index, (column, value))| (index, column, value))
    }

    /// Value in the column with a key.
    pub fn value(&self, key: &str) -> &'a Value<'static> {
        self.cells().find(|(_, column, _)| column.key == key).map_or(&Value::Null, |(.., value)| value)
    }
}

impl Kind {
    /// A report of a table, which has its title and order. Without texts for the filter and the empty state.
    pub const fn of(
        relation: &'static Relation,
        columns: &'static [Column],
        make: fn(&OpenDump, &Task) -> Result<Rows, JobError>,
    ) -> Self {
        Self { sorted: relation.order, relation: Some(relation), ..Self::new(relation.title, columns, make) }
    }

    /// A report of rows that define their table. Without texts for the filter and the empty state.
    pub const fn new(
        name: &'static str,
        columns: &'static [Column],
        make: fn(&OpenDump, &Task) -> Result<Rows, JobError>,
    ) -> Self {
        Self {
            name,
            columns,
            hidden: "",
            sorted: None,
            filter: "",
            nothing: ("", ""),
            relation: None,
            make,
            is_command: false,
            follows_class: false,
            label_first: false,
            fit: |_| {},
            draw: None,
            listing: None,
            group: None,
        }
    }

    /// The columns of a report of a table that has these: those with a layout, and the others.
    pub fn columns_of(&self, table: &[ColumnInfo]) -> Vec<Column> {
        let mut columns = self.columns.to_vec();
        if table.is_empty() {
            return columns;
        }
        for column in columns.iter_mut().skip(1) {
            column.absent |= !column.key.is_empty() && table.iter().all(|declared| declared.key != column.key);
        }
        // Columns of several dumps are drawn as one line.
        let is_further = |declared: &&ColumnInfo| {
            let is_known = |key: &str| self.hides(key) || self.columns.iter().any(|column| column.key == key);
            !matches!(declared.when, Condition::Dump(_) | Condition::SortKey) && !is_known(declared.key)
        };
        columns.extend(table.iter().filter(is_further).map(|declared| Column::with_default_layout(*declared)));
        (self.fit)(&mut columns);
        columns
    }

    /// True if it does not show the column of its table with a key.
    pub fn hides(&self, key: &str) -> bool {
        self.hidden.split_whitespace().any(|hidden| hidden == key)
    }

    /// Hidden keys that the table does not declare, or that have a layout.
    #[cfg(test)]
    pub fn unknown_hidden(&self, declared: &[ColumnInfo]) -> Vec<&'static str> {
        let is_known = |key: &&str| declared.iter().any(|column| column.key == *key);
        let is_laid_out = |key: &&str| self.columns.iter().any(|column| column.key == *key);
        self.hidden.split_whitespace().filter(|key| !is_known(key) || is_laid_out(key)).collect()
    }

    /// Initial order: index of the sort column, and true for descending.
    pub fn initial_sort(&self) -> Option<(usize, bool)> {
        let key = self.sorted?;
        Some((self.columns.iter().position(|column| column.key == key)?, true))
    }
}

/// Computes the rows of a report that depends on more than its kind.
pub type ReportJob = Arc<dyn Fn(&OpenDump, &Task) -> Result<Rows, JobError> + Send + Sync>;

/// Filter for rows with changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GrowthFilter {
    /// All.
    #[default]
    All,
    /// Rows that grew.
    Grown,
    /// Rows that grew in every interval.
    GrownEveryTime,
}
