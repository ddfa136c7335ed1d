//! `query`: SQL over a dump.

mod output;

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use self::output::{AnswerWriter, write_tables};
use super::args::{QueryArguments, QueryForm};
use super::failure::Failure;
use super::open::{open_nth, open_options, open_with};
use super::print::Answer;
use super::progress::ProgressLine;
use super::rules::leak_rules;
use super::verified_output::VerifiedOutput;
use heaplens_base::Task;
use heaplens_session::LoadedDump;
use heaplens_sql::{Database, Limits, QueryError, QuerySource};

pub(super) fn query(arguments: &QueryArguments) -> Answer {
    let rules = leak_rules(&arguments.rules)?;
    if arguments.format == QueryForm::Parquet && io::stdout().is_terminal() {
        return Err(Failure::Usage("a Parquet file is no text: redirect the output to a file".to_owned()));
    }
    let asked = asked(arguments)?;
    let place = usize::from(arguments.before.is_some());
    let before = arguments.before.as_ref().map(|file| open_nth(file, 0, &arguments.open)).transpose()?;
    let options = open_options(&arguments.open).of_file(place);
    let (dump, _) = open_with(&arguments.file, &arguments.open, &options)?;
    let older = before.as_ref().map(|(before, _)| QuerySource::loaded(before, rules.clone()));
    let mut database = Database::new(QuerySource::loaded(&dump, rules), older).map_err(|error| failure(&error, ""))?;
    if arguments.tables {
        return write_tables(&database, &dump, arguments.format);
    }
    let dumps = [Some(&dump), before.as_ref().map(|(before, _)| before)];
    answer(&mut database, dumps, &asked, arguments)
}

/// The query of the arguments, or from standard input.
fn asked(arguments: &QueryArguments) -> Result<String, Failure> {
    if let Some(query) = &arguments.query {
        return Ok(query.clone());
    }
    let from_input = || {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    };
    match &arguments.query_file {
        Some(file) if file != Path::new("-") => fs::read_to_string(file)
            .map_err(|error| Failure::Unusable(format!("{}: cannot read the query: {error}", file.display()))),
        None if arguments.tables => Ok(String::new()),
        None if io::stdin().is_terminal() => {
            Err(Failure::Usage("no query: 'heaplens query DUMP \"SELECT …\"', or --tables for all tables".to_owned()))
        }
        _ => from_input().map_err(|error| Failure::Unusable(format!("cannot read the query: {error}"))),
    }
}

/// Runs a query and prints its rows.
fn answer(database: &mut Database, dumps: [Option<&LoadedDump>; 2], query: &str, arguments: &QueryArguments) -> Answer {
    let [Some(dump), _] = dumps else { return Ok(()) };
    let mut out = AnswerWriter::new(VerifiedOutput::of_all(dumps.into_iter().flatten()), &dump.facts.heap, arguments);
    let limits = Limits { time: arguments.timeout, ..Limits::default() };
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let mut columns = Vec::new();
    let mut failed = None;
    {
        let mut started = false;
        let shown = std::cell::RefCell::new(&mut columns);
        let ended =
            database.run(query, limits, &task, &mut |found| **shown.borrow_mut() = found.to_vec(), &mut |row| {
                let columns = shown.borrow();
                let begun = if started { Ok(()) } else { out.begin(&columns) };
                started = true;
                let written = begun.and_then(|()| out.row(&columns, &row));
                match written {
                    Ok(more) => more,
                    Err(error) => {
                        failed = Some(error);
                        false
                    }
                }
            });
        drop(line);
        ended.map_err(|error| failure(&error, query))?;
        if !started && failed.is_none() {
            out.begin(&shown.borrow())?;
        }
    }
    match failed {
        Some(error) => Err(error),
        None => out.end(&columns),
    }
}

/// The failure of a query, with the place of the wrong word.
fn failure(error: &QueryError, query: &str) -> Failure {
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
