//! As Markdown that GitHub, GitLab and Jira show alike: a table, or a fenced
//! block where lines and columns are to stay as they are.

use super::{Body, Clip, Rows, text, tree};
use crate::export::printable::is_order;

pub(super) fn markdown(clip: &Clip) -> String {
    let head = format!("_{}_\n\n**{}**\n\n", escaped(&clip.identity.line()), escaped(&clip.title));
    let body = match &clip.body {
        Body::Rows(rows) if !tree::is_tree(rows) => table(rows),
        body => fenced(&text(body)),
    };
    head + &body
}

/// Text that means just itself: no emphasis, no links, no code, no html, no cell's end.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_order(c) => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Jira opens braces, GitHub calls people and closes issues.
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '#' | '!' | '@' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn table(rows: &Rows) -> String {
    let line = |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let mut out = line(&mut rows.headings.iter().map(|heading| escaped(heading)));
    out.push_str(&line(
        &mut tree::numbers(rows).into_iter().map(|number| if number { "---:" } else { "---" }.to_owned()),
    ));
    for row in &rows.rows {
        let mut cells: Vec<String> = row.cells.iter().map(|cell| escaped(&cell.for_people())).collect();
        cells.resize(rows.headings.len(), String::new());
        out.push_str(&line(&mut cells.into_iter()));
    }
    out
}

/// A block that ends where it should, whatever is in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(escaped("a|b`c*<i>@you\n\u{202e}#1"), "a\\|b\\`c\\*&lt;i&gt;\\@you  \\#1");
        assert_eq!(fenced("a\n````\nb\n"), "`````text\na\n````\nb\n`````\n");
        assert_eq!(fenced("a\n"), "```text\na\n```\n");
    }
}
