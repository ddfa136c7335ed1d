//! `report`: the page for the person on call.

use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;

use super::args::ReportArguments;
use super::baseline::{grown, opened};
use super::failure::Failure;
use super::overview::overview_of;
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::diff::Change;
use heaplens_analysis::leaks::{LeakQuery, default_min_bytes};
use heaplens_analysis::overview::{FactKind, glance, holders};
use heaplens_analysis::process::{PartKind, ProcessMemory, ProcessQuestion};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_platform::processes::shell;
use heaplens_session::leaks::{Device, LeakRules, Matchers, Roots, Traced, found_and_wasted, traces};
use heaplens_tables::OutputForm;
use heaplens_tables::export::hidden_values::hide_in_finding;
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::story::{
    StoryViews, write_story_html, write_story_json, write_story_markdown, write_story_text,
};
use heaplens_tables::story::{Earlier, Story, StoryInput, story};

/// Facts about the runtime that are told though values are hidden, unless they have a path.
const SHOWN: [FactKind; 3] = [FactKind::Program, FactKind::Uptime, FactKind::Runtime];

pub(super) fn page(arguments: &ReportArguments) -> Answer {
    let rules = leak_rules(&arguments.rules)?;
    let (before, dump) = opened(&arguments.file, arguments.before.as_deref(), &arguments.open)?;
    // A page for people on this terminal has values, one that is sent only if it is asked for.
    let shows_values = arguments.values || arguments.format == OutputForm::Text;
    let shown = |dump: &Dump| if shows_values { dump.clone() } else { dump.redacted() };
    let (before, shown) = (before.as_deref(), shown(&dump));
    let identity = Identity::new(&arguments.file, &shown);
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let page = with_story((before, &dump, &shown), &rules, &task, |input, story| {
        let mut page = Vec::new();
        match arguments.format {
            OutputForm::Html => {
                let views = StoryViews::new(input, story, &task)?;
                write_story_html(&mut page, &identity, input, (story, &views))?;
            }
            OutputForm::Json => write_story_json(&mut page, &identity, story)?,
            OutputForm::Markdown => write_story_markdown(&mut page, &identity, story)?,
            _ => write_story_text(Printable(&mut page), &identity, story)?,
        }
        Ok(page)
    })?;
    drop(line);
    let dumps: Vec<&Dump> = before.into_iter().chain([&*dump]).collect();
    let mut out = VerifiedOutput::all_in_form(dumps, arguments.format);
    out.write_all(&page)?;
    out.flush()?;
    arguments.post.as_ref().map_or(Ok(()), |command| post(command, &page))
}

/// Writes the page about one dump as text.
pub(super) fn write_page(out: &mut impl Write, file: &Path, dump: &Dump) -> Answer {
    let identity = Identity::new(file, dump);
    with_story((None, dump, dump), &LeakRules::default(), &Task::new(), |_, story| {
        Ok(write_story_text(&mut *out, &identity, story)?)
    })
}

/// Computes what the page tells of a dump, and of an earlier one if there is one, and writes it with `write`. Objects are
/// described by `shown`, which is redacted if values are hidden; what is told does not depend on it.
fn with_story<T>(
    (before, dump, shown): (Option<&Dump>, &Dump, &Dump),
    rules: &LeakRules,
    task: &Task,
    write: impl FnOnce(StoryInput<'_>, &Story) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let min_bytes = default_min_bytes(dump.analysis.shown.shallow);
    let (mut findings, totals) = found_and_wasted(dump.data(), (rules, min_bytes), &Task::new(), task)?;
    let mut change = None;
    if let Some(before) = before {
        let question = LeakQuery { namer: dump.namer(task)?, with_ages: true, rules, min_bytes };
        let (grown, of_heap) = grown(before, dump, question, findings, task)?;
        (findings, change) = (grown, Some(of_heap));
    }
    let mut memory = ProcessMemory::clone(&*dump.answer(&ProcessQuestion, task)?);
    let mut overview = overview_of((dump, shown), &findings, &totals, task)?;
    if shown.facts.is_redacted() {
        // Tables of the page name findings, too.
        let mut hidden = findings.clone();
        hidden.iter_mut().for_each(hide_in_finding);
        overview.holders = Some(holders(&dump.analysis, &hidden));
        // Names of threads are values; the main class and the uptime are none.
        memory.parts.iter_mut().filter(|part| part.kind == PartKind::ThreadStacks).for_each(|part| part.holder = None);
        let all = glance(dump.data(), &dump.open_warnings, task)?;
        overview.glance.out_of_memory = all.out_of_memory;
        for fact in overview.glance.health.iter_mut().filter(|fact| SHOWN.contains(&fact.kind)) {
            let value = all.health.iter().find(|known| known.kind == fact.kind).and_then(|known| known.value.clone());
            fact.value = value.filter(|value| !value.contains(['/', '\\']));
        }
    }
    let memory_before = before.map(|before| before.answer(&ProcessQuestion, task)).transpose()?;
    let earlier = earlier(before, dump, change.zip(memory_before.as_deref()));
    let (matchers, device) = (Matchers::default(), Device::default());
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let traced = Traced { heap, contents, matchers: &matchers, device: &device, roots: Roots::All };
    let traces = traces(traced, task)?;
    let input = StoryInput {
        shown,
        dump,
        overview: &overview,
        findings: &findings,
        memory: &memory,
        traces: traces.as_ref().filter(|report| !report.leaks.is_empty()),
        earlier: earlier.as_ref(),
    };
    write(input, &story(input, task)?)
}

/// What is known of the earlier dump.
fn earlier<'a>(before: Option<&Dump>, after: &Dump, known: Option<(Change, &'a ProcessMemory)>) -> Option<Earlier<'a>> {
    let (totals, memory) = known?;
    let [first, second] = [before?, after].map(|dump| dump.facts.heap.origin.taken_at_millis);
    let millis = first.zip(second).and_then(|(first, second)| second.checked_sub(first));
    Some(Earlier { memory, totals, millis })
}

/// Gives the page to a program of the user.
fn post(command: &str, page: &[u8]) -> Answer {
    let failed = |why: &dyn std::fmt::Display| Failure::Unusable(format!("--post {command:?} failed: {why}"));
    let mut program =
        shell(command).stdin(Stdio::piped()).stdout(Stdio::inherit()).spawn().map_err(|error| failed(&error))?;
    let written = program.stdin.take().map_or(Ok(()), |mut input| input.write_all(page));
    let ended = program.wait().map_err(|error| failed(&error))?;
    if !ended.success() {
        return Err(failed(&ended));
    }
    // A program may end without reading all.
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(&error)),
        _ => Ok(()),
    }
}
