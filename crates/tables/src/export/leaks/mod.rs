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

use crate::columns::Value;
pub use crate::export::finding_rows::{COLUMNS, FindingColumn, FindingRow};
use crate::export::{table::write_csv, traces};
use heaplens_analysis::{LeakFinding, android::shark::LeakReport, leaks::Group};
use heaplens_base::Bytes;
use heaplens_heap::Heap;

/// Titles of the columns.
pub(super) fn titles() -> Vec<String> {
    COLUMNS.iter().map(|column| column.heading.title.to_owned()).collect()
}

/// A finding as a row.
pub fn cells(finding: &LeakFinding) -> Vec<Value<'static>> {
    FindingRow::from(finding).cells()
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
    write_csv(out, &COLUMNS.map(|column| column.heading), traces.chain(findings.iter().map(cells)))
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

/// Bytes of all leaks together, those of leaks within others once.
pub fn leaking(findings: &[LeakFinding]) -> Bytes {
    let outer = findings.iter().filter(|finding| finding.group == Group::Leak && finding.within.is_none());
    outer.map(|finding| finding.frees).sum()
}
