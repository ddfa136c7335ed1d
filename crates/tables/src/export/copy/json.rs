//! Copies as JSON: identity of the dump, then the objects that the command line prints, one a line.

use super::{Clip, ClipBody};
use crate::export::json::{PathRow, text};
use crate::export::leaks::finding_json;

pub(super) fn json(clip: &Clip) -> String {
    let about = text(&clip.identity);
    let body = match &clip.body {
        ClipBody::Rows(rows) | ClipBody::Traces(_, rows) => {
            let (list, rows) = (&rows.json.0, rows.json.1.join(",\n"));
            format!("\"{list}\":[\n{rows}\n]")
        }
        ClipBody::Path(path) => format!("\"paths\":[\n{}\n]", text(&PathRow::new(path))),
        ClipBody::Object(_, _, json) => format!("\"object\":{json}"),
        ClipBody::Findings(findings, _) => {
            let findings: Vec<String> = findings.iter().map(|finding| finding_json(finding).to_string()).collect();
            format!("\"findings\":[\n{}\n]", findings.join(",\n"))
        }
    };
    let excerpt = clip.excerpt.as_ref();
    let of = excerpt.map(|excerpt| format!("\"rows_in_all\":{},\n", excerpt.of)).unwrap_or_default();
    format!("{{\"about\":{about},\n{of}{body}}}\n")
}
