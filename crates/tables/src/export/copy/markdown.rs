//! Copies as Markdown that GitHub, GitLab and Jira render alike: a table, or a fenced
//! block where lines and columns must be preserved.

use super::{Clip, ClipBody, Rows, text::text, tree};
use crate::export::leaks::write_leaks_markdown;
use crate::export::markdown::{escaped, line, rule};
use crate::export::written;
use heaplens_analysis::leaks::words;

pub(super) fn markdown(clip: &Clip) -> String {
    if let ClipBody::Findings(findings, _) = &clip.body {
        return written(|out| write_leaks_markdown(out, &clip.identity, findings, words::NOTHING));
    }
    let head = format!("_{}_\n\n**{}**\n\n", escaped(&clip.identity.line()), escaped(&clip.title));
    let body = match &clip.body {
        ClipBody::Rows(rows) if !tree::is_tree(rows) => table(rows),
        body => fenced(&text(body)),
    };
    head + &body
}

fn table(rows: &Rows) -> String {
    let mut out = line(rows.headings.iter().map(|heading| escaped(heading)));
    out.push_str(&rule(tree::numbers(rows)));
    for row in &rows.rows {
        let mut cells: Vec<String> = row.cells.iter().map(|cell| escaped(&cell.exact())).collect();
        cells.resize(rows.headings.len(), String::new());
        out.push_str(&line(cells));
    }
    out
}

/// A fenced block whose fence is longer than any in the text.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_block_is_closed() {
        assert_eq!(fenced("a\n````\nb\n"), "`````text\na\n````\nb\n`````\n");
        assert_eq!(fenced("a\n"), "```text\na\n```\n");
    }
}
