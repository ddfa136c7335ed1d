//! Findings for a terminal: title, evidence, and the path from the GC root with the references to cut underlined.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::export::printable::one_line;
use heaplens_analysis::leaks::words;
use heaplens_analysis::paths::text::{object_text, reference_text};
use heaplens_analysis::{LeakFinding, PathStep, ReferencePath};
use heaplens_base::Count;

/// Writes findings group by group, or `nothing` if there are none.
pub fn write_leaks_text(mut out: impl Write, findings: &[LeakFinding], nothing: &str) -> io::Result<()> {
    if findings.is_empty() {
        return writeln!(out, "{nothing}");
    }
    let mut section = None;
    for (number, finding) in (1..).zip(findings) {
        let of = finding.section();
        if section.replace(of) == Some(of) {
            writeln!(out)?;
        } else {
            let (title, meaning) = words::section(of, findings.iter().filter(|finding| finding.section() == of));
            writeln!(out, "{}{title} — {meaning}\n", if number > 1 { "\n" } else { "" })?;
        }
        writeln!(out, "{number}. {}", words::title(finding))?;
        writeln!(out, "   {} · {}", words::kind(finding), finding.fingerprint)?;
        for sentence in words::sentences(finding) {
            writeln!(out, "   {sentence}")?;
        }
        if let Some(path) = &finding.path {
            writeln!(out)?;
            for line in trace(finding, path).lines() {
                writeln!(out, "   {line}")?;
            }
        }
    }
    Ok(())
}

/// The path of a finding, root first, then the accumulated class. References to cut are underlined.
pub fn trace(finding: &LeakFinding, path: &ReferencePath) -> String {
    let mut out = format!("GC root: {}\n", path.root_kind.name());
    let mut before: Option<&PathStep> = None;
    for (depth, step) in path.steps.iter().enumerate() {
        let indent = "  ".repeat(depth.min(40));
        if let Some(omission) = path.omission.filter(|omission| omission.after == depth) {
            let _ = writeln!(out, "{indent}… {} more steps", Count(omission.steps as u64));
            before = None;
        }
        let reference = step.reference.as_deref().map(reference_text).unwrap_or_default();
        let object = object_text(&step.class, step.label.as_deref(), &step.id);
        let _ = writeln!(out, "{}", one_line(&format!("{indent}{reference}{object} (retained {})", step.retained)));
        let is_cut =
            before.is_some_and(|from| finding.cut.iter().any(|cut| cut.from == from.object && cut.to == step.object));
        if is_cut {
            let width = reference.trim_end_matches(" → ").chars().count();
            let _ = writeln!(out, "{indent}{}", "~".repeat(width));
        }
        before = Some(step);
    }
    if let Some(accumulated) = &finding.accumulated {
        let indent = "  ".repeat(path.steps.len().min(40));
        let _ = writeln!(out, "{indent}{} {}", Count(accumulated.objects), one_line(&accumulated.class));
    }
    out
}
