//! The overview as one HTML file.

use std::io::{self, Write};

use super::{Document, Fact, Section};
use crate::export::html::{PageTable, bar, escaped, write_page, write_table};
use crate::export::identity::Identity;
use heaplens_analysis::{Overview, overview::Mark};

/// Writes the overview as one HTML file.
pub fn write_html(out: impl Write, identity: &Identity, overview: &Overview) -> io::Result<()> {
    let document = Document::new(identity, overview);
    write_page(out, &document.title, |out| write_body(out, &document))
}

fn write_body(out: &mut impl Write, document: &Document) -> io::Result<()> {
    let error = document.error.as_ref().map(|error| format!("<p class=\"error\">{}</p>\n", escaped(error)));
    let error = error.unwrap_or_default();
    writeln!(
        out,
        "<header>\n<h1>{}</h1>\n{error}<p class=\"lead\">{}</p>\n<dl>",
        escaped(&document.title),
        escaped(&document.lead)
    )?;
    for (name, value) in &document.identity {
        writeln!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", escaped(value))?;
    }
    writeln!(out, "</dl>\n</header>\n<section>\n<h2>Findings</h2>")?;
    findings(out, document)?;
    writeln!(out, "</section>")?;
    write_facts(out, &document.health)?;
    for section in &document.sections {
        let Section { title, columns, rows, bar } = section;
        write_table(out, &PageTable { title, columns, rows, bar: *bar })?;
    }
    Ok(())
}

/// Writes the facts about the dump, those that call for attention in colour.
pub(crate) fn write_facts(out: &mut impl Write, facts: &[Fact]) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Health</h2>\n<table class=\"facts\">\n<tbody>")?;
    for (name, value, mark) in facts {
        let class = match mark {
            Mark::Good => "good",
            Mark::Plain => "plain",
            Mark::Careful => "careful",
        };
        writeln!(out, "<tr><th scope=\"row\">{name}</th><td class=\"{class}\">{}</td></tr>", escaped(value))?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
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

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_analysis::overview::{DetailedOverview, HeapSummary, SumRow, ThreadSum};
    use heaplens_base::{Bytes, Share};

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
            process: None,
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
        assert!(bar(Share { part: 5, total: 2 }).contains("width:100.0%"));
        assert!(bar(Share { part: 1, total: 0 }).contains("width:0.0%"));
    }
}
