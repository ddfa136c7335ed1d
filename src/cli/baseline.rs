//! A dump with an earlier one of the program, for commands with `--before`.

use std::path::Path;

use super::args::AnalysisArguments;
use super::diff::remark_different_programs;
use super::failure::{Failure, remark};
use super::names::Names;
use super::open::{UnclosedDump, called, open, open_several};
use heaplens_analysis::LeakFinding;
use heaplens_analysis::diff::{Change, Pair};
use heaplens_analysis::leaks::{BaselineQuery, LeakQuery, with_baseline};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::comparison::compare_dumps;

/// Opens the dump, and the earlier one if there is one.
pub(super) fn opened(
    file: &Path,
    before: Option<&Path>,
    options: &AnalysisArguments,
) -> Result<(Option<UnclosedDump>, UnclosedDump), Failure> {
    let Some(earlier) = before else { return Ok((None, open(file, options)?.0)) };
    let files = [earlier.to_owned(), file.to_owned()];
    let both = open_several(files.iter().enumerate(), options)?;
    let [before, dump] = both.try_into().unwrap_or_else(|_| unreachable!("two files"));
    let [first, second] = [earlier, file].map(|file| called(file, options));
    let [old, new] = [&before, &dump].map(|dump| &dump.facts.heap.origin);
    if old.format != new.format {
        let why = format!("{first} is {} and {second} is {}", old.format.title(), new.format.title());
        return Err(Failure::Unusable(format!("{why}; only dumps of the same format can be compared")));
    }
    if old.taken_at_millis.zip(new.taken_at_millis).is_some_and(|(old, new)| old > new) {
        remark(&format!("{first} was taken after {second}: --before expects the earlier dump"));
    }
    remark_different_programs(&before, &dump);
    Ok((Some(before), dump))
}

/// Findings with growth since an earlier dump, and the growth of the whole heap.
pub(super) fn grown(
    before: &Dump,
    after: &Dump,
    question: LeakQuery<'_>,
    findings: Vec<LeakFinding>,
    task: &Task,
) -> Result<(Vec<LeakFinding>, Change), Failure> {
    let names = Names::of(before)?;
    let compared = compare_dumps(Pair { before: before.data(), after: after.data() }, task)?;
    let (matches, growth) = (&compared.matches, &compared.growth);
    let findings = with_baseline(BaselineQuery { question, before: names.namer(), matches, growth }, findings, task)?;
    Ok((findings, growth.totals))
}
