//! Findings as Markdown, for a ticket.

use std::io::{self, Write};

use super::text::trace;
use crate::export::{identity::Identity, links, markdown::escaped};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::words;

/// Writes findings as Markdown under the identity of the dump, or `nothing` if there are none.
pub fn write_leaks_markdown(
    mut out: impl Write,
    identity: &Identity,
    findings: &[LeakFinding],
    nothing: &str,
) -> io::Result<()> {
    writeln!(out, "# Leaks\n\n{}\n", escaped(&identity.line()))?;
    if findings.is_empty() {
        return writeln!(out, "{nothing}");
    }
    let mut section = None;
    for (number, finding) in (1..).zip(findings) {
        let of = finding.section();
        if section.replace(of) != Some(of) {
            let (title, meaning) = words::section(of, findings.iter().filter(|finding| finding.section() == of));
            writeln!(out, "## {title}\n\n{meaning}\n")?;
        }
        let (title, link) = (escaped(&words::title(finding)), links::leak(identity, finding));
        writeln!(out, "### {number}. [{title}]({link})\n")?;
        for sentence in words::sentences(finding) {
            writeln!(out, "- {}", escaped(&sentence))?;
        }
        writeln!(out, "- {}, fingerprint {}\n", escaped(&words::kind(finding)), finding.fingerprint)?;
        if let Some(path) = &finding.path {
            writeln!(out, "```text\n{}```\n", trace(finding, path).replace("```", "'''"))?;
        }
    }
    Ok(())
}
