//! `leaks`: what leaks, how much, who holds it, which reference to cut.

use std::io::Write;

use super::args::{LeaksArguments, LeaksForm, LeaksFormat};
use super::commands::Answer;
use super::failure::Failure;
use super::held::Held;
use super::names::Names;
use super::open;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use crate::analysis::android::shark::{Device, LeakReport};
use crate::analysis::filter::TextFilter;
use crate::analysis::leaks::{Finding, Group, Question};
use crate::export::identity::Identity;
use crate::export::leaks::{Counts, words, write_leaks_csv, write_leaks_json, write_leaks_markdown, write_leaks_text};
use crate::export::printable::Printable;
use crate::export::traces::{write_leakcanary, write_traces_markdown, write_traces_text};
use crate::session::leaks::{add_waste, found, known_file, read_known, traces};
use crate::task::Task;
use crate::units::Bytes;

/// Findings that people are shown unless they say how many.
const SHOWN: usize = 20;

pub(super) fn leaks(arguments: &LeaksArguments) -> Answer {
    // What is wrong with the question is known before the dump is open.
    let filter = TextFilter::parse(arguments.filter.as_deref().unwrap_or_default()).map_err(Failure::Usage)?;
    let rules = leak_rules(&arguments.rules)?;
    let matchers = read_known(known_file().as_deref(), &arguments.references).map_err(Failure::Usage)?;
    let (dump, _) = open(&arguments.file, &arguments.open)?;
    let heap = &*dump.facts.heap;
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let device = Device { api: arguments.api, manufacturer: arguments.manufacturer.clone(), build: None };
    let mut report = traces(heap, &*dump.facts.contents, &matchers, &device, &task)?;
    if arguments.form == Some(LeaksForm::Leakcanary) {
        drop(line);
        let why = "this is no dump of Android: LeakCanary knows no others";
        let report = report.ok_or_else(|| Failure::Usage(why.to_owned()))?;
        let mut out = Held::of(&dump);
        let name = arguments.file.file_name().unwrap_or(arguments.file.as_os_str()).to_string_lossy();
        write_leakcanary(Printable(&mut out), &report, &name, heap.origin.taken_at_millis)?;
        out.flush()?;
        return failed(arguments, None, Some(&report));
    }
    let names = Names::of(&dump)?;
    let least = arguments.least.of(dump.analyzed.shown.shallow);
    let question = Question { namer: names.namer(), rules: &rules, least };
    let mut findings = found(question, &task)?;
    add_waste(question, &mut findings, &task)?;
    drop(line);
    let worst = findings.iter().find(|finding| finding.group == Group::Leak).cloned();
    let counts = Counts::of(&findings, report.as_ref());
    findings.retain(|finding| finding.passes(&filter));
    let whole_report = report.clone();
    report.iter_mut().for_each(|report| report.keep(&filter));
    let is_for_people = matches!(arguments.format, LeaksFormat::Text | LeaksFormat::Markdown);
    let most = arguments.top.unwrap_or(if is_for_people { SHOWN } else { usize::MAX });
    findings.truncate(most);
    let mut out = Held::of(&dump);
    match arguments.format {
        LeaksFormat::Text => {
            if let Some(report) = &report {
                write_traces_text(Printable(&mut out), report, most)?;
            }
            write_leaks_text(Printable(&mut out), &findings)?;
        }
        LeaksFormat::Json => {
            write_leaks_json(&mut out, &findings, counts, report.as_ref().map(|report| (heap, report)))?;
        }
        LeaksFormat::Csv => {
            write_leaks_csv(&mut out, &findings, report.as_ref().map(|report| (heap, report)))?;
        }
        LeaksFormat::Markdown => {
            if let Some(report) = &report {
                write_traces_markdown(&mut out, report, most)?;
            }
            let identity = Identity::new(&arguments.file, heap, &dump.analyzed);
            write_leaks_markdown(&mut out, &identity, &findings)?;
        }
    }
    out.flush()?;
    failed(arguments, worst.as_ref(), whole_report.as_ref())
}

/// Whether a leak is larger than what `--fail-on` allows.
fn failed(arguments: &LeaksArguments, worst: Option<&Finding>, report: Option<&LeakReport>) -> Answer {
    let Some(limit) = arguments.fail_on.map(Bytes) else { return Ok(()) };
    let worst = worst.filter(|worst| worst.frees >= limit).map(words::title);
    let traces = report.into_iter().flat_map(|report| &report.leaks).filter(|leak| leak.retained() >= limit);
    let traces = traces.max_by_key(|leak| leak.retained()).map(|leak| {
        let class = leak.traces.first().and_then(|trace| trace.steps.last()).map_or("", |step| &step.subject.class);
        format!("{class} should be gone and keeps {} ({})", leak.retained(), leak.fingerprint)
    });
    match worst.or(traces) {
        Some(worst) => Err(Failure::Grew(vec![worst])),
        None => Ok(()),
    }
}
