//! Output of rows and answers in the form that a command asks for.

use std::io::Write;

use super::args::PrintArguments;
use super::failure::Failure;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::TextFilter;
use heaplens_session::LoadedDump;
use heaplens_tables::OutputForm;
use heaplens_tables::columns::{Cell, Heading};
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::table::{write_csv, write_text};

/// Result of a command.
pub(super) type Answer = Result<(), Failure>;

pub(super) fn filter(print: &PrintArguments) -> Result<TextFilter, Failure> {
    TextFilter::parse(print.filter.as_deref().unwrap_or_default()).map_err(Failure::Usage)
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

/// Prints rows as text or CSV.
pub(super) fn print_rows(
    dump: &LoadedDump,
    print: &PrintArguments,
    columns: &[Heading],
    rows: impl Iterator<Item = Vec<Cell>>,
) -> Answer {
    let mut out = VerifiedOutput::of(dump);
    let rows = rows.take(rows_wanted(print));
    match print.format {
        OutputForm::Csv => write_csv(&mut out, columns, rows)?,
        _ => write_text(Printable(&mut out), columns, rows)?,
    }
    out.flush()?;
    Ok(())
}

pub(super) fn print_json(dump: &LoadedDump, answer: &impl serde::Serialize) -> Answer {
    let mut out = VerifiedOutput::of(dump);
    serde_json::to_writer(&mut out, answer)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}
