//! Filter of findings and Android leaks: words in their names, and conditions on their numbers.

use crate::query::{NumberCondition, Quantity, RowFilter};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::android::shark::{Leak, LeakReport, LeakSubject};
use heaplens_base::Bytes;

/// Keys of the numbers that a condition may name. What a finding frees is what its objects retain.
pub const NUMBERS: [&str; 3] = ["retained_bytes", "frees_bytes", "objects"];

/// Number that a condition names.
fn number(condition: &NumberCondition, bytes: Bytes, objects: u64, total: Bytes) -> Option<Quantity> {
    let index = condition.position(&NUMBERS).ok()?;
    Some(if NUMBERS[index] == "objects" { Quantity::count(objects) } else { Quantity::size(bytes, total) })
}

/// True if a finding passes.
pub fn finding_passes(finding: &LeakFinding, filter: &RowFilter) -> bool {
    filter.admits(|condition| number(condition, finding.frees, finding.objects, finding.total))
        && finding.passes(&filter.text)
}

/// True if an Android leak in a heap of `total` bytes passes.
pub fn leak_passes(leak: &Leak, total: Bytes, filter: &RowFilter) -> bool {
    filter.admits(|condition| number(condition, leak.retained(), leak.traces.len() as u64, total))
        && leak.passes(&filter.text)
}

/// True if an unreachable object passes: it has no numbers.
pub fn unreachable_passes(object: &LeakSubject, filter: &RowFilter) -> bool {
    filter.numbers.is_empty() && object.passes(&filter.text)
}

/// Removes from a report what does not pass.
pub fn keep(report: &mut LeakReport, filter: &RowFilter) {
    if !filter.is_empty() {
        let total = report.metadata.bytes;
        report.leaks.retain(|leak| leak_passes(leak, total, filter));
        report.unreachable.retain(|object| unreachable_passes(object, filter));
    }
}
