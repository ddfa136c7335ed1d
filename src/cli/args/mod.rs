//! Declaration of the command line: clap derives parsing, help, man pages and completions from it.
//! This file lists the commands; their arguments are in the files beside it.

mod android;
mod check;
mod cuts;
mod desktop;
mod diff;
mod dominators;
mod file;
mod fleet;
mod generate;
mod index;
mod javascript;
mod leaks;
mod listing;
#[cfg(feature = "assistant")]
mod mcp;
mod named;
mod objects;
mod opening;
mod printing;
mod question;
mod retained_set;
mod roots;
mod route;
mod rules;
mod sql;
mod strip;
mod tables;
mod take;
mod window;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use heaplens_tables::Job;

pub use self::android::AndroidArguments;
pub use self::check::{CheckArguments, CheckOutputArguments, GrowArguments};
pub use self::cuts::{AnalysisArguments, CutArguments};
pub use self::desktop::{DesktopArgument, DesktopArguments};
pub use self::diff::DiffArguments;
pub use self::dominators::{DominatorsArguments, FoldArguments};
pub use self::file::FileArgument;
pub use self::fleet::{DigestArguments, FleetArguments, FleetForm};
pub use self::generate::{GenerateArguments, GenerateWhat};
pub use self::index::IndexArguments;
pub use self::javascript::JavaScriptArguments;
pub use self::leaks::{LeaksArguments, LeaksForm, SizeLimit};
pub use self::listing::{by_job, help_of_more, listing_of, parse};
#[cfg(feature = "assistant")]
pub use self::mcp::McpArguments;
pub use self::objects::{
    ObjectArguments, ObjectsArguments, PathsArguments, ReferencesArguments, RelatedArguments, SearchArguments,
    SecretsArguments,
};
pub use self::opening::OpenArguments;
pub use self::printing::{OrderArguments, PrintArguments};
pub use self::question::question;
pub use self::retained_set::{RetainedArguments, RetainedSetArguments};
pub use self::roots::RootsArguments;
pub use self::route::RouteArguments;
pub use self::rules::RulesArguments;
pub use self::sql::{ExportArguments, QueryArguments, QueryForm};
pub use self::strip::{StripArguments, ValueArguments};
pub use self::tables::{
    BitmapsArguments, HistogramArguments, OverviewArguments, ProcessArguments, RelationCommand, ReportArguments,
    SitesArguments, SummaryArguments, TableArguments,
};
pub use self::take::{TakeArguments, TakeWhatArguments, WatchArguments};
pub use self::window::{PictureArguments, ThemeArgument};

/// Analyze heap dumps: find what retains memory, and why.
///
/// Supports HPROF dumps of the JVM and Android, heap graphs of Perfetto, heap snapshots of V8, JavaScriptCore and ArkTS,
/// and heap dumps of IBM J9. Without a command, the files open in the window. With a command, its result is printed to
/// standard output.
#[derive(Debug, Parser)]
#[command(name = "heaplens", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
pub struct Arguments {
    /// Command to run
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Heap dumps to open in the window, or heaplens:// links; two or more dumps are also compared
    #[arg(value_parser = file::parser(), value_hint = clap::ValueHint::FilePath)]
    pub files: Vec<FileArgument>,
    /// Open a new window instead of tabs in a running one
    #[arg(long)]
    pub new_window: bool,
    /// Screenshot options.
    #[command(flatten)]
    pub picture: PictureArguments,
    /// Opening options.
    #[command(flatten)]
    pub open: OpenArguments,
}

impl Arguments {
    /// The dumps to open.
    pub fn dumps(&self) -> Vec<PathBuf> {
        let dump = |file: &FileArgument| if let FileArgument::Dump(path) = file { Some(path.clone()) } else { None };
        self.files.iter().filter_map(dump).collect()
    }

    /// The links to open.
    pub fn links(&self) -> Vec<String> {
        let link = |file: &FileArgument| if let FileArgument::Link(link) = file { Some(link.clone()) } else { None };
        self.files.iter().filter_map(link).collect()
    }
}

