//! Lists of commands in the help: the common ones by job, and on request the others.

use std::fmt::Write;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, Parser};

use super::Arguments;
use heaplens_tables::{Job, Listing};

/// Name of the command whose help lists the commands that are not common.
const MORE: &str = "more";
/// Commands of clap's own, which no list has.
const HELP: &str = "help";

/// Reads the arguments of this process. Help of the program, of `more` and of `help` lists commands by job.
///
/// # Errors
/// Usage errors, and requests for help and version.
pub fn parse() -> Result<Arguments, clap::Error> {
    Arguments::try_parse().map_err(|message| match message.kind() {
        // Built for a help only: each start would pay for it.
        ErrorKind::DisplayHelp => with_lists().try_get_matches().err().unwrap_or(message),
        _ => message,
    })
}

/// Help that lists the commands that are not common.
pub fn help_of_more() -> clap::Error {
    let help = with_lists().try_get_matches_from(["heaplens", HELP, MORE]);
    help.err().unwrap_or_else(|| clap::Error::new(ErrorKind::DisplayHelp))
}

/// Where a command is listed; `None` if no list has it.
pub fn listing_of(command: &Command) -> Option<Listing> {
    Listing::of_order(command.get_display_order()).filter(|_| !command.is_hide_set())
}

/// The commands of one list, by job and in the order of their declaration. Jobs without any are left out.
pub fn by_job(program: &Command, is_common: bool) -> Vec<(Job, Vec<&Command>)> {
    let of_job = |job| -> Vec<&Command> {
        let listing = Some(Listing { job, is_common });
        program.get_subcommands().filter(|command| listing_of(command) == listing).collect()
    };
    Job::ALL.into_iter().map(|job| (job, of_job(job))).filter(|(_, commands)| !commands.is_empty()).collect()
}

/// The program with lists of its commands in the help.
fn with_lists() -> Command {
    let mut program = Arguments::command();
    program.build();
    let [common, others] = [true, false].map(|is_common| list(&program, is_common));
    let (header, literal) = (program.get_styles().get_header(), program.get_styles().get_literal());
    let [more, of_one] = [MORE, "COMMAND"].map(|name| format!("{literal}heaplens {HELP} {name}{literal:#}"));
    let hints = format!("{header}More commands:{header:#} {more}\n{header}Help of a command:{header:#} {of_one}\n");
    let head = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n";
    let help = format!("{head}{common}{hints}\n{{all-args}}{{after-help}}");
    let more = format!("{{about}}\n\n{others}{header}Help of a command:{header:#} {of_one}\n");
    program
        // The list of clap has no groups, and hidden commands are not in the usage.
        .mut_subcommands(|command| command.hide(true))
        .mut_subcommand(MORE, |command| command.help_template(more))
        .override_usage("heaplens [OPTIONS] [FILES]...\n       heaplens <COMMAND>")
        .help_template(help)
}

/// Commands with their summaries, below the titles of their jobs.
fn list(program: &Command, is_common: bool) -> String {
    let (header, literal) = (program.get_styles().get_header(), program.get_styles().get_literal());
    let jobs = by_job(program, is_common);
    let names = jobs.iter().flat_map(|(_, commands)| commands).map(|command| command.get_name().len());
    let width = names.max().unwrap_or_default();
    let mut text = String::new();
    for (job, commands) in &jobs {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{header}{}:{header:#}", job.title());
        for command in commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let name = command.get_name();
            let _ = writeln!(text, "  {literal}{name}{literal:#}{:1$}  {about}", "", width - name.len());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The largest first list: more commands would not be read.
    const MOST_COMMON: usize = 16;

    fn help(words: &[&str]) -> String {
        let help = with_lists().try_get_matches_from([&["heaplens"], words].concat()).expect_err("help");
        assert_eq!(help.kind(), ErrorKind::DisplayHelp, "{words:?}: {help}");
        help.to_string()
    }

    /// Names at the beginning of the lines of a help that list a command.
    fn listed(help: &str) -> Vec<&str> {
        let lists = help.split("Help of a command:").next().unwrap_or_default();
        lists
            .lines()
            .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
            .map(|(name, _)| name)
            .filter(|name| !name.is_empty())
            .collect()
    }

    #[test]
    fn every_command_is_in_one_list() {
        let program = Arguments::command();
        let (first, more) = (help(&["--help"]), help(&[HELP, MORE]));
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        listed(&first).into_iter().chain(listed(&more)).for_each(|name| *times.entry(name).or_default() += 1);
        let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
        let once: BTreeMap<&str, usize> = visible.map(|command| (command.get_name(), 1)).collect();
        assert_eq!(times, once, "each command declares `display_order = Job::….common().order()` or `more()`");
        let common = listed(&first).len();
        assert!(common <= MOST_COMMON, "{common} commands in the first list");
        let lists = |text: &str| -> Option<String> {
            Some(text.split_once("Usage:")?.1.split("More commands:").next()?.to_owned())
        };
        assert_eq!(lists(&help(&["-h"])), lists(&first));
        assert_eq!(help(&[MORE, "--help"]), more);
        assert!(first.contains("More commands: heaplens help more\n"), "{first}");
    }

    #[test]
    fn commands_are_below_their_jobs() {
        let program = Arguments::command();
        for (words, is_common) in [(&["--help"][..], true), (&[HELP, MORE], false)] {
            let help = help(words);
            let mut rest = &*help;
            for (job, commands) in by_job(&program, is_common) {
                let heading = format!("\n{}:\n", job.title());
                rest = rest.split_once(&heading).unwrap_or_else(|| panic!("{heading}: {help}")).1;
                let lines = rest.lines().take(commands.len());
                let names = lines.map(|line| line.split_whitespace().next().unwrap_or_default());
                assert!(names.eq(commands.iter().map(|command| command.get_name())), "{help}");
            }
        }
    }

    #[test]
    fn hidden_commands_are_in_no_list() {
        let program = Arguments::command();
        for command in program.get_subcommands().filter(|command| command.is_hide_set()) {
            assert_eq!(listing_of(command), None, "{}", command.get_name());
        }
    }

    #[test]
    fn help_of_a_command_stays() {
        let program = Arguments::command();
        for command in program.get_subcommands() {
            let name = command.get_name();
            assert!(name == MORE || help(&[name, "--help"]).contains("Usage: heaplens "), "{name}");
            assert_eq!(help(&[HELP, name]), help(&[name, "--help"]), "{name}");
        }
    }
}
