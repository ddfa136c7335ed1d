//! Findings of the leak search as text with paths, JSON, rows and Markdown. The window shows the same sentences.

mod json;
mod leak_verdicts;
mod markdown;
mod text;

pub(super) use self::json::{finding_json, verdict_json};
pub use self::json::{leaks_json, write_leaks_json};
pub use self::leak_verdicts::LeakVerdicts;
pub use self::markdown::write_leaks_markdown;
pub use self::text::{trace, write_leaks_text};

pub(crate) use crate::export::finding_rows::COLUMNS;
pub use crate::export::finding_rows::{FindingRow, finding_table};
use crate::export::traces;
use heaplens_analysis::{LeakFinding, android::shark::LeakReport, leaks::Group};

/// Rows of findings; of an Android dump, leak traces and unreachable objects come first.
pub fn rows(findings: &[LeakFinding], report: Option<&LeakReport>) -> Vec<FindingRow> {
    let traces = report.into_iter().flat_map(|report| {
        let leaks = report.leaks.iter().map(|leak| traces::leak_row(leak, report.metadata.bytes));
        leaks.chain(report.unreachable.iter().map(traces::unreachable_row))
    });
    traces.chain(findings.iter().map(FindingRow::from)).collect()
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
