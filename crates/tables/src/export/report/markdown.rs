//! The overview as Markdown, for a ticket.

use std::io::{self, Write};

use super::{Document, short};
use crate::{columns::Value, export::identity::Identity};
use heaplens_analysis::Overview;
use heaplens_base::invisible::visible;

/// Writes the overview as Markdown.
pub fn write_markdown(mut out: impl Write, identity: &Identity, overview: &Overview) -> io::Result<()> {
    let document = Document::new(identity, overview);
    writeln!(out, "# {}\n", escaped(&document.title))?;
    if let Some(error) = &document.error {
        writeln!(out, "**{}**\n", escaped(error))?;
    }
    writeln!(out, "{}\n", escaped(&document.lead))?;
    for (name, value) in &document.identity {
        writeln!(out, "- {name}: {}", escaped(value))?;
    }
    writeln!(out, "\n## Findings\n")?;
    if document.findings.is_empty() {
        writeln!(out, "{}", document.nothing)?;
    }
    for (number, finding) in (1..).zip(&document.findings) {
        let id = finding.id.as_ref().map(|id| format!(" (`{id}`)")).unwrap_or_default();
        let (sentence, why, link) = (escaped(&finding.sentence), escaped(&finding.why), &finding.link);
        writeln!(out, "{number}. **[{sentence}]({link})**{id}  \n   {why}")?;
    }
    writeln!(out, "\n## Health\n\n| | |\n|---|---|")?;
    for (name, value, _) in &document.health {
        writeln!(out, "| {name} | {} |", escaped(value))?;
    }
    for section in &document.sections {
        writeln!(out, "\n## {}\n", section.title)?;
        writeln!(out, "| {} |", section.columns.join(" | "))?;
        let number = |at: usize| section.rows.first().is_some_and(|row| !matches!(row.get(at), Some(Value::Text(_))));
        let rules: Vec<&str> = (0..section.columns.len()).map(|at| if number(at) { "---:" } else { "---" }).collect();
        writeln!(out, "|{}|", rules.join("|"))?;
        for row in &section.rows {
            let cells: Vec<String> = row.iter().map(|cell| escaped(&short(cell))).collect();
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
    }
    Ok(())
}

/// With a backslash before whatever Markdown would take for a mark; `<` and `&` as HTML has them, for some
/// renderers take tags whatever stands before them.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '@' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_escaped_in_markdown_reports() {
        assert_eq!(escaped("a|b <img> [x](y) *_`~"), "a\\|b &lt;img&gt; \\[x\\](y) \\*\\_\\`\\~");
    }
}
