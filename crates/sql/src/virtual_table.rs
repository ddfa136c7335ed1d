//! Relations as virtual tables of SQLite.

#![expect(
    unsafe_code,
    reason = "SQLite finds its own part of a table and of a cursor at their address: they begin with it"
)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::vtab::{
    Context, CreateVTab, Filters, IndexConstraintOp, IndexFlags, IndexInfo, VTab, VTabConnection, VTabCursor, VTabKind,
    sqlite3_vtab, sqlite3_vtab_cursor,
};
use rusqlite::{
    Error, Result,
    types::{ToSqlOutput, ValueRef},
};

use crate::relation::{
    Access, ColumnRole, Comparison, Constraint, Rows, RowsError, SortedBy, SqlColumn, SqlRelation, decode, encode,
};
use crate::value::{SqlType, sql_form};
use heaplens_base::Task;
use heaplens_tables::columns::Value;

/// A relation, and true if it is of the older of two dumps.
type OfDump = (Arc<dyn SqlRelation>, bool);

/// Relations by number: the argument of the statement that creates a table.
#[derive(Clone, Default)]
pub(crate) struct RelationList {
    list: Arc<Mutex<Vec<OfDump>>>,
    task: Arc<Mutex<Task>>,
}

impl RelationList {
    /// Adds a relation, of the older of two dumps or not; returns its number.
    pub(crate) fn add(&self, relation: Arc<dyn SqlRelation>, is_older: bool) -> usize {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        list.push((relation, is_older));
        list.len() - 1
    }

    /// Sets the task of the queries from now on.
    pub(crate) fn set_task(&self, task: &Task) {
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = task.clone();
    }

    fn get(&self, number: usize) -> Option<OfDump> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).get(number).cloned()
    }

    /// Task of the current query.
    pub(crate) fn task(&self) -> Task {
        self.task.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A relation in a database.
#[repr(C)]
pub(crate) struct VirtualTable {
    base: sqlite3_vtab,
    relation: Arc<dyn SqlRelation>,
    list: RelationList,
}

/// Reads the rows of a relation.
#[repr(C)]
pub(crate) struct VirtualCursor {
    base: sqlite3_vtab_cursor,
    relation: Arc<dyn SqlRelation>,
    task: Task,
    /// The current row; `None` before the first and after the last.
    rows: Option<Box<dyn Rows>>,
}

// SAFETY: `VirtualTable` has the layout of C and begins with SQLite's part.
unsafe impl VTab<'_> for VirtualTable {
    type Aux = RelationList;
    type Cursor = VirtualCursor;

    fn connect(
        _db: &mut VTabConnection,
        list: Option<&RelationList>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        arguments: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let number = arguments.first().and_then(|text| std::str::from_utf8(text).ok()?.trim().parse().ok());
        let relation_of = list.and_then(|list| Some((list.clone(), list.get(number?)?)));
        let (list, (relation, is_older)) =
            relation_of.ok_or_else(|| Error::ModuleError("no such relation".to_owned()))?;
        let declared = CString::new(declaration(&*relation, is_older)).map_err(Error::NulError)?;
        Ok((Cow::Owned(declared), Self { base: sqlite3_vtab::default(), relation, list }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let mut positions = Vec::new();
        let mut constraints = Vec::new();
        for (index, constraint) in info.constraints().enumerate() {
            let (Ok(column), Some(by)) = (usize::try_from(constraint.column()), comparison(&constraint.operator()))
            else {
                continue;
            };
            // Other collations are SQLite's.
            let is_compared = !matches!(by, Comparison::Like | Comparison::Glob);
            if is_compared && info.collation(index).is_ok_and(|collation| collation != "BINARY") {
                continue;
            }
            positions.push(index);
            constraints.push(Constraint { column, by, is_usable: constraint.is_usable() });
        }
        let order = order_of(info);
        let Some(plan) = self.relation.plan(&constraints, order) else { return Ok(false) };
        for (argument, index) in (1..).zip(plan.used.iter().filter_map(|&at| positions.get(at))) {
            info.constraint_usage(*index).set_argv_index(argument);
        }
        info.set_idx_str(&encode(&plan, &constraints, order));
        info.set_order_by_consumed(plan.is_sorted);
        info.set_estimated_cost(plan.cost);
        info.set_estimated_rows(plan.rows.max(1.0) as i64);
        if plan.is_unique {
            info.set_idx_flags(IndexFlags::SQLITE_INDEX_SCAN_UNIQUE);
        }
        Ok(true)
    }

    fn open(&mut self) -> Result<VirtualCursor> {
        let (relation, task) = (Arc::clone(&self.relation), self.list.task());
        Ok(VirtualCursor { base: sqlite3_vtab_cursor::default(), relation, task, rows: None })
    }
}

impl CreateVTab<'_> for VirtualTable {
    const KIND: VTabKind = VTabKind::Default;
}

// SAFETY: `VirtualCursor` has the layout of C and begins with SQLite's part.
unsafe impl VTabCursor for VirtualCursor {
    fn filter(&mut self, _number: c_int, plan: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        let mut access: Access = decode(plan.unwrap_or_default(), arguments.iter().map(owned));
        for known in &mut access.known {
            let column = self.relation.columns().get(known.column);
            // SQLite compares ids as numbers, whatever the query writes.
            if column.is_some_and(|column| column.kind.is_id() && column.role != ColumnRole::Argument) {
                known.value = as_number(&known.value);
            }
        }
        self.rows = Some(self.relation.rows(&access, &self.task).map_err(to_sqlite)?);
        self.next()
    }

    fn next(&mut self) -> Result<()> {
        if let Some(rows) = &mut self.rows
            && !rows.advance().map_err(to_sqlite)?
        {
            self.rows = None;
        }
        Ok(())
    }

    fn eof(&self) -> bool {
        self.rows.is_none()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let (Some(rows), Ok(column)) = (&self.rows, usize::try_from(column)) else { return Ok(()) };
        let value = rows.value(column).map_err(to_sqlite)?;
        context.set_result(ToSqlOutput::Borrowed(sql_form(&value)))
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.rows.as_ref().map_or(0, |rows| rows.number()))
    }
}

