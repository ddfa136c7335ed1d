//! `leaks`: ranked leak findings, and reports in the formats of LeakCanary and KOOM.

use std::io::Write;
use std::ops::Deref;

use super::args::{LeaksArguments, LeaksForm, SizeLimit};
use super::baseline::{grown, opened};
use super::failure::Failure;
use super::javascript;
use super::print::{Answer, row_filter};
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::LeakFinding;
use heaplens_analysis::android::koom::koom_report;
use heaplens_analysis::android::shark::{self, Device, Leak, Matchers, Roots, leak_report};
use heaplens_analysis::leaks::words;
use heaplens_analysis::leaks::{Group, LeakQuery};
use heaplens_analysis::native_owners::NativeOwnersQuestion;
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_session::leaks::{
    add_waste_totals, found_and_wasted, has_traces, read_references, references_file, traces,
};
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::koom::write_koom;
use heaplens_tables::export::leaks::{
    self, Counts, finding_table, write_leaks_json, write_leaks_markdown, write_leaks_text,
};
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::traces::{write_leakcanary, write_traces_markdown, write_traces_text};
use heaplens_tables::leak_list::filter::{NUMBERS, finding_passes, keep};
use heaplens_tables::{OutputForm, RowQuery, TableContext, write};

pub(super) fn leaks(arguments: &LeaksArguments) -> Answer {
    if javascript::is_asked(arguments) {
        return javascript::leaks(arguments);
    }
    if !arguments.order.is_usual() {
        return Err(Failure::Usage("--sort, --reverse, --skip and --rows require --baseline and --of".to_owned()));
    }
    // Report usage errors before the dump is opened.
    let filter = row_filter(arguments.filter.as_deref())?;
    for condition in &filter.numbers {
        condition.position(&NUMBERS).map_err(Failure::Usage)?;
    }
    let rules = leak_rules(&arguments.rules)?;
    let matchers =
        read_references(references_file().as_deref(), &arguments.android.references).map_err(Failure::Usage)?;
    if arguments.android.koom.is_said() && arguments.form != Some(LeaksForm::Koom) {
        return Err(Failure::Usage("--big-bitmap, --big-array and --same-class require --form koom".to_owned()));
    }
    let (before, dump) = opened(&arguments.file, arguments.before.as_deref(), &arguments.open)?;
    if let Some(form) = arguments.form {
        return in_form(arguments, form, &dump, &matchers);
    }
    let heap = &*dump.facts.heap;
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let device = arguments.android.device();
    let mut report = traces(question(arguments, &dump, &matchers, &device, Roots::All), &task)?;
    let min_bytes = arguments.least.unwrap_or(SizeLimit::DEFAULT).of(dump.analysis.shown.shallow);
    let (mut findings, totals) = found_and_wasted(dump.data(), (&rules, min_bytes), &Task::new(), &task)?;
    if let Some(before) = &before {
        let question = LeakQuery { namer: dump.namer(&task)?, with_ages: true, rules: &rules, min_bytes };
        findings = grown(before, &dump, question, findings, &task)?.0;
    }
    add_waste_totals(&dump.analysis, (&totals, min_bytes), &rules, &mut findings);
    drop(line);
    // --fail-on considers all findings, also those hidden by --filter and --top.
    let leaks = findings.iter().filter(|finding| finding.group == Group::Leak);
    let worst = leaks.min_by_key(|finding| std::cmp::Reverse(finding.frees));
    let ended = failed(arguments, worst, report.as_ref().map_or(&[], |report| &report.leaks));
    let counts = Counts::of(&findings, report.as_ref());
    let nothing = words::none_of(findings.len());
    findings.retain(|finding| finding_passes(finding, &filter));
    report.iter_mut().for_each(|report| keep(report, &filter));
    let most = arguments.shown().unwrap_or(usize::MAX);
    findings.truncate(most);
    let mut out = VerifiedOutput::all_in_form(before.iter().chain([&dump]).map(Deref::deref), arguments.format);
    match arguments.format {
        OutputForm::Json => {
            write_leaks_json(&mut out, &findings, counts, report.as_ref().map(|report| (heap, report)))?;
        }
        OutputForm::Csv => {
            let table = finding_table(leaks::rows(&findings, report.as_ref()));
            write(&table, TableContext::of(&dump), &RowQuery::default(), arguments.format, &mut out, &Task::new())?;
        }
        OutputForm::Markdown => {
            if let Some(report) = &report {
                write_traces_markdown(&mut out, report, most)?;
            }
            let identity = Identity::new(&arguments.file, &dump);
            write_leaks_markdown(&mut out, &identity, &findings, nothing)?;
        }
        _ => {
            if let Some(report) = &report {
                write_traces_text(Printable(&mut out), report, most)?;
            }
            write_outside(&mut Printable(&mut out), &dump, &task)?;
            write_leaks_text(Printable(&mut out), &findings, nothing)?;
        }
    }
    out.flush()?;
    ended
}

