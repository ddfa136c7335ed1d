//! Before and after for people: as text, and as Markdown for a ticket.

use std::io::{self, Write};

use super::{Head, OwnerChange, words};
use crate::export::json::Note;
use crate::export::markdown::{escaped, line, rule};
use crate::export::table::{Cell, Column, column, write_text};
use crate::units::{ByteDelta, Bytes, CountDelta};

const COLUMNS: [Column; 5] =
    [column("", ""), column("", "File"), column("", "Taken"), column("", "Objects"), column("", "Bytes")];

/// Which dumps these are, their totals, and how much of them was matched.
///
/// # Errors
/// When `out` does not take it.
pub fn head_text(mut out: impl Write, head: &Head) -> io::Result<()> {
    write_text(&mut out, &COLUMNS, rows(head).into_iter())?;
    remarks(head).iter().try_for_each(|remark| writeln!(out, "\n{remark}"))
}

/// The same as Markdown.
///
/// # Errors
/// When `out` does not take it.
pub fn head_markdown(mut out: impl Write, head: &Head) -> io::Result<()> {
    writeln!(out, "# What grew\n")?;
    write!(out, "{}", line(COLUMNS.iter().map(|column| column.heading.to_owned())))?;
    write!(out, "{}", rule([false, false, false, true, true]))?;
    for row in rows(head) {
        write!(out, "{}", line(row.iter().map(|cell| escaped(&told(cell)))))?;
    }
    remarks(head).iter().try_for_each(|remark| writeln!(out, "\n{}", escaped(remark)))
}

/// Owners, each in a sentence, and below it what is known of it.
///
/// # Errors
/// When `out` does not take it.
pub fn owners_text<'a>(mut out: impl Write, owners: impl Iterator<Item = &'a OwnerChange>) -> io::Result<()> {
    for owner in owners {
        writeln!(out, "{} {}", words::name(owner), words::growth(owner))?;
        details(owner).iter().try_for_each(|detail| writeln!(out, "    {detail}"))?;
    }
    Ok(())
}

/// The same as a list in Markdown.
///
/// # Errors
/// When `out` does not take it.
pub fn owners_markdown<'a>(mut out: impl Write, owners: impl Iterator<Item = &'a OwnerChange>) -> io::Result<()> {
    for (number, owner) in (1..).zip(owners) {
        writeln!(out, "{number}. **{}** {}", escaped(&words::name(owner)), escaped(&words::growth(owner)))?;
        details(owner).iter().try_for_each(|detail| writeln!(out, "   - {}", escaped(detail)))?;
    }
    Ok(())
}

fn details(owner: &OwnerChange) -> Vec<String> {
    let entries = owner.entries.as_ref().map(words::entries);
    let parts = Some(words::parts(&owner.parts)).filter(|parts| !parts.is_empty());
    [entries, words::owner(owner), parts].into_iter().flatten().collect()
}

fn rows(head: &Head) -> Vec<Vec<Cell>> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut rows = Vec::with_capacity(3);
    for (word, side) in [("Before", &head.before), ("After", &head.after)] {
        let taken = side.taken_at.as_deref().unwrap_or_default();
        rows.push(vec![
            text(word),
            text(&side.file),
            text(taken),
            Cell::Count(side.objects),
            Cell::Size(Bytes(side.bytes)),
        ]);
    }
    rows.push(vec![
        text("Difference"),
        text(""),
        text(&words::later(&head.before, &head.after).unwrap_or_default()),
        Cell::More(CountDelta(head.delta.objects)),
        Cell::Growth(ByteDelta(head.delta.bytes)),
    ]);
    rows
}

/// What was matched, and what is missing in the dumps.
fn remarks(head: &Head) -> Vec<String> {
    let whole = Bytes(head.before.bytes) + Bytes(head.after.bytes);
    let mut remarks: Vec<String> = head.matching.iter().map(|matching| words::matching(matching, whole)).collect();
    for (word, side) in [("Before", &head.before), ("After", &head.after)] {
        let matters = |note: &&Note| note.severity != crate::heap::notes::Severity::Info.name();
        let lost = side.notes.iter().filter(matters);
        remarks.extend(lost.map(|note| format!("{word}: {}: {}", note.severity, note.message)));
    }
    remarks
}

/// A cell of a report: sizes are short there.
fn told(cell: &Cell) -> String {
    match cell {
        Cell::Size(bytes) => bytes.to_string(),
        Cell::Growth(more) => more.to_string(),
        cell => cell.for_people(),
    }
}
