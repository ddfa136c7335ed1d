//! Sentences about the results of a check.

use crate::check::{CheckPart, CheckReport, CheckRow, CheckStatus, CheckedFile, DumpCheck, GoneReason};
use heaplens_analysis::leaks::{Group, Likelihood};
use heaplens_base::{Bytes, Count};

/// Result of all dumps in one sentence: `Failed: 1 new finding, 2 findings grew`.
pub(super) fn lead(report: &CheckReport) -> String {
    let mut parts = Vec::new();
    let count = |status: CheckStatus, part: CheckPart| -> u64 {
        report.checked().map(|(_, check)| check.count(status, Some(part))).sum()
    };
    for part in CheckPart::ALL {
        let (one, several) = part.nouns();
        let new = count(CheckStatus::New, part);
        if new > 0 {
            parts.push(format!("{} new {}", Count(new), if new == 1 { one } else { several }));
        }
        let grown = count(CheckStatus::Grown, part);
        if grown > 0 {
            parts.push(format!("{} grew", Count(grown).of(one, several)));
        }
    }
    let unreadable = report.unreadable().count() as u64;
    if unreadable > 0 {
        parts.push(format!("{} could not be used", Count(unreadable).of("dump", "dumps")));
    }
    if !parts.is_empty() {
        return format!("Failed: {}", parts.join(", "));
    }
    let accepted: u64 = report.checked().map(|(_, check)| check.count(CheckStatus::Accepted, None)).sum();
    let dumps = Count(report.files.len() as u64).of("dump", "dumps");
    format!("Passed: nothing new and nothing that grew in {dumps}, {} accepted", Count(accepted))
}

/// Counts of one dump: `1 new, 2 grew, 9 accepted`.
pub(super) fn counts(check: &DumpCheck) -> String {
    let all = [CheckStatus::New, CheckStatus::Grown, CheckStatus::Accepted, CheckStatus::Gone];
    let counts: Vec<String> = all
        .into_iter()
        .filter_map(|status| {
            let count = check.count(status, None);
            (count > 0).then(|| format!("{} {}", Count(count), word(status)))
        })
        .collect();
    if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") }
}

fn word(status: CheckStatus) -> &'static str {
    match status {
        CheckStatus::New => "new",
        CheckStatus::Grown => "grew",
        CheckStatus::Accepted => "accepted",
        CheckStatus::Gone => "no longer found",
    }
}

/// Status and noun of a row: `New leak`, `New leak suspect`.
pub(super) fn status(row: &CheckRow) -> String {
    let noun = match (row.part, &row.finding) {
        (CheckPart::Leaks, Some(finding)) if finding.group == Group::Bounded.key() => "large structure",
        (CheckPart::Leaks, Some(finding)) => match finding.likelihood {
            Some(Likelihood::Suspect) => "leak suspect",
            Some(Likelihood::Leak) | None => "leak",
        },
        (part, _) => part.nouns().0,
    };
    match row.status {
        CheckStatus::New => format!("New {noun}"),
        CheckStatus::Grown => format!("Grown {noun}"),
        CheckStatus::Accepted => format!("Accepted {noun}"),
        CheckStatus::Gone if row.removed_because == Some(GoneReason::NotRead) => format!("Accepted {noun} not read"),
        CheckStatus::Gone => format!("Fixed {noun}"),
    }
}

/// Title of a row: with figures if it was found.
pub(super) fn title(row: &CheckRow) -> &str {
    match (&row.finding, &row.accepted) {
        (Some(finding), _) => &finding.title,
        (None, Some(entry)) => &entry.title,
        (None, None) => "",
    }
}

/// How a finding differs from what was accepted, in a sentence; `None` of a new one.
pub(super) fn change(row: &CheckRow) -> Option<String> {
    let entry = row.accepted.as_ref()?;
    let accepted = Bytes(entry.bytes);
    Some(match (row.status, &row.finding, row.most, row.removed_because) {
        (CheckStatus::Grown, Some(finding), Some(most), _) => {
            let (now, more) = (Bytes(finding.entry.bytes), Bytes(finding.entry.bytes.saturating_sub(entry.bytes)));
            format!("It grew by {more}, from {accepted} to {now}; up to {most} passes")
        }
        (CheckStatus::Gone, _, _, Some(GoneReason::Judged(group))) => {
            format!("{accepted} were accepted. It is no leak any more but {group}; --accept removes it")
        }
        (CheckStatus::Gone, _, _, Some(GoneReason::NotRead)) => {
            format!("{accepted} were accepted. The dump is incomplete: it may be in the part that was not read")
        }
        (CheckStatus::Gone, ..) => format!("{accepted} were accepted. No longer found; --accept removes it"),
        _ => format!("{accepted} were accepted"),
    })
}

/// What is missing of a dump, in a sentence.
pub(super) fn incomplete(check: &DumpCheck) -> Option<String> {
    let why = check.incomplete.as_ref()?;
    Some(format!("Incomplete dump: findings are of the part that was read. {why}"))
}

/// What a dump without a section means, in a sentence.
pub(super) fn without_section(file: &CheckedFile, check: &DumpCheck) -> Option<String> {
    (!check.has_section)
        .then(|| format!("The baseline has no dump '{}': all of its findings are new. --accept adds them", file.name))
}

/// What to do after a failure.
pub(super) fn advice(report: &CheckReport) -> String {
    let baseline = &report.baseline;
    format!("To do: fix what is new or grew, or accept it: run the same command with --accept, and commit {baseline}")
}

/// A failure in one line: `app: new leak: shop.Cache.ALL holds 1,200 shop.Session, 5.4 MB (76 %)`.
pub fn failure(file: &CheckedFile, row: &CheckRow) -> String {
    let change = change(row).map(|change| format!(". {change}")).unwrap_or_default();
    format!("{}: {}: {}{change}", file.name, status(row).to_lowercase(), title(row))
}
