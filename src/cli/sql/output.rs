//! Answers of queries on standard output.

use std::io::Write;
use std::sync::Arc;

use crate::cli::args::QueryForm;
use crate::cli::failure::Failure;
use crate::cli::print::{Answer, text_width};
use crate::cli::verified_output::VerifiedOutput;
use heaplens_dump::Dump;
use heaplens_sql::{
    AnswerColumn, AnswerOutput, AnswerSink, ColumnRole, ColumnarForm, ColumnarOutput, Database, OutputError, TextForm,
    TextOutput,
};
use heaplens_tables::columns::Value;
use heaplens_tables::export::identity::HEAPLENS;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::table::{write_csv_by, write_text_by};

/// What a columnar file says of itself: the program that wrote it, the names of removed references, one a line, and the name
/// of the fix that they form.
pub(in crate::cli) fn file_notes(dump: &Dump) -> Vec<(&'static str, String)> {
    let cuts = dump.reduction.as_ref().map(|reduction| ("cuts", reduction.names().join("\n")));
    let fix = dump.reduction.as_ref().and_then(|reduction| Some(("fix", reduction.fix.clone()?)));
    [("heaplens", HEAPLENS.to_owned())].into_iter().chain(cuts).chain(fix).collect()
}

/// Output of an answer in a form.
pub(super) fn answer_output(out: VerifiedOutput, dump: &Dump, form: QueryForm) -> Box<dyn AnswerOutput> {
    let text =
        |out, form| Box::new(TextOutput::new(out, Some(Arc::clone(&dump.facts.heap)), form).with_width(text_width()));
    let columnar = |out, form| Box::new(ColumnarOutput::new(out, form, file_notes(dump)));
    match form {
        QueryForm::Text => text(out, TextForm::Text),
        QueryForm::Json => text(out, TextForm::Json),
        QueryForm::Csv => text(out, TextForm::Csv),
        QueryForm::Parquet => columnar(out, ColumnarForm::Parquet),
        QueryForm::Arrow => columnar(out, ColumnarForm::Arrow),
    }
}

/// Writes the first rows of an answer.
pub(in crate::cli) struct AnswerWriter {
    out: Box<dyn AnswerOutput>,
    /// Rows that are still wanted.
    wanted: usize,
}

impl AnswerWriter {
    /// Writes at most `most` rows.
    pub(in crate::cli) fn new(out: Box<dyn AnswerOutput>, most: Option<usize>) -> Self {
        Self { out, wanted: most.unwrap_or(usize::MAX) }
    }

    /// Ends the answer.
    pub(in crate::cli) fn end(self) -> Answer {
        self.out.end().map_err(|error| match error {
            OutputError::Output(error) => error.into(),
            OutputError::Form(why) => Failure::Unusable(why),
        })
    }
}

impl AnswerSink for AnswerWriter {
    fn begin(&mut self, columns: &[AnswerColumn]) {
        self.out.begin(columns);
    }

    fn row(&mut self, row: Vec<Value<'static>>) -> bool {
        if self.wanted == 0 {
            return false;
        }
        self.wanted -= 1;
        self.out.row(row) && self.wanted > 0
    }
}

/// Prints all tables with their columns, and all functions.
pub(super) fn write_tables(database: &Database, dump: &Dump, form: QueryForm) -> Answer {
    let text = |text: &str| Value::text(text.to_owned());
    let mut rows = Vec::new();
    for table in database.tables() {
        let arguments = table.columns().iter().filter(|column| column.role == ColumnRole::Argument);
        let arguments: Vec<&str> = arguments.map(|column| &*column.name).collect();
        let name =
            if arguments.is_empty() { table.name.clone() } else { format!("{}({})", table.name, arguments.join(", ")) };
        rows.push(vec![Value::text(name.clone()), Value::Null, Value::Null, text(table.about)]);
        let columns = table.columns().iter().filter(|column| column.role != ColumnRole::Argument);
        rows.extend(
            columns.map(|column| vec![text(&name), text(&column.name), text(column.kind.word()), text(column.about)]),
        );
    }
    let functions = database.functions().into_iter();
    rows.extend(functions.map(|(call, about)| vec![text(&call), Value::Null, text("function"), text(&about)]));
    let titles = ["table", "column", "type", "definition"];
    let mut out = VerifiedOutput::of(dump);
    match form {
        QueryForm::Text | QueryForm::Parquet | QueryForm::Arrow => {
            write_text_by(Printable(&mut out), &titles, rows.into_iter(), text_width())?;
        }
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
