//! Text output of the summary and of the report that replaces the window.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::OpenArguments;
use super::failure::{Failure, found_damage, remark};
use super::open::{open_options, open_with};
use super::page::write_page;
use super::print::text_width;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::histogram::histogram;
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_base::{Bytes, Count, Task};
use heaplens_heap::ObjectId;
use heaplens_tables::columns::Value;
use heaplens_tables::export::command_line::quoted;
use heaplens_tables::export::json::Summary;
use heaplens_tables::export::leaks::LeakVerdicts;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::{Classes, Level, OutputForm, RowQuery, Table, TableContext, write};

/// The summary as rows of name and value, for csv.
pub(super) fn summary_rows(summary: &Summary) -> Vec<(&'static str, Value<'static>)> {
    let text = |t: &str| Value::text(t.to_owned());
    let mut rows = vec![
        ("file", text(&summary.file)),
        ("format", text(&summary.format)),
        ("producer", text(&summary.producer)),
        ("id_bytes", Value::Count(u64::from(summary.id_bytes))),
        ("taken_at", summary.taken_at.as_deref().map_or(Value::Null, text)),
        ("objects", Value::Count(summary.objects)),
        ("references", Value::Count(summary.references)),
        ("classes", Value::Count(summary.classes)),
        ("gc_roots", Value::Count(summary.gc_roots)),
        ("total_bytes", Value::Bytes(Bytes(summary.total_bytes))),
        ("reachable_objects", Value::Count(summary.reachable.objects)),
        ("reachable_bytes", Value::Bytes(Bytes(summary.reachable.bytes))),
        ("unreachable_objects", Value::Count(summary.unreachable.objects)),
        ("unreachable_bytes", Value::Bytes(Bytes(summary.unreachable.bytes))),
        ("direct_buffers", Value::Count(summary.outside_heap.direct_buffers)),
        ("outside_heap_bytes", Value::Bytes(Bytes(summary.outside_heap.bytes))),
        ("out_of_memory", summary.out_of_memory.as_ref().map_or(Value::Null, |errors| text(&errors.sentence))),
        ("size_model", text(summary.size_model)),
    ];
    if let Some(cuts) = &summary.cuts {
        rows.extend([
            ("freed_objects", Value::Count(cuts.freed.objects)),
            ("freed_bytes", Value::Bytes(Bytes(cuts.freed.bytes))),
            ("still_held_objects", Value::Count(cuts.still_held.objects)),
            ("still_held_bytes", Value::Bytes(Bytes(cuts.still_held.bytes))),
            ("other_ways", Value::Count(cuts.ways)),
        ]);
    }
    rows.extend(summary.leaks.iter().flat_map(LeakVerdicts::rows));
    rows
}

