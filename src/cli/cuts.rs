//! `--cut`: a dump as if some references were not there.

use std::path::Path;

use super::args::OpenArguments;
use super::failure::Failure;
use super::names::Names;
use super::progress::ProgressLine;
use super::{open, open_options};
use crate::analysis::cuts::{left_out, what_if};
use crate::analysis::naming::Unresolved;
use crate::export::cuts::{CutRow, Cuts};
use crate::heap::cut::Cut;
use crate::session::dump::OpenDump;
use crate::task::{Progress, Task};

/// Opens a dump, and derives everything anew without the references that `cuts` name, if there are any.
pub(super) fn open_without(
    file: &Path,
    arguments: &OpenArguments,
    cuts: &[String],
) -> Result<(OpenDump, Progress, Option<Cuts>), Failure> {
    let (dump, mut progress) = open(file, arguments)?;
    if cuts.is_empty() {
        return Ok((dump, progress, None));
    }
    let task = Task::new();
    let _line = ProgressLine::show(&task);
    let (cuts, answer) = asked(&dump, file, cuts, &task)?;
    let facts = &dump.facts;
    let left_out = left_out(&facts.heap, &*facts.contents, &dump.analyzed, &cuts, &task)?;
    let without = dump.without(&left_out, &open_options(arguments).keeping, &task);
    let without = without.map_err(|error| Failure::Unusable(format!("{}: {error}", file.display())))?;
    task.finish();
    let more = task.progress();
    progress.elapsed += more.elapsed;
    progress.finished.extend(more.finished);
    Ok((without, progress, Some(answer)))
}

/// What is meant by the names, and what cutting it would free.
fn asked(dump: &OpenDump, file: &Path, texts: &[String], task: &Task) -> Result<(Vec<Cut>, Cuts), Failure> {
    let names = Names::of(dump)?;
    let meant = texts.iter().map(|text| {
        names.namer().cut(text, task).map_err(|unresolved| match unresolved {
            Unresolved::Cancelled => Failure::Interrupted,
            why => Failure::Unusable(format!("{}: --cut {text}: {why}", file.display())),
        })
    });
    let cuts = meant.collect::<Result<Vec<Cut>, Failure>>()?;
    let facts = &dump.facts;
    let ask = |cuts: &[Cut]| what_if(&facts.heap, &*facts.contents, &dump.analyzed, cuts, task);
    let together = ask(&cuts)?;
    let rows = cuts.iter().map(|cut| {
        let alone = if cuts.len() == 1 { together.clone() } else { ask(std::slice::from_ref(cut))? };
        Ok(CutRow::new(names.namer().cut_name(cut, task)?, &alone))
    });
    let rows = rows.collect::<Result<Vec<CutRow>, Failure>>()?;
    let ways = together.some_ways.iter().map(|way| names.namer().cut_name(&way.cut, task));
    let ways = ways.collect::<Result<Vec<String>, _>>()?;
    let answer = Cuts::new(&facts.heap, rows, &together, &ways);
    Ok((cuts, answer))
}
