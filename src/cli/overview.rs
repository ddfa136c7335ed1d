//! `overview`: the window's overview as text, JSON or a report.

use std::io::Write;

use super::args::OverviewArguments;
use super::failure::Failure;
use super::open::open;
use super::print::{Answer, text_width};
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::leaks::default_min_bytes;
use heaplens_analysis::overview::{DetailedOverview, WasteTotals, glance, holders};
use heaplens_analysis::process::ProcessQuestion;
use heaplens_analysis::{LeakFinding, Overview};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::leaks::found_and_wasted;
use heaplens_session::overview::DetailsQuestion;
use heaplens_tables::OutputForm;
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::report::{write_html, write_markdown, write_overview_json, write_overview_text};

pub(super) fn overview(arguments: &OverviewArguments) -> Answer {
    let rules = leak_rules(&arguments.rules)?;
    let (dump, _) = open(&arguments.file, &arguments.open)?;
    let task = &Task::new();
    let min_bytes = default_min_bytes(dump.analysis.shown.shallow);
    let (findings, totals) = found_and_wasted(dump.data(), (&rules, min_bytes), &Task::new(), task)?;
    let overview = overview_of(&dump, &findings, &totals, task)?;
    let identity = Identity::new(&arguments.file, &dump);
    let mut out = VerifiedOutput::after_removals(&dump, arguments.format);
    match arguments.format {
        OutputForm::Json => write_overview_json(&mut out, &identity, &overview)?,
        OutputForm::Markdown => write_markdown(&mut out, &identity, &overview)?,
        OutputForm::Html => write_html(&mut out, &identity, &overview)?,
        _ => write_overview_text(Printable(&mut out), &identity, &overview, text_width())?,
    }
    Ok(out.flush()?)
}

/// The overview of a dump with all of its parts, given its findings.
fn overview_of(dump: &Dump, findings: &[LeakFinding], totals: &WasteTotals, task: &Task) -> Result<Overview, Failure> {
    Ok(Overview {
        glance: glance(dump.data(), &dump.open_warnings, task)?,
        holders: Some(holders(&dump.analysis, findings)),
        closer: Some(DetailedOverview::clone(&*dump.answer(&DetailsQuestion, task)?)),
        wasted: Some(totals.clone()),
        process: dump.answer(&ProcessQuestion, task)?.telling_sentence(),
    })
}
