//! Compares what a dump has with what was accepted.

use std::collections::BTreeMap;

use super::baseline::BaselineSection;
use super::entry::BaselineEntry;
use super::finding::{CheckedDump, CheckedFinding};
use super::part::CheckPart;
use heaplens_base::Bytes;

/// Growth of an accepted finding that passes: growth fails only above both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Growth in bytes.
    pub bytes: Bytes,
    /// Growth in percent of the accepted bytes.
    pub percent: f64,
}

impl Tolerance {
    /// Usual growth in bytes.
    pub const BYTES: Bytes = Bytes(100_000);
    /// Usual growth in percent.
    pub const PERCENT: f64 = 10.0;

    /// Maximum size of an accepted finding. What its entry says comes first.
    fn most(self, entry: &BaselineEntry) -> Bytes {
        let percent = entry.own_percent().unwrap_or(self.percent);
        let share = Bytes((entry.bytes as f64 * percent / 100.0) as u64);
        Bytes(entry.bytes) + entry.own_bytes().unwrap_or(self.bytes).max(share)
    }
}

/// Status of a finding against the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckStatus {
    /// Not in the baseline: fails.
    New,
    /// Accepted, but grown beyond the tolerance: fails.
    Grown,
    /// Accepted.
    Accepted,
    /// In the baseline only.
    Gone,
}

/// Why an accepted finding is not one any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoneReason {
    /// The dump does not have it, or it is too small for a finding.
    NotFound,
    /// The part of an incomplete dump that was read does not have it: it may be in the rest.
    NotRead,
    /// Found, but of a group that does not fail: `expected`, by a rule, or `bounded`.
    Judged(&'static str),
}

/// A finding compared.
#[derive(Debug, Clone)]
pub struct CheckRow {
    /// Status.
    pub status: CheckStatus,
    /// Part of the check.
    pub part: CheckPart,
    /// The finding; `None` if it is gone.
    pub finding: Option<CheckedFinding>,
    /// What was accepted; `None` if it is new.
    pub accepted: Option<BaselineEntry>,
    /// Maximum size that passes; `None` if it is new.
    pub most: Option<Bytes>,
    /// Why it is gone, if it is.
    pub removed_because: Option<GoneReason>,
}

impl CheckStatus {
    /// Stable word in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Grown => "grown",
            Self::Accepted => "accepted",
            Self::Gone => "gone",
        }
    }

    /// True if a check with such a finding fails.
    pub fn fails(self) -> bool {
        matches!(self, Self::New | Self::Grown)
    }
}

impl CheckRow {
    /// What names the finding: as it is now, else as it was accepted.
    pub fn entry(&self) -> Option<&BaselineEntry> {
        self.finding.as_ref().map(|finding| &finding.entry).or(self.accepted.as_ref())
    }

    /// True if a check with this row fails.
    pub fn fails(&self) -> bool {
        self.status.fails()
    }
}

