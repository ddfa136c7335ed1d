//! Findings of the leak finder, as `leaks` prints them.

use super::{Row, Rows};
use crate::export::leaks::{cells, titles, words, write_leaks_markdown, write_leaks_text};
use crate::export::{identity::Identity, written};
use heaplens_analysis::LeakFinding;

/// Markdown for a ticket: identical to the output of the command line.
pub(super) fn markdown(identity: &Identity, found: &[LeakFinding]) -> String {
    written(|out| write_leaks_markdown(out, identity, found, words::NOTHING))
}

/// Sentences with paths.
pub(super) fn text(found: &[LeakFinding]) -> String {
    written(|out| write_leaks_text(out, found, words::NOTHING))
}

/// One row each.
pub(super) fn rows(found: &[LeakFinding]) -> Rows {
    Rows {
        headings: titles(),
        rows: found.iter().map(|finding| Row { depth: 0, cells: cells(finding) }).collect(),
        json: ("findings", Vec::new()),
    }
}
