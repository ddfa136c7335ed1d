//! `--cut` and `--owner-rules`: analysis of a dump without some references.

use std::path::Path;

use super::args::{CutArguments, OpenArguments};
use super::failure::Failure;
use super::names::Names;
use super::open::{UnclosedDump, open_failure, open_options, open_with};
use super::progress::ProgressLine;
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{CutEffect, excluded_references};
use heaplens_analysis::naming::Unresolved;
use heaplens_base::{Cancelled, Progress, Task};
use heaplens_dump::Dump;
use heaplens_session::{OpenOptions, dump::without};
use heaplens_tables::export::cuts::Cuts;

/// Opens a dump and recomputes its analysis without the references excluded by `--cut` and `--owner-rules`, if any.
pub(super) fn open_without(
    file: &Path,
    arguments: &OpenArguments,
    cut: &CutArguments,
) -> Result<(UnclosedDump, Progress, Option<Cuts>), Failure> {
    let options = OpenOptions { owner_rules: cut.owner_rules, ..open_options(arguments).of_file(0) };
    let (dump, mut progress) = open_with(file, arguments, &options)?;
    if cut.owner_rules && !dump.facts.heap.origin.format.is_android() {
        return Err(Failure::Usage("--owner-rules applies to Android dumps only".to_owned()));
    }
    if cut.cuts.is_empty() {
        return Ok((UnclosedDump::new(dump), progress, None));
    }
    let task = Task::new();
    let _line = ProgressLine::show(&task);
    let (cuts, answer) = requested_cuts(&dump, file, &cut.cuts, &task)?;
    let excluded = excluded_references(dump.data(), &cuts, &task)?;
    let reduced = without(&dump, &excluded, &options.storage, &task);
    let dump = reduced.map_err(|error| open_failure(&error, file))?;
    task.finish();
    let more = task.progress();
    progress.elapsed += more.elapsed;
    progress.finished.extend(more.finished);
    Ok((UnclosedDump::new(dump), progress, Some(answer)))
}

/// Resolves the texts of `--cut` and computes the memory that each cut, and all together, would free.
fn requested_cuts(dump: &Dump, file: &Path, texts: &[String], task: &Task) -> Result<(Vec<Cut>, Cuts), Failure> {
    let names = Names::of(dump)?;
    let cuts = resolved(&names, file, "--cut", texts, task)?;
    let effect = CutEffect::of(names.namer(), cuts, usize::MAX, task)?;
    let answer = Cuts::new(names.namer(), &effect, task)?;
    Ok((effect.cuts, answer))
}

/// References that the texts of an option mean.
pub(super) fn cuts_named(dump: &Dump, file: &Path, option: &str, texts: &[String]) -> Result<Vec<Cut>, Failure> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    resolved(&Names::of(dump)?, file, option, texts, &Task::new())
}

fn resolved(names: &Names<'_>, file: &Path, option: &str, texts: &[String], task: &Task) -> Result<Vec<Cut>, Failure> {
    let meant = texts.iter().map(|text| {
        names.namer().resolve_cut(text, task).map_err(|unresolved| match unresolved {
            Unresolved::Cancelled => Cancelled.into(),
            why => Failure::Unusable(format!("{}: {option} {text}: {why}", file.display())),
        })
    });
    meant.collect()
}
