//! Answers as text for people, where they are more than a table.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::OpenArguments;
use super::dominators::{Walk, Wanted, cells};
use super::failure::Failure;
use super::held::Held;
use super::{open, this_open};
use crate::analysis::filter::TextFilter;
use crate::analysis::histogram::{HistogramRow, histogram};
use crate::analysis::object::ObjectDetails;
use crate::analysis::outside::outside_heap;
use crate::analysis::paths::{Wish, paths};
use crate::export::json::{Called, Collection, Entry, ObjectField, Summary};
use crate::export::path_text::path_text;
use crate::export::printable::Printable;
use crate::export::table::{Cell, Column, column, write_text};
use crate::heap::classes::Strength;
use crate::heap::contents::Value;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::Task;
use crate::units::{Bytes, Count};

/// Columns of the histogram.
pub(super) const HISTOGRAM: [Column; 4] = [
    column("class", "Class"),
    column("objects", "Objects"),
    column("shallow_bytes", "Shallow"),
    column("retained_bytes", "Retained"),
];

/// The cells of a row, as [`HISTOGRAM`] names them.
pub(super) fn histogram_cells(heap: &Heap, row: &HistogramRow) -> Vec<Cell> {
    let class = Cell::Text(heap.classes.get(row.class).name.to_string());
    vec![class, Cell::Count(row.objects), Cell::Size(row.shallow), Cell::Size(row.retained)]
}

/// Columns of the dominator tree.
pub(super) const DOMINATORS: [Column; 7] = [
    column("id", "Object"),
    column("class", "Class"),
    column("label", "Label"),
    column("shallow_bytes", "Shallow"),
    column("retained_bytes", "Retained"),
    column("share", "Share"),
    column("dominated", "Dominated"),
];

/// Columns of the fields of an object.
pub(super) const FIELDS: [Column; 4] =
    [column("name", "Field"), column("type", "Type"), column("value", "Value"), column("id", "Object")];

/// The summary, a fact a row.
pub(super) fn summary_rows(summary: &Summary) -> Vec<(&'static str, Cell)> {
    let text = |t: &str| Cell::Text(t.to_owned());
    vec![
        ("file", text(&summary.file)),
        ("format", text(&summary.format)),
        ("producer", text(&summary.producer)),
        ("id_bytes", Cell::Count(u64::from(summary.id_bytes))),
        ("taken_at", summary.taken_at.as_deref().map_or(Cell::Nothing, text)),
        ("objects", Cell::Count(summary.objects)),
        ("references", Cell::Count(summary.references)),
        ("classes", Cell::Count(summary.classes)),
        ("gc_roots", Cell::Count(summary.gc_roots)),
        ("total_bytes", Cell::Size(Bytes(summary.total_bytes))),
        ("reachable_objects", Cell::Count(summary.reachable.objects)),
        ("reachable_bytes", Cell::Size(Bytes(summary.reachable.bytes))),
        ("unreachable_objects", Cell::Count(summary.unreachable.objects)),
        ("unreachable_bytes", Cell::Size(Bytes(summary.unreachable.bytes))),
        ("direct_buffers", summary.outside_heap.as_ref().map_or(Cell::Nothing, |o| Cell::Count(o.direct_buffers))),
        ("outside_heap_bytes", summary.outside_heap.as_ref().map_or(Cell::Nothing, |o| Cell::Size(Bytes(o.bytes)))),
        ("size_model", text(summary.size_model)),
    ]
}

