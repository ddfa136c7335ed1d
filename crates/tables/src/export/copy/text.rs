//! Copies as plain text.

use super::{clip::ClipBody, tree};
use crate::export::leaks::write_leaks_text;
use crate::export::written;
use heaplens_analysis::ReferencePath;
use heaplens_analysis::leaks::words;

/// What the mark of a step means: whoever reads a ticket has no tooltip.
const LEGEND: &str = "* all paths from GC roots to the object go through this step";

/// A path with the meaning of its marks.
pub(super) fn path_text(path: &ReferencePath) -> String {
    if path.steps.iter().any(|step| step.dominates) { format!("{path}{LEGEND}\n") } else { path.to_string() }
}

/// The body for a monospaced font.
pub(super) fn text(body: &ClipBody) -> String {
    match body {
        ClipBody::Rows(rows) => tree::aligned(rows),
        ClipBody::Path(path) => path_text(path),
        ClipBody::Findings(findings, _) => written(|out| write_leaks_text(out, findings, words::NOTHING)),
        ClipBody::Traces(text, _) => text.clone(),
        ClipBody::Object(facts, rows, _) if rows.rows.is_empty() => facts.clone(),
        ClipBody::Object(facts, rows, _) => format!("{facts}\n{}", tree::aligned(rows)),
    }
}
