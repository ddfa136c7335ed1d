//! Table output: rows as aligned text, CSV or JSON objects.
//! Rows are written as they are computed, so a table of all objects needs no memory.

use std::io::{self, Write};

use super::markdown::{escaped, line, rule};
use super::printable::one_line;
use super::text_width::{ColumnSpace, GAP, TextWidth, cut_long};
use crate::columns::{Heading, Value};

/// Writes CSV with a heading row.
pub fn write_csv<'v>(
    out: impl Write,
    columns: &[Heading],
    rows: impl Iterator<Item = Vec<Value<'v>>>,
) -> io::Result<()> {
    write_csv_by(out, columns.iter().map(|column| column.key), rows)
}

/// Writes CSV with these keys.
pub fn write_csv_by<'a, 'v>(
    out: impl Write,
    keys: impl Iterator<Item = &'a str>,
    rows: impl Iterator<Item = Vec<Value<'v>>>,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(keys).map_err(plain)?;
    for row in rows {
        csv.write_record(row.iter().map(Value::csv)).map_err(plain)?;
    }
    csv.flush()
}

/// Writes one row of CSV.
pub fn write_csv_row<'v>(out: impl Write, cells: impl Iterator<Item = Value<'v>>) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(cells.map(|cell| cell.csv())).map_err(plain)?;
    csv.flush()
}

/// The cause of an error of the writer, which would hide it.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Writes a Markdown table.
pub fn write_markdown<'v>(
    mut out: impl Write,
    columns: &[Heading],
    rows: impl Iterator<Item = Vec<Value<'v>>>,
) -> io::Result<()> {
    let mut rows = rows.peekable();
    let numbers: Vec<bool> =
        rows.peek().map_or_else(|| vec![false; columns.len()], |row| row.iter().map(Value::is_number).collect());
    write!(out, "{}{}", line(columns.iter().map(|column| column.title.to_owned())), rule(numbers))?;
    rows.try_for_each(|row| write!(out, "{}", line(row.iter().map(|cell| escaped(&cell.exact())))))
}

/// Writes aligned text: text left, numbers right. Long text is cut, so that rows fit `width`.
pub fn write_text<'v>(
    out: impl Write,
    columns: &[Heading],
    rows: impl Iterator<Item = Vec<Value<'v>>>,
    width: TextWidth,
) -> io::Result<()> {
    let titles: Vec<&str> = columns.iter().map(|column| column.title).collect();
    write_text_by(out, &titles, rows, width)
}

/// Writes aligned text with these titles.
pub fn write_text_by<'v>(
    mut out: impl Write,
    titles: &[&str],
    rows: impl Iterator<Item = Vec<Value<'v>>>,
    width: TextWidth,
) -> io::Result<()> {
    let rows: Vec<Vec<Value<'v>>> = rows.collect();
    let cells = |row: &Vec<Value<'v>>| row.iter().map(|cell| cut_long(cell.exact())).collect();
    let mut texts: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let mut titles: Vec<String> = titles.iter().map(|title| cut_long(one_line(title))).collect();
    let may_cut = |row: &[Value<'v>], column: usize| matches!(row[column], Value::Text(_));
    let space = |(column, title): (usize, &String)| {
        let cells = rows.iter().zip(&texts).map(|(row, texts)| (texts[column].chars().count(), may_cut(row, column)));
        ColumnSpace::of(title.chars().count(), cells)
    };
    let widths = width.columns(&titles.iter().enumerate().map(space).collect::<Vec<_>>());
    for (column, (title, &width_of_column)) in titles.iter_mut().zip(&widths).enumerate() {
        *title = width.cut_title(title, width_of_column).into_owned();
        let names = texts.iter_mut().zip(&rows).filter(|(_, row)| may_cut(row, column));
        let mut names: Vec<&mut String> = names.map(|(texts, _)| &mut texts[column]).collect();
        width.cut_names(&mut names, width_of_column);
    }
    // A column is numeric if its cells are; in an empty table all are text.
    let numbers: Vec<bool> =
        (0..titles.len()).map(|c| !rows.is_empty() && rows.iter().all(|row| row[c].is_number())).collect();
    let line = |cells: &[String]| -> String {
        let mut line = String::new();
        for (i, text) in cells.iter().enumerate() {
            let pad = " ".repeat(widths[i].saturating_sub(text.chars().count()));
            if i > 0 {
                line.push_str(&" ".repeat(GAP));
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
    writeln!(out, "{}", line(&titles))?;
    texts.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
}
