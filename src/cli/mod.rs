//! The command line: arguments → session → export. The only module that prints.

pub mod args;
mod bitmaps;
mod commands;
mod cuts;
mod desktop;
mod diff;
mod dominators;
mod failure;
mod folded;
mod generate;
mod histogram;
mod javascript;
mod leaks;
mod loaders;
mod names;
mod overview;
mod ownership;
mod paths;
mod progress;
pub mod query;
mod report;
mod retained;
mod rules;
mod search;
mod sites;
mod strip;
mod tables;
mod threads;
mod verified_output;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::ExitCode;

use self::args::{Command, OpenArguments};
use self::failure::Failure;
use self::progress::ProgressLine;
use heaplens_base::storage::folder::Folder;
use heaplens_base::storage::out_of_memory::OutOfMemory;
use heaplens_base::task::{Progress, Task};
use heaplens_core::heap::rules::Rules;
use heaplens_session::dump::{LoadedDump, OpenOptions, open_and_wait};
use heaplens_session::leaks::known_file;
use heaplens_session::memory::peak_memory_bytes;
use heaplens_session::runtime_classes::of_user;
use heaplens_session::verdicts;
use heaplens_tables::export::json::OpenDetails;
use heaplens_tables::export::printable::one_line;

/// Runs a command and prints its result to stdout.
pub fn run(command: &Command) -> ExitCode {
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let ended = answer(command);
        // The damaged index was deleted, so the second run reads the dump itself.
        if let Err(Failure::Damaged) = ended { answer(command) } else { ended }
    }));
    failure::exit(ended.unwrap_or_else(|panic| match OutOfMemory::of(panic.as_ref()) {
        Some(shortage) => Err(Failure::Unusable(shortage.to_string())),
        None => resume_unwind(panic),
    }))
}

fn answer(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Summary(a) => commands::summary(a),
        Command::Overview(a) => overview::overview(a),
        Command::Histogram(a) => histogram::histogram(a),
        Command::Dominators(a) => dominators::dominators(a),
        Command::Objects(a) => tables::objects(a),
        Command::Object(a) => commands::object(a),
        Command::References(a) => tables::references(a),
        Command::Paths(a) => paths::paths(a),
        Command::Leaks(a) => leaks::leaks(a),
        Command::Diff(a) => diff::diff(a),
        Command::Threads(a) => threads::threads(a),
        Command::Loaders(a) => loaders::loaders(a),
        Command::Roots(a) => ownership::roots(a),
        Command::Route(a) => ownership::route(a),
        Command::RetainedSet(a) => ownership::kept(a),
        Command::Sites(a) => sites::sites(a),
        Command::Retained(a) => retained::retained(a),
        Command::Search(a) => search::search(a),
        Command::Bitmaps(a) => bitmaps::bitmaps(a),
        Command::JavaScript(a) => javascript::javascript(a),
        Command::Desktop(a) => desktop::desktop(a),
        Command::Index(a) => commands::index(a),
        Command::Strip(a) => strip::strip(a),
        Command::Generate(a) => generate::generate(a),
        Command::Version => generate::version(),
        Command::Finalizers(_)
        | Command::Gaps(_)
        | Command::Strings(_)
        | Command::Collections(_)
        | Command::Waste(_) => query::plain(command).map_or(Ok(()), |(a, kind)| tables::table(a, kind)),
    }
}

/// Prints the analysis of `files` as text when no window can be opened; `why` is the reason.
pub fn report(files: &[std::path::PathBuf], open: &OpenArguments, why: &str) -> ExitCode {
    failure::exit(report::report(files, open, why))
}

/// Reports a mistyped command, which would otherwise be taken for a file name: a bare word that is not the name
/// of an existing file.
pub fn refuse_unknown_command(files: &[std::path::PathBuf]) -> Option<ExitCode> {
    let word = files.first()?;
    let bare = word.extension().is_none() && word.components().count() == 1;
    let name = word.to_str().filter(|n| bare && n.chars().all(|c| c.is_ascii_lowercase() || c == '-'))?;
    let unknown = || Failure::Usage(format!("no command or file named '{name}'; see 'heaplens --help'"));
    (!word.exists()).then(|| failure::exit(Err(unknown())))
}

