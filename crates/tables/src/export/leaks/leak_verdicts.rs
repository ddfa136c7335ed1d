//! Leaks of a dump and the findings that have a verdict of the user, for the summary.

use std::io::{self, Write};

use serde::Serialize;

use crate::columns::{Value, fraction};
use crate::export::printable::one_line;
use heaplens_analysis::leaks::{leaking, words};
use heaplens_analysis::{LeakFinding, leaks::Group};
use heaplens_base::Bytes;

/// Number and size of leaks, and the findings that have a verdict of the user.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "names say it")]
pub struct LeakVerdicts {
    pub leaks: u64,
    pub bytes: u64,
    pub judged: Vec<VerdictRow>,
    #[serde(skip)]
    words: String,
}

/// A finding that has a verdict of the user.
#[derive(Debug, Clone, Serialize)]
pub struct VerdictRow {
    #[serde(serialize_with = "crate::export::keys::group")]
    pub group: Group,
    pub name: String,
    pub bytes: u64,
    pub share: f64,
    pub pattern: String,
    pub reason: String,
    pub fingerprint: String,
    #[serde(skip)]
    words: String,
}

impl LeakVerdicts {
    /// Picks the leaks and the judged findings.
    pub fn new(findings: &[LeakFinding]) -> Self {
        let leaks = findings.iter().filter(|finding| finding.group == Group::Leak).count() as u64;
        let judged = findings.iter().filter_map(|finding| {
            let verdict = finding.verdict.as_ref().filter(|verdict| verdict.is_of_user)?;
            let reason = one_line(&verdict.reason);
            let reason = if reason.is_empty() { reason } else { format!(": {reason}") };
            Some(VerdictRow {
                group: finding.group,
                name: finding.name.clone(),
                bytes: finding.frees.0,
                share: fraction(finding.share()),
                pattern: verdict.pattern.clone(),
                reason: verdict.reason.clone(),
                fingerprint: finding.fingerprint.clone(),
                words: format!("{}{reason}", words::title(finding)),
            })
        });
        Self { leaks, bytes: leaking(findings).0, judged: judged.collect(), words: words::summary(findings) }
    }

    /// The bytes of those that are expected.
    fn expected(&self) -> Bytes {
        self.judged.iter().filter(|row| row.group == Group::Expected).map(|row| Bytes(row.bytes)).sum()
    }

    /// As lines of the summary for people.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "Leaks        {}", self.words)?;
        for row in &self.judged {
            writeln!(out, "{:<12} {}", words::judged_as(row.group), row.words)?;
        }
        Ok(())
    }

    /// As facts of the summary, one a row.
    pub fn rows(&self) -> [(&'static str, Value<'static>); 3] {
        [
            ("leaks", Value::Count(self.leaks)),
            ("leaking_bytes", Value::Bytes(Bytes(self.bytes))),
            ("expected_bytes", Value::Bytes(self.expected())),
        ]
    }
}
