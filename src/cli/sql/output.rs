//! Answers of queries on standard output.

use std::collections::BTreeSet;
use std::io::Write;

use serde::ser::{SerializeMap, Serializer};

use crate::cli::args::{QueryArguments, QueryForm};
use crate::cli::failure::Failure;
use crate::cli::print::Answer;
use crate::cli::verified_output::VerifiedOutput;
use heaplens_core::heap::Heap;
use heaplens_session::LoadedDump;
use heaplens_sql::{AnswerColumn, AnswerSink, ColumnRole, Database, ParquetWriter, SqlType, SqlValue};
use heaplens_tables::columns::Cell;
use heaplens_tables::export::identity::HEAPLENS;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::table::{write_csv_by, write_csv_row, write_text_by};

/// Writes rows as they are found; text needs all of them first.
pub(super) struct AnswerWriter<'a> {
    out: VerifiedOutput,
    heap: &'a Heap,
    form: QueryForm,
    most: usize,
    written: usize,
    columns: Vec<AnswerColumn>,
    keys: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// Rows of a Parquet file: the types of its columns are known after the last.
    values: Vec<Vec<SqlValue<'static>>>,
    /// Why writing failed.
    failed: Option<Failure>,
}

impl AnswerSink for AnswerWriter<'_> {
    fn begin(&mut self, columns: &[AnswerColumn]) {
        (self.keys, self.columns) = (keys(columns), columns.to_vec());
        self.failed = self.write_begin().err();
    }

    fn row(&mut self, row: Vec<SqlValue<'static>>) -> bool {
        if self.failed.is_none() && self.written < self.most {
            self.failed = self.write_row(row).err();
            self.written += 1;
        }
        self.failed.is_none() && self.written < self.most
    }
}

impl<'a> AnswerWriter<'a> {
    pub(super) fn new(out: VerifiedOutput, heap: &'a Heap, arguments: &QueryArguments) -> Self {
        let most = arguments.top.unwrap_or(usize::MAX);
        Self {
            out,
            heap,
            form: arguments.format,
            most,
            written: 0,
            columns: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            values: Vec::new(),
            failed: None,
        }
    }

    fn write_begin(&mut self) -> Answer {
        match self.form {
            QueryForm::Json => self.out.write_all(b"{\"rows\":[")?,
            QueryForm::Csv => write_csv_by(&mut self.out, self.keys.iter().map(String::as_str), std::iter::empty())?,
            QueryForm::Text | QueryForm::Parquet => {}
        }
        Ok(())
    }

    fn write_row(&mut self, row: Vec<SqlValue<'static>>) -> Answer {
        let cells = self.columns.iter().zip(&row).map(|(column, value)| column.cell(self.heap, value));
        match self.form {
            QueryForm::Json => {
                if self.written > 0 {
                    self.out.write_all(b",")?;
                }
                let mut json = serde_json::Serializer::new(&mut self.out);
                let mut entries = json.serialize_map(None)?;
                for (key, cell) in self.keys.iter().zip(cells) {
                    entries.serialize_entry(key, &cell)?;
                }
                entries.end()?;
            }
            QueryForm::Csv => write_csv_row(&mut self.out, cells)?,
            QueryForm::Text => self.rows.push(cells.collect()),
            QueryForm::Parquet => self.values.push(row),
        }
        Ok(())
    }

    /// Ends the answer.
    pub(super) fn end(mut self) -> Answer {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        match self.form {
            QueryForm::Json => self.out.write_all(b"]}\n")?,
            QueryForm::Csv => {}
            QueryForm::Parquet => {
                let file = parquet(&self.keys, &self.columns, self.values)
                    .map_err(|error| Failure::Unusable(format!("cannot write the Parquet file: {error}")))?;
                self.out.write_all(&file)?;
            }
            QueryForm::Text => {
                let titles: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
                write_text_by(Printable(&mut self.out), &titles, self.rows.into_iter())?;
            }
        }
        Ok(self.out.flush()?)
    }
}

/// A Parquet file of these rows.
fn parquet(
    keys: &[String],
    columns: &[AnswerColumn],
    rows: Vec<Vec<SqlValue<'static>>>,
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let kinds = columns.iter().enumerate().map(|(place, column)| column.kind_of(rows.iter().map(|row| &row[place])));
    let columns: Vec<(&str, SqlType)> = keys.iter().map(String::as_str).zip(kinds).collect();
    let mut file = Vec::new();
    let mut writer = ParquetWriter::new(&mut file, &columns, &[("heaplens", HEAPLENS.to_owned())])?;
    rows.into_iter().try_for_each(|row| writer.row(row.into_iter()))?;
    writer.end()?;
    Ok(file)
}

/// Names of columns, each once: a second `name` is `name_2`.
fn keys(columns: &[AnswerColumn]) -> Vec<String> {
    let mut used = BTreeSet::new();
    let key = |column: &AnswerColumn| {
        let mut key = column.name.clone();
        let mut number = 2;
        while !used.insert(key.clone()) {
            key = format!("{}_{number}", column.name);
            number += 1;
        }
        key
    };
    columns.iter().map(key).collect()
}

/// Prints all tables with their columns, and all functions.
pub(super) fn write_tables(database: &Database, dump: &LoadedDump, form: QueryForm) -> Answer {
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut rows = Vec::new();
    for table in database.tables() {
        let arguments = table.columns().iter().filter(|column| column.role == ColumnRole::Argument);
        let arguments: Vec<&str> = arguments.map(|column| &*column.name).collect();
        let name =
            if arguments.is_empty() { table.name.clone() } else { format!("{}({})", table.name, arguments.join(", ")) };
        rows.push(vec![Cell::Text(name.clone()), Cell::Nothing, Cell::Nothing, text(table.about)]);
        let columns = table.columns().iter().filter(|column| column.role != ColumnRole::Argument);
        rows.extend(
            columns.map(|column| vec![text(&name), text(&column.name), text(column.kind.word()), text(column.about)]),
        );
    }
    let functions = Database::functions().iter();
    rows.extend(functions.map(|(call, about)| vec![text(call), Cell::Nothing, text("function"), text(about)]));
    let titles = ["table", "column", "type", "definition"];
    let mut out = VerifiedOutput::of(dump);
    match form {
        QueryForm::Text | QueryForm::Parquet => write_text_by(Printable(&mut out), &titles, rows.into_iter())?,
        QueryForm::Csv => write_csv_by(&mut out, titles.into_iter(), rows.into_iter())?,
        QueryForm::Json => {
            let objects =
                rows.iter().map(|row| titles.iter().copied().zip(row).collect::<std::collections::BTreeMap<_, _>>());
            serde_json::to_writer(&mut out, &serde_json::json!({ "rows": objects.collect::<Vec<_>>() }))?;
            writeln!(out)?;
        }
    }
    Ok(out.flush()?)
}