/// Prints an error to stderr and returns exit status 1.
pub fn fail(what: &str) -> ExitCode {
    failure::exit(Err(Failure::Unusable(what.to_owned())))
}

/// Converts command-line options to the session's options for opening a dump.
pub fn open_options(open: &OpenArguments) -> OpenOptions {
    let (keep_unreachable, vm_roots) = (open.keep_unreachable, open.vm_roots);
    let mut rules = Rules { keep_unreachable, vm_roots, ..Rules::default() };
    if let Some(strength) = open.strength {
        rules.min_strength = strength;
    }
    let mut options = OpenOptions { rules, ..OpenOptions::default() };
    options.read.sizes = open.sizes;
    options.name_javacore(open.javacore.clone());
    let platform = Folder::of_platform();
    let folder = open.cache_dir.clone().map(Folder::at).or(platform);
    // Unnamed temporary files go there too: the system's temporary folder may be in memory.
    options.keeping.scratch = folder.as_ref().map(|folder| folder.path.clone());
    options.keeping.folder = folder.filter(|_| !open.no_cache);
    if let (Some(folder), Some(limit)) = (&mut options.keeping.folder, open.cache_limit) {
        folder.limit = limit;
    }
    options.keeping.memory = open.memory;
    let given = open.runtime_classes.clone();
    options.runtime_classes_file = given.as_ref().map(|(file, _)| file.clone());
    options.runtime_classes = given.map_or_else(of_user, |(_, rules)| rules);
    options.verdicts_file = verdicts::user_file();
    options.known_leaks_file = known_file();
    options.mappings.clone_from(&open.mappings);
    options.redact = open.redact;
    options
}

/// Name of a file in the output; without its folder if redacted.
fn called(file: &Path, open: &OpenArguments) -> String {
    let name = file.file_name().filter(|_| open.redact).map(Path::new);
    name.unwrap_or(file).display().to_string()
}

/// Sets the number of worker threads. Call it once, before opening a dump.
pub fn set_threads(open: &OpenArguments) {
    if let Some(threads) = open.threads {
        // Fails only if the pool is already running; then the number was set before.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build_global();
    }
}

/// Opens a dump and waits for the complete analysis; shows progress if stderr is a terminal.
fn open(file: &Path, arguments: &OpenArguments) -> Result<(LoadedDump, Progress), Failure> {
    open_nth(file, 0, arguments)
}

/// Opens the dump at index `place` of several, with the mapping for that index: each may be of another build.
fn open_nth(file: &Path, place: usize, arguments: &OpenArguments) -> Result<(LoadedDump, Progress), Failure> {
    open_with(file, arguments, &open_options(arguments).of_file(place))
}

fn open_with(file: &Path, arguments: &OpenArguments, options: &OpenOptions) -> Result<(LoadedDump, Progress), Failure> {
    set_threads(arguments);
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let opened = open_and_wait(file, options, &task);
    drop(line);
    let dump = opened.map_err(|error| {
        if task.is_cancelled() { Failure::Interrupted } else { Failure::Unusable(error.describe(file)) }
    })?;
    if let Some((mapped, doubt)) = dump.facts.mapped.as_ref().and_then(|mapped| Some((mapped, mapped.doubt.as_ref()?)))
    {
        remark(&format!("{}: {doubt}", mapped.file.path.display()));
    }
    Ok((dump, task.progress()))
}

/// Prints a remark to stderr, in one line and without control characters: names in it come from dumps.
fn remark(text: &str) {
    // Ignored: if stderr is closed, there is no other place for it.
    let _unheard = writeln!(io::stderr(), "heaplens: {}", one_line(text));
}

/// Facts of this open for the summary: phases, cache use, remarks, peak memory.
fn this_open<'a>(dump: &'a LoadedDump, progress: &'a Progress) -> OpenDetails<'a> {
    OpenDetails { progress, from_cache: dump.is_from_cache(), remarks: &dump.remarks, peak_memory: peak_memory_bytes() }
}