/// Statement that declares the columns of a relation.
fn declaration(relation: &dyn SqlRelation, is_older: bool) -> String {
    let column = |column: &SqlColumn| {
        let hidden = if column.role == ColumnRole::Shown { "" } else { " HIDDEN" };
        let kind = if is_older && column.kind == SqlType::Object { SqlType::OlderObject } else { column.kind };
        format!("{} {}{hidden}", quoted(&column.name), kind.word())
    };
    let columns: Vec<String> = relation.columns().iter().map(column).collect();
    format!("CREATE TABLE x({})", columns.join(", "))
}

/// A name in double quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\0', "").replace('"', "\"\""))
}

/// The order that SQLite asks for: by a column, or by a column and then by row number.
fn order_of(info: &IndexInfo) -> Option<SortedBy> {
    let mut terms = info.order_bys();
    let first = terms.next()?;
    let (column, descending) = (usize::try_from(first.column()).ok()?, first.is_order_by_desc());
    let then_by_number = match terms.next() {
        None => false,
        // The row number has no column.
        Some(second) if second.column() < 0 && !second.is_order_by_desc() => true,
        Some(_) => return None,
    };
    terms.next().is_none().then_some(SortedBy { column, descending, then_by_number })
}

fn comparison(by: &IndexConstraintOp) -> Option<Comparison> {
    Some(match by {
        IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ => Comparison::Equal,
        IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_LT => Comparison::Less,
        IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_LE => Comparison::AtMost,
        IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_GT => Comparison::Greater,
        IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_GE => Comparison::AtLeast,
        IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_LIKE => Comparison::Like,
        IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_GLOB => Comparison::Glob,
        _ => return None,
    })
}

/// A value of SQLite; bytes are no value of a heap.
pub(crate) fn owned(value: ValueRef<'_>) -> Value<'static> {
    match value {
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
    }
}

/// The whole number that a value is compared as; null if it is none.
fn as_number(value: &Value<'_>) -> Value<'static> {
    let of_real = |real: f64| {
        let is_whole = real.fract() == 0.0 && real.abs() < 9e18;
        if is_whole { Value::Integer(real as i64) } else { Value::Null }
    };
    match value {
        Value::Integer(number) => Value::Integer(*number),
        Value::Real(real) => of_real(*real),
        Value::Text(text) => match text.trim().parse() {
            Ok(number) => Value::Integer(number),
            Err(_) => text.trim().parse().map_or(Value::Null, of_real),
        },
        // SQLite has no other values.
        _ => Value::Null,
    }
}

fn to_sqlite(error: RowsError) -> Error {
    match error {
        RowsError::Cancelled => Error::ModuleError("cancelled".to_owned()),
        RowsError::Message(message) => Error::ModuleError(message),
    }
}
