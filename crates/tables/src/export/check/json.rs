//! Results of a check as JSON. Field names are a contract: see `docs/command-line.md`.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::check::{CheckReport, CheckRow, CheckedFile, GoneReason};

/// Writes the results as one JSON object.
pub fn write_check_json(mut out: impl Write, report: &CheckReport) -> io::Result<()> {
    let answer = json!({
        "passed": report.is_passed(),
        "baseline": report.baseline,
        "dumps": report.files.iter().map(dump).collect::<Vec<_>>(),
    });
    serde_json::to_writer(&mut out, &answer)?;
    writeln!(out)
}

fn dump(file: &CheckedFile) -> Value {
    let check = file.result.as_ref().ok();
    json!({
        "name": file.name,
        "file": file.file,
        "passed": check.is_some_and(|check| check.failures().next().is_none()),
        "error": file.result.as_ref().err(),
        "incomplete": check.and_then(|check| check.incomplete.as_ref()),
        "in_baseline": check.is_some_and(|check| check.has_section),
        "findings": check.map_or(Vec::new(), |check| check.rows.iter().map(row).collect()),
    })
}

fn row(row: &CheckRow) -> Value {
    let (entry, finding) = (row.entry(), row.finding.as_ref());
    let text = |text: Option<&String>| text.filter(|text| !text.is_empty()).cloned();
    let removed_because = row.removed_because.map(|removed_because| match removed_because {
        GoneReason::NotFound => "not found",
        GoneReason::NotRead => "not read",
        GoneReason::Judged(group) => group,
    });
    json!({
        "status": row.status.key(),
        "fails": row.fails(),
        "part": row.part.name(),
        "group": finding.map(|finding| finding.group),
        "kind": entry.map(|entry| &entry.kind),
        "fingerprint": entry.map(|entry| &entry.fingerprint),
        "title": finding.map(|finding| &finding.title).or(entry.map(|entry| &entry.title)),
        "owner": text(entry.map(|entry| &entry.owner)),
        "class": text(entry.map(|entry| &entry.class)),
        "holder": text(finding.map(|finding| &finding.holder)),
        "bytes": finding.map(|finding| finding.entry.bytes),
        "objects": finding.map(|finding| finding.entry.objects),
        "accepted_bytes": row.accepted.as_ref().map(|entry| entry.bytes),
        "accepted_objects": row.accepted.as_ref().map(|entry| entry.objects),
        "most_bytes": row.most.map(|most| most.0),
        "reason": row.accepted.as_ref().and_then(|entry| entry.reason.as_ref()),
        "gone": removed_because,
        "facts": finding.map_or(&[][..], |finding| &finding.facts),
        "path": text(finding.map(|finding| &finding.path)),
    })
}
