//! `leaks`: what leaks, how much, who holds it, which reference to cut.

use std::io::Write;

use super::args::{LeaksArguments, LeaksFormat};
use super::commands::Answer;
use super::failure::Failure;
use super::held::Held;
use super::names::Names;
use super::open;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use crate::analysis::filter::TextFilter;
use crate::analysis::leaks::{Group, Question};
use crate::export::identity::Identity;
use crate::export::leaks::{COLUMNS, Counts, cells, words, write_leaks_json, write_leaks_markdown, write_leaks_text};
use crate::export::printable::Printable;
use crate::export::table::write_csv;
use crate::session::leaks::{add_waste, found};
use crate::task::Task;
use crate::units::Bytes;

/// Findings that people are shown unless they say how many.
const SHOWN: usize = 20;

pub(super) fn leaks(arguments: &LeaksArguments) -> Answer {
    // What is wrong with the question is known before the dump is open.
    let filter = TextFilter::parse(arguments.filter.as_deref().unwrap_or_default()).map_err(Failure::Usage)?;
    let rules = leak_rules(&arguments.rules)?;
    let (dump, _) = open(&arguments.file, &arguments.open)?;
    let names = Names::of(&dump)?;
    let least = arguments.least.of(dump.analyzed.shown.shallow);
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let question = Question { namer: names.namer(), rules: &rules, least };
    let mut findings = found(question, &task)?;
    add_waste(question, &mut findings, &task)?;
    drop(line);
    let worst = findings.iter().find(|finding| finding.group == Group::Leak).cloned();
    let counts = Counts::of(&findings);
    findings.retain(|finding| finding.passes(&filter));
    let is_for_people = matches!(arguments.format, LeaksFormat::Text | LeaksFormat::Markdown);
    findings.truncate(arguments.top.unwrap_or(if is_for_people { SHOWN } else { usize::MAX }));
    let mut out = Held::of(&dump);
    match arguments.format {
        LeaksFormat::Text => write_leaks_text(Printable(&mut out), &findings)?,
        LeaksFormat::Json => write_leaks_json(&mut out, &findings, counts)?,
        LeaksFormat::Csv => write_csv(&mut out, &COLUMNS, findings.iter().map(cells))?,
        LeaksFormat::Markdown => {
            let identity = Identity::new(&arguments.file, &dump.facts.heap, &dump.analyzed);
            write_leaks_markdown(&mut out, &identity, &findings)?;
        }
    }
    out.flush()?;
    let limit = arguments.fail_on.map(Bytes);
    match worst.filter(|worst| limit.is_some_and(|limit| worst.frees >= limit)) {
        Some(worst) => Err(Failure::Grew(vec![words::title(&worst)])),
        None => Ok(()),
    }
}
