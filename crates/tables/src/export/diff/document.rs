//! Comparison as text, and as Markdown for a ticket.

use std::io::{self, Write};

use super::{DocumentHeader, DumpSide, OwnerChange, words};
use crate::columns::{Heading, Value};
use crate::export::markdown::{escaped, line, rule};
use crate::export::table::write_text;
use crate::export::text_width::TextWidth;
use heaplens_base::{ByteDelta, Bytes, CountDelta};
use heaplens_heap::Severity;

const COLUMNS: [Heading; 5] = [
    Heading::plain("", ""),
    Heading::plain("", "File"),
    Heading::plain("", "Taken at"),
    Heading::plain("", "Objects"),
    Heading::plain("", "Size"),
];

/// Writes the heading as text: dumps, totals, and matched share.
pub fn head_text(mut out: impl Write, head: &DocumentHeader, width: TextWidth) -> io::Result<()> {
    write_text(&mut out, &COLUMNS, rows(head).into_iter(), width)?;
    remarks(head).iter().try_for_each(|remark| writeln!(out, "\n{remark}"))
}

/// Writes the heading as Markdown.
pub fn head_markdown(mut out: impl Write, head: &DocumentHeader) -> io::Result<()> {
    writeln!(out, "# Growth\n")?;
    write!(out, "{}", line(COLUMNS.iter().map(|column| column.title.to_owned())))?;
    write!(out, "{}", rule([false, false, false, true, true]))?;
    for row in rows(head) {
        write!(out, "{}", line(row.iter().map(|cell| escaped(&cell.short()))))?;
    }
    remarks(head).iter().try_for_each(|remark| writeln!(out, "\n{}", escaped(remark)))
}

/// Writes owners as text, each in a sentence with details below.
pub fn owners_text(mut out: impl Write, owners: impl Iterator<Item = OwnerChange>) -> io::Result<()> {
    for owner in owners {
        writeln!(out, "{} {}", words::name(&owner), words::growth(&owner))?;
        details(&owner).iter().try_for_each(|detail| writeln!(out, "    {detail}"))?;
    }
    Ok(())
}

/// Writes owners as a Markdown list.
pub fn owners_markdown(mut out: impl Write, owners: impl Iterator<Item = OwnerChange>) -> io::Result<()> {
    for (number, owner) in (1..).zip(owners) {
        writeln!(out, "{number}. **{}** {}", escaped(&words::name(&owner)), escaped(&words::growth(&owner)))?;
        details(&owner).iter().try_for_each(|detail| writeln!(out, "   - {}", escaped(detail)))?;
    }
    Ok(())
}

fn details(owner: &OwnerChange) -> Vec<String> {
    let entries = owner.entries.as_ref().map(words::entries);
    let parts = Some(words::parts(&owner.parts)).filter(|parts| !parts.is_empty());
    [entries, words::owner(owner), parts, words::moved(ByteDelta(owner.moved_bytes))].into_iter().flatten().collect()
}

/// The dumps with a word for each.
fn sides(heading: &DocumentHeader) -> Vec<(String, &DumpSide)> {
    match heading {
        DocumentHeader::Pair(head) => vec![("Before".to_owned(), &head.before), ("After".to_owned(), &head.after)],
        DocumentHeader::Series(head) => (1..).map(|nth: u32| nth.to_string()).zip(&head.dumps).collect(),
    }
}

fn rows(heading: &DocumentHeader) -> Vec<Vec<Value<'static>>> {
    let text = |text: &str| Value::text(text.to_owned());
    let (sides, delta) = (sides(heading), heading.delta());
    let row = |(word, side): &(String, &DumpSide)| {
        let taken = side.taken_at.as_deref().unwrap_or_default();
        let (objects, bytes) = (Value::Count(side.objects), Value::Bytes(Bytes(side.bytes)));
        vec![text(word), text(&side.file), text(taken), objects, bytes]
    };
    let mut rows: Vec<Vec<Value<'static>>> = sides.iter().map(row).collect();
    let ends = sides.first().zip(sides.last());
    let later = ends.and_then(|((_, first), (_, last))| words::later(first, last)).unwrap_or_default();
    let (objects, bytes) = (Value::CountDelta(CountDelta(delta.objects)), Value::ByteDelta(ByteDelta(delta.bytes)));
    rows.push(vec![text("Difference"), text(""), text(&later), objects, bytes]);
    rows
}

/// Remarks: other programs, matched share, and missing parts of the dumps.
fn remarks(heading: &DocumentHeader) -> Vec<String> {
    let mut remarks: Vec<String> =
        heading.warning().map(|warning| format!("Warning: {warning}.")).into_iter().collect();
    if let DocumentHeader::Pair(head) = heading
        && let Some(matching) = &head.matching
    {
        remarks.push(words::matching(matching, [Bytes(head.before.bytes), Bytes(head.after.bytes)]));
    }
    for (word, side) in sides(heading) {
        let losses = side.notes.iter().filter(|note| note.severity != Severity::Info.name());
        remarks.extend(losses.map(|note| format!("{word}: {}: {}", note.severity, note.message)));
    }
    remarks
}