/// Writes what holds much outside of the heap: no finding about the heap has that.
fn write_outside(out: &mut impl Write, dump: &Dump, task: &Task) -> Result<(), Failure> {
    let owners = dump.answer(&NativeOwnersQuestion, task)?;
    let mut large = owners.iter().filter(|owner| owner.is_beside_findings(dump.analysis.shown.shallow)).peekable();
    if large.peek().is_none() {
        return Ok(());
    }
    for owner in large {
        writeln!(out, "{owner}")?;
    }
    writeln!(out, "Outside the heap: 'heaplens process' has all memory of the process\n")?;
    Ok(())
}

/// Query for leak traces in an Android dump.
fn question<'a>(
    arguments: &LeaksArguments,
    dump: &'a Dump,
    matchers: &'a Matchers,
    device: &'a Device,
    roots: Roots,
) -> shark::SharkQuery<'a> {
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    shark::SharkQuery { heap, contents, matchers, device, roots: arguments.android.roots.unwrap_or(roots) }
}

/// Prints the report in the format of another tool.
fn in_form(arguments: &LeaksArguments, form: LeaksForm, dump: &Dump, matchers: &Matchers) -> Answer {
    let heap = &*dump.facts.heap;
    if !has_traces(heap) {
        let why = "--form requires an Android dump; LeakCanary and KOOM support no other";
        return Err(Failure::Usage(why.to_owned()));
    }
    let (device, task) = (arguments.android.device(), Task::new());
    let line = ProgressLine::show(&task);
    let question = |roots: Roots| question(arguments, dump, matchers, &device, roots);
    match form {
        LeaksForm::Leakcanary => {
            let report = leak_report(question(Roots::All), &task)?;
            drop(line);
            let mut out = VerifiedOutput::of(dump);
            let name = arguments.file.file_name().unwrap_or(arguments.file.as_os_str()).to_string_lossy();
            write_leakcanary(Printable(&mut out), &report, &name, heap.origin.taken_at_millis)?;
            out.flush()?;
            failed(arguments, None, &report.leaks)
        }
        LeaksForm::Koom => {
            let report = koom_report(question(Roots::Pruned), &arguments.android.koom.thresholds(), &task)?;
            drop(line);
            let mut out = VerifiedOutput::of(dump);
            write_koom(&mut out, heap, &report)?;
            out.flush()?;
            let leaks: Vec<Leak> = report.paths.into_iter().map(|path| path.leak).collect();
            failed(arguments, None, &leaks)
        }
    }
}

/// Returns an error if a leak reaches the limit of `--fail-on`.
fn failed(arguments: &LeaksArguments, worst: Option<&LeakFinding>, leaks: &[Leak]) -> Answer {
    let Some(limit) = arguments.fail_on.map(Bytes) else { return Ok(()) };
    let worst = worst.filter(|worst| worst.frees >= limit).map(words::title);
    let traces = leaks.iter().filter(|leak| leak.retained() >= limit).max_by_key(|leak| leak.retained()).map(|leak| {
        let class = leak.traces.first().and_then(|trace| trace.steps.last()).map_or("", |step| &step.subject.class);
        format!("leaked {class} retains {} ({})", leak.retained(), leak.fingerprint)
    });
    worst.or(traces).map_or(Ok(()), |worst| Err(Failure::Grew(vec![worst])))
}
