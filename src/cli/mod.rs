//! The command line: arguments → session → export. The only module that prints.

pub mod args;
mod baseline;
mod bitmaps;
mod check;
mod cuts;
mod desktop;
mod diff;
mod digest;
mod dominators;
mod export;
mod failure;
mod fleet;
mod folded;
mod generate;
mod histogram;
mod index;
mod javascript;
mod leaks;
mod link;
mod loaders;
#[cfg(feature = "assistant")]
pub mod mcp;
mod names;
mod object;
mod objects;
pub mod open;
mod open_failure;
mod overview;
mod page;
mod paths;
mod print;
mod process;
mod progress;
pub mod query;
mod report;
mod retained_set;
mod roots;
mod route;
mod rules;
mod search;
mod secrets;
mod sites;
mod sql;
mod strip;
mod summary;
mod tables;
mod take;
mod threads;
mod value_check;
mod verified_output;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use self::args::{Arguments, Command};
use self::failure::Failure;
use heaplens_base::storage::OutOfMemory;
use heaplens_platform::standard_streams;

/// Runs a command and prints its result to stdout.
pub fn run(command: &Command) -> ExitCode {
    ended(|| answer(command))
}

/// Serves a client of `mcp`, with views of the window as pictures.
#[cfg(feature = "assistant")]
pub fn serve(arguments: &args::McpArguments, pictures: Option<&heaplens_assistant::Pictures>) -> ExitCode {
    ended(|| mcp::mcp(arguments, pictures))
}

fn ended(answer: impl Fn() -> print::Answer) -> ExitCode {
    if standard_streams::is_output_closed() {
        let advice = "redirect it to a file, or to /dev/null if the answer is not needed";
        return fail(&format!("cannot write the output: standard output is closed; {advice}"));
    }
    let answer = || failure::found_damage(answer());
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let ended = answer();
        // The damaged index was deleted, so the second run reads the dump itself.
        if let Err(Failure::Damaged) = ended { answer() } else { ended }
    }));
    failure::exit(ended.unwrap_or_else(|panic| match OutOfMemory::of(panic.as_ref()) {
        Some(shortage) => Err(Failure::Unusable(shortage.to_string())),
        None => resume_unwind(panic),
    }))
}

fn answer(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Summary(a) => summary::summary(a),
        Command::Process(a) => process::process(a),
        Command::Overview(a) => overview::overview(a),
        Command::Report(a) => page::page(a),
        Command::Histogram(a) => histogram::histogram(a),
        Command::Dominators(a) => dominators::dominators(a),
        Command::Objects(a) => objects::objects(a),
        Command::Object(a) => object::object(a),
        Command::References(a) => tables::references(a),
        Command::Related(a) => tables::related(a),
        Command::Paths(a) => paths::paths(a),
        Command::Leaks(a) => leaks::leaks(a),
        Command::Diff(a) => diff::diff(a),
        Command::Check(a) => check::check(a),
        Command::Threads(a) => threads::threads(a),
        Command::Loaders(a) => loaders::loaders(a),
        Command::Roots(a) => roots::roots(a),
        Command::Route(a) => route::route(a),
        Command::RetainedSet(a) => retained_set::retained_set(a),
        Command::Sites(a) => sites::sites(a),
        Command::Retained(a) => retained_set::sums(a),
        Command::Search(a) => search::search(a),
        Command::Secrets(a) => secrets::secrets(a),
        Command::Query(a) => sql::query(a),
        Command::Export(a) => export::export(a),
        Command::Digest(a) => digest::run(a),
        Command::Fleet(a) => fleet::fleet(a),
        Command::Take(a) => take::take(a),
        Command::Watch(a) => take::watch::watch(a),
        #[cfg(feature = "assistant")]
        Command::Mcp(a) => mcp::mcp(a, None),
        Command::Bitmaps(a) => bitmaps::bitmaps(a),
        Command::JavaScript(a) => javascript::javascript(a),
        Command::Desktop(a) => desktop::desktop(a),
        Command::Index(a) => index::index(a),
        Command::Strip(a) => strip::strip(a),
        Command::CheckStripped(a) => value_check::check_values(a),
        Command::Generate(a) => generate::generate(a),
        Command::More => more(),
        Command::Version => generate::version(),
        Command::Table(a) => tables::table(&a.arguments, a.relation),
    }
}

/// Prints the list of the other commands.
fn more() -> print::Answer {
    Ok(args::help_of_more().print()?)
}

/// Prints the analysis of the dumps as text when no window can be opened, or what a link names; `why` is the reason.
pub fn report(arguments: &Arguments, why: &str) -> ExitCode {
    let (dumps, links) = (arguments.dumps(), arguments.links());
    if links.is_empty() {
        return failure::exit(report::report(&dumps, &arguments.open, why));
    }
    failure::remark(&format!("cannot open a window: {why}"));
    open::expect_more_commands();
    for link in &links {
        match link::command_of(link, &dumps, &arguments.open) {
            Ok(command) => {
                let ended = run(&command);
                if ended != ExitCode::SUCCESS {
                    return ended;
                }
            }
            Err(why) => return failure::exit(Err(why)),
        }
    }
    ExitCode::SUCCESS
}

/// Reports a mistyped command, which would otherwise be taken for a file name: a bare word that is not the name
/// of an existing file.
pub fn refuse_unknown_command(files: &[std::path::PathBuf]) -> Option<ExitCode> {
    let word = files.first()?;
    let bare = word.extension().is_none() && word.components().count() == 1;
    let name = word.to_str().filter(|n| bare && *n != "-" && n.chars().all(|c| c.is_ascii_lowercase() || c == '-'))?;
    let unknown = || Failure::Usage(format!("no command or file named '{name}'; see 'heaplens --help'"));
    (!word.exists()).then(|| failure::exit(Err(unknown())))
}

/// Prints help, the version, or why the arguments are wrong.
pub fn print_help(message: &clap::Error) -> ExitCode {
    if !message.use_stderr() && standard_streams::is_output_closed() {
        return fail("cannot write the output: standard output is closed");
    }
    match message.print() {
        // If stderr is closed, there is no other place for it.
        Err(error) if !message.use_stderr() => failure::exit(Err(error.into())),
        _ => ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2)),
    }
}

/// Prints an error to stderr and returns exit status 1.
pub fn fail(what: &str) -> ExitCode {
    failure::exit(Err(Failure::Unusable(what.to_owned())))
}
