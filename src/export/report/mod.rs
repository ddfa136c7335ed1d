//! The overview taken away: as text, Markdown, one HTML file, or json. All but
//! json write the same document, headed by what the dump is and which
//! sizes it goes by; equal overviews give equal bytes.

mod html;
mod json;
mod markdown;
mod text;
pub mod words;

pub use self::html::write_html;
pub use self::json::write_overview_json;
pub use self::markdown::write_markdown;
pub use self::text::write_overview_text;

use super::identity::Identity;
use super::printable::one_line;
use super::table::Cell;
use crate::analysis::overview::{BigObject, Mark, Overview, SumRow, Totals};
use crate::units::{Bytes, Count, Share};

/// The program that wrote a report.
fn generator() -> String {
    super::version::SHORT.to_owned()
}

/// What a report says, in the order in which it is read.
pub(super) struct Document {
    title: String,
    /// What it is, in one sentence.
    lead: String,
    /// The identity, line by line.
    identity: Vec<(&'static str, String)>,
    findings: Vec<Line>,
    /// What is said where there is no finding.
    nothing: &'static str,
    health: Vec<(&'static str, String, Mark)>,
    sections: Vec<Section>,
}

/// A finding.
struct Line {
    sentence: String,
    why: String,
    share: Share,
    /// Where to look: an id of an object, or nothing.
    id: Option<String>,
}

/// A table with a title.
struct Section {
    title: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
    /// The column that is drawn as a bar too, and the whole of it.
    bar: Option<(usize, Bytes)>,
}

/// What is said where a fact is not in the dump.
pub const NOT_SAID: &str = "Not said by the dump";

impl Document {
    fn new(identity: &Identity, overview: &Overview) -> Self {
        let totals = &overview.glance.totals;
        let findings = overview.findings();
        let line = |finding: &&crate::analysis::overview::Finding| Line {
            sentence: one_line(&words::sentence(finding)),
            why: one_line(&words::why(finding)),
            share: Share::of(finding.bytes, finding.whole),
            id: words::id(finding).map(str::to_owned),
        };
        let health = overview.glance.health.iter().map(|fact| {
            let value = fact.value.clone().unwrap_or_else(|| NOT_SAID.to_owned());
            (fact.kind.title(), one_line(&value), fact.mark)
        });
        Self {
            title: format!("Overview of {}", one_line(&identity.file)),
            lead: words::lead(overview),
            identity: identity_lines(identity),
            findings: findings.iter().map(line).collect(),
            nothing: words::NOTHING,
            health: health.collect(),
            sections: sections(overview, totals),
        }
    }
}

fn identity_lines(identity: &Identity) -> Vec<(&'static str, String)> {
    let mut lines = vec![("File", format!("{} ({} bytes)", one_line(&identity.file), identity.file_bytes.exact()))];
    lines.extend(identity.taken_at.clone().map(|taken| ("Taken", taken)));
    lines.push(("Written by", one_line(&identity.producer)));
    lines.push(("Sizes of objects", format!("{} model", identity.size_model)));
    lines.push(("Report by", generator()));
    lines
}

fn sections(overview: &Overview, totals: &Totals) -> Vec<Section> {
    let whole = totals.shallow;
    let mut sections = vec![Section {
        title: "Totals",
        columns: vec!["What", "Count", "Bytes"],
        rows: totals_rows(overview, totals),
        bar: None,
    }];
    let part = |&(name, bytes): &(&str, Bytes)| {
        vec![Cell::Text(name.to_owned()), Cell::Size(bytes), Cell::Share(Share::of(bytes, whole))]
    };
    sections.push(Section {
        title: "What the memory is",
        columns: vec!["What", "Bytes", "Share"],
        rows: overview.glance.memory.iter().map(part).collect(),
        bar: Some((1, whole)),
    });
    sections.push(Section {
        title: "Biggest objects",
        columns: vec!["Object", "Id", "Shallow", "Retained", "Share"],
        rows: overview.glance.objects.iter().map(|row| object_row(row, whole)).collect(),
        bar: Some((3, whole)),
    });
    let expected = overview.glance.expected.iter().map(|row| {
        let name = Cell::Text(row.name.clone());
        vec![
            name,
            Cell::Size(row.bytes),
            Cell::Share(Share::of(row.bytes, whole)),
            Cell::Text(row.verdict.reason.clone()),
        ]
    });
    sections.push(Section {
        title: "Expected, as you said",
        columns: vec!["What holds it", "Frees", "Share", "Why"],
        rows: expected.collect(),
        bar: Some((1, whole)),
    });
    let classes = |title, rows: &[SumRow], bar| Section {
        title,
        columns: vec!["Class", "Objects", "Shallow", "Retained"],
        rows: rows.iter().map(sum_row).collect(),
        bar: Some((bar, whole)),
    };
    sections.push(classes("Classes by retained size", &overview.glance.by_retained, 3));
    sections.push(classes("Classes by shallow size", &overview.glance.by_shallow, 2));
    if let Some(closer) = &overview.closer {
        sections.push(Section {
            title: "Packages by retained size",
            columns: vec!["Package", "Objects", "Shallow", "Retained"],
            rows: closer.packages.iter().map(sum_row).collect(),
            bar: Some((3, whole)),
        });
        let threads = closer.threads.iter().map(|thread| {
            let state = thread.state.unwrap_or("").to_lowercase().replace('_', " ");
            let state = if thread.out_of_memory { format!("out of memory, {state}") } else { state };
            vec![Cell::Text(thread.name.clone()), Cell::Text(state), Cell::Size(thread.retained)]
        });
        sections.push(Section {
            title: "Threads by retained size",
            columns: vec!["Thread", "State", "Retained"],
            rows: threads.collect(),
            bar: Some((2, whole)),
        });
    }
    if let Some(wasted) = &overview.wasted {
        let rows = wasted
            .rows
            .iter()
            .map(|row| vec![Cell::Text(row.kind.title().to_owned()), Cell::Count(row.objects), Cell::Size(row.wasted)]);
        sections.push(Section {
            title: "Waste",
            columns: vec!["Kind", "Objects", "Wasted"],
            rows: rows.collect(),
            bar: Some((2, whole)),
        });
    }
    sections.retain(|section| !section.rows.is_empty());
    sections
}

fn totals_rows(overview: &Overview, totals: &Totals) -> Vec<Vec<Cell>> {
    let row = |name: &str, count: u64, bytes: Option<Bytes>| {
        vec![Cell::Text(name.to_owned()), Cell::Count(count), bytes.map_or(Cell::Nothing, Cell::Size)]
    };
    let mut rows = vec![
        row("Reachable objects", totals.objects, Some(totals.shallow)),
        row("Unreachable objects", totals.unreachable_objects, Some(totals.unreachable)),
        row("References", totals.references, None),
        row("Classes", totals.classes, None),
    ];
    if let Some((nodes, bytes)) = overview.glance.detached {
        rows.push(row("Detached nodes", nodes, Some(bytes)));
        return rows;
    }
    rows.push(row("Class loaders", totals.loaders, None));
    rows.push(row("GC roots", totals.gc_roots, None));
    if let Some(closer) = &overview.closer {
        rows.push(row("Threads", closer.thread_count, None));
        if let Some((buffers, bytes)) = closer.outside {
            rows.push(row("Direct buffers, outside the heap", buffers, Some(bytes)));
        }
    }
    rows
}

fn object_row(row: &BigObject, whole: Bytes) -> Vec<Cell> {
    vec![
        Cell::Text(object_name(row)),
        Cell::Text(row.id.clone()),
        Cell::Size(row.shallow),
        Cell::Size(row.retained),
        Cell::Share(Share::of(row.retained, whole)),
    ]
}

/// `class desk.SessionCache`, `java.lang.Thread "report-writer"`.
fn object_name(row: &BigObject) -> String {
    match &row.label {
        Some(label) if row.class == "java.lang.Class" => format!("class {label}"),
        Some(label) if label.starts_with(['(', '[']) => format!("{} {label}", row.class),
        Some(label) => format!("{} {label:?}", row.class),
        None => row.class.clone(),
    }
}

fn sum_row(row: &SumRow) -> Vec<Cell> {
    vec![Cell::Text(row.name.clone()), Cell::Count(row.objects), Cell::Size(row.shallow), Cell::Size(row.retained)]
}

/// A cell for people who read, not count: sizes are short.
fn short(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => one_line(text),
        Cell::Count(count) => Count(*count).to_string(),
        Cell::Size(bytes) => bytes.to_string(),
        Cell::More(more) => more.to_string(),
        Cell::Growth(more) => more.to_string(),
        Cell::Share(share) => share.to_string(),
        Cell::Change { .. } => cell.for_people(),
        Cell::Nothing => String::new(),
    }
}
