//! Writes a comparison: heading, then owners, classes and other requested parts, in one form.

use std::{io::Write, sync::Arc};

use super::{DiffRows, OwnerChanges};
use crate::export::diff::{DocumentHeader, head_markdown, head_text, owners_markdown, owners_text, words};
use crate::export::nested::opened;
use crate::export::printable::Printable;
use crate::table::{not_html, write_list};
use crate::{OutputForm, RowQuery, Table, TableContext, TableError, write};
use heaplens_base::{Named, Task};

/// A part of the answer.
pub enum Part<'a> {
    /// Owners, each as a sentence in text forms.
    Owners(OwnerChanges<'a>),
    /// A table in all forms.
    Rows(Arc<dyn Table + 'a>),
}

/// The answer.
pub struct Difference<'a> {
    /// Heading with the dumps.
    pub head: DocumentHeader,
    /// Requested parts, in output order.
    pub parts: Vec<Part<'a>>,
    /// True if the dumps do not differ in any part.
    pub unchanged: bool,
}

impl Part<'_> {
    fn table(&self) -> &dyn Table {
        match self {
            Self::Owners(owners) => owners,
            Self::Rows(rows) => &**rows,
        }
    }

    fn title(&self) -> &'static str {
        let key = self.table().list().0;
        DiffRows::of_word(key).map_or(key, DiffRows::title)
    }

    fn has_column(&self, key: &str) -> bool {
        self.table().column(key).is_some()
    }
}

/// Writes the answer; `from` is the target. CSV contains the first part only.
pub fn write_difference(
    difference: &Difference<'_>,
    dump: TableContext<'_>,
    row_query: &RowQuery,
    form: OutputForm,
    out: &mut dyn Write,
    task: &Task,
) -> Result<(), TableError> {
    let Difference { head, parts, .. } = difference;
    let rows_by_part = rows_by_part(parts, row_query);
    let mut parts = parts.iter().zip(&rows_by_part);
    match form {
        _ if form.is_cells() => {
            parts.next().map_or(Ok(()), |(part, row_query)| write(part.table(), dump, row_query, form, out, task))
        }
        OutputForm::Json => {
            out.write_all(&opened(head)?)?;
            for (part, row_query) in parts {
                let rows = part.table().ordered_rows(dump, row_query, task)?.rows;
                out.write_all(b",")?;
                write_list(part.table(), part.table().list().0, dump, rows, out)?;
            }
            Ok(out.write_all(b"}\n")?)
        }
        OutputForm::Text => {
            let out = &mut Printable(out);
            head_text(&mut *out, head, dump.width)?;
            for_people(difference, &rows_by_part, dump, form, out, task)
        }
        OutputForm::Markdown => {
            head_markdown(&mut *out, head)?;
            for_people(difference, &rows_by_part, dump, form, out, task)
        }
        _ => Err(not_html()),
    }
}

/// Row order of each part: sorted by a column only if the part has it; an error if none has it.
fn rows_by_part(parts: &[Part<'_>], rows: &RowQuery) -> Vec<RowQuery> {
    let has = |part: &Part<'_>| rows.sort.as_ref().is_none_or(|key| part.has_column(key));
    let somewhere = parts.iter().any(has);
    let in_default_order = || RowQuery { sort: None, reverse: false, ..rows.clone() };
    parts.iter().map(|part| if somewhere && !has(part) { in_default_order() } else { rows.clone() }).collect()
}

fn for_people(
    difference: &Difference<'_>,
    rows_by_part: &[RowQuery],
    dump: TableContext<'_>,
    form: OutputForm,
    out: &mut dyn Write,
    task: &Task,
) -> Result<(), TableError> {
    if difference.unchanged {
        return Ok(writeln!(out, "\n{}", words::NOTHING_CHANGED)?);
    }
    for (part, rows_of_part) in difference.parts.iter().zip(rows_by_part) {
        let mark = if form == OutputForm::Markdown { "## " } else { "" };
        writeln!(out, "\n{mark}{}", part.title())?;
        if form == OutputForm::Markdown {
            writeln!(out)?;
        }
        let mut rows = part.table().ordered_rows(dump, rows_of_part, task)?.rows.peekable();
        if rows.peek().is_none() {
            writeln!(out, "{}", words::NO_ROWS)?;
            continue;
        }
        match part {
            Part::Owners(owners) => {
                let changes = rows.filter_map(|row| owners.change(row as usize));
                if form == OutputForm::Markdown {
                    owners_markdown(&mut *out, changes)?;
                } else {
                    owners_text(&mut *out, changes)?;
                }
            }
            Part::Rows(table) => {
                drop(rows);
                write(&**table, dump, rows_of_part, form, out, task)?;
            }
        }
    }
    Ok(())
}
