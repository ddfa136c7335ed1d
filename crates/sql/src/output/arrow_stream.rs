//! Groups of rows as a stream of Arrow: what a program reads from a pipe without a file.
//! Rule: "Arrow Columnar Format", section "IPC Streaming Format".

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, LargeStringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::column_data::{ColumnData, Values};
use crate::value::SqlType;

/// Writes a stream of Arrow. Types are those of the Parquet files; texts may have over 2 GB in a group.
pub(super) struct ArrowStream<W: Write> {
    writer: StreamWriter<W>,
    schema: Arc<Schema>,
}

impl<W: Write> ArrowStream<W> {
    /// Begins a stream with these columns. `notes` are in its schema.
    pub(super) fn new(out: W, columns: &[(&str, SqlType)], notes: &[(&str, String)]) -> Result<Self, ArrowError> {
        let fields: Vec<Field> = columns.iter().map(|&(name, kind)| Field::new(name, data_type(kind), true)).collect();
        let notes: HashMap<String, String> =
            notes.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, notes));
        Ok(Self { writer: StreamWriter::try_new(out, &schema)?, schema })
    }

    /// Writes a group of rows, and forgets them.
    pub(super) fn group(&mut self, columns: &mut [ColumnData]) -> Result<(), ArrowError> {
        if columns.first().is_none_or(|column| column.defined.is_empty()) {
            return Ok(());
        }
        let arrays = columns.iter().map(array).collect();
        columns.iter_mut().for_each(ColumnData::clear);
        self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), arrays)?)
    }

    /// Ends the stream.
    pub(super) fn end(mut self) -> Result<(), ArrowError> {
        self.writer.finish()
    }
}

fn data_type(kind: SqlType) -> DataType {
    match kind {
        SqlType::Object | SqlType::OlderObject | SqlType::Bytes | SqlType::Integer => DataType::Int64,
        SqlType::Real => DataType::Float64,
        SqlType::Flag => DataType::Boolean,
        SqlType::Text => DataType::LargeUtf8,
    }
}

/// Values of a column, with none where a row has none.
fn array(column: &ColumnData) -> ArrayRef {
    let rows = column.defined.len();
    match &column.values {
        Values::Integers(values) => {
            let mut builder = Int64Builder::with_capacity(rows);
            by_row(column, values, |value| builder.append_option(value.copied()));
            ArrayBuilder::finish(&mut builder)
        }
        Values::Reals(values) => {
            let mut builder = Float64Builder::with_capacity(rows);
            by_row(column, values, |value| builder.append_option(value.copied()));
            ArrayBuilder::finish(&mut builder)
        }
        Values::Flags(values) => {
            let mut builder = BooleanBuilder::with_capacity(rows);
            by_row(column, values, |value| builder.append_option(value.copied()));
            ArrayBuilder::finish(&mut builder)
        }
        Values::Texts(values, _) => {
            let mut builder = LargeStringBuilder::with_capacity(rows, 0);
            by_row(column, values, |value| builder.append_option(value.and_then(|text| text.as_utf8().ok())));
            ArrayBuilder::finish(&mut builder)
        }
    }
}

/// Calls `take` for each row, with its value.
fn by_row<'v, T>(column: &ColumnData, values: &'v [T], mut take: impl FnMut(Option<&'v T>)) {
    let mut values = values.iter();
    column.defined.iter().for_each(|&is_defined| take(if is_defined == 1 { values.next() } else { None }));
}
