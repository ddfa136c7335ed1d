//! Texts of findings and Android leaks in the overview.

use std::cmp::Reverse;

use super::rows::line;
use crate::ui::views::leaks::about_leak;
use heaplens_analysis::android::shark::{Leak, LeakReport};
use heaplens_analysis::leaks::Group;
use heaplens_analysis::overview::{Finding, Target};
use heaplens_base::{Bytes, Count};
use heaplens_session::{LeakRules, VerdictTargets};
use heaplens_tables::export::report::words;
use heaplens_tables::export::traces::to_clear;
use heaplens_tables::leak_list::verdicts::verdict;
use heaplens_tables::story::Lead;

/// Maximum number of Android leaks listed; Leaks shows all.
const LEAKS: usize = 3;

/// Lists of the page that contain rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// Leak traces of an Android dump.
    AndroidLeaks,
    /// Findings that the page does not tell.
    Others,
}

impl List {
    /// Name of a single row, for screen readers.
    pub(super) fn item(self) -> &'static str {
        match self {
            Self::AndroidLeaks => "Leak",
            Self::Others => "Finding",
        }
    }
}

/// Text of a finding.
pub(super) struct Line {
    pub(super) sentence: String,
    pub(super) why: String,
    pub(super) bytes: Bytes,
    pub(super) total: Bytes,
    /// The leak finding, or the view with details.
    pub(super) lead: Lead,
    /// Target of a verdict; Android leaks only.
    pub(super) about: Option<VerdictTargets>,
}

impl Line {
    pub(super) fn new(finding: &Finding) -> Self {
        Self {
            sentence: line(&words::sentence(finding)),
            why: line(&words::why(finding)),
            bytes: finding.bytes,
            total: finding.total,
            lead: finding.leak.clone().map_or(Lead::View(finding.target), Lead::Finding),
            about: None,
        }
    }

    /// The finding as text for the clipboard.
    pub(super) fn copied_text(&self) -> String {
        format!("{}\n{}\n", self.sentence, self.why)
    }
}

/// Application leaks of an Android dump, largest retained size first, without those marked as expected.
pub(super) fn leaks(report: &LeakReport, rules: &LeakRules) -> Vec<Line> {
    let is_one = |leak: &&Leak| {
        let is_expected = verdict(rules, leak).is_some_and(|verdict| verdict.group != Group::Leak);
        leak.known.is_none() && !is_expected
    };
    let mut leaks: Vec<&Leak> = report.leaks.iter().filter(is_one).collect();
    leaks.sort_by_key(|leak| Reverse(leak.retained()));
    leaks.into_iter().take(LEAKS).filter_map(|leak| leak_line(leak, report.metadata.bytes)).collect()
}

fn leak_line(leak: &Leak, total: Bytes) -> Option<Line> {
    let trace = leak.traces.first()?;
    let leaking = trace.leaking()?;
    let (class, count) = (leak.class(), leak.traces.len() as u64);
    let who = if count == 1 { format!("{class} leaks") } else { format!("{} {class} objects leak", Count(count)) };
    let held = to_clear(trace).map_or_else(|| "held only by GC roots".to_owned(), |held| format!("held by {held}"));
    Some(Line {
        sentence: line(&format!("{who}: {held}, {} retained", leak.retained())),
        why: line(&leaking.reason),
        bytes: leak.retained(),
        total,
        lead: Lead::View(Target::Leak(leaking.object)),
        about: Some(about_leak(leak)),
    })
}
