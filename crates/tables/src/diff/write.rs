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
    from: TableContext<'_>,
    how: &RowQuery,
    form: OutputForm,
    out: &mut dyn Write,
    task: &Task,
) -> Result<(), TableError> {
    let Difference { head, parts, .. } = difference;
    let hows = hows(parts, how);
    let mut parts = parts.iter().zip(&hows);
    match form {
        _ if form.is_cells() => {
            parts.next().map_or(Ok(()), |(part, how)| write(part.table(), from, how, form, out, task))
        }
        OutputForm::Json => {
            out.write_all(&opened(head)?)?;
            for (part, how) in parts {
                let rows = part.table().ordered_rows(from, how, task)?.rows;
                out.write_all(b",")?;
                write_list(part.table(), part.table().list().0, from, rows, out)?;
            }
            Ok(out.write_all(b"}\n")?)
        }
        OutputForm::Text => {
            let out = &mut Printable(out);
            head_text(&mut *out, head)?;
            for_people(difference, &hows, from, form, out, task)
        }
        OutputForm::Markdown => {
            head_markdown(&mut *out, head)?;
            for_people(difference, &hows, from, form, out, task)
        }
        _ => Err(not_html()),
    }
}

/// Row order of each part: sorted by a column only if the part has it; an error if none has it.
fn hows(parts: &[Part<'_>], how: &RowQuery) -> Vec<RowQuery> {
    let has = |part: &Part<'_>| how.sort.as_ref().is_none_or(|key| part.has_column(key));
    let somewhere = parts.iter().any(has);
    let usual = || RowQuery { sort: None, reverse: false, ..how.clone() };
    parts.iter().map(|part| if somewhere && !has(part) { usual() } else { how.clone() }).collect()
}

fn for_people(
    difference: &Difference<'_>,
    hows: &[RowQuery],
    from: TableContext<'_>,
    form: OutputForm,
    out: &mut dyn Write,
    task: &Task,
) -> Result<(), TableError> {
    if difference.unchanged {
        return Ok(writeln!(out, "\n{}", words::NOTHING_CHANGED)?);
    }
    for (part, how) in difference.parts.iter().zip(hows) {
        let mark = if form == OutputForm::Markdown { "## " } else { "" };
        writeln!(out, "\n{mark}{}", part.title())?;
        if form == OutputForm::Markdown {
            writeln!(out)?;
        }
        let mut rows = part.table().ordered_rows(from, how, task)?.rows.peekable();
        if rows.peek().is_none() {
            writeln!(out, "{}", words::NO_ROWS)?;
            continue;
        }
        match part {
            Part::Owners(owners) => {
                let told = rows.filter_map(|row| owners.change(row as usize));
                if form == OutputForm::Markdown {
                    owners_markdown(&mut *out, told)?;
                } else {
                    owners_text(&mut *out, told)?;
                }
            }
            Part::Rows(table) => {
                drop(rows);
                write(&**table, from, how, form, out, task)?;
            }
        }
    }
    Ok(())
}
