//! Answers as Parquet and Arrow. Types of expressions are those of the values in the first group of rows.

use std::io::Write;

use super::arrow_stream::ArrowStream;
use super::column_data::ColumnData;
use super::parquet_file::{GROUP, ParquetWriter};
use super::{AnswerOutput, OutputError, keys};
use crate::answer::AnswerColumn;
use crate::answer_sink::AnswerSink;
use crate::value::{SqlType, text_bytes};
use heaplens_tables::columns::Value;

/// Texts of a group, in bytes: with more, it ends before [`GROUP`] rows.
const GROUP_TEXT: usize = 64 << 20;

/// Form of an answer for programs that read columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnarForm {
    /// A Parquet file.
    Parquet,
    /// A stream of Arrow.
    Arrow,
}

/// Writes an answer in columns. Memory holds one group of rows.
pub struct ColumnarOutput<W: Write + Send> {
    /// The output, until types are known.
    out: Option<W>,
    form: ColumnarForm,
    notes: Vec<(&'static str, String)>,
    columns: Vec<AnswerColumn>,
    keys: Vec<String>,
    /// Rows of the current group, and the size of their texts in bytes.
    rows: Vec<Vec<Value<'static>>>,
    text: usize,
    writer: Option<Writer<W>>,
    written: u64,
    failed: Option<OutputError>,
}

struct Writer<W: Write + Send> {
    kinds: Vec<SqlType>,
    to: To<W>,
}

enum To<W: Write + Send> {
    Parquet(ParquetWriter<W>),
    Arrow(ArrowStream<W>),
}

impl<W: Write + Send> ColumnarOutput<W> {
    /// Writes to `out`. Notes are in the footer of a file, or in the schema of a stream.
    pub fn new(out: W, form: ColumnarForm, notes: Vec<(&'static str, String)>) -> Self {
        Self {
            out: Some(out),
            form,
            notes,
            columns: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            text: 0,
            writer: None,
            written: 0,
            failed: None,
        }
    }

    fn write_group(&mut self) -> Result<(), OutputError> {
        if let Some(out) = self.out.take() {
            self.writer = Some(self.begin_writing(out)?);
        }
        let Some(Writer { kinds, to }) = &mut self.writer else { return Ok(()) };
        let mut group: Vec<ColumnData> = kinds.iter().map(|&kind| ColumnData::new(kind)).collect();
        for row in self.rows.drain(..) {
            self.written += 1;
            for (index, (column, value)) in group.iter_mut().zip(&row).enumerate() {
                if !column.push(value) {
                    return Err(changes_type(&self.keys[index], kinds[index], self.written));
                }
            }
        }
        self.text = 0;
        match to {
            To::Parquet(file) => file.group(group)?,
            To::Arrow(stream) => stream.group(&mut group)?,
        }
        Ok(())
    }

    fn begin_writing(&self, out: W) -> Result<Writer<W>, OutputError> {
        let values = |index: usize| self.rows.iter().filter_map(move |row| row.get(index));
        let kind = |(index, column): (usize, &AnswerColumn)| column.kind_of(values(index));
        let kinds: Vec<SqlType> = self.columns.iter().enumerate().map(kind).collect();
        let columns: Vec<(&str, SqlType)> = self.keys.iter().map(String::as_str).zip(kinds.iter().copied()).collect();
        let to = match self.form {
            ColumnarForm::Parquet => To::Parquet(ParquetWriter::new(out, &columns, &self.notes)?),
            ColumnarForm::Arrow => To::Arrow(ArrowStream::new(out, &columns, &self.notes)?),
        };
        Ok(Writer { kinds, to })
    }
}

/// SQLite has a type for each value, columns have one.
fn changes_type(key: &str, kind: SqlType, row: u64) -> OutputError {
    let first = kind.word();
    OutputError::Form(format!(
        "the column {key} is {first} at first, and row {row} has another type: CAST({key} AS TEXT)"
    ))
}

impl<W: Write + Send> AnswerSink for ColumnarOutput<W> {
    fn begin(&mut self, columns: &[AnswerColumn]) {
        (self.keys, self.columns) = (keys(columns), columns.to_vec());
    }

    fn row(&mut self, row: Vec<Value<'static>>) -> bool {
        self.text += text_bytes(&row);
        self.rows.push(row);
        if self.failed.is_none() && (self.rows.len() == GROUP || self.text >= GROUP_TEXT) {
            self.failed = self.write_group().err();
        }
        self.failed.is_none()
    }
}

impl<W: Write + Send> AnswerOutput for ColumnarOutput<W> {
    fn end(mut self: Box<Self>) -> Result<(), OutputError> {
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        // An answer without rows has its columns, too.
        self.write_group()?;
        match self.writer.map(|writer| writer.to) {
            Some(To::Parquet(file)) => drop(file.end()?),
            Some(To::Arrow(stream)) => stream.end()?,
            None => {}
        }
        Ok(())
    }
}
