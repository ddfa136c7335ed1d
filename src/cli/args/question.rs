//! Reads a question from the words of a command line, by the declarations of the options.

use std::ffi::OsString;

use clap::{ArgMatches, Command, CommandFactory};

use super::Arguments;
use super::opening::HEADING;
use heaplens_tables::Question;
use heaplens_tables::query::{QuestionOption, Word};

/// The question that words ask, from the name of the program on; options are in the order given. Words without a command
/// are the question without one: to open files in the window.
///
/// # Errors
/// Usage errors, and requests for help.
pub fn question(words: impl IntoIterator<Item = OsString>) -> Result<Question, clap::Error> {
    let mut table = Arguments::command();
    let matches = table.try_get_matches_from_mut(words)?;
    Ok(match matches.subcommand() {
        Some((name, matches)) => of_command(table.find_subcommand(name).unwrap_or(&table), matches),
        None => Question { command: String::new(), ..of_command(&table, &matches) },
    })
}

fn of_command(command: &Command, matches: &ArgMatches) -> Question {
    let mut given: Vec<(usize, Option<&str>, bool, Option<OsString>)> = Vec::new();
    // Of paths, it is the strength of the paths.
    let of_paths = ["paths", "route"].contains(&command.get_name());
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let (Some(indices), Some(all)) = (matches.indices_of(id), matches.get_raw_occurrences(id)) else { continue };
        if matches.value_source(id) != Some(clap::parser::ValueSource::CommandLine) {
            continue;
        }
        let is_of_path = of_paths && argument.get_long() == Some("strength");
        let is_opening = argument.get_help_heading() == Some(HEADING) && !is_of_path;
        let (takes_value, mut indices) = (argument.get_action().takes_values(), indices);
        for values in all {
            let values: Vec<OsString> = values.map(ToOwned::to_owned).collect();
            // Each value has an index; an option with several values is one option.
            let at = indices.by_ref().take(values.len().max(1)).min().unwrap_or_default();
            match argument.get_long() {
                Some(name) if takes_value => {
                    let value = values.join(&OsString::from(","));
                    given.push((at, Some(name), is_opening, Some(value)));
                }
                Some(name) => given.push((at, Some(name), is_opening, None)),
                None => given.extend(values.into_iter().enumerate().map(|(n, word)| (at + n, None, false, Some(word)))),
            }
        }
    }
    given.sort_by_key(|&(at, ..)| at);
    let mut question = Question { command: command.get_name().to_owned(), ..Question::default() };
    for (_, name, is_opening, value) in given {
        let value = value.map(Word);
        match name {
            Some(name) => {
                let option: QuestionOption = (name.to_owned(), value);
                if is_opening { question.opening.push(option) } else { question.options.push(option) }
            }
            None => question.arguments.extend(value),
        }
    }
    question
}
