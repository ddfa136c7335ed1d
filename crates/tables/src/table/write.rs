//! Writes a table: equal queries give equal bytes, in the window and on the command line.

use std::{ffi::OsStr, io::Write, path::Path};

use crate::columns::{Heading, TextPlace, Value};
use crate::export::nested::NestedWriter;
use crate::export::printable::Printable;
use crate::export::table::{write_csv, write_markdown, write_text};
use crate::{ColumnInfo, RowQuery, Table, TableContext, TableError};
use heaplens_base::{Task, Unit, named};

/// Output form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputForm {
    /// Aligned text for people.
    Text,
    /// JSON for programs.
    Json,
    /// CSV for spreadsheets.
    Csv,
    /// Markdown for tickets.
    Markdown,
    /// One HTML file, of an overview only.
    Html,
}

named!(OutputForm {
    Text = "text", "Human-readable text";
    Json = "json", "JSON";
    Csv = "csv", "Comma-separated values";
    Markdown = "markdown", "Markdown, for tickets";
    Html = "html", "One HTML file, for browsers and printing";
});

impl OutputForm {
    /// Forms of commands that print a table.
    pub const OF_TABLES: &'static [Self] = &[Self::Text, Self::Json, Self::Csv];
    /// Forms of leaks and of comparisons.
    pub const OF_FINDINGS: &'static [Self] = &[Self::Text, Self::Json, Self::Csv, Self::Markdown];
    /// Forms of the overview.
    pub const OF_OVERVIEWS: &'static [Self] = &[Self::Text, Self::Json, Self::Markdown, Self::Html];

    /// True for forms that people read: sizes have units, and long tables are cut.
    pub fn is_for_people(self) -> bool {
        self != Self::Json && !self.is_cells()
    }

    /// True for forms of rows only, with one cell per column.
    pub fn is_cells(self) -> bool {
        self == Self::Csv
    }

    /// Its files in a dialog: title and extensions.
    pub fn file_kind(self) -> (&'static str, Vec<&'static str>) {
        (self.title(), vec![self.extension()])
    }

    /// Title in file dialogs.
    fn title(self) -> &'static str {
        match self {
            Self::Text => "Plain text",
            Self::Json => "JSON",
            Self::Csv => "Comma-separated values",
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
        }
    }

    /// Usual extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Markdown => "md",
            Self::Json | Self::Csv | Self::Html => self.name(),
        }
    }

    /// Form of a file by its extension, among `forms`; otherwise the first of them.
    pub fn of_file(path: &Path, forms: &[Self]) -> Self {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_its = |form: &&Self| [form.extension(), form.name()].iter().any(|it| extension.eq_ignore_ascii_case(it));
        forms.iter().find(is_its).or(forms.first()).copied().unwrap_or(Self::Csv)
    }
}

/// Writes the queried rows as they are computed; cancelling the task ends it.
pub fn write(
    table: &dyn Table,
    dump: TableContext<'_>,
    row_query: &RowQuery,
    form: OutputForm,
    out: &mut dyn Write,
    task: &Task,
) -> Result<(), TableError> {
    let ordered = table.ordered_rows(dump, row_query, task)?;
    task.step("Writing", Unit::Rows, ordered.expected);
    let mut totals = ordered.totals;
    let rows = ordered.rows.take_while(|_| task.advance_checked(1).is_ok());
    let for_people = form.is_for_people();
    let mut columns = table.columns(dump);
    if for_people {
        columns = in_text(&columns);
    }
    let headings: Vec<Heading> = columns.iter().map(|column| column.heading).collect();
    let cells = |row: u32| -> Vec<Value<'_>> {
        let cell = |column: &ColumnInfo| {
            let cell = table.cell(dump, row as usize, column.index);
            match column.for_people {
                Some(change) if for_people => change(cell),
                _ => cell,
            }
        };
        columns.iter().map(cell).collect()
    };
    match form {
        OutputForm::Text => write_text(Printable(out), &headings, rows.map(cells), dump.width)?,
        OutputForm::Markdown => write_markdown(out, &headings, rows.map(cells))?,
        OutputForm::Csv => write_csv(out, &headings, rows.map(cells))?,
        OutputForm::Html => return Err(not_html()),
        OutputForm::Json => {
            let (list, totals_first) = table.list();
            out.write_all(b"{")?;
            if totals_first {
                for (key, cell) in totals.drain(..) {
                    write!(out, "{}:{},", json(&key)?, json(&cell)?)?;
                }
            }
            write_list(table, list, dump, rows, out)?;
            for (key, cell) in totals {
                write!(out, ",{}:{}", json(&key)?, json(&cell)?)?;
            }
            out.write_all(b"}\n")?;
        }
    }
    task.checkpoint()?;
    Ok(())
}

/// Error for a table as HTML, which only overviews are written in.
pub(crate) fn not_html() -> TableError {
    TableError::InvalidQuery("tables are not written as HTML; choose another format".to_owned())
}

/// Columns in text forms: some are omitted, some come after another.
fn in_text(columns: &[ColumnInfo]) -> Vec<ColumnInfo> {
    let index = |of: &ColumnInfo| match of.text {
        TextPlace::After(key) => {
            columns.iter().find(|column| column.key == key).map_or(of.index, |column| column.index)
        }
        TextPlace::Same | TextPlace::Omitted => of.index,
    };
    let mut shown = columns.to_vec();
    shown.retain(|column| column.text != TextPlace::Omitted);
    // Columns after another follow it: the order is stable.
    shown.sort_by_key(index);
    shown
}

/// Writes rows as a named list of JSON objects.
pub fn write_list(
    table: &dyn Table,
    list: &str,
    dump: TableContext<'_>,
    rows: impl Iterator<Item = u32>,
    out: &mut dyn Write,
) -> Result<(), TableError> {
    write!(out, "{}:[", json(&list)?)?;
    let mut nested = table.depths().map(|depths| (depths, NestedWriter::new(usize::MAX)));
    for (nth, row) in rows.enumerate() {
        if let Some((depths, nested)) = &mut nested {
            let mut text = Vec::new();
            table.write_row(dump, row as usize, nth, &mut text)?;
            text.pop_if(|last| *last == b'}');
            let depth = depths.get(row as usize).copied().unwrap_or_default();
            nested.row(depth as usize, &text, out)?;
            continue;
        }
        if nth > 0 {
            out.write_all(b",")?;
        }
        table.write_row(dump, row as usize, nth, out)?;
    }
    if let Some((_, nested)) = nested {
        nested.end(out)?;
    }
    out.write_all(b"]")?;
    Ok(())
}

fn json(value: &impl serde::Serialize) -> Result<String, TableError> {
    serde_json::to_string(value).map_err(|error| TableError::Output(error.into()))
}
