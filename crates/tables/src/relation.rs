//! What a table is before there are rows: the command that prints it, its name in queries, its columns and its order,
//! and how its rows are computed. All of them are listed in [`RELATIONS`](crate::relations::RELATIONS).

use std::fmt;
use std::sync::Arc;

use crate::columns::{ColumnInfo, Columns, Condition, Record};
use crate::query::{RowQuery, TableError, TableResult};
use crate::{Listing, Table, TableContext};
use heaplens_base::Task;
use heaplens_heap::Heap;

/// Computes the rows of a table.
pub type Compute = fn(TableContext<'_>, &RowQuery, &Task) -> TableResult<Arc<dyn Table>>;

/// A table that commands print.
pub struct Relation {
    /// Command with the options that choose the table: `histogram --by package`.
    pub command: &'static str,
    /// Its columns, in output order, whether a dump has them or not.
    pub columns: &'static [ColumnInfo],
    /// Name in queries; `None` if they have no such table.
    pub name: Option<&'static str>,
    /// Title for people; empty if the table has parameters.
    pub title: &'static str,
    /// What it is, for queries; empty if they have no such table.
    pub about: &'static str,
    /// Listing and summary of the command, if it has no options of its own.
    pub help: Option<(Listing, &'static str)>,
    /// Key of the column that the rows are sorted by, greatest first; `None` if they have another order.
    pub order: Option<&'static str>,
    /// Dumps that have it.
    pub dumps: Dumps,
    /// True if its rows name objects, which needs a namer.
    pub names_objects: bool,
    /// Computes the rows; `None` if the table has parameters.
    pub compute: Option<Compute>,
}

/// Dumps that have a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dumps {
    /// All.
    All,
    /// Snapshots of JavaScript.
    Snapshots,
}

impl Dumps {
    /// True if a dump is one of them.
    pub fn include(self, heap: &Heap) -> bool {
        self == Self::All || heap.snapshot().is_some()
    }
}

impl Relation {
    /// A table with these columns.
    pub const fn new(command: &'static str, columns: &'static [ColumnInfo]) -> Self {
        let (name, title, about, help, order) = (None, "", "", None, None);
        let (dumps, names_objects, compute) = (Dumps::All, false, None);
        Self { command, columns, name, title, about, help, order, dumps, names_objects, compute }
    }

    /// With a title, and without parameters.
    #[must_use]
    pub const fn computed(self, title: &'static str, compute: Compute) -> Self {
        Self { title, compute: Some(compute), ..self }
    }

    /// With a name and definition in queries.
    #[must_use]
    pub const fn named(self, name: &'static str, about: &'static str) -> Self {
        Self { name: Some(name), about, ..self }
    }

    /// With rows sorted by a column, greatest first.
    #[must_use]
    pub const fn sorted_by(self, key: &'static str) -> Self {
        Self { order: Some(key), ..self }
    }

    /// With a command that has no options of its own.
    #[must_use]
    pub const fn with_help(self, listing: Listing, help: &'static str) -> Self {
        Self { help: Some((listing, help)), ..self }
    }

    /// Only in snapshots of JavaScript.
    #[must_use]
    pub const fn of_snapshots(self) -> Self {
        Self { dumps: Dumps::Snapshots, ..self }
    }

    /// With names of objects in its rows.
    #[must_use]
    pub const fn naming_objects(self) -> Self {
        Self { names_objects: true, ..self }
    }

    /// Its rows.
    ///
    /// # Errors
    /// If the dump does not have the table, the table has parameters, or the task is cancelled.
    pub fn table(&self, dump: TableContext<'_>, rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        let parameters = || TableError::InvalidQuery(format!("the table of {} has parameters", self.command));
        self.compute.ok_or_else(parameters)?(dump, rows, task)
    }

    /// The column with a key. In a constant, a key that the table does not declare is an error of the compiler.
    ///
    /// # Panics
    /// If the table has no column with this key.
    pub const fn column(&self, key: &str) -> ColumnInfo {
        column_of(self.columns, key)
    }
}

/// The column with a key.
///
/// # Panics
/// If none has this key: in a constant, that is an error of the compiler.
pub(crate) const fn column_of(columns: &[ColumnInfo], key: &str) -> ColumnInfo {
    let mut at = 0;
    while at < columns.len() {
        if is_same(columns[at].heading.key, key) {
            return columns[at];
        }
        at += 1;
    }
    panic!("the table declares no column with this key")
}

/// Two are equal if a command prints both.
impl PartialEq for Relation {
    fn eq(&self, other: &Self) -> bool {
        self.command == other.command
    }
}

impl Eq for Relation {}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Relation").field(&self.command).finish()
    }
}

/// A [`Relation`] by its command and the columns of its rows.
macro_rules! relation {
    ($command:literal, $columns:expr) => {{
        const INFOS: [$crate::ColumnInfo; $crate::relation::count($columns)] = $crate::relation::infos($columns);
        $crate::relation::Relation::new($command, &INFOS)
    }};
}
pub(crate) use relation;

/// Number of columns, without entries of JSON.
pub(crate) const fn count<K: Record>(columns: Columns<K>) -> usize {
    let (mut group, mut count) = (0, 0);
    while group < columns.len() {
        let mut at = 0;
        while at < columns[group].len() {
            count += !matches!(columns[group][at].heading.when, Condition::Json) as usize;
            at += 1;
        }
        group += 1;
    }
    count
}

/// Columns without their rows and without entries of JSON. The first is one.
pub(crate) const fn infos<K: Record, const N: usize>(columns: Columns<K>) -> [ColumnInfo; N] {
    let mut infos = [columns[0][0].info(0); N];
    let (mut group, mut index, mut nth) = (0, 0, 0);
    while group < columns.len() {
        let mut at = 0;
        while at < columns[group].len() {
            if !matches!(columns[group][at].heading.when, Condition::Json) {
                infos[nth] = columns[group][at].info(index);
                nth += 1;
            }
            at += 1;
            index += 1;
        }
        group += 1;
    }
    infos
}

/// True if two texts are equal, in constants.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