/// Commands of the command line. The display order of a command is its [`Listing`](heaplens_tables::Listing): hidden ones
/// have none.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the page for the person on call: cause, holders, growth, what to do
    ///
    /// Each sentence is a claim that the dump supports. With --format html it is one file that needs no network and no script, with
    /// the views that the page needs; markdown has at most 40 lines, for a channel.
    #[command(display_order = Job::Dump.common().order())]
    Report(ReportArguments),
    /// Print an overview of a dump: key figures, problems and largest objects
    ///
    /// With --format html or markdown it is a report in a single file.
    #[command(display_order = Job::Dump.common().order())]
    Overview(OverviewArguments),
    /// Find leak suspects, ranked by the memory that a fix would free
    #[command(display_order = Job::Dump.common().order())]
    Leaks(LeaksArguments),
    /// Print the class histogram: object counts and sizes by class
    ///
    /// --by groups by package, package tree, class loader or superclass instead.
    #[command(display_order = Job::Dump.common().order())]
    Histogram(HistogramArguments),
    /// Print the largest objects by retained size, or the dominator tree
    ///
    /// --depth prints more than one level of the tree, --of starts below an object.
    #[command(display_order = Job::Dump.common().order())]
    Dominators(DominatorsArguments),
    /// List threads with stack traces, local variables and retained sizes
    #[command(display_order = Job::Dump.common().order())]
    Threads(TableArguments),
    /// Show object counts, sizes, parse warnings and timings of a dump
    #[command(display_order = Job::Dump.more().order())]
    Summary(SummaryArguments),
    /// List GC roots by kind, or inferred roots and their ownership trees
    ///
    /// For each kind, the retained size is that of all its roots together. --ownership and --listing use inferred
    /// roots (objects without incoming references), which exist in any dump, as in IBM's HeapRoots.
    #[command(display_order = Job::Dump.more().order())]
    Roots(RootsArguments),
    /// List class loaders: classes, objects, sizes, duplicate classes, path to GC root
    #[command(display_order = Job::Dump.more().order())]
    Loaders(TableArguments),
    /// Show allocation sites as a call tree
    ///
    /// Needs a dump that was taken while allocations were tracked.
    #[command(display_order = Job::Dump.more().order())]
    Sites(SitesArguments),
    /// JavaScript: detached nodes, closures, native contexts, allocation timeline
    #[command(name = "javascript", display_order = Job::Dump.more().order())]
    JavaScript(JavaScriptArguments),
    /// Show one object: fields or elements, sizes, dominator and root kinds
    #[command(display_order = Job::Objects.common().order())]
    Object(ObjectArguments),
    /// Find the shortest path from a GC root to an object
    ///
    /// --all merges the shortest paths to many objects into one tree.
    #[command(display_order = Job::Objects.common().order())]
    Paths(PathsArguments),
    /// Run SQL over the objects of a dump
    ///
    /// Without SQL, a prompt reads queries. --tables lists tables, columns and functions.
    #[command(display_order = Job::Objects.common().order())]
    Query(QueryArguments),
    /// List objects, one row each
    #[command(display_order = Job::Objects.more().order())]
    Objects(ObjectsArguments),
    /// List the incoming or outgoing references of an object
    #[command(display_order = Job::Objects.more().order())]
    References(ReferencesArguments),
    /// Show objects related to a set by class: retained, dominating, referring
    ///
    /// The set is all objects of a class, or the given ones. With --by, the nearest dominators of the set, the objects
    /// that refer to it, or those that it refers to.
    #[command(display_order = Job::Objects.more().order())]
    Related(RelatedArguments),
    /// Show the retained set of one object or several: what would be freed with them
    #[command(alias = "kept", display_order = Job::Objects.more().order())]
    RetainedSet(RetainedSetArguments),
    /// Find the shortest path from one object to another
    #[command(display_order = Job::Objects.more().order())]
    Route(RouteArguments),
    /// Search the text of strings, or the names of fields and variables
    ///
    /// Rows are in address order; with --variables, best match first.
    #[command(display_order = Job::Objects.more().order())]
    Search(SearchArguments),
    /// Compare two or more dumps of a program: growth by owner and by class
    #[command(display_order = Job::Comparison.common().order())]
    Diff(DiffArguments),
    /// Fail if dumps leak what a baseline does not accept, for a build
    ///
    /// Exits with status 3 if a leak is new or an accepted one grew. --accept writes the baseline. Also writes SARIF, JUnit XML
    /// and Markdown.
    #[command(display_order = Job::Comparison.common().order())]
    Check(CheckArguments),
    /// Write a digest of dumps: identity, findings and largest classes, for a fleet
    ///
    /// A dump that cannot be read is a record with its error. No values of the program are written without --values.
    #[command(display_order = Job::Comparison.more().order())]
    Digest(DigestArguments),
    /// Report what leaks in many dumps, from their digests
    ///
    /// What is new in the last version of each program, what got worse, what was fixed. --of and --query answer
    /// questions.
    #[command(display_order = Job::Comparison.more().order())]
    Fleet(FleetArguments),
    /// Take a heap dump of a running process, or list the processes
    ///
    /// JVMs, Node, Chrome and Deno of this machine without other tools; Android apps by adb; containers, pods and other
    /// machines by docker, kubectl and ssh.
    #[command(display_order = Job::Process.common().order())]
    Take(TakeArguments),
    /// Watch the classes of a running process, and take a dump when they grow
    ///
    /// Exits with status 3 if a rule said so.
    #[command(display_order = Job::Process.common().order())]
    Watch(WatchArguments),
    /// Show the memory of the process: the heap in it, and what is outside of the heap
    #[command(display_order = Job::Process.common().order())]
    Process(ProcessArguments),
    /// Android: list bitmaps with size, duplicates and holders
    #[command(display_order = Job::Waste.more().order())]
    Bitmaps(BitmapsArguments),
    /// Write a copy of a dump without values, safe to share
    ///
    /// Text and numbers are removed; object structure, sizes and names of classes and fields stay. --check says whether
    /// dumps still have values.
    #[command(display_order = Job::Sharing.common().order())]
    Strip(StripArguments),
    /// Find credentials in strings: keys, tokens, passwords, card numbers
    ///
    /// Values are masked. Rows are groups of equal values with the object that holds one.
    #[command(display_order = Job::Sharing.more().order())]
    Secrets(SecretsArguments),
    /// Write the analysis to an index file that opens without the dump
    ///
    /// An index contains object structure and names, but no values.
    #[command(display_order = Job::Sharing.more().order())]
    Index(IndexArguments),
    /// Write the columns of a dump as Parquet files, for other tools
    ///
    /// Objects, references, dominators, classes, roots, findings and more: one file a table. Without --values, no text
    /// of a string is written.
    #[command(display_order = Job::Sharing.more().order())]
    Export(ExportArguments),
    /// Answer assistants and other programs, by the Model Context Protocol
    ///
    /// The client starts it and talks to it over standard input and output. Only dumps in the named places can be opened,
    /// and values of the program are hidden unless --values is given.
    #[command(display_order = Job::Sharing.more().order())]
    #[cfg(feature = "assistant")]
    Mcp(McpArguments),
    /// Register heaplens with the desktop: menu entry, file types and icon
    #[command(display_order = Job::Program.more().order())]
    Desktop(DesktopArguments),
    /// Generate man pages or shell completions
    #[command(display_order = Job::Program.more().order())]
    Generate(GenerateArguments),
    /// Print version, commit, features, compiler and target
    #[command(display_order = Job::Program.more().order())]
    Version,
    /// List the other commands, by what they are for
    #[command(hide = true)]
    More,
    /// Tables without options of their own.
    #[command(flatten)]
    Table(RelationCommand),
    /// Print the sums of a retained set in one row, as earlier versions did
    #[command(hide = true, alias = "retained-size")]
    Retained(RetainedArguments),
    /// Check whether dumps still have values, as earlier versions did: `strip --check`
    #[command(hide = true)]
    CheckStripped(ValueArguments),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn summaries_of_commands_and_options_fit_a_line() {
        let mut table = Arguments::command();
        table.build();
        for command in table.get_subcommands().filter(|command| command.get_name() != "help") {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!((1..=80).contains(&about.chars().count()), "{}: {about}", command.get_name());
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                let (command, option) = (command.get_name(), argument.get_id());
                assert!((1..=90).contains(&help.chars().count()), "{command} {option}: {help}");
            }
        }
    }

    #[test]
    fn aliases_name_the_same_commands() {
        let parse = |command: &str| Arguments::try_parse_from(["heaplens", command, "app.hprof", "0x10"]).ok()?.command;
        assert!(matches!(parse("kept"), Some(Command::RetainedSet(_))));
        assert!(matches!(parse("retained-set"), Some(Command::RetainedSet(_))));
        assert!(matches!(parse("retained"), Some(Command::Retained(_))));
        assert!(matches!(parse("retained-size"), Some(Command::Retained(_))));
    }
}
