//! Findings of the leak search as text with paths, JSON, rows and Markdown. The window shows the same sentences.

mod fitting;
mod json;
mod leak_verdicts;
mod markdown;
mod text;
pub mod words;

pub use self::json::write_leaks_json;
pub(super) use self::json::{finding_json, verdict_json};
pub use self::leak_verdicts::LeakVerdicts;
pub use self::markdown::write_leaks_markdown;
pub use self::text::{trace, write_leaks_text};

use std::io::{self, Write};

use crate::columns::{Cell, ColumnKind, Heading, heading};
use crate::export::{table::write_csv, traces};
use heaplens_analysis::{LeakFinding, android::shark::LeakReport, leaks::Evidence, leaks::Group};
use heaplens_base::{ByteDelta, Bytes};
use heaplens_core::heap::Heap;

/// The columns of findings as rows, with their types.
pub const COLUMNS: [(Heading, ColumnKind); 12] = [
    (heading("group", "Group", "Group of the finding: leak, waste, bounded, normal or expected"), ColumnKind::Text),
    (heading("kind", "Kind", "Kind of the finding, such as holder, thread, waste or trace"), ColumnKind::Text),
    (heading("name", "Holder", "Field or object that holds the leaking objects"), ColumnKind::Text),
    (heading("class", "Accumulated class", "Class of which many objects accumulate"), ColumnKind::Text),
    (heading("count", "Count", "Number of accumulated objects of this class"), ColumnKind::Count),
    (heading("frees_bytes", "Frees", "Bytes freed by cutting the references in the column Cut"), ColumnKind::Bytes),
    (heading("share", "Share", "Freed bytes as a percentage of all reachable bytes"), ColumnKind::Share),
    (
        heading("objects", "Objects", "Number of objects freed; for waste, the number of objects that waste memory"),
        ColumnKind::Count,
    ),
    (heading("holder", "Holder", "Address or id of the holding object"), ColumnKind::Object),
    (heading("cut", "Cut", "References that must all be cut to free the objects"), ColumnKind::Text),
    (heading("fingerprint", "Fingerprint", "Identifies the finding in later dumps of the program"), ColumnKind::Text),
    (
        heading("growth_bytes", "Growth", "Freed bytes minus those in the baseline; empty without a baseline"),
        ColumnKind::ByteDelta,
    ),
];

/// Their titles.
pub(super) fn titles() -> Vec<String> {
    COLUMNS.iter().map(|(heading, _)| heading.title.to_owned()).collect()
}

/// A finding as a row.
pub fn cells(finding: &LeakFinding) -> Vec<Cell> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let accumulated = finding.accumulated.as_ref();
    let cuts: Vec<&str> = finding.cut.iter().map(|cut| &*cut.name).collect();
    vec![
        text(finding.group.key()),
        text(finding.kind.key()),
        text(&finding.name),
        accumulated.map_or(Cell::Nothing, |found| text(&found.class)),
        accumulated.map_or(Cell::Nothing, |found| Cell::Count(found.objects)),
        Cell::Size(finding.frees),
        Cell::Share(finding.share()),
        Cell::Count(finding.objects),
        finding.holder.as_ref().map_or(Cell::Nothing, |holder| text(&holder.id)),
        text(&cuts.join(" + ")),
        text(&finding.fingerprint),
        growth_bytes(finding).map_or(Cell::Nothing, Cell::Growth),
    ]
}

/// Growth in bytes since the baseline, if it is known.
fn growth_bytes(finding: &LeakFinding) -> Option<ByteDelta> {
    match finding.growth()? {
        Evidence::Grew { bytes, .. } | Evidence::DidNotGrow { bytes, .. } => Some(ByteDelta::between(bytes.0, bytes.1)),
        _ => None,
    }
}

/// Writes findings as CSV; of an Android dump, leak traces come first.
pub fn write_leaks_csv(
    out: impl Write,
    findings: &[LeakFinding],
    report: Option<(&Heap, &LeakReport)>,
) -> io::Result<()> {
    let traces = report.into_iter().flat_map(|(heap, report)| {
        let whole = report.metadata.bytes;
        let leaks = report.leaks.iter().map(move |leak| traces::cells(heap, leak, whole));
        leaks.chain(report.unreachable.iter().map(traces::lost_cells))
    });
    write_csv(out, &COLUMNS.map(|(heading, _)| heading), traces.chain(findings.iter().map(cells)))
}

/// Number of leaks held by the application and by libraries, and of unreachable leaking objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Leaks that an object of the application holds.
    pub application: u64,
    /// Leaks that only the runtime and its libraries hold.
    pub library: u64,
    /// Leaking objects that no GC root reaches. Known on Android only.
    pub unreachable: u64,
}

impl Counts {
    /// Counts findings that are leaks; of an Android dump, leak traces.
    pub fn of(findings: &[LeakFinding], report: Option<&LeakReport>) -> Self {
        if let Some(report) = report {
            let (application, library) = report.counts();
            return Self { application, library, unreachable: report.unreachable.len() as u64 };
        }
        let leaks = || findings.iter().filter(|finding| finding.group == Group::Leak);
        let application = leaks().filter(|finding| finding.is_of_application).count() as u64;
        Self { application, library: leaks().count() as u64 - application, unreachable: 0 }
    }
}

/// Bytes of all leaks together. Findings do not overlap, so none counts twice.
pub fn leaking(findings: &[LeakFinding]) -> Bytes {
    findings.iter().filter(|finding| finding.group == Group::Leak).map(|finding| finding.frees).sum()
}
