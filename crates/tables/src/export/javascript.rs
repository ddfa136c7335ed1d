//! Leaks between snapshots of JavaScript, for programs and for people.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use std::io::{self, Write};

use serde::Serialize;

use heaplens_analysis::javascript::growth::GrowingObject;
use heaplens_analysis::javascript::leaks::{Cluster, LeakKind, TraceStep};
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::Heap;

/// Maximum number of steps shown at each end of a trace.
const ENDS: usize = 12;

/// One object of a trace.
#[derive(Debug, Serialize)]
pub struct StepRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_kind: Option<&'static str>,
    pub class: &'a str,
    pub id: String,
}

/// The steps of a trace.
pub(crate) fn steps<'a>(heap: &'a Heap, trace: &'a [TraceStep]) -> Vec<StepRow<'a>> {
    let step = |step: &'a TraceStep| StepRow {
        reference: step.by.as_ref().map(|by| by.text.as_str()),
        reference_kind: step.by.as_ref().map(|by| by.kind.name()),
        class: &heap.class(step.object).name,
        id: heap.id_text(step.object),
    };
    trace.iter().map(step).collect()
}

/// A leak in one line.
pub fn sentence(of: &Cluster, total: Bytes) -> String {
    let why = match of.kind {
        LeakKind::Detached => "detached from the document",
        LeakKind::Timer => "held by timers",
        LeakKind::Listener => "held by event listeners",
        LeakKind::Closure => "with captured variables",
        LeakKind::Captured => "captured by closures",
        LeakKind::Collection => "held in a collection",
        LeakKind::Object => "held by an object",
    };
    let (objects, share) = (Count(of.objects), Share::of(of.retained, total));
    let keep = objects.word("retains", "retain");
    let with =
        if of.leaked > of.objects { format!("; {} leaked objects in all", Count(of.leaked)) } else { String::new() };
    format!("{objects} {} {why} {keep} {} ({share}){with}", of.class, of.retained)
}

/// Writes a cluster with the trace of its representative as text.
pub fn write_cluster(
    out: &mut impl Write,
    heap: &Heap,
    number: usize,
    of: &Cluster,
    (name, total): (Option<&str>, Bytes),
) -> io::Result<()> {
    writeln!(out, "{number}. {}", sentence(of, total))?;
    if let Some(name) = name {
        writeln!(out, "   Example: {name}")?;
    }
    if of.paths > 1 {
        writeln!(out, "   Held by {} similar paths, for example:", Count(of.paths))?;
    }
    write_trace(out, heap, &of.trace)
}

/// Writes an object with monotonic growth as text.
pub fn write_growing(
    out: &mut impl Write,
    heap: &Heap,
    number: usize,
    of: &GrowingObject,
    name: Option<&str>,
) -> io::Result<()> {
    let counts: Vec<String> = of.references.iter().map(|&count| Count(count).to_string()).collect();
    let id = heap.id_text(of.object);
    let counts = counts.join(" → ");
    writeln!(
        out,
        "{number}. {} {id} grew in every snapshot: references {counts}, retained size +{}",
        of.class,
        of.more()
    )?;
    if let Some(name) = name {
        writeln!(out, "   {name}")?;
    }
    write_trace(out, heap, &of.trace)
}

fn write_trace(out: &mut impl Write, heap: &Heap, trace: &[TraceStep]) -> io::Result<()> {
    for (at, step) in trace.iter().enumerate() {
        if at >= ENDS && at + ENDS < trace.len() {
            if at == ENDS {
                writeln!(out, "     … {} more steps", Count((trace.len() - 2 * ENDS) as u64))?;
            }
            continue;
        }
        let by = step.by.as_ref().map_or("", |by| by.text.as_str());
        let dot = if by.is_empty() || by.starts_with(['[', '<']) { "" } else { "." };
        let arrow = if by.is_empty() { "" } else { " → " };
        writeln!(out, "     {dot}{by}{arrow}{} {}", heap.class(step.object).name, heap.id_text(step.object))?;
    }
    Ok(())
}
