//! `query`: SQL over a dump.

mod output;
mod prompt;

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;

pub(super) use self::output::AnswerWriter;
pub(super) use self::output::file_notes;
use self::output::{answer_output, write_tables};
use self::prompt::{Entered, Prompt};
use super::args::QueryArguments;
use super::diff::remark_different_programs;
use super::failure::{Failure, remark};
use super::open::{UnclosedDump, open_before_and_after, open_several};
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_base::{Named, Task};
use heaplens_dump::Dump;
use heaplens_platform::files::read_at_most;
use heaplens_sql::{Completions, Database, Limits, QueryError, QuerySource, gallery};

/// Maximum size of a query in a file, in bytes.
const LARGEST: u64 = 16 << 20;

pub(super) fn query(arguments: &QueryArguments) -> Answer {
    let rules = leak_rules(&arguments.rules)?;
    if arguments.format.is_binary() && !arguments.tables && io::stdout().is_terminal() {
        let why = format!("{} is no text: redirect the output to a file", arguments.format.word());
        return Err(Failure::Usage(why));
    }
    let is_prompt = arguments.query.is_none()
        && arguments.query_file.is_none()
        && !arguments.tables
        && io::stdin().is_terminal()
        && io::stdout().is_terminal();
    let query_text = if is_prompt { String::new() } else { query_text(arguments)? };
    let (before, dump) = opened(arguments)?;
    let older = before.as_ref().map(|before| QuerySource::of(before, rules.clone()));
    let source = QuerySource::of(&dump, rules);
    let mut database = Database::new(Arc::clone(&source), older).map_err(|error| failure(&error, ""))?;
    if arguments.tables {
        return write_tables(&database, &dump, arguments.format);
    }
    let dumps = Dumps { dump: &dump, before: before.as_deref() };
    if is_prompt {
        return converse(&mut database, &source, dumps, arguments);
    }
    answer(&mut database, dumps, &query_text, arguments)
}

/// Opens the dump and the one of the schema `before`: an older dump, or the same dump before removals.
fn opened(arguments: &QueryArguments) -> Result<(Option<UnclosedDump>, UnclosedDump), Failure> {
    let Some(older) = &arguments.before else { return open_before_and_after(&arguments.file, &arguments.open) };
    let both = open_several([(0, older), (1, &arguments.file)], &arguments.open)?;
    let [before, dump] = both.try_into().unwrap_or_else(|_| unreachable!("two files"));
    remark_different_programs(&before, &dump);
    Ok((Some(before), dump))
}

/// Answers queries from the terminal until its end. A wrong query does not end it.
fn converse(
    database: &mut Database,
    source: &Arc<QuerySource>,
    dumps: Dumps<'_>,
    arguments: &QueryArguments,
) -> Answer {
    let unusable = |error: &dyn std::fmt::Display| Failure::Unusable(format!("cannot read from the terminal: {error}"));
    let names = Completions::of(source, "");
    let names = if arguments.before.is_some() { names.with_schemas() } else { names };
    let mut prompt = Prompt::new(names).map_err(|error| unusable(&error))?;
    writeln!(io::stdout(), "{}", Prompt::help())?;
    while let Some(entered) = prompt.next().map_err(|error| unusable(&error))? {
        match entered {
            Entered::Help => writeln!(io::stdout(), "{}", Prompt::help())?,
            Entered::Examples => {
                for example in gallery(source.heap()) {
                    writeln!(io::stdout(), "-- {}\n{};\n", example.title, example.query)?;
                }
            }
            Entered::Tables => write_tables(database, dumps.dump, arguments.format)?,
            Entered::Query(query) => match answer(database, dumps, &query, arguments) {
                Err(wrong @ (Failure::Usage(_) | Failure::Interrupted)) => remark(&wrong.to_string()),
                Err(Failure::Unusable(why)) => remark(&why),
                ended => ended?,
            },
        }
    }
    Ok(())
}

/// The query of the arguments, or from standard input.
fn query_text(arguments: &QueryArguments) -> Result<String, Failure> {
    if let Some(query) = &arguments.query {
        return Ok(query.clone());
    }
    let from_input = || {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    };
    match &arguments.query_file {
        Some(file) if file != Path::new("-") => read_at_most(file, LARGEST)
            .and_then(|text| String::from_utf8(text).map_err(io::Error::other))
            .map_err(|error| Failure::Unusable(format!("{}: cannot read the query: {error}", file.display()))),
        None if arguments.tables => Ok(String::new()),
        None if io::stdin().is_terminal() => {
            Err(Failure::Usage("no query: 'heaplens query DUMP \"SELECT …\"', or --tables for all tables".to_owned()))
        }
        _ => from_input().map_err(|error| Failure::Unusable(format!("cannot read the query: {error}"))),
    }
}

/// The dumps of a query.
#[derive(Clone, Copy)]
struct Dumps<'a> {
    dump: &'a Dump,
    before: Option<&'a Dump>,
}

/// Runs a query and prints its rows.
fn answer(database: &mut Database, dumps: Dumps<'_>, query: &str, arguments: &QueryArguments) -> Answer {
    let verified = match &dumps.dump.reduction {
        Some(_) => VerifiedOutput::after_removals(dumps.dump, arguments.format.of_table()),
        None => VerifiedOutput::of_all([dumps.dump].into_iter().chain(dumps.before)),
    };
    let out = answer_output(verified, dumps.dump, arguments.format);
    let mut out = AnswerWriter::new(out, arguments.top);
    let limits = Limits { time: arguments.timeout };
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let ended = database.run(query, limits, &task, &mut out);
    drop(line);
    ended.map_err(|error| failure(&error, query))?;
    out.end()
}

/// The failure of a query, with the place of the wrong word.
pub(super) fn failure(error: &QueryError, query: &str) -> Failure {
    match error {
        QueryError::Cancelled => Failure::Interrupted,
        QueryError::Wrong { position: Some(position), .. } => {
            let before = query.get(..*position).unwrap_or(query);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            Failure::Usage(format!("{error} (line {line}, column {column})"))
        }
        QueryError::Wrong { .. } => Failure::Usage(error.to_string()),
        QueryError::TooSlow(_) | QueryError::TooLarge(_) => Failure::Unusable(error.to_string()),
    }
}