/// The summary for people.
pub(super) fn summary_text(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let extent = |objects: u64, bytes: u64| {
        format!("{} objects, {} ({} bytes)", Count(objects), Bytes(bytes), Bytes(bytes).exact())
    };
    writeln!(out, "File         {}", summary.file)?;
    writeln!(out, "Format       {}, {}-byte ids", summary.producer, summary.id_bytes)?;
    if let Some(taken) = &summary.taken_at {
        writeln!(out, "Taken        {taken}")?;
    }
    writeln!(out, "Reachable    {}", extent(summary.reachable.objects, summary.reachable.bytes))?;
    writeln!(out, "Unreachable  {}", extent(summary.unreachable.objects, summary.unreachable.bytes))?;
    if let Some(outside) = summary.outside_heap.as_ref().filter(|outside| outside.direct_buffers > 0) {
        let bytes = Bytes(outside.bytes);
        let buffers = Count(outside.direct_buffers);
        writeln!(out, "Outside heap {buffers} direct buffers, {bytes} ({} bytes)", bytes.exact())?;
    }
    writeln!(out, "References   {}", Count(summary.references))?;
    writeln!(out, "Classes      {}", Count(summary.classes))?;
    writeln!(out, "GC roots     {}", Count(summary.gc_roots))?;
    writeln!(out, "Sizes        {} model", summary.size_model)?;
    for note in &summary.notes {
        let place = note.first_offset.map(|o| format!(", first at offset {o}")).unwrap_or_default();
        writeln!(out, "Note         {}: {} (×{}{place})", note.severity, note.message, Count(note.count))?;
    }
    for phase in &summary.phases {
        writeln!(out, "Phase        {:<26} {:>8.3} s", phase.name, phase.seconds)?;
    }
    writeln!(out, "Opened in    {:.3} s", summary.seconds)?;
    if let Some(peak) = summary.peak_memory_bytes {
        writeln!(out, "Peak memory  {}", Bytes(peak))?;
    }
    Ok(())
}

/// One object for people, without its fields.
pub(super) fn object_text(
    out: &mut impl Write,
    heap: &Heap,
    details: &ObjectDetails,
    called: &Called,
) -> io::Result<()> {
    // The size of a collection is no text.
    let quoted = |l: &str| if l.starts_with('(') { format!("  {l}") } else { format!("  {l:?}") };
    let label = details.label.as_deref().map(quoted).unwrap_or_default();
    writeln!(out, "{} {}{label}", details.class_name, details.id)?;
    for (what, text) in [("Name", &called.name), ("Owner", &called.owner)] {
        if let Some(text) = text {
            writeln!(out, "{what:<20} {text}")?;
        }
    }
    writeln!(out, "Shallow              {}", details.shallow.exact())?;
    writeln!(out, "Retained             {}", details.retained.exact())?;
    writeln!(out, "Dominated            {} objects", Count(details.dominated))?;
    let dominator = match details.immediate_dominator {
        Some(d) => format!("{} {}", heap.class(d).name, heap.id_text(d)),
        None if details.reachable => "none: held from several sides or a GC root".to_owned(),
        None => "unreachable".to_owned(),
    };
    writeln!(out, "Immediate dominator  {dominator}")?;
    writeln!(out, "Class loader         {}", details.loader_text.as_deref().unwrap_or("bootstrap"))?;
    if !details.roots.is_empty() {
        let roots: Vec<&str> = details.roots.iter().map(|r| r.name()).collect();
        writeln!(out, "GC root              {}", roots.join(", "))?;
    }
    if let Some(distance) = details.distance {
        writeln!(out, "Distance             {distance}")?;
    }
    if let Some(text) = &details.text {
        writeln!(out, "Text                 {text:?}")?;
    }
    if let Some(length) = details.length {
        writeln!(out, "Length               {}", Count(length))?;
    } else if details.is_array {
        writeln!(out, "Length               {}", Value::Unavailable)?;
    }
    for frame in &details.stack {
        writeln!(out, "  at {frame}")?;
    }
    Ok(())
}

