//! Results of a check as SARIF 2.1.0, for code scanning. A dump has no source lines: a result is located in the dump,
//! and logically at the field that holds the memory and the class that accumulates.
//!
//! What fails is an error if it is a leak, else a warning, as of waste and of structures that may be bounded. Accepted findings are notes with a suppression, so that a
//! viewer can show them; what is no longer found is left out.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::words;
use crate::check::{CheckPart, CheckReport, CheckRow, CheckStatus, CheckedFile};
use crate::export::printable::one_line;
use heaplens_analysis::leaks::Group;
use heaplens_platform::paths::drive_and_slashes;

/// Schema of the format.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Name of the fingerprint, with its version.
const FINGERPRINT: &str = "heaplensFinding/v1";

/// Writes the results as SARIF.
pub fn write_check_sarif(mut out: impl Write, report: &CheckReport) -> io::Result<()> {
    let mut rules: Vec<(String, Value)> = Vec::new();
    let mut results = Vec::new();
    for (number, file) in report.files.iter().enumerate() {
        let rows = file.result.iter().flat_map(|check| &check.rows).filter(|row| row.status != CheckStatus::Gone);
        for row in rows {
            results.extend(result(row, (number, file), &mut rules));
        }
    }
    let artifacts = report.files.iter().map(|file| {
        json!({
            "location": {"uri": uri(&file.file)},
            "roles": ["analysisTarget"],
            "description": {"text": format!("Heap dump {}", one_line(&file.name))},
        })
    });
    let run = json!({
        "tool": {"driver": {
            "name": "heaplens",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules.iter().map(|(_, rule)| rule.clone()).collect::<Vec<_>>(),
        }},
        "invocations": [{
            "executionSuccessful": report.unreadable().next().is_none(),
            "toolExecutionNotifications": notifications(report),
        }],
        "artifacts": artifacts.collect::<Vec<_>>(),
        "results": results,
        "columnKind": "unicodeCodePoints",
    });
    serde_json::to_writer_pretty(&mut out, &json!({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}))?;
    writeln!(out)
}

/// What could not be read, wholly or in part.
fn notifications(report: &CheckReport) -> Vec<Value> {
    let note = |number: usize, level: &str, text: &str| {
        let uri = report.files.get(number).map(|file| uri(&file.file));
        json!({
            "level": level,
            "message": {"text": plain(text)},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri, "index": number}}}],
        })
    };
    let of_file = |(number, file): (usize, &CheckedFile)| match &file.result {
        Ok(check) => words::incomplete(check).map(|text| note(number, "warning", &text)),
        Err(why) => Some(note(number, "error", why)),
    };
    report.files.iter().enumerate().filter_map(of_file).collect()
}

fn result(row: &CheckRow, (number, file): (usize, &CheckedFile), rules: &mut Vec<(String, Value)>) -> Option<Value> {
    let finding = row.finding.as_ref()?;
    let id = rule_id(row.part, &finding.entry.kind);
    let rule = rules.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
        rules.push((id.clone(), rule(row.part, &id, finding.kind)));
        rules.len() - 1
    });
    let state = match row.status {
        CheckStatus::New => "new",
        CheckStatus::Grown => "updated",
        CheckStatus::Accepted | CheckStatus::Gone => "unchanged",
    };
    let level = match row.status {
        // A structure that one dump shows to be limited is no certain leak.
        CheckStatus::New | CheckStatus::Grown if finding.group == Group::Bounded.key() => "warning",
        CheckStatus::New | CheckStatus::Grown => failing(row.part),
        CheckStatus::Accepted | CheckStatus::Gone => "note",
    };
    let mut sentences = vec![format!("{}: {}", words::status(row), finding.title)];
    sentences.extend(words::change(row));
    sentences.extend(finding.facts.iter().cloned());
    let mut text = sentences.iter().map(|sentence| plain(sentence)).collect::<Vec<_>>().join(".\n");
    if !finding.path.is_empty() {
        let _ = write!(text, "\n\n{}", finding.path.lines().map(plain).collect::<Vec<_>>().join("\n"));
    }
    let logical: Vec<Value> = [(&finding.holder, "member"), (&finding.entry.class, "type")]
        .into_iter()
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, kind)| logical(name, kind))
        .collect();
    let mut properties = Map::new();
    properties.insert("status".to_owned(), row.status.key().into());
    properties.insert("bytes".to_owned(), finding.entry.bytes.into());
    properties.insert("objects".to_owned(), finding.entry.objects.into());
    if let Some(accepted) = &row.accepted {
        properties.insert("acceptedBytes".to_owned(), accepted.bytes.into());
    }
    let mut location = json!({
        "physicalLocation": {"artifactLocation": {"uri": uri(&file.file), "index": number}},
    });
    if let (false, Some(location)) = (logical.is_empty(), location.as_object_mut()) {
        location.insert("logicalLocations".to_owned(), logical.into());
    }
    let mut result = json!({
        "ruleId": id,
        "ruleIndex": rule,
        "level": level,
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {FINGERPRINT: format!("{}/{}", one_line(&file.name), finding.entry.fingerprint)},
        "baselineState": state,
        "properties": properties,
    });
    if let (CheckStatus::Accepted, Some(result)) = (row.status, result.as_object_mut()) {
        let mut suppression = json!({"kind": "external", "status": "accepted"});
        let reason = row.accepted.as_ref().and_then(|entry| entry.reason.as_ref());
        if let (Some(reason), Some(suppression)) = (reason, suppression.as_object_mut()) {
            suppression.insert("justification".to_owned(), one_line(reason).into());
        }
        result.insert("suppressions".to_owned(), json!([suppression]));
    }
    Some(result)
}

