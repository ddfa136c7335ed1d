//! Table output: rows as aligned text, CSV or JSON objects.
//! Rows are written as they are computed, so a table of all objects needs no memory.

use std::io::{self, Write};

use super::markdown::{escaped, line, rule};
use crate::columns::{Cell, Heading};

/// Writes CSV with a heading row.
pub fn write_csv(out: impl Write, columns: &[Heading], rows: impl Iterator<Item = Vec<Cell>>) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    // The writer's own error would hide the cause in `out`.
    let plain = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    };
    csv.write_record(columns.iter().map(|c| c.key)).map_err(plain)?;
    for row in rows {
        csv.write_record(row.iter().map(Cell::for_csv)).map_err(plain)?;
    }
    csv.flush()
}

/// Writes a Markdown table.
pub fn write_markdown(
    mut out: impl Write,
    columns: &[Heading],
    rows: impl Iterator<Item = Vec<Cell>>,
) -> io::Result<()> {
    let mut rows = rows.peekable();
    let numbers: Vec<bool> =
        rows.peek().map_or_else(|| vec![false; columns.len()], |row| row.iter().map(Cell::is_number).collect());
    write!(out, "{}{}", line(columns.iter().map(|column| column.title.to_owned())), rule(numbers))?;
    rows.try_for_each(|row| write!(out, "{}", line(row.iter().map(|cell| escaped(&cell.for_people())))))
}

/// Maximum column width in characters; longer text shifts the rest of its row.
const WIDEST: usize = 120;

/// Writes aligned text: text left, numbers right.
pub fn write_text(mut out: impl Write, columns: &[Heading], rows: impl Iterator<Item = Vec<Cell>>) -> io::Result<()> {
    let rows: Vec<Vec<Cell>> = rows.collect();
    let mut widths: Vec<usize> = columns.iter().map(|c| c.title.chars().count()).collect();
    let texts: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(Cell::for_people).collect()).collect();
    for row in &texts {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(text.chars().count().min(WIDEST));
        }
    }
    // A column is numeric if its cells are; in an empty table all are text.
    let numbers: Vec<bool> =
        (0..columns.len()).map(|c| !rows.is_empty() && rows.iter().all(|row| row[c].is_number())).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| -> String {
        let mut line = String::new();
        for (i, text) in cells.enumerate() {
            let pad = " ".repeat(widths[i].saturating_sub(text.chars().count()));
            if i > 0 {
                line.push_str("  ");
            }
            if numbers[i] {
                line.push_str(&pad);
                line.push_str(text);
            } else {
                line.push_str(text);
                line.push_str(&pad);
            }
        }
        line.truncate(line.trim_end().len());
        line
    };
    writeln!(out, "{}", line(&mut columns.iter().map(|c| c.title)))?;
    for row in &texts {
        writeln!(out, "{}", line(&mut row.iter().map(String::as_str)))?;
    }
    Ok(())
}
