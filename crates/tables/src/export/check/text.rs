//! Results of a check for a terminal and for the log of a build.

use std::io::{self, Write};

use super::words;
use crate::check::{Baseline, BaselineSection, CheckReport, CheckRow, CheckStatus};
use crate::export::printable::one_line;
use heaplens_base::Count;

/// Writes the result, then each dump with what fails and what is no longer found.
pub fn write_check_text(mut out: impl Write, report: &CheckReport) -> io::Result<()> {
    writeln!(out, "{}", words::lead(report))?;
    for file in &report.files {
        let called = one_line(&format!("{} ({})", file.name, file.file));
        let check = match &file.result {
            Ok(check) => check,
            Err(why) => {
                writeln!(out, "\n{called}: {}", one_line(why))?;
                continue;
            }
        };
        writeln!(out, "\n{called}: {}", words::counts(check))?;
        for note in [words::incomplete(check), words::without_section(file, check)].into_iter().flatten() {
            writeln!(out, "{}", one_line(&note))?;
        }
        for (number, row) in (1..).zip(check.failures()) {
            writeln!(out, "\n{number}. {}: {}", words::status(row), one_line(words::title(row)))?;
            write_details(&mut out, row)?;
        }
        let removed: Vec<&CheckRow> = check.rows.iter().filter(|row| row.status == CheckStatus::Gone).collect();
        for (number, row) in removed.into_iter().enumerate() {
            let change = words::change(row).unwrap_or_default();
            let gap = if number == 0 { "\n" } else { "" };
            writeln!(out, "{gap}{}: {}. {change}", words::status(row), one_line(words::title(row)))?;
        }
    }
    if report.failures().next().is_some() {
        writeln!(out, "\n{}", one_line(&words::advice(report)))?;
    }
    Ok(())
}

fn write_details(out: &mut impl Write, row: &CheckRow) -> io::Result<()> {
    let Some(finding) = &row.finding else { return Ok(()) };
    writeln!(out, "   {} · {}", finding.kind, one_line(&finding.entry.fingerprint))?;
    for sentence in words::change(row).iter().chain(&finding.facts) {
        writeln!(out, "   {}", one_line(sentence))?;
    }
    if !finding.path.is_empty() {
        writeln!(out)?;
        for line in finding.path.lines() {
            writeln!(out, "   {line}")?;
        }
    }
    Ok(())
}

/// Writes what accepting changed: `report` is that of the baseline before, `baseline` the new one.
pub fn write_accepted_text(mut out: impl Write, report: &CheckReport, baseline: &Baseline) -> io::Result<()> {
    for (file, check) in report.checked() {
        let [new, grown, same, removed] =
            [CheckStatus::New, CheckStatus::Grown, CheckStatus::Accepted, CheckStatus::Gone]
                .map(|status| check.count(status, None));
        let parts: Vec<String> = [(new, "new"), (grown, "grew"), (removed, "removed")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{} {word}", Count(count)))
            .collect();
        let changes = if parts.is_empty() { "no change".to_owned() } else { parts.join(", ") };
        let entries = baseline.section(&file.name).map_or(0, BaselineSection::len) as u64;
        let (findings, entries) = (new + grown + same, Count(entries).of("entry", "entries"));
        let all = Count(findings).of("finding", "findings");
        writeln!(out, "{}", one_line(&format!("{}: {all} accepted: {changes}; {entries} in all", file.name)))?;
        if let Some(note) = words::incomplete(check) {
            writeln!(out, "{}", one_line(&note))?;
        }
    }
    writeln!(out, "{}", one_line(&format!("Written: {}", report.baseline)))
}
