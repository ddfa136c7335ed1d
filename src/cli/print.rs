//! Output of rows and answers in the form that a command asks for.

use std::io::Write;
use std::path::Path;

use super::args::PrintArguments;
use super::failure::Failure;
use super::open::{UnclosedDump, open};
use super::verified_output::VerifiedOutput;
use heaplens_analysis::TextFilter;
use heaplens_dump::Dump;
use heaplens_platform::console;
use heaplens_tables::OutputForm;
use heaplens_tables::columns::{Heading, Value};
use heaplens_tables::export::nested::NestedWriter;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::table::{write_csv, write_text};
use heaplens_tables::export::text_width::TextWidth;
use heaplens_tables::query::RowFilter;

/// Result of a command.
pub(super) type Answer = Result<(), Failure>;

/// Space of aligned text on standard output: that of the terminal, if it is one.
pub(super) fn text_width() -> TextWidth {
    console::output_columns().map_or(TextWidth::Unlimited, TextWidth::Terminal)
}

/// Filter of rows: words and conditions on numbers.
pub(super) fn row_filter(text: Option<&str>) -> Result<RowFilter, Failure> {
    RowFilter::parse(text.unwrap_or_default()).map_err(Failure::Usage)
}

pub(super) fn filter(print: &PrintArguments) -> Result<RowFilter, Failure> {
    row_filter(print.filter.as_deref())
}

/// Filter of an answer that has no columns of numbers.
pub(super) fn text_filter(text: Option<&str>) -> Result<TextFilter, Failure> {
    let filter = row_filter(text)?;
    match filter.numbers.first() {
        Some(condition) => Err(Failure::Usage(condition.position(&[]).err().unwrap_or_default())),
        None => Ok(filter.text),
    }
}

/// Opens a dump to print its rows. A filter that cannot be parsed is reported before; a condition on a number that the
/// table does not have, with the table.
pub(super) fn open_filtered(file: &Path, print: &PrintArguments) -> Result<(UnclosedDump, RowFilter), Failure> {
    let filter = filter(print)?;
    Ok((open(file, &print.open)?.0, filter))
}

/// Maximum number of rows to print.
pub(super) fn rows_wanted(print: &PrintArguments) -> usize {
    print.top.unwrap_or(if print.format == OutputForm::Text { 50 } else { usize::MAX })
}

/// Maximum number of tree levels that text indents; deeper rows keep that indentation.
const INDENTED: usize = 40;

/// Indentation of a tree row in text.
pub(super) fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(INDENTED))
}

/// A tree row in text, with its first cell indented.
pub(super) fn indented(mut cells: Vec<Value<'_>>, depth: usize) -> Vec<Value<'_>> {
    if let Some(first) = cells.first_mut()
        && let Some(text) = first.words().map(|words| indent(depth) + &words)
    {
        *first = Value::text(text);
    }
    cells
}

/// Prints all rows as text or CSV.
pub(super) fn print_rows<'v>(
    dump: &Dump,
    form: OutputForm,
    columns: &[Heading],
    rows: impl Iterator<Item = Vec<Value<'v>>>,
) -> Answer {
    let mut out = VerifiedOutput::in_form(dump, form);
    match form {
        OutputForm::Csv => write_csv(&mut out, columns, rows)?,
        _ => write_text(Printable(&mut out), columns, rows, text_width())?,
    }
    Ok(out.flush()?)
}

/// Prints a tree as nested JSON objects, from the depth and the unclosed JSON object of each row.
pub(super) fn print_tree(
    dump: &Dump,
    levels: usize,
    rows: impl Iterator<Item = Result<(usize, Vec<u8>), Failure>>,
) -> Answer {
    let mut out = VerifiedOutput::in_form(dump, OutputForm::Json);
    out.write_all(b"{\"rows\":[")?;
    let mut nested = NestedWriter::new(levels);
    for row in rows {
        let (depth, opened) = row?;
        nested.row(depth, &opened, &mut out)?;
    }
    nested.end(&mut out)?;
    out.write_all(b"]}\n")?;
    Ok(out.flush()?)
}

pub(super) fn print_json(dump: &Dump, answer: &impl serde::Serialize) -> Answer {
    let mut out = VerifiedOutput::in_form(dump, OutputForm::Json);
    serde_json::to_writer(&mut out, answer)?;
    writeln!(out)?;
    Ok(out.flush()?)
}
