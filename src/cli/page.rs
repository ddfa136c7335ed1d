//! `report`: the page for the person on call.

use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;

use super::args::ReportArguments;
use super::baseline::{grown, opened};
use super::failure::Failure;
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::leaks::{LeakQuery, default_min_bytes};
use heaplens_analysis::overview::WasteTotals;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_platform::processes::shell;
use heaplens_session::leaks::{LeakRules, found_and_wasted};
use heaplens_tables::OutputForm;
use heaplens_tables::export::identity::Identity;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::story::{
    StoryViews, write_story_html, write_story_json, write_story_markdown, write_story_text,
};
use heaplens_tables::story::{Story, StoryInput, StorySource, story};

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
    let of = (dump, shown);
    let mut source = StorySource::new(of, task)?;
    source.add_memory(of, task)?;
    source.add_findings(of, findings, before.zip(change), task)?;
    source.add_details(shown, Some(WasteTotals::clone(&totals)), task)?;
    let input = source.input(of);
    write(input, &story(input, task)?)
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
