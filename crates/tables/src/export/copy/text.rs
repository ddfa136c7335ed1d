//! Copies as plain text.

use super::{clip::ClipBody, tree};
use crate::export::leaks::write_leaks_text;
use crate::export::written;
use heaplens_analysis::leaks::words;

/// The body for a monospaced font.
pub(super) fn text(body: &ClipBody) -> String {
    match body {
        ClipBody::Rows(rows) => tree::aligned(rows),
        ClipBody::Path(path) => path.to_string(),
        ClipBody::Findings(findings, _) => written(|out| write_leaks_text(out, findings, words::NOTHING)),
        ClipBody::Traces(text, _) => text.clone(),
        ClipBody::Object(facts, rows, _) if rows.rows.is_empty() => facts.clone(),
        ClipBody::Object(facts, rows, _) => format!("{facts}\n{}", tree::aligned(rows)),
    }
}
