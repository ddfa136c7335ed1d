//! Results of a check as Markdown, for the summary of a build and for comments.

use std::io::{self, Write};

use super::words;
use crate::check::{CheckReport, CheckRow, CheckStatus, CheckedFile, DumpCheck};
use crate::export::markdown::{escaped, line, rule};
use heaplens_base::Bytes;

/// Titles of the columns, and whether they are numbers.
const COLUMNS: [(&str, bool); 5] =
    [("Status", false), ("Finding", false), ("Accepted", true), ("Now", true), ("Fingerprint", false)];

/// Writes the result, a table of each dump, and the details of what fails.
pub fn write_check_markdown(mut out: impl Write, report: &CheckReport) -> io::Result<()> {
    writeln!(out, "# Heap check\n\n**{}**", escaped(&words::lead(report)))?;
    for file in &report.files {
        writeln!(out, "\n## {}\n", escaped(&file.name))?;
        match &file.result {
            Ok(check) => write_dump(&mut out, file, check)?,
            Err(why) => writeln!(out, "Cannot be used: {}", escaped(why))?,
        }
    }
    if report.failures().next().is_some() {
        writeln!(out, "\n{}", escaped(&words::advice(report)))?;
    }
    Ok(())
}

fn write_dump(out: &mut impl Write, file: &CheckedFile, check: &DumpCheck) -> io::Result<()> {
    writeln!(out, "{}: {}", escaped(&file.file), words::counts(check))?;
    for note in [words::incomplete(check), words::without_section(file, check)].into_iter().flatten() {
        writeln!(out, "\n{}", escaped(&note))?;
    }
    // Owners may be many; those that were accepted are no news.
    let listed: Vec<&CheckRow> = check.rows.iter().filter(|row| row.status != CheckStatus::Accepted).collect();
    if listed.is_empty() {
        return Ok(());
    }
    let titles = line(COLUMNS.iter().map(|(title, _)| (*title).to_owned()));
    write!(out, "\n{titles}{}", rule(COLUMNS.iter().map(|(_, is_number)| *is_number)))?;
    for row in listed {
        let size = |bytes: Option<u64>| bytes.map(|bytes| Bytes(bytes).to_string()).unwrap_or_default();
        let fingerprint = row.entry().map(|entry| escaped(&entry.fingerprint)).unwrap_or_default();
        let title = row.entry().map(|entry| escaped(&entry.title)).unwrap_or_default();
        let accepted = size(row.accepted.as_ref().map(|entry| entry.bytes));
        let now = size(row.finding.as_ref().map(|finding| finding.entry.bytes));
        write!(out, "{}", line([words::status(row), title, accepted, now, fingerprint]))?;
    }
    for row in check.failures() {
        let Some(finding) = &row.finding else { continue };
        writeln!(out, "\n### {}: {}\n", words::status(row), escaped(&finding.title))?;
        for sentence in words::change(row).iter().chain(&finding.facts) {
            writeln!(out, "- {}", escaped(sentence))?;
        }
        writeln!(out, "- {}, fingerprint {}", escaped(finding.kind), escaped(&finding.entry.fingerprint))?;
        if !finding.path.is_empty() {
            writeln!(out, "\n```text\n{}\n```", finding.path.trim_end().replace("```", "'''"))?;
        }
    }
    Ok(())
}
