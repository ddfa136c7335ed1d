//! `diff`: growth between dumps of one program, by owner and by class.

mod query;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use self::query::{diff_query, row_query};
use super::args::DiffArguments;
use super::failure::{Failure, remark};
use super::names::Names;
use super::open::{UnclosedDump, called, open_several};
use super::print::{Answer, row_filter, text_width};
use super::progress::ProgressLine;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::diff::{Pair, program::ProgramMatch};
use heaplens_base::{ByteDelta, Bytes, Task};
use heaplens_dump::Dump;
use heaplens_session::chain::Chain;
use heaplens_session::series::series;
use heaplens_tables::TableContext;
use heaplens_tables::diff::limits::LimitCheck;
use heaplens_tables::diff::{DUMPS, DiffQuery, Difference, HeapComparison, NamedDump, write_difference};
use heaplens_tables::export::diff::words;

/// A dump and its file name as printed.
struct DiffDump {
    file: String,
    dump: UnclosedDump,
}

impl DiffDump {
    fn named(&self) -> NamedDump<'_> {
        NamedDump { side: self.dump.data(), file: &self.file, open_warnings: &self.dump.open_warnings }
    }

    fn taken(&self) -> Option<u64> {
        self.dump.facts.heap.origin.taken_at_millis
    }
}

pub(super) fn diff(arguments: &DiffArguments) -> Answer {
    // Report usage errors before the dumps are opened.
    row_filter(arguments.filter.as_deref())?;
    let (query, several) = (diff_query(arguments), !arguments.more.is_empty());
    if several && !query.needs_matches() {
        return Err(Failure::Usage("three or more dumps require --of owners or --of classes".to_owned()));
    }
    let dumps = opened(arguments)?;
    if several { over_time(arguments, &query, &dumps) } else { pair(arguments, &query, &dumps) }
}

/// Opens the dumps and puts them in the order of comparison.
fn opened(arguments: &DiffArguments) -> Result<Vec<DiffDump>, Failure> {
    let files = [&arguments.before, &arguments.after].into_iter().chain(&arguments.more);
    let mut files: Vec<(usize, &PathBuf)> = files.enumerate().collect();
    if files.len() > DUMPS {
        return Err(Failure::Usage(format!("too many dumps: at most {DUMPS} can be compared")));
    }
    if arguments.swap {
        files.reverse();
    }
    let opened = open_several(files.iter().copied(), &arguments.open)?;
    let given = |((_, file), dump): ((usize, &PathBuf), _)| DiffDump { file: called(file, &arguments.open), dump };
    let mut dumps: Vec<DiffDump> = files.into_iter().zip(opened).map(given).collect();
    let format = |given: &DiffDump| given.dump.facts.heap.origin.format;
    if let Some(two) = dumps.windows(2).find(|two| format(&two[0]) != format(&two[1])) {
        let (first, second) = (&two[0].file, &two[1].file);
        let why = format!("{first} is {} and {second} is {}", format(&two[0]).title(), format(&two[1]).title());
        return Err(Failure::Unusable(format!("{why}; only dumps of the same format can be compared")));
    }
    let back = dumps.windows(2).find(|two| two[0].taken().zip(two[1].taken()).is_some_and(|(a, b)| a > b));
    if let Some([first, second]) = back.filter(|_| !arguments.swap) {
        let what =
            if arguments.more.is_empty() { "use --swap to compare them in order of time" } else { "sorted by time" };
        remark(&format!("{} was taken after {}: {what}", first.file, second.file));
    }
    if !arguments.more.is_empty() && dumps.iter().all(|given| given.taken().is_some()) {
        dumps.sort_by_key(DiffDump::taken);
    }
    Ok(dumps)
}

/// Compares two dumps.
fn pair(arguments: &DiffArguments, query: &DiffQuery, dumps: &[DiffDump]) -> Answer {
    let [before, after] = dumps else { return Ok(()) };
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let needs_matches = query.needs_matches() || !arguments.fail_if_grew.is_empty();
    let both = Pair { before: before.dump.data(), after: after.dump.data() };
    let compared = needs_matches.then(|| HeapComparison::find(both, &task)).transpose()?;
    let names = compared.as_ref().map(|_| Names::of(&after.dump)).transpose()?;
    let named = compared.as_ref().zip(names.as_ref().map(Names::namer));
    let difference = query.answer((before.named(), after.named()), named, &task)?;
    drop(line);
    print(arguments, dumps, &difference)?;
    let Some((compared, namer)) = named.filter(|_| !arguments.fail_if_grew.is_empty()) else { return Ok(()) };
    let (names, comparison) = (Names::of(&before.dump)?, &compared.comparison);
    limits(arguments, &LimitCheck::pair(&comparison.matches, &comparison.growth, [names.namer(), namer]))
}

/// Compares three or more dumps.
fn over_time(arguments: &DiffArguments, query: &DiffQuery, dumps: &[DiffDump]) -> Answer {
    let to_compare = dumps.iter().map(|given| given.dump.data()).collect();
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let series = Arc::new(series(&Chain::new(to_compare, |_| None, &task)?, &task)?);
    let names = dumps.iter().map(|given| Names::of(&given.dump)).collect::<Result<Vec<_>, Failure>>()?;
    drop(line);
    let (namers, named): (Vec<_>, Vec<_>) =
        names.iter().map(Names::namer).zip(dumps.iter().map(DiffDump::named)).unzip();
    print(arguments, dumps, &query.over_time(&named, &namers, &series, arguments.grew_every_time))?;
    LimitCheck::series(&series, &namers).map_or(Ok(()), |watched| limits(arguments, &watched))
}

fn print(arguments: &DiffArguments, dumps: &[DiffDump], difference: &Difference<'_>) -> Answer {
    let Some(newest) = dumps.last() else { return Ok(()) };
    let mut out = VerifiedOutput::all_in_form(dumps.iter().map(|given| &*given.dump), arguments.format);
    let rows = row_query(arguments);
    // Cells have no heading that could say it.
    if let Some(warning) = difference.head.warning().filter(|_| arguments.format.is_cells()) {
        remark(warning);
    }
    let context = TableContext::of(&newest.dump).with_width(text_width());
    write_difference(difference, context, &rows, arguments.format, &mut out, &Task::new())?;
    Ok(out.flush()?)
}

/// Remarks on two dumps of different programs.
pub(super) fn remark_different_programs(before: &Dump, after: &Dump) {
    let program = ProgramMatch::of(before.data(), after.data(), after.runtime_classes());
    words::different_programs(&program).into_iter().for_each(|warning| remark(&warning));
}

/// Returns an error with the owners that exceed their limit of `--fail-if-grew`.
fn limits(arguments: &DiffArguments, watched: &LimitCheck<'_>) -> Answer {
    let mut grew = Vec::new();
    for limit in &arguments.fail_if_grew {
        let grown = watched.grown(limit, &Task::new())?;
        if grown.is_empty() {
            remark(&format!("no owner named {} in these dumps; see 'heaplens diff' for names", limit.owner));
        }
        for one in grown.iter().filter(|one| limit.is_passed(one)) {
            let (ByteDelta(bytes), allowed) = (one.bytes, limit.bytes);
            let bytes = Bytes(bytes.unsigned_abs());
            grew.push(format!("{} grew by {bytes} ({} bytes), more than {allowed}", one.owner, bytes.exact()));
        }
    }
    if grew.is_empty() { Ok(()) } else { Err(Failure::Grew(grew)) }
}