/// What a collection holds, for people.
pub(super) fn collection_text(out: &mut impl Write, collection: &Collection) -> io::Result<()> {
    let room = collection.capacity.map(|room| format!(", room for {}", Count(room))).unwrap_or_default();
    writeln!(out, "Holds                {} ({}{room})", Count(collection.size), collection.kind)?;
    if collection.entries.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let cells = |entry: &Entry| {
        let text =
            |side: &Option<serde_json::Value>| side.as_ref().map_or(Cell::Nothing, |side| Cell::Text(side_text(side)));
        vec![text(&entry.key), text(&entry.value)]
    };
    if collection.kind == "map" {
        return write_text(
            out,
            &[column("key", "Key"), column("value", "Value")],
            collection.entries.iter().map(cells),
        );
    }
    let values = collection.entries.iter().map(|entry| cells(entry).split_off(1));
    write_text(out, &[column("value", "Element")], values)
}

/// Key or value in a line: class, label and id of an object.
fn side_text(side: &serde_json::Value) -> String {
    let part = |name: &str| side.get(name).and_then(serde_json::Value::as_str);
    match (part("class"), part("id")) {
        (Some(class), Some(id)) => {
            format!("{class} {}{id}", part("label").map(|l| format!("{l} ")).unwrap_or_default())
        }
        _ => side.as_str().map_or_else(|| side.to_string(), str::to_owned),
    }
}

/// A field or element, as [`FIELDS`] names its cells.
pub(super) fn field_cells(field: ObjectField) -> Vec<Cell> {
    let value = Cell::Text(field.text());
    vec![Cell::Text(field.name), Cell::Text(field.type_name), value, field.id.map_or(Cell::Nothing, Cell::Text)]
}

/// What the window would show first, of every file: the summary, the biggest
/// objects, why the biggest is alive, the biggest classes. A file that cannot
/// be used keeps no other from being shown.
pub(super) fn report(files: &[PathBuf], arguments: &OpenArguments, why: &str) -> Result<(), Failure> {
    writeln!(io::stderr(), "heaplens: no window: {why}")?;
    if files.is_empty() {
        return Err(Failure::Usage("name a heap dump to print its analysis, or see --help".to_owned()));
    }
    let mut failed = None;
    for file in files {
        let mut ended = report_one(file, arguments);
        if let Err(Failure::Damaged) = ended {
            ended = report_one(file, arguments);
        }
        match ended {
            Err(Failure::Unusable(what)) => {
                // The last is said at the end, with the exit status.
                if let Some(before) = failed.replace(what) {
                    writeln!(io::stderr(), "heaplens: {before}")?;
                }
            }
            other => other?,
        }
    }
    failed.map_or(Ok(()), |what| Err(Failure::Unusable(what)))
}

fn report_one(file: &Path, arguments: &OpenArguments) -> Result<(), Failure> {
    let (dump, progress) = open(file, arguments)?;
    let out = &mut Printable(Held::of(&dump));
    let (heap, contents, analyzed) = (&dump.facts.heap, &*dump.facts.contents, &dump.analyzed);
    let outside = outside_heap(heap, contents, analyzed, &Task::new())?;
    let summary = Summary::new(file.display().to_string(), heap, analyzed, outside, this_open(&dump, &progress));
    summary_text(out, &summary)?;

    let everything = TextFilter::default();
    let biggest: Vec<ObjectId> =
        Walk::new(&dump, Wanted { of: None, top: 20, depth: 1, filter: &everything, only: None })?
            .map(|(_, o)| o)
            .collect();
    writeln!(out, "\nBiggest objects by retained size")?;
    write_text(&mut *out, &DOMINATORS, biggest.iter().map(|&o| cells(&dump, o)))?;

    if let Some(&first) = biggest.first() {
        writeln!(out, "\nPath to the biggest")?;
        let wish = Wish { weakest: Strength::Strong, count: 1, ends: 25 };
        for path in paths(heap, contents, analyzed, first, wish, &Task::new())? {
            write!(out, "{}", path_text(&path))?;
        }
    }
    writeln!(out, "\nBiggest classes by shallow size")?;
    let rows = histogram(heap, analyzed).rows.into_iter().take(20).map(|row| histogram_cells(heap, &row));
    write_text(&mut *out, &HISTOGRAM, rows)?;
    out.flush()?;
    Ok(())
}
