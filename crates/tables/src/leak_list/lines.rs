//! Rows of the list of leaks: a heading for each group, and its findings or Android leaks.

use super::android_leaks::{AndroidLeakGroup, AndroidLeaks};
use super::filter::{finding_passes, leak_passes, unreachable_passes};
use super::{groups::GroupHead, search::LeakFindings};
use crate::query::RowFilter;
use heaplens_analysis::android::shark::Leak;
use heaplens_base::Bytes;

/// Contents of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeakLine {
    /// Heading of a group.
    Head(GroupHead),
    /// Android leak, by index.
    Leak(usize),
    /// Unreachable object, by index.
    Lost(usize),
    /// Finding, by index.
    Finding(usize),
}

/// The list: findings and Android leaks that match a filter, in groups.
#[derive(Clone, Copy)]
pub struct LeakList<'a> {
    /// Findings.
    pub findings: &'a LeakFindings,
    /// Android leaks.
    pub traces: &'a AndroidLeaks,
    /// Collapsed groups.
    pub folded: &'a [GroupHead],
    /// Filter of the rows.
    pub filter: &'a RowFilter,
}

impl LeakList<'_> {
    /// True if there are Android leaks.
    pub fn has_leaks(&self) -> bool {
        self.traces.report().is_some_and(|report| !report.leaks.is_empty())
    }

    /// True if the rows of a group are listed.
    pub fn is_open(&self, head: GroupHead) -> bool {
        // While filtering, all groups are expanded.
        !self.filter.is_empty() || !self.folded.contains(&head)
    }

    /// Rows below a heading.
    pub fn below(&self, head: GroupHead) -> Vec<LeakLine> {
        let report = self.traces.report();
        match head {
            GroupHead::Gone(AndroidLeakGroup::Unreachable) => {
                let all = report.into_iter().flat_map(|report| report.unreachable.iter().enumerate());
                all.filter(|(_, object)| unreachable_passes(object, self.filter))
                    .map(|(at, _)| LeakLine::Lost(at))
                    .collect()
            }
            GroupHead::Gone(android_group) => {
                let total = report.map(|report| report.metadata.bytes).unwrap_or_default();
                let of_it =
                    self.traces.of_group(android_group).filter(|(_, leak)| leak_passes(leak, total, self.filter));
                of_it.map(|(at, _)| LeakLine::Leak(at)).collect()
            }
            GroupHead::Group(group) => {
                let all = self.findings.findings.iter().enumerate();
                let of_it =
                    all.filter(|(_, finding)| finding.section() == group && finding_passes(finding, self.filter));
                of_it.map(|(at, _)| LeakLine::Finding(at)).collect()
            }
        }
    }

    /// Rows: groups with matching findings, and the findings of expanded ones.
    pub fn lines(&self) -> Vec<LeakLine> {
        let mut lines = Vec::new();
        for head in GroupHead::all() {
            let below = self.below(head);
            if !below.is_empty() {
                lines.push(LeakLine::Head(head));
            }
            if self.is_open(head) {
                lines.extend(below);
            }
        }
        lines
    }

    /// Total bytes of the rows below a heading.
    pub fn bytes(&self, head: GroupHead) -> Bytes {
        let of_line = |line: &LeakLine| match *line {
            LeakLine::Leak(at) => self.traces.leak(at).map(Leak::retained),
            LeakLine::Finding(at) => {
                self.findings.findings.get(at).filter(|finding| finding.within.is_none()).map(|finding| finding.frees)
            }
            LeakLine::Head(_) | LeakLine::Lost(_) => None,
        };
        self.below(head).iter().filter_map(of_line).sum()
    }
}