/// Writes the summary as text.
pub(super) fn summary_text(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let extent = |objects: u64, bytes: u64| {
        format!("{}, {} ({} bytes)", Count(objects).of("object", "objects"), Bytes(bytes), Bytes(bytes).exact())
    };
    writeln!(out, "File         {}", summary.file)?;
    writeln!(out, "Format       {}, {}-byte ids", summary.producer, summary.id_bytes)?;
    if let Some(taken) = &summary.taken_at {
        writeln!(out, "Taken        {taken}")?;
    }
    if let Some(errors) = &summary.out_of_memory {
        writeln!(out, "Error        {}", errors.sentence)?;
    }
    writeln!(out, "Reachable    {}", extent(summary.reachable.objects, summary.reachable.bytes))?;
    writeln!(out, "Unreachable  {}", extent(summary.unreachable.objects, summary.unreachable.bytes))?;
    if let Some(fix) = summary.cuts.as_ref().and_then(|cuts| cuts.fix.as_ref()) {
        writeln!(out, "Fix          {fix}")?;
    }
    for row in summary.cuts.iter().flat_map(|cuts| &cuts.rows) {
        writeln!(out, "Cut          {}: {}", row.cut, row.words)?;
    }
    for missing in summary.cuts.iter().flat_map(|cuts| &cuts.missing) {
        writeln!(out, "Cut          {missing}: not in this dump")?;
    }
    if let Some(cuts) = &summary.cuts {
        if cuts.rows.len() > 1 {
            writeln!(out, "Combined     {}", cuts.words)?;
        }
        for holder in &cuts.other_ways {
            writeln!(out, "Other path   {}; --cut {}", holder.text(), quoted(holder.cut.as_ref()))?;
        }
    }
    if let Some(leaks) = &summary.leaks {
        leaks.write_text(out)?;
    }
    for (name, heap) in &summary.heaps {
        let native = match heap.native_bytes {
            0 => String::new(),
            bytes => format!(", {} native ({} bytes)", Bytes(bytes), Bytes(bytes).exact()),
        };
        writeln!(out, "Heap         {name}: {}{native}", extent(heap.objects, heap.shallow_bytes))?;
    }
    if let Some(statistics) = &summary.statistics {
        for (kind, bytes) in statistics.of.parts() {
            writeln!(out, "Statistics   {}: {bytes} ({} bytes)", kind.title(), bytes.exact())?;
        }
    }
    for sum in &summary.outside_heap.of.kinds {
        let (one, several) = sum.kind.nouns();
        let objects = Count(sum.objects).of(one, several);
        let about = if sum.kind.is_measured() { "" } else { "about " };
        writeln!(out, "Native       {objects}, {about}{} ({} bytes)", sum.bytes, sum.bytes.exact())?;
    }
    writeln!(out, "References   {}", Count(summary.references))?;
    writeln!(out, "Classes      {}", Count(summary.classes))?;
    writeln!(out, "GC roots     {}", Count(summary.gc_roots))?;
    writeln!(out, "Size model   {}", summary.size_model)?;
    for note in &summary.notes {
        writeln!(out, "Note         {}", note.text)?;
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

/// Prints for each file the page for the person on call, the largest objects, the path to the largest one and the largest classes.
/// Continues after a file that cannot be used, and fails at the end.
pub(super) fn report(files: &[PathBuf], arguments: &OpenArguments, why: &str) -> Result<(), Failure> {
    remark(&format!("cannot open a window: {why}"));
    if files.is_empty() {
        return Err(Failure::Usage(
            "no file given; name a heap dump to print its analysis, or see 'heaplens --help'".to_owned(),
        ));
    }
    let mut failed = None;
    for file in files {
        let mut ended = found_damage(report_one(file, arguments));
        if let Err(Failure::Damaged) = ended {
            ended = report_one(file, arguments);
        }
        match ended {
            Err(Failure::Unusable(what)) => {
                // The last error is printed at the end, with the exit status.
                if let Some(before) = failed.replace(what) {
                    remark(&before);
                }
            }
            other => other?,
        }
    }
    failed.map_or(Ok(()), |what| Err(Failure::Unusable(what)))
}

fn report_one(file: &Path, arguments: &OpenArguments) -> Result<(), Failure> {
    let (dump, _) = open_with(file, arguments, &open_options(arguments).of_file(0))?;
    let out = &mut Printable(VerifiedOutput::of(&dump));
    write_page(out, file, &dump)?;

    let (context, task) = (TableContext::of(&dump).with_width(text_width()), Task::new());
    let top = RowQuery { top: Some(20), ..RowQuery::default() };
    let level = Level::default();
    writeln!(out, "\nLargest objects by retained size")?;
    write(&level, context, &top, OutputForm::Text, out, &task)?;

    let biggest = level.ordered_rows(context, &top, &task)?.rows.next().and_then(ObjectId::from_raw);
    if let Some(first) = biggest {
        writeln!(out, "\nPath to GC root of the largest object")?;
        let options = PathOptions::default().max_listed_at_end(25);
        for path in paths(dump.data(), first, options, &Task::new())? {
            write!(out, "{path}")?;
        }
    }
    writeln!(out, "\nLargest classes by shallow size")?;
    write(&Classes::new(histogram(context.data())), context, &top, OutputForm::Text, out, &task)?;
    Ok(out.flush()?)
}