fn failing(part: CheckPart) -> &'static str {
    match part {
        CheckPart::Leaks => "error",
        CheckPart::Waste | CheckPart::Owners => "warning",
    }
}

/// Stable id of the rule of a kind of finding: `leak-class-loaders`.
fn rule_id(part: CheckPart, kind: &str) -> String {
    let prefix = match part {
        CheckPart::Leaks => "leak-",
        CheckPart::Waste => "waste-",
        CheckPart::Owners => "growth-",
    };
    format!("{prefix}{}", kind.replace(' ', "-"))
}

fn rule(part: CheckPart, id: &str, kind: &str) -> Value {
    let (short, help) = match part {
        CheckPart::Leaks => (
            format!("Leak: {kind}"),
            "Memory that may keep growing, or should have been released, and that the baseline does not accept.",
        ),
        CheckPart::Waste => (format!("Waste: {kind}"), "Memory that holds no useful data."),
        CheckPart::Owners => (
            "Growth of an owner".to_owned(),
            "A field, thread or class of the application retains more than the baseline accepts.",
        ),
    };
    let to_do = "Fix it, or accept it with 'heaplens check --accept'.";
    json!({
        "id": id,
        "shortDescription": {"text": short},
        "fullDescription": {"text": help},
        "help": {"text": format!("{help} {to_do}")},
        "defaultConfiguration": {"level": failing(part)},
    })
}

/// A name of the program, and its last part.
fn logical(name: &str, kind: &str) -> Value {
    let name = one_line(name);
    let last = name.rsplit('.').next().filter(|last| !last.is_empty()).unwrap_or(&name);
    json!({"name": last, "fullyQualifiedName": name, "kind": kind})
}

/// Text of a message: in one line, and without the links of SARIF, `[text](target)`.
fn plain(text: &str) -> String {
    one_line(text).replace("](", "] (")
}

/// A path as a URI: relative, or `file://`.
fn uri(path: &str) -> String {
    let (drive, path) = drive_and_slashes(path);
    let mut out = String::with_capacity(path.len());
    match drive {
        Some(drive) => {
            let _ = write!(out, "file:///{drive}:");
        }
        None => out.push_str(if path.starts_with('/') { "file://" } else { "" }),
    }
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte.into()),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        for (path, written) in [
            ("build/a b.hprof", "build/a%20b.hprof"),
            ("/tmp/é.hprof", "file:///tmp/%C3%A9.hprof"),
            ("x/a:b#c?.hprof", "x/a%3Ab%23c%3F.hprof"),
        ] {
            assert_eq!(uri(path), written);
        }
    }

    #[test]
    fn names_make_no_links() {
        assert_eq!(plain("a [click](x)\n\u{1b}b byte[]"), "a [click] (x) \\u{1b}b byte[]");
    }
}
