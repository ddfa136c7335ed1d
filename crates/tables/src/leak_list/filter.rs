//! Filter of findings and Android leaks: words in their names, and conditions on their numbers.

use crate::query::{NumberCondition, Quantity, RowFilter};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::android::shark::{Leak, LeakReport, LeakSubject};
use heaplens_base::Bytes;

/// Keys of the numbers that a condition may name. What a finding frees is what its objects retain.
pub const NUMBERS: [&str; 3] = ["retained_bytes", "frees_bytes", "objects"];

/// Number that a condition names.
fn number(condition: &NumberCondition, bytes: Bytes, objects: u64, whole: Bytes) -> Option<Quantity> {
    let place = condition.place(&NUMBERS).ok()?;
    Some(if NUMBERS[place] == "objects" { Quantity::count(objects) } else { Quantity::size(bytes, whole) })
}

/// True if a finding passes.
pub fn finding_passes(finding: &LeakFinding, filter: &RowFilter) -> bool {
    filter.admits(|condition| number(condition, finding.frees, finding.objects, finding.total))
        && finding.passes(&filter.text)
}

/// True if an Android leak in a heap of `whole` bytes passes.
pub fn leak_passes(leak: &Leak, whole: Bytes, filter: &RowFilter) -> bool {
    filter.admits(|condition| number(condition, leak.retained(), leak.traces.len() as u64, whole))
        && leak.passes(&filter.text)
}

/// True if an unreachable object passes: it has no numbers.
pub fn unreachable_passes(object: &LeakSubject, filter: &RowFilter) -> bool {
    filter.numbers.is_empty() && object.passes(&filter.text)
}

/// Removes from a report what does not pass.
pub fn keep(report: &mut LeakReport, filter: &RowFilter) {
    if !filter.is_empty() {
        let whole = report.metadata.bytes;
        report.leaks.retain(|leak| leak_passes(leak, whole, filter));
        report.unreachable.retain(|object| unreachable_passes(object, filter));
    }
}
