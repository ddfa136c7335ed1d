//! Findings of the leak finder, as `leaks` prints them.

use super::{Row, Rows};
use crate::export::identity::Identity;
use crate::export::leaks::{cells, titles, words, write_leaks_markdown, write_leaks_text};
use heaplens_analysis::LeakFinding;

/// Markdown for a ticket: identical to the output of the command line.
pub(super) fn markdown(identity: &Identity, found: &[LeakFinding]) -> String {
    let mut out = Vec::new();
    // Writing to a vector cannot fail.
    let _written = write_leaks_markdown(&mut out, identity, found, words::NOTHING);
    String::from_utf8(out).unwrap_or_default()
}

/// Sentences with paths.
pub(super) fn text(found: &[LeakFinding]) -> String {
    let mut out = Vec::new();
    let _written = write_leaks_text(&mut out, found, words::NOTHING);
    String::from_utf8(out).unwrap_or_default()
}

/// One row each.
pub(super) fn rows(found: &[LeakFinding]) -> Rows {
    Rows {
        headings: titles(),
        rows: found.iter().map(|finding| Row { depth: 0, cells: cells(finding) }).collect(),
        json: ("findings", Vec::new()),
    }
}