/// Compares these parts of a dump with its section, which it may not have yet. New findings come first, then grown,
/// accepted and gone ones, each in the order of the dump, or of the baseline.
pub fn compare(
    dump: &CheckedDump,
    section: Option<&BaselineSection>,
    parts: &[CheckPart],
    tolerance: Tolerance,
) -> Vec<CheckRow> {
    let mut rows = Vec::new();
    let missing = if dump.incomplete.is_some() { GoneReason::NotRead } else { GoneReason::NotFound };
    for part in CheckPart::ALL.into_iter().filter(|part| parts.contains(part)) {
        let entries = section.map_or(&[][..], |section| section.part(part));
        let mut left: BTreeMap<&str, &BaselineEntry> =
            entries.iter().map(|entry| (&*entry.fingerprint, entry)).collect();
        for finding in dump.findings.iter().filter(|finding| finding.part == part) {
            let former = || finding.former_fingerprint.as_deref();
            let accepted = left.remove(&*finding.entry.fingerprint).or_else(|| left.remove(former()?));
            // Smaller ones only tell that an accepted finding is still there.
            if finding.is_small && accepted.is_none() {
                continue;
            }
            let most = accepted.map(|entry| tolerance.most(entry));
            let status = match most {
                None => CheckStatus::New,
                Some(most) if finding.entry.bytes > most.0 => CheckStatus::Grown,
                Some(_) => CheckStatus::Accepted,
            };
            let (finding, accepted) = (Some(finding.clone()), accepted.cloned());
            rows.push(CheckRow { status, part, finding, accepted, most, removed_because: None });
        }
        // In the order of the baseline. One that was too small for a finding is not missed.
        let removed =
            entries.iter().filter(|entry| left.contains_key(&*entry.fingerprint) && entry.bytes >= dump.min_bytes.0);
        rows.extend(removed.map(|entry| {
            let judged = dump.judged.iter().find(|(fingerprint, _)| *fingerprint == entry.fingerprint);
            CheckRow {
                status: CheckStatus::Gone,
                part,
                finding: None,
                accepted: Some(entry.clone()),
                most: Some(tolerance.most(entry)),
                removed_because: Some(judged.map_or(missing, |&(_, group)| GoneReason::Judged(group))),
            }
        }));
    }
    rows.sort_by_key(|row| row.status);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(fingerprint: &str, bytes: u64) -> BaselineEntry {
        BaselineEntry { fingerprint: fingerprint.to_owned(), bytes, ..BaselineEntry::default() }
    }

    fn statuses(findings_given: &[(&str, u64)], accepted: &[BaselineEntry]) -> Vec<(String, &'static str)> {
        let finding = |&(fingerprint, bytes): &(&str, u64)| CheckedFinding {
            part: CheckPart::Leaks,
            entry: entry(fingerprint, bytes),
            is_small: bytes < 100,
            ..CheckedFinding::default()
        };
        let findings = findings_given.iter().map(finding).collect();
        let judged = vec![("judged".to_owned(), "expected")];
        let dump = CheckedDump { findings, judged, min_bytes: Bytes(100), incomplete: None };
        let section = BaselineSection { leaks: accepted.to_vec(), ..BaselineSection::default() };
        let tolerance = Tolerance { bytes: Bytes(1_000), percent: 10.0 };
        let rows = compare(&dump, Some(&section), &[CheckPart::Leaks], tolerance);
        let named = |row: &CheckRow| (row.entry().expect("an entry").fingerprint.clone(), row.status.key());
        rows.iter().map(named).collect()
    }

    #[test]
    fn growth_counts_above_both_tolerances() {
        for (accepted, now, status) in [
            (500, 1_500, "accepted"),
            (500, 1_501, "grown"),
            (100_000, 110_000, "accepted"),
            (100_000, 110_001, "grown"),
            (100_000, 10, "accepted"),
            (u64::MAX, u64::MAX, "accepted"),
        ] {
            assert_eq!(
                statuses(&[("a", now)], &[entry("a", accepted)]),
                [("a".to_owned(), status)],
                "{accepted} {now}"
            );
        }
        let own = BaselineEntry { grow_by: Some("5kB".to_owned()), ..entry("a", 500) };
        assert_eq!(statuses(&[("a", 5_500)], std::slice::from_ref(&own))[0].1, "accepted");
        assert_eq!(statuses(&[("a", 5_501)], &[own])[0].1, "grown");
        let none = BaselineEntry { grow_by: Some("0".to_owned()), grow_by_percent: Some(0.into()), ..entry("a", 500) };
        assert_eq!(statuses(&[("a", 501)], &[none])[0].1, "grown");
    }

    #[test]
    fn what_is_new_fails_and_what_is_gone_does_not() {
        let accepted = [entry("gone", 100), entry("judged", 700), entry("kept", 500), entry("was small", 99)];
        let actual = statuses(&[("kept", 500), ("small", 99), ("new", 100)], &accepted);
        let expected = [("new", "new"), ("kept", "accepted"), ("gone", "gone"), ("judged", "gone")];
        assert_eq!(actual, expected.map(|(name, status)| (name.to_owned(), status)));
    }
}
