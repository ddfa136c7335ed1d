//! The overview for a terminal.

use std::io::{self, Write};

use super::Document;
use crate::{columns::Heading, export::identity::Identity, export::table::write_text, export::text_width::TextWidth};
use heaplens_analysis::Overview;

/// Writes the overview as text.
pub fn write_overview_text(
    mut out: impl Write,
    identity: &Identity,
    overview: &Overview,
    width: TextWidth,
) -> io::Result<()> {
    let document = Document::new(identity, overview);
    writeln!(out, "{}", document.title)?;
    if let Some(error) = &document.error {
        writeln!(out, "{error}")?;
    }
    writeln!(out, "{}\n", document.lead)?;
    let pairs = |out: &mut dyn Write, pairs: &[(&str, &str)]| -> io::Result<()> {
        let width = pairs.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        pairs.iter().try_for_each(|(name, value)| writeln!(out, "{name:width$}  {value}"))
    };
    pairs(&mut out, &document.identity.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>())?;
    writeln!(out, "\nFindings")?;
    if document.findings.is_empty() {
        writeln!(out, "{}", document.nothing)?;
    }
    for (number, finding) in (1..).zip(&document.findings) {
        writeln!(out, "{number}. {}", finding.sentence)?;
        writeln!(out, "   {}", finding.why)?;
        if let Some(id) = &finding.id {
            writeln!(out, "   Object {id}")?;
        }
    }
    writeln!(out, "\nHealth")?;
    pairs(&mut out, &document.health.iter().map(|(name, value, _)| (*name, value.as_str())).collect::<Vec<_>>())?;
    for section in document.sections {
        writeln!(out, "\n{}", section.title)?;
        let columns: Vec<Heading> = section.columns.iter().map(|name| Heading::plain("", name)).collect();
        write_text(&mut out, &columns, section.rows.into_iter(), width)?;
    }
    Ok(())
}
