//! `diff`: what grew between two dumps of one program, and who holds it.

use std::io::{self, Write};
use std::path::Path;

use super::args::{DiffArguments, DiffFormat, DiffOf};
use super::commands::Answer;
use super::failure::Failure;
use super::held::Held;
use super::names::Names;
use super::open;
use super::progress::ProgressLine;
use super::tables::dictionary;
use crate::analysis::diff::{Pair, Side};
use crate::analysis::filter::TextFilter;
use crate::answers::diff::limits::Watched;
use crate::answers::diff::{Asked, Compared, Of, Rows, Wanted, write_difference};
use crate::answers::{Arrangement, Form};
use crate::session::dump::OpenDump;
use crate::session::side_by_side::What;
use crate::task::Task;
use crate::units::{ByteDelta, Bytes};

/// Rows, and keys of an owner, that a text for people has.
const ROWS: usize = 50;
const KEYS: usize = 5;

pub(super) fn diff(arguments: &DiffArguments) -> Answer {
    // What is wrong with a filter is known before the dumps are open.
    TextFilter::parse(arguments.filter.as_deref().unwrap_or_default()).map_err(Failure::Usage)?;
    let (mut first, mut second) = (&*arguments.before, &*arguments.after);
    if arguments.swap {
        (first, second) = (second, first);
    }
    let (before, _) = open(first, &arguments.open)?;
    let (after, _) = open(second, &arguments.open)?;
    check(first, &before, second, &after)?;
    let (asked, how) = (asked(arguments), arrangement(arguments));
    let pair = Pair { before: side(&before), after: side(&after) };

    let task = Task::new();
    let line = ProgressLine::show(&task);
    let needs_matches = asked.needs_matches() || !arguments.fail_if_grew.is_empty();
    let compared = needs_matches.then(|| Compared::find(pair, &task)).transpose()?;
    let names = compared.as_ref().map(|_| Names::of(&after)).transpose()?;
    let named = compared.as_ref().zip(names.as_ref().map(Names::namer));
    let (first, second) = (first.display().to_string(), second.display().to_string());
    let files = [(&*first, &*before.remarks), (&*second, &*after.remarks)];
    let difference = asked.answer(pair, files, named, &task)?;
    drop(line);

    let mut out = Held::of_all([&before, &after]);
    write_difference(&difference, dictionary(&after), &how, form(arguments.format), &mut out, &Task::new())?;
    out.flush()?;
    match named {
        Some((compared, _)) => limits(arguments, pair, compared, [&before, &after]),
        None => Ok(()),
    }
}

/// Whether the dumps can be compared at all; on stderr, if they seem to be given the wrong way round.
fn check(first: &Path, before: &OpenDump, second: &Path, after: &OpenDump) -> Answer {
    let (older, newer) = (&before.facts.heap.origin, &after.facts.heap.origin);
    if older.format != newer.format {
        let (first, second) = (first.display(), second.display());
        let why = format!("{first} is {} and {second} is {}: these cannot be compared", older.format, newer.format);
        return Err(Failure::Unusable(why));
    }
    if older.taken_at_millis.zip(newer.taken_at_millis).is_some_and(|(first, second)| first > second) {
        let (first, second) = (first.display(), second.display());
        writeln!(io::stderr(), "heaplens: {first} was taken after {second}; --swap compares them the other way round")?;
    }
    Ok(())
}

/// Says which owners grew by more than they may.
fn limits(arguments: &DiffArguments, pair: Pair<'_>, compared: &Compared, dumps: [&OpenDump; 2]) -> Answer {
    if arguments.fail_if_grew.is_empty() {
        return Ok(());
    }
    let [before, after] = [Names::of(dumps[0])?, Names::of(dumps[1])?];
    let comparison = &compared.comparison;
    let watched = Watched::new(pair, &comparison.matches, &comparison.growth, [before.namer(), after.namer()]);
    let mut grew = Vec::new();
    for limit in &arguments.fail_if_grew {
        let grown = watched.grown(limit, &Task::new())?;
        if grown.is_empty() {
            writeln!(io::stderr(), "heaplens: nothing in either dump is called {}", limit.owner)?;
        }
        for one in grown.iter().filter(|one| limit.is_passed(one)) {
            let (ByteDelta(bytes), allowed) = (one.bytes, limit.bytes);
            let bytes = Bytes(bytes.unsigned_abs());
            grew.push(format!("{} grew by {bytes} ({} bytes), more than {allowed}", one.owner, bytes.exact()));
        }
    }
    if grew.is_empty() { Ok(()) } else { Err(Failure::Grew(grew)) }
}

fn asked(arguments: &DiffArguments) -> Asked {
    let for_people = matches!(arguments.format, DiffFormat::Text | DiffFormat::Markdown);
    let keys = match arguments.format {
        DiffFormat::Csv => 0,
        DiffFormat::Json => usize::MAX,
        DiffFormat::Text | DiffFormat::Markdown => KEYS,
    };
    let usual = if arguments.format == DiffFormat::Csv { vec![Of::Owners] } else { vec![Of::Owners, Of::Classes] };
    Asked {
        of: arguments.of.map_or(usual, |of| vec![of.into()]),
        which: match (arguments.only_grown, for_people) {
            (true, _) => Rows::Grown,
            (false, true) => Rows::Changed,
            (false, false) => Rows::All,
        },
        wanted: Wanted {
            keys: arguments.keys.unwrap_or(keys),
            names: arguments.top.unwrap_or(if for_people { ROWS } else { usize::MAX }),
        },
    }
}

fn arrangement(arguments: &DiffArguments) -> Arrangement {
    let for_people = matches!(arguments.format, DiffFormat::Text | DiffFormat::Markdown);
    let order = &arguments.order;
    Arrangement {
        filter: arguments.filter.clone().unwrap_or_default(),
        places: order.rows.clone(),
        sort: order.sort.clone(),
        reverse: order.reverse,
        skip: order.skip,
        top: arguments.top.or(for_people.then_some(ROWS)),
        owner: false,
    }
}

fn side(dump: &OpenDump) -> Side<'_> {
    Side { heap: &dump.facts.heap, contents: &*dump.facts.contents, analyzed: &dump.analyzed }
}

fn form(format: DiffFormat) -> Form {
    match format {
        DiffFormat::Text => Form::Text,
        DiffFormat::Json => Form::Json,
        DiffFormat::Csv => Form::Csv,
        DiffFormat::Markdown => Form::Markdown,
    }
}

impl From<DiffOf> for Of {
    fn from(of: DiffOf) -> Self {
        match of {
            DiffOf::Owners => Self::Owners,
            DiffOf::Classes => Self::Classes,
            DiffOf::Packages => Self::Side(What::Packages),
            DiffOf::Loaders => Self::Side(What::Loaders),
            DiffOf::Threads => Self::Side(What::Threads),
            DiffOf::Strings => Self::Side(What::Strings),
            DiffOf::Collections => Self::Side(What::Collections),
        }
    }
}
