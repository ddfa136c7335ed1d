//! Findings of the leak finder in sentences, as text with their paths, as json,
//! as rows and as Markdown. The window says what stands here, too.

mod json;
mod judged;
mod markdown;
mod text;
pub mod words;

pub use self::json::write_leaks_json;
pub(super) use self::json::{finding_json, verdict_json};
pub use self::judged::Judged;
pub use self::markdown::write_leaks_markdown;
pub use self::text::{trace, write_leaks_text};

use std::io::{self, Write};

use crate::analysis::android::shark::LeakReport;
use crate::analysis::leaks::{Finding, Group};
use crate::export::table::{Cell, Column, column, write_csv};
use crate::export::traces;
use crate::heap::facts::Heap;
use crate::units::Bytes;

/// The columns of findings as rows.
pub const COLUMNS: [Column; 11] = [
    column("group", "Group"),
    column("kind", "Kind"),
    column("name", "Held by"),
    column("class", "What accumulates"),
    column("count", "Count"),
    column("frees_bytes", "Frees"),
    column("share", "Share"),
    column("objects", "Objects"),
    column("holder", "Holder"),
    column("cut", "Cut"),
    column("fingerprint", "Fingerprint"),
];

/// A finding as a row.
pub fn cells(finding: &Finding) -> Vec<Cell> {
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
    ]
}

/// Writes findings as csv; of a dump of Android first the traces to objects that should be gone.
///
/// # Errors
/// When `out` does not take it.
pub fn write_leaks_csv(out: impl Write, findings: &[Finding], report: Option<(&Heap, &LeakReport)>) -> io::Result<()> {
    let traces = report.into_iter().flat_map(|(heap, report)| {
        let whole = report.metadata.bytes;
        let leaks = report.leaks.iter().map(move |leak| traces::cells(heap, leak, whole));
        leaks.chain(report.unreachable.iter().map(traces::lost_cells))
    });
    write_csv(out, &COLUMNS, traces.chain(findings.iter().map(cells)))
}

/// How many leaks there are, the application's and those that libraries hold, and what no GC root reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Leaks that an object of the application holds.
    pub application: u64,
    /// Leaks that only the runtime and its libraries hold.
    pub library: u64,
    /// Objects that should be gone and that no GC root reaches: known on Android.
    pub unreachable: u64,
}

impl Counts {
    /// Counts the findings that are leaks; of a dump of Android the traces to objects that should be gone.
    pub fn of(findings: &[Finding], report: Option<&LeakReport>) -> Self {
        if let Some(report) = report {
            let (application, library) = report.counts();
            return Self { application, library, unreachable: report.unreachable.len() as u64 };
        }
        let leaks = || findings.iter().filter(|finding| finding.group == Group::Leak);
        let application = leaks().filter(|finding| finding.is_of_application).count() as u64;
        Self { application, library: leaks().count() as u64 - application, unreachable: 0 }
    }
}

/// What all leaks together take; what one holds within another counts once, as they lie side by side.
pub fn leaking(findings: &[Finding]) -> Bytes {
    findings.iter().filter(|finding| finding.group == Group::Leak).map(|finding| finding.frees).sum()
}
