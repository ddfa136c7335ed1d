//! A trace as LeakCanary prints it.
//!
//! ```text
//! ┬───
//! │ GC Root: System class
//! │
//! ├─ com.example.Presenters class
//! │    Leaking: NO (a class is never leaking)
//! │    ↓ static Presenters.cache
//! │                        ~~~~~
//! ╰→ com.example.DetailView instance
//! ​     Leaking: YES (View.mContext references a destroyed activity)
//! ​     Retaining 5.1 kB in 4 objects
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{ZERO_WIDTH_SPACE, size};
use crate::export::{markdown::escaped, printable::one_line};
use heaplens_analysis::android::shark::{
    Leak, LeakReport, LeakStep, LeakSubject, LeakTrace, Status, SubjectKind, root_text,
};
use heaplens_base::Count;
use heaplens_heap::RootKind;

/// A trace.
pub fn trace_text(trace: &LeakTrace) -> String {
    let mut lines = vec!["┬───".to_owned(), format!("│ GC Root: {}", root_text(trace.root)), "│".to_owned()];
    for (at, step) in trace.steps.iter().enumerate() {
        let Some(reference) = &step.reference else {
            let retains = format!("Retaining {} in {} objects", size(trace.retained), trace.objects);
            subject(&mut lines, step, "╰→ ", &format!("{ZERO_WIDTH_SPACE}     "), "instance", Some(retains));
            continue;
        };
        let is_frame = at == 0 && trace.root == RootKind::JavaFrame;
        subject(&mut lines, step, "├─ ", "│    ", if is_frame { "thread" } else { "instance" }, None);
        let arrow = if reference.is_static() { "↓ static " } else { "↓ " };
        let before = one_line(&format!("    {arrow}{}", reference.prefix()));
        let name = one_line(&reference.name);
        lines.push(format!("│{before}{name}"));
        if reference.is_suspect {
            lines.push(format!("│{}{}", " ".repeat(before.chars().count()), "~".repeat(name.chars().count())));
        }
    }
    lines.join("\n")
}

fn subject(lines: &mut Vec<String>, step: &LeakStep, first: &str, more: &str, is: &str, retains: Option<String>) {
    let is = if step.subject.is == SubjectKind::Instance { is } else { step.subject.is.name() };
    lines.push(one_line(&format!("{first}{} {is}", step.subject.class)));
    let why = match step.status {
        Status::Unknown => String::new(),
        _ => format!(" ({})", one_line(&step.subject.reason)),
    };
    lines.push(format!("{more}Leaking: {}{why}", step.status.name()));
    lines.extend(retains.map(|retains| format!("{more}{retains}")));
    lines.extend(step.subject.labels.iter().map(|label| format!("{more}{}", one_line(label))));
}

/// Text of an unreachable object.
pub fn unreachable_text(object: &LeakSubject) -> String {
    let mut lines = vec![one_line(&format!("{} {}", object.class, object.is.name()))];
    lines.push(format!("{ZERO_WIDTH_SPACE}  Leaking: YES ({})", one_line(&object.reason)));
    lines.extend(object.labels.iter().map(|label| format!("{ZERO_WIDTH_SPACE}  {}", one_line(label))));
    lines.join("\n")
}

/// Text of a leak: retained bytes, fingerprint, first trace.
pub fn leak_text(leak: &Leak) -> String {
    leak_text_with(leak, 0)
}

/// Text of a leak with another of its traces.
pub fn leak_text_with(leak: &Leak, shown: usize) -> String {
    let mut text = String::new();
    if let Some(known) = &leak.known {
        let _ = writeln!(text, "Leak pattern: {}\nDescription: {}", known.pattern, known.cause);
    }
    let _ = writeln!(text, "{} bytes retained by leaking objects", leak.retained().0);
    if leak.traces.len() > 1 {
        let all = leak.traces.len();
        let _ = writeln!(text, "Displaying only 1 leak trace out of {all} with the same leak fingerprint");
    }
    let _ = writeln!(text, "Leak fingerprint: {}", leak.fingerprint);
    text.extend(leak.traces.get(shown).map(trace_text));
    text
}

/// Numbers of leaks: `2 application leaks, 1 library leak`.
pub fn headline(report: &LeakReport) -> String {
    let (application, library) = report.counts();
    let leaks = |count: u64, of: &str| format!("{} {of} {}", Count(count), if count == 1 { "leak" } else { "leaks" });
    let unreachable = match report.unreachable.len() {
        0 => String::new(),
        1 => ", 1 unreachable leaking object".to_owned(),
        many => format!(", {} unreachable leaking objects", Count(many as u64)),
    };
    let untraced = match report.untraced {
        0 => String::new(),
        more => format!("; {} more leaking objects with paths too long to show", Count(more)),
    };
    format!("{}, {}{unreachable}{untraced}", leaks(application, "application"), leaks(library, "library"))
}

/// Writes leaks for a terminal, application leaks first.
pub fn write_traces_text(mut out: impl Write, report: &LeakReport, most: usize) -> io::Result<()> {
    writeln!(out, "Leaking objects: {}", headline(report))?;
    let (library, application): (Vec<&Leak>, Vec<&Leak>) = report.leaks.iter().partition(|leak| leak.known.is_some());
    for (number, leak) in (1..).zip(application.into_iter().chain(library)).take(most) {
        writeln!(out, "\n{number}. {} leak", if leak.known.is_some() { "Library" } else { "Application" })?;
        for line in leak_text(leak).lines() {
            writeln!(out, "   {line}")?;
        }
    }
    for object in report.unreachable.iter().take(most) {
        writeln!(out, "\nUnreachable")?;
        for line in unreachable_text(object).lines() {
            writeln!(out, "   {line}")?;
        }
    }
    writeln!(out)
}

/// Writes leaks as Markdown for a ticket.
pub fn write_traces_markdown(mut out: impl Write, report: &LeakReport, most: usize) -> io::Result<()> {
    writeln!(out, "# Leaking objects\n\n{}\n", escaped(&headline(report)))?;
    for leak in report.leaks.iter().take(most) {
        writeln!(out, "```text\n{}\n```\n", leak_text(leak).replace("```", "'''"))?;
    }
    Ok(())
}
