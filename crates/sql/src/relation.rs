//! What a table is to SQLite's planner: its columns, the conditions that it can look up itself, and its rows.

use heaplens_base::{Cancelled, Task};

use crate::value::SqlType;
use heaplens_tables::columns::{Heading, Value};
use heaplens_tables::{ColumnKind, TableError};

/// Column of a relation.
#[derive(Debug, Clone)]
pub struct SqlColumn {
    /// Name in queries.
    pub name: String,
    /// Type.
    pub kind: SqlType,
    /// What it is, in one sentence; empty for fields of classes.
    pub about: &'static str,
    /// Where `SELECT *` leaves it out.
    pub role: ColumnRole,
}

/// Role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    /// In `SELECT *`.
    Shown,
    /// Only by name: another name of a column, or one that is rarely asked for.
    Alias,
    /// Argument of a function: `path(id)`.
    Argument,
}

impl SqlColumn {
    /// A column of `SELECT *`.
    pub fn shown(name: impl Into<String>, kind: SqlType, about: &'static str) -> Self {
        Self { name: name.into(), kind, about, role: ColumnRole::Shown }
    }

    /// A column of a table that commands print, with its values.
    pub(crate) fn of_heading(heading: &Heading, kind: ColumnKind) -> Self {
        Self::shown(heading.key, kind.into(), heading.about)
    }

    /// The same with another role.
    #[must_use]
    pub fn with_role(self, role: ColumnRole) -> Self {
        Self { role, ..self }
    }
}

/// How a condition compares a column with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `=`, also each value of `IN`.
    Equal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `LIKE`
    Like,
    /// `GLOB`
    Glob,
}

impl Comparison {
    const ALL: [Self; 7] =
        [Self::Equal, Self::Less, Self::AtMost, Self::Greater, Self::AtLeast, Self::Like, Self::Glob];

    fn code(self) -> usize {
        self as usize
    }
}

/// A condition whose value is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Constraint {
    /// Place of the column.
    pub(crate) column: usize,
    /// Comparison.
    pub(crate) by: Comparison,
    /// True if the value is known when the rows are read.
    pub(crate) is_usable: bool,
}

/// Order by one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SortedBy {
    /// Place of the column.
    pub(crate) column: usize,
    /// True if the greatest value comes first.
    pub(crate) descending: bool,
    /// True if rows with equal values are in the order of their numbers.
    pub(crate) then_by_number: bool,
}

/// How a relation answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// Conditions, by their place in the question, that reading the rows gets the values of. SQLite checks them again.
    pub(crate) used: Vec<usize>,
    /// True if the rows come in the order asked for.
    pub(crate) is_sorted: bool,
    /// Estimated number of rows.
    pub(crate) rows: f64,
    /// Estimated cost: 1 is reading a row in order.
    pub(crate) cost: f64,
    /// True if there is at most one row.
    pub(crate) is_unique: bool,
}

/// A condition with its value.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// Place of the column.
    pub(crate) column: usize,
    /// Comparison.
    pub(crate) by: Comparison,
    /// Value.
    pub(crate) value: Value<'static>,
}

/// What is read: the conditions of the plan, and the order if it has one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Access {
    /// Conditions.
    pub(crate) known: Vec<Known>,
    /// Order.
    pub(crate) order: Option<SortedBy>,
}

/// Reason why rows cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RowsError {
    /// The query was cancelled, or its time is over.
    Cancelled,
    /// Message to the user.
    Message(String),
}

impl From<Cancelled> for RowsError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<TableError> for RowsError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Cancelled => Self::Cancelled,
            error => Self::Message(error.to_string()),
        }
    }
}

/// Rows, one at a time.
pub(crate) trait Rows: Send {
    /// Goes to the first or next row; false after the last.
    fn advance(&mut self) -> Result<bool, RowsError>;

    /// Number of the current row in its relation.
    fn number(&self) -> i64;

    /// Value of the current row in the column at a place.
    fn value(&self, column: usize) -> Result<Value<'_>, RowsError>;
}

/// A table of a heap.
pub(crate) trait SqlRelation: Send + Sync {
    /// Columns in the order of their places.
    fn columns(&self) -> &[SqlColumn];

    /// How rows are read under these conditions; `None` if a condition must be known and is not.
    fn plan(&self, constraints: &[Constraint], order: Option<SortedBy>) -> Option<Plan>;

    /// Rows of a plan.
    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError>;
}

/// A plan as text that SQLite keeps between planning and reading.
pub(crate) fn encode(plan: &Plan, constraints: &[Constraint], order: Option<SortedBy>) -> String {
    let conditions = plan.used.iter().filter_map(|&at| constraints.get(at));
    let mut words: Vec<String> =
        conditions.map(|constraints| format!("{} {}", constraints.column, constraints.by.code())).collect();
    if let Some(SortedBy { column, descending, .. }) = order.filter(|_| plan.is_sorted) {
        words.push(format!("{column} {}", if descending { "d" } else { "a" }));
    }
    words.join(",")
}

/// The conditions and the order of a plan that [`encode`] wrote.
pub(crate) fn decode(text: &str, mut values: impl Iterator<Item = Value<'static>>) -> Access {
    let mut access = Access::default();
    for (column, by) in text.split(',').filter_map(|word| word.split_once(' ')) {
        let Ok(column) = column.parse() else { continue };
        if let Some(&by) = by.parse().ok().and_then(|code: usize| Comparison::ALL.get(code)) {
            access.known.extend(values.next().map(|value| Known { column, by, value }));
        } else {
            // Rows with equal values are in the order of their numbers wherever a plan is sorted: nothing else to keep.
            access.order = Some(SortedBy { column, descending: by == "d", then_by_number: true });
        }
    }
    access
}
