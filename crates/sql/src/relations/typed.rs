//! The tables that commands print: the same rows under the same names of columns.

use std::sync::{Arc, Mutex, PoisonError};

use crate::relation::{Access, Asked, ColumnRole, Plan, Relation, Rows, RowsError, SortedBy, SqlColumn};
use crate::source::QuerySource;
use crate::value::SqlValue;
use heaplens_analysis::GroupBy;
use heaplens_base::Task;
use heaplens_tables::columns::{ColumnInfo, Condition};
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::query::TableError;
use heaplens_tables::{RowQuery, Table, TableKind, TableQuery, reference};

/// A table of a command: its name in queries, the command, what it is, and its rows.
struct Named(&'static str, &'static str, &'static str, fn() -> TableKind);

const TABLES: [Named; 15] = [
    Named("classes", "histogram", "Reachable objects by class", || TableKind::Classes),
    Named("packages", "histogram --by", "Reachable objects by package", || TableKind::Groups(GroupBy::Package)),
    Named("threads", "threads", "Threads", || TableKind::Threads),
    Named("strings", "strings", "Duplicate strings by value", || TableKind::Strings),
    Named("collections", "collections", "Collections by class, with their fill ratio", || TableKind::Collections),
    Named("waste", "waste", "Wasted memory by kind", || TableKind::Waste),
    Named("loaders", "loaders", "Class loaders", || TableKind::Loaders),
    Named("finalizers", "finalizers", "Objects that wait for their finalizer", || TableKind::Finalizers),
    Named("root_kinds", "roots", "GC roots by kind", || TableKind::Roots),
    Named("gaps", "gaps", "Gaps between objects by size", || TableKind::Gaps),
    Named("sites", "sites", "Allocation sites", || TableKind::Sites),
    Named("bitmaps", "bitmaps", "Android bitmaps", || TableKind::Bitmaps),
    Named("detached", "javascript --of detached", "JavaScript: detached nodes", || {
        TableKind::JavaScript(JavaScriptQuery::Detached)
    }),
    Named("closures", "javascript --of closures", "JavaScript: functions by source position", || {
        TableKind::JavaScript(JavaScriptQuery::Closures)
    }),
    Named("native_contexts", "javascript --of native-contexts", "JavaScript: native contexts", || {
        TableKind::JavaScript(JavaScriptQuery::NativeContexts)
    }),
];

/// A table of a command.
pub(crate) struct Typed {
    source: Arc<QuerySource>,
    kind: fn() -> TableKind,
    columns: Vec<SqlColumn>,
    /// Place of each column in its table.
    places: Vec<usize>,
    /// The table, once computed.
    table: Mutex<Option<Arc<dyn Table>>>,
}

/// All of them: name, description, relation.
pub(crate) fn tables(source: &Arc<QuerySource>) -> Vec<(&'static str, &'static str, Arc<dyn Relation>)> {
    let references = reference::all();
    let is_script = source.heap().snapshot().is_some();
    let has = |Named(_, command, ..): &&Named| is_script || !command.starts_with("javascript");
    let relation = |&Named(name, command, about, kind): &Named| {
        let declared = references.iter().find(|table| table.command == command);
        // The object of a group is its class loader: packages have none.
        let shows = |column: &&ColumnInfo| shows(source, column) && (name, column.heading.key) != ("packages", "id");
        let columns = declared.into_iter().flat_map(|table| &table.columns).filter(shows);
        let (columns, places) = columns.map(|column| (declare(column), column.place)).unzip();
        let relation = Typed { source: Arc::clone(source), kind, columns, places, table: Mutex::default() };
        (name, about, Arc::new(relation) as Arc<dyn Relation>)
    };
    TABLES.iter().filter(has).map(relation).collect()
}

/// True if the dump has the column; what a command has to ask for is not in a table.
fn shows(source: &QuerySource, column: &ColumnInfo) -> bool {
    let asked_for = matches!(column.heading.when, Condition::Owners | Condition::InferredRoots);
    !asked_for && (column.heading.when == Condition::SortKey || column.heading.when.holds(source.context()))
}

fn declare(column: &ColumnInfo) -> SqlColumn {
    let role = if column.heading.when == Condition::SortKey { ColumnRole::Alias } else { ColumnRole::Shown };
    SqlColumn::of_heading(&column.heading, column.kind).with_role(role)
}

impl Typed {
    fn table(&self, task: &Task) -> Result<Arc<dyn Table>, RowsError> {
        let mut known = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = &*known {
            return Ok(Arc::clone(table));
        }
        let mut from = self.source.context();
        let query = TableQuery { kind: (self.kind)(), rows: RowQuery::default() };
        if query.names_objects() {
            from.namer = Some(self.source.namer(task)?);
        }
        let table = query.table(from, task).map_err(|error| match error {
            TableError::Cancelled => RowsError::Cancelled,
            error => RowsError::Message(error.to_string()),
        })?;
        *known = Some(Arc::clone(&table));
        Ok(table)
    }
}

impl Relation for Typed {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, _asked: &[Asked], _order: Option<SortedBy>) -> Option<Plan> {
        Some(Plan { rows: 1_000.0, cost: 10_000.0, ..Plan::default() })
    }

    fn rows(&self, _access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let (source, places) = (Arc::clone(&self.source), self.places.clone());
        Ok(Box::new(TypedRows { source, places, table: self.table(task)?, next: 0 }))
    }
}

struct TypedRows {
    source: Arc<QuerySource>,
    places: Vec<usize>,
    table: Arc<dyn Table>,
    next: usize,
}

impl Rows for TypedRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        self.next += 1;
        Ok(self.next <= self.table.count())
    }

    fn number(&self) -> i64 {
        self.next as i64
    }

    fn value(&self, column: usize) -> Result<SqlValue<'_>, RowsError> {
        let (Some(row), Some(&place)) = (self.next.checked_sub(1), self.places.get(column)) else {
            return Ok(SqlValue::Null);
        };
        Ok(SqlValue::of_datum(self.source.heap(), self.table.datum(self.source.context(), row, place)))
    }
}
