//! The whole report in LeakCanary's form, for people and tools that know it.

use std::io::{self, Write};

use super::text::{leak_text, unreachable_text};
use crate::export::printable::one_line;
use heaplens_analysis::android::shark::{Leak, LeakReport, Metadata};

const LINE: &str = "====================================";
const LIBRARY: &str = "\
A Library Leak is a leak caused by a known bug in 3rd party code that you do not have control over.
See https://square.github.io/leakcanary/fundamentals-how-leakcanary-works/#4-categorizing-leaks";
const UNREACHABLE: &str = "\
An unreachable object is still in memory but LeakCanary could not find a strong reference path
from GC roots.";

/// Writes the report; `file` and `taken_at_millis` are those of the dump.
pub fn write_leakcanary(
    mut out: impl Write,
    report: &LeakReport,
    file: &str,
    taken_at_millis: Option<u64>,
) -> io::Result<()> {
    let (library, application): (Vec<&Leak>, Vec<&Leak>) = report.leaks.iter().partition(|leak| leak.known.is_some());
    writeln!(out, "{LINE}\nHEAP ANALYSIS RESULT\n{LINE}")?;
    writeln!(out, "{} APPLICATION LEAKS\n", application.len())?;
    writeln!(out, "References underlined with \"~~~\" are likely causes.\nLearn more at https://squ.re/leaks.")?;
    section(&mut out, &application.into_iter().map(leak_text).collect::<Vec<_>>())?;
    writeln!(out, "{LINE}\n{} LIBRARY LEAKS\n\n{LIBRARY}", library.len())?;
    section(&mut out, &library.into_iter().map(|leak| leak_text(leak) + "\n").collect::<Vec<_>>())?;
    writeln!(out, "{LINE}\n{} UNREACHABLE OBJECTS\n\n{UNREACHABLE}", report.unreachable.len())?;
    section(&mut out, &report.unreachable.iter().map(unreachable_text).collect::<Vec<_>>())?;
    writeln!(out, "{LINE}\nMETADATA\n\nPlease include this in bug reports and Stack Overflow questions.\n")?;
    for (key, value) in rows(&report.metadata) {
        writeln!(out, "{key}: {}", one_line(&value))?;
    }
    writeln!(out, "Heap dump file path: {}", one_line(file))?;
    writeln!(out, "Heap dump timestamp: {}", taken_at_millis.map_or("Unknown".to_owned(), |at| at.to_string()))?;
    writeln!(out, "{LINE}")
}

fn section(out: &mut impl Write, texts: &[String]) -> io::Result<()> {
    if texts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", texts.join("\n\n"))
}

/// Metadata of the dump, with LeakCanary's names.
pub fn rows(metadata: &Metadata) -> Vec<(String, String)> {
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "Unknown".to_owned());
    let api = metadata.device.api.map_or("Unknown".to_owned(), |api| api.to_string());
    let mut rows = vec![
        ("Build.VERSION.SDK_INT", api),
        ("Build.MANUFACTURER", text(&metadata.device.manufacturer)),
        ("LeakCanary version", text(&metadata.leakcanary)),
        ("App process name", text(&metadata.process)),
        ("Class count", metadata.classes.to_string()),
        ("Instance count", metadata.instances.to_string()),
        ("Primitive array count", metadata.primitive_arrays.to_string()),
        ("Object array count", metadata.object_arrays.to_string()),
        ("Thread count", metadata.threads.to_string()),
        ("Heap total bytes", metadata.bytes.0.to_string()),
        ("Bitmap count", metadata.bitmaps.to_string()),
        ("Bitmap total bytes", metadata.bitmap_bytes.0.to_string()),
    ];
    if let Some(large) = metadata.large_bitmaps {
        rows.push(("Large bitmap count", large.to_string()));
        rows.push(("Large bitmap total bytes", metadata.large_bitmap_bytes.0.to_string()));
    }
    let rows = rows.into_iter().map(|(key, value)| (key.to_owned(), value));
    let databases = (1..).zip(&metadata.databases).map(|(number, (is_open, label))| {
        let state = if *is_open { "open" } else { "closed" };
        (format!("Db {number}"), format!("{state} {}", text(label)))
    });
    rows.chain(databases).collect()
}
