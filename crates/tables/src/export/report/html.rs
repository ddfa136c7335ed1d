//! The overview as one HTML file: no scripts, nothing from elsewhere, light or
//! dark as the reader's system is, and fit to be printed.

use std::io::{self, Write};

use super::{Document, Section, short};
use crate::{columns::Cell, export::identity::Identity};
use heaplens_analysis::{Overview, overview::Mark};
use heaplens_base::{Bytes, Share};

/// Colours and shapes; the colours are those of the window.
const STYLE: &str = include_str!("report.css");

/// Writes the overview as one HTML file.
pub fn write_html(mut out: impl Write, identity: &Identity, overview: &Overview) -> io::Result<()> {
    let document = Document::new(identity, overview);
    let title = escaped(&document.title);
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<meta name=\"color-scheme\" content=\"light dark\">")?;
    // Nothing of a dump is run or fetched, whatever its names say.
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")?;
    writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
    writeln!(out, "<header>\n<h1>{title}</h1>\n<p class=\"lead\">{}</p>\n<dl>", escaped(&document.lead))?;
    for (name, value) in &document.identity {
        writeln!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", escaped(value))?;
    }
    writeln!(out, "</dl>\n</header>\n<section>\n<h2>Findings</h2>")?;
    findings(&mut out, &document)?;
    writeln!(out, "</section>\n<section>\n<h2>Health</h2>\n<table class=\"facts\">\n<tbody>")?;
    for (name, value, mark) in &document.health {
        let class = match mark {
            Mark::Good => "good",
            Mark::Plain => "plain",
            Mark::Careful => "careful",
        };
        writeln!(out, "<tr><th scope=\"row\">{name}</th><td class=\"{class}\">{}</td></tr>", escaped(value))?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")?;
    for section in &document.sections {
        table(&mut out, section)?;
    }
    writeln!(out, "</main>\n</body>\n</html>")
}

fn findings(out: &mut impl Write, document: &Document) -> io::Result<()> {
    if document.findings.is_empty() {
        return writeln!(out, "<p>{}</p>", escaped(document.nothing));
    }
    writeln!(out, "<ol class=\"findings\">")?;
    for finding in &document.findings {
        let id = finding.id.as_ref().map(|id| format!(" <code>{}</code>", escaped(id))).unwrap_or_default();
        let (sentence, why) = (escaped(&finding.sentence), escaped(&finding.why));
        let link = escaped(&finding.link);
        let bar = bar(finding.share);
        writeln!(out, "<li><strong><a href=\"{link}\">{sentence}</a></strong>{id}{bar}<p>{why}</p></li>")?;
    }
    writeln!(out, "</ol>")
}

/// A share as a bar.
fn bar(share: Share) -> String {
    let mille = share.per_mille().min(1_000);
    format!("<span class=\"bar\"><i style=\"width:{}.{}%\"></i></span>", mille / 10, mille % 10)
}

fn table(out: &mut impl Write, section: &Section) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>{}</h2>\n<table>\n<thead>\n<tr>", section.title)?;
    let is_number = |at: usize| section.rows.first().is_some_and(|row| !matches!(row.get(at), Some(Cell::Text(_))));
    for (at, name) in section.columns.iter().enumerate() {
        let class = if is_number(at) { " class=\"number\"" } else { "" };
        writeln!(out, "<th scope=\"col\"{class}>{name}</th>")?;
    }
    writeln!(out, "</tr>\n</thead>\n<tbody>")?;
    for row in &section.rows {
        write!(out, "<tr>")?;
        for (at, cell) in row.iter().enumerate() {
            let text = escaped(&short(cell));
            match cell {
                // Ids are copied as a whole: no line ends inside one.
                Cell::Text(_) if section.columns.get(at) == Some(&"Id") => write!(out, "<td class=\"id\">{text}</td>")?,
                Cell::Text(_) => write!(out, "<td>{text}</td>")?,
                Cell::Size(bytes) => {
                    let drawn = section.bar.filter(|(column, _)| *column == at);
                    let bar = drawn.map(|(_, whole)| bar(Share::of(*bytes, whole))).unwrap_or_default();
                    write!(out, "<td class=\"number\" title=\"{} bytes\">{text}{bar}</td>", Bytes::exact(*bytes))?;
                }
                _ => write!(out, "<td class=\"number\">{text}</td>")?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
}

/// Text that is nothing but text, in an element or an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_analysis::overview::{DetailedOverview, HeapSummary, SumRow, ThreadSum};

    const HOSTILE: &str = "</style><script>alert('1')</script>\" onload=\"x\u{202e}\n\u{0}&amp;";

    #[test]
    fn hostile_names_stay_text() {
        let row = |name: &str| SumRow {
            name: name.to_owned(),
            class: None,
            objects: 1,
            shallow: Bytes(1),
            retained: Bytes(1),
        };
        let thread = ThreadSum {
            object: None,
            id: None,
            name: HOSTILE.to_owned(),
            state: None,
            retained: Bytes(1),
            out_of_memory: true,
        };
        let overview = Overview {
            glance: HeapSummary {
                by_retained: vec![row(HOSTILE)],
                by_shallow: vec![row(HOSTILE)],
                ..HeapSummary::default()
            },
            holders: None,
            closer: Some(DetailedOverview {
                packages: vec![row(HOSTILE)],
                threads: vec![thread],
                ..DetailedOverview::default()
            }),
            wasted: None,
        };
        let hostile = || HOSTILE.to_owned();
        let identity = Identity { file: hostile(), producer: hostile(), ..Identity::default() };
        let mut out = Vec::new();
        write_html(&mut out, &identity, &overview).expect("a vector takes all");
        let html = String::from_utf8(out).expect("UTF-8");
        assert!(html.matches("alert(").count() >= 6, "the names are there");
        assert!(!html.contains("<script") && !html.contains("onload=\""), "and are nothing but text");
        assert_eq!(html.matches("</style>").count(), 1);
        assert!(!html.chars().any(|c| c == '\u{202e}' || c == '\u{0}'));
        assert!(html.contains("&amp;amp;"), "what was escaped before stays as it was");
    }

    #[test]
    fn bars_are_no_longer_than_the_whole() {
        assert!(bar(Share { part: 5, whole: 2 }).contains("width:100.0%"));
        assert!(bar(Share { part: 1, whole: 0 }).contains("width:0.0%"));
    }
}
