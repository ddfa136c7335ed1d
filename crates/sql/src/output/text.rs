//! Answers as aligned text, JSON and CSV.

use std::io::Write;
use std::sync::Arc;

use serde::ser::{SerializeMap, Serializer};

use super::{AnswerOutput, OutputError, keys};
use crate::answer::AnswerColumn;
use crate::answer_sink::AnswerSink;
use crate::value::text_bytes;
use heaplens_base::Bytes;
use heaplens_heap::Heap;
use heaplens_tables::columns::Value;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::table::{write_csv_by, write_csv_row, write_text_by};
use heaplens_tables::export::text_width::TextWidth;

/// Largest table of aligned text, whose rows are all needed before the first is written.
const LARGEST_TEXT: Bytes = Bytes(1 << 30);

/// Form of an answer for people and scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// Aligned text.
    Text,
    /// An object with the rows.
    Json,
    /// Comma-separated values.
    Csv,
}

/// Writes an answer as text. JSON and CSV are written row by row.
pub struct TextOutput<W: Write> {
    out: W,
    heap: Option<Arc<Heap>>,
    form: TextForm,
    width: TextWidth,
    columns: Vec<AnswerColumn>,
    keys: Vec<String>,
    is_first: bool,
    /// Rows of aligned text, and their size.
    rows: Vec<Vec<Value<'static>>>,
    size: Bytes,
    failed: Option<OutputError>,
}

impl<W: Write> TextOutput<W> {
    /// Writes to `out`. The heap says how ids are written: without one, they are numbers.
    pub fn new(out: W, heap: Option<Arc<Heap>>, form: TextForm) -> Self {
        let (columns, keys, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            out,
            heap,
            form,
            width: TextWidth::Unlimited,
            columns,
            keys,
            is_first: true,
            rows,
            size: Bytes(0),
            failed: None,
        }
    }

    /// With space for a row of aligned text.
    #[must_use]
    pub fn with_width(self, width: TextWidth) -> Self {
        Self { width, ..self }
    }

    fn write_begin(&mut self) -> Result<(), OutputError> {
        match self.form {
            TextForm::Json => self.out.write_all(b"{\"rows\":[")?,
            TextForm::Csv => write_csv_by(&mut self.out, self.keys.iter().map(String::as_str), std::iter::empty())?,
            TextForm::Text => {}
        }
        Ok(())
    }

    fn write_row(&mut self, row: &[Value<'_>]) -> Result<(), OutputError> {
        let cells = self.columns.iter().zip(row).map(|(column, value)| column.cell(self.heap.as_deref(), value));
        match self.form {
            TextForm::Json => {
                if !std::mem::replace(&mut self.is_first, false) {
                    self.out.write_all(b",")?;
                }
                let mut json = serde_json::Serializer::new(&mut self.out);
                let mut entries = json.serialize_map(None).map_err(std::io::Error::from)?;
                for (key, cell) in self.keys.iter().zip(cells) {
                    entries.serialize_entry(key, &cell).map_err(std::io::Error::from)?;
                }
                SerializeMap::end(entries).map_err(std::io::Error::from)?;
            }
            TextForm::Csv => write_csv_row(&mut self.out, cells)?,
            TextForm::Text => {
                let cells: Vec<Value<'static>> = cells.map(Value::into_static).collect();
                // The cells, and about as much for their text once all are aligned.
                self.size.0 += (2 * text_bytes(row) + cells.len() * 2 * size_of::<Value<'static>>()) as u64;
                if self.size > LARGEST_TEXT {
                    let why = format!("aligned text of these rows needs more than {LARGEST_TEXT} of memory");
                    return Err(OutputError::Form(format!("{why}: use --format csv, or fewer rows")));
                }
                self.rows.push(cells);
            }
        }
        Ok(())
    }
}

impl<W: Write> AnswerSink for TextOutput<W> {
    fn begin(&mut self, columns: &[AnswerColumn]) {
        (self.keys, self.columns) = (keys(columns), columns.to_vec());
        self.failed = self.write_begin().err();
    }

    fn row(&mut self, row: Vec<Value<'static>>) -> bool {
        if self.failed.is_none() {
            self.failed = self.write_row(&row).err();
        }
        self.failed.is_none()
    }
}

impl<W: Write> AnswerOutput for TextOutput<W> {
    fn end(mut self: Box<Self>) -> Result<(), OutputError> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        match self.form {
            TextForm::Json => self.out.write_all(b"]}\n")?,
            TextForm::Csv => {}
            TextForm::Text => {
                let titles: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
                write_text_by(Printable(&mut self.out), &titles, self.rows.into_iter(), self.width)?;
            }
        }
        Ok(self.out.flush()?)
    }
}
