//! Results of a check as JUnit XML, as Jenkins and GitLab read it: a suite for each dump, a test case for each finding.
//!
//! Names of test cases have no figures, so that the history of a case goes on in the next build.

use std::io::{self, Write};

use super::words;
use crate::check::{CheckReport, CheckRow, CheckStatus, CheckedFile, DumpCheck};
use crate::export::printable::one_line;
use crate::export::xml::escaped;

/// Writes the results as JUnit XML.
pub fn write_check_junit(mut out: impl Write, report: &CheckReport) -> io::Result<()> {
    let failures = report.failures().count();
    let errors = report.unreadable().count();
    let tests: usize = report.files.iter().map(|file| file.result.as_ref().map_or(1, tests)).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"heaplens check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    for file in &report.files {
        let name = attribute(&file.name);
        match &file.result {
            Ok(check) => write_suite(&mut out, file, check)?,
            Err(why) => {
                writeln!(out, "<testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">")?;
                writeln!(out, "<testcase classname=\"{name}\" name=\"the dump can be read\">")?;
                writeln!(out, "<error type=\"unreadable\" message=\"{}\"/>", attribute(why))?;
                writeln!(out, "</testcase>\n</testsuite>")?;
            }
        }
    }
    writeln!(out, "</testsuites>")
}

/// Rows that are test cases: all that were found.
fn cases(check: &DumpCheck) -> impl Iterator<Item = &CheckRow> {
    check.rows.iter().filter(|row| row.status != CheckStatus::Gone)
}

/// Number of test cases of a dump; a suite is never empty.
fn tests(check: &DumpCheck) -> usize {
    cases(check).count().max(1)
}

fn write_suite(out: &mut impl Write, file: &CheckedFile, check: &DumpCheck) -> io::Result<()> {
    let name = attribute(&file.name);
    let (tests, failures) = (tests(check), check.failures().count());
    writeln!(out, "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">")?;
    writeln!(out, "<properties>\n<property name=\"file\" value=\"{}\"/>", attribute(&file.file))?;
    if let Some(why) = &check.incomplete {
        writeln!(out, "<property name=\"incomplete\" value=\"{}\"/>", attribute(why))?;
    }
    writeln!(out, "</properties>")?;
    if cases(check).next().is_none() {
        writeln!(out, "<testcase classname=\"{name}\" name=\"no findings\"/>")?;
    }
    for row in cases(check) {
        let Some(finding) = &row.finding else { continue };
        let class = attribute(&format!("{}.{}", file.name, row.part.name()));
        let case = attribute(&format!("{} ({})", finding.entry.title, finding.entry.fingerprint));
        write!(out, "<testcase classname=\"{class}\" name=\"{case}\"")?;
        if !row.fails() {
            writeln!(out, "/>")?;
            continue;
        }
        let message = attribute(&format!("{}: {}", words::status(row), finding.title));
        writeln!(out, ">\n<failure type=\"{}\" message=\"{message}\">", row.status.key())?;
        for sentence in words::change(row).iter().chain(&finding.facts) {
            writeln!(out, "{}", escaped(&one_line(sentence)))?;
        }
        if !finding.path.is_empty() {
            writeln!(out, "\n{}", escaped(&finding.path))?;
        }
        writeln!(out, "</failure>\n</testcase>")?;
    }
    let removed = check.rows.iter().filter(|row| row.status == CheckStatus::Gone);
    let removed = removed.map(|row| {
        let change = words::change(row).unwrap_or_default();
        format!("{}: {}. {change}", words::status(row), words::title(row))
    });
    let notes: Vec<String> =
        [words::incomplete(check), words::without_section(file, check)].into_iter().flatten().chain(removed).collect();
    if !notes.is_empty() {
        let notes: Vec<String> = notes.iter().map(|note| escaped(&one_line(note))).collect();
        writeln!(out, "<system-out>{}</system-out>", notes.join("\n"))?;
    }
    writeln!(out, "</testsuite>")
}

/// Text of an attribute, in one line.
fn attribute(text: &str) -> String {
    escaped(&one_line(text))
}
