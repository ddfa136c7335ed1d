//! The columns of a dump as files for other tools: one Parquet file a table.

mod bulk;

use std::io::Write;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use parquet::errors::ParquetError;

use self::bulk::{Bulk, Declared};
use crate::catalog;
use crate::output::{ColumnData, GROUP, ParquetWriter};
use crate::relation::{Access, ColumnRole, RowsError, SqlRelation};
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_base::{Cancelled, Task};

/// A table to export: its name as a file, and its rows.
struct Exported {
    file: &'static str,
    rows: ExportedRows,
    /// Columns with values, which are written only on request; all of them if it has nothing else.
    values: Values,
}

/// Values in a table.
enum Values {
    None,
    Columns(&'static [&'static str]),
    All,
}

/// Computes the columns of a table for a range of objects.
type OfObjects = for<'a> fn(&Bulk<'a>, Range<usize>, &Task) -> Result<Vec<ColumnData>, RowsError>;

enum ExportedRows {
    /// A table of objects or references.
    Bulk(&'static [Declared], OfObjects),
    /// Columns of a table of queries; all but aliases if none are named.
    Table(&'static str, &'static [&'static str]),
}

const fn bulk(file: &'static str, columns: &'static [Declared], compute: OfObjects) -> Exported {
    Exported { file, rows: ExportedRows::Bulk(columns, compute), values: Values::None }
}

const fn table(file: &'static str, columns: &'static [&'static str]) -> Exported {
    Exported { file, rows: ExportedRows::Table(file, columns), values: Values::None }
}

#[expect(clippy::redundant_closure_for_method_calls, reason = "a method of `Bulk` is not general in its lifetime")]
const TABLES: [Exported; 12] = [
    bulk("objects", &bulk::OBJECTS, |bulk, rows, task| bulk.objects(rows, task)),
    bulk("references", &bulk::REFERENCES, |bulk, rows, task| bulk.references(rows, task)),
    bulk("dominators", &bulk::DOMINATORS, |bulk, rows, task| bulk.dominators(rows, task)),
    table("classes", &[]),
    table("packages", &[]),
    table("loaders", &["classes", "objects", "shallow_bytes", "retained_bytes", "duplicate_classes"]),
    table("roots", &[]),
    table("collections", &[]),
    table("waste", &["kind", "objects", "wasted_bytes"]),
    // Names of findings contain keys of maps and names of threads.
    Exported {
        file: "findings",
        rows: ExportedRows::Table("findings", &[]),
        values: Values::Columns(&["name", "cut"]),
    },
    table("statistics", &[]),
    Exported { file: "strings", rows: ExportedRows::Table("texts", &[]), values: Values::All },
];

/// Names of the tables that a dump has, as files without their ending.
pub fn exported_tables(values: bool) -> Vec<&'static str> {
    TABLES.iter().filter(|table| values || !matches!(table.values, Values::All)).map(|table| table.file).collect()
}

/// Reason why a table was not written.
#[derive(Debug)]
pub enum ExportError {
    /// Cancelled.
    Cancelled,
    /// The rows cannot be computed.
    Rows(String),
    /// The file cannot be written.
    File(ParquetError),
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Rows(why) => f.write_str(why),
            Self::File(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<ParquetError> for ExportError {
    fn from(error: ParquetError) -> Self {
        Self::File(error)
    }
}

impl From<std::io::Error> for ExportError {
    fn from(error: std::io::Error) -> Self {
        Self::File(error.into())
    }
}

impl From<Cancelled> for ExportError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<RowsError> for ExportError {
    fn from(error: RowsError) -> Self {
        match error {
            RowsError::Cancelled => Self::Cancelled,
            RowsError::Message(why) => Self::Rows(why),
        }
    }
}

/// Tables of a dump, to be written one by one or at the same time.
pub struct Export<'a> {
    source: &'a Arc<QuerySource>,
    /// What tables of objects read; only if one is written.
    bulk: OnceLock<Result<Bulk<'a>, RowsError>>,
    /// Notes in the footer of each file, such as the name of the dump.
    notes: Vec<(&'static str, String)>,
    /// True to write values.
    values: bool,
}

impl<'a> Export<'a> {
    /// Export of a dump, with notes for the footer of each file, and with values or without.
    pub fn new(source: &'a Arc<QuerySource>, notes: Vec<(&'static str, String)>, values: bool) -> Self {
        Self { source, bulk: OnceLock::new(), notes, values }
    }

    /// Writes a table of [`exported_tables`]; returns the number of rows.
    ///
    /// # Errors
    /// If the rows cannot be computed, or the file not be written.
    pub fn write(&self, file: &str, out: impl Write + Send, task: &Task) -> Result<u64, ExportError> {
        let unknown = || ExportError::Rows(format!("there is no table {file}"));
        let exported = TABLES.iter().find(|exported| exported.file == file).ok_or_else(unknown)?;
        match exported.rows {
            ExportedRows::Bulk(columns, compute) => {
                let bulk = self.bulk.get_or_init(|| Bulk::new(self.source, task));
                let bulk = bulk.as_ref().map_err(|error| ExportError::from(error.clone()))?;
                let mut writer = ParquetWriter::new(out, columns, &self.notes)?;
                let objects = self.source.heap().len();
                for begin in (0..objects).step_by(GROUP) {
                    writer.group(compute(bulk, begin..(begin + GROUP).min(objects), task)?)?;
                }
                Ok(writer.end()?)
            }
            ExportedRows::Table(name, columns) => {
                let mut all = catalog::tables(self.source).into_iter();
                let table = all.find(|table| table.name == name).ok_or_else(unknown)?;
                let left_out = match exported.values {
                    Values::Columns(columns) if !self.values => columns,
                    _ => &[],
                };
                self.write_rows(&*table.relation, (columns, left_out), out, task)
            }
        }
    }

    fn write_rows(
        &self,
        relation: &dyn SqlRelation,
        (names, left_out): (&[&str], &[&str]),
        out: impl Write + Send,
        task: &Task,
    ) -> Result<u64, ExportError> {
        let is_written = |name: &str, role: ColumnRole| {
            let is_asked = if names.is_empty() { role == ColumnRole::Shown } else { names.contains(&name) };
            is_asked && !left_out.contains(&name)
        };
        let columns = relation.columns().iter().enumerate().filter(|(_, column)| is_written(&column.name, column.role));
        let (indexes, columns): (Vec<usize>, Vec<(&str, SqlType)>) =
            columns.map(|(index, column)| (index, (&*column.name, column.kind))).unzip();
        let mut rows = relation.rows(&Access::default(), task)?;
        let mut file = ParquetWriter::new(out, &columns, &self.notes)?;
        let mut written = 0;
        while rows.advance()? {
            task.checkpoint_at(written)?;
            written += 1;
            let values = indexes.iter().map(|&index| rows.value(index)).collect::<Result<Vec<_>, RowsError>>()?;
            file.row(values.into_iter())?;
        }
        Ok(file.end()?)
    }
}
