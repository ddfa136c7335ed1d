//! Arguments of commands that print a table of a whole dump.

#![expect(missing_docs, reason = "the text below is the help of the command line")]

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use super::named::{format, named};
use super::{AnalysisArguments, OrderArguments, PrintArguments, RulesArguments};
use heaplens_analysis::javascript::retained_by::RetainerKind;
use heaplens_tables::relation::Relation;
use heaplens_tables::relations::RELATIONS;
use heaplens_tables::{HistogramRows, Listing, OutputForm};

/// `summary`
#[derive(Debug, Args)]
pub struct SummaryArguments {
    /// Heap dump to read
    pub file: PathBuf,
    #[command(flatten)]
    pub rules: RulesArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `process`
#[derive(Debug, Args)]
pub struct ProcessArguments {
    /// Heap dump to read; its record of the process is beside it, or given by --with
    pub file: PathBuf,
    /// An earlier dump of the process: what each part was then
    #[arg(long, value_name = "OLD")]
    pub before: Option<PathBuf>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// Arguments of commands without options of their own: dump, rows and output.
#[derive(Debug, Args)]
pub struct TableArguments {
    /// Heap dump to read
    pub file: PathBuf,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// A command that prints a table of [`RELATIONS`] and has no options of its own.
#[derive(Debug)]
pub struct RelationCommand {
    /// The table.
    pub relation: &'static Relation,
    /// Its arguments.
    pub arguments: TableArguments,
}

impl RelationCommand {
    /// Tables with such a command, where that is listed, and its summary.
    fn all() -> impl Iterator<Item = (&'static Relation, Listing, &'static str)> {
        RELATIONS.iter().filter_map(|&relation| relation.help.map(|(listing, help)| (relation, listing, help)))
    }
}

impl Subcommand for RelationCommand {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        let one = |(relation, listing, help): (&'static Relation, Listing, &'static str)| {
            let command = TableArguments::augment_args(clap::Command::new(relation.command));
            command.about(help).display_order(listing.order())
        };
        command.subcommands(Self::all().map(one))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Self::all().any(|(relation, ..)| relation.command == name)
    }
}

impl FromArgMatches for RelationCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = matches.subcommand().and_then(|(name, arguments)| {
            let (relation, ..) = Self::all().find(|(relation, ..)| relation.command == name)?;
            Some((relation, arguments))
        });
        let (relation, arguments) = named.ok_or_else(|| clap::Error::new(ErrorKind::InvalidSubcommand))?;
        Ok(Self { relation, arguments: TableArguments::from_arg_matches(arguments)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// `overview`
#[derive(Debug, Args)]
pub struct OverviewArguments {
    /// Heap dump to read
    pub file: PathBuf,
    #[command(flatten)]
    pub rules: RulesArguments,
    /// Output format; html and markdown are self-contained reports
    #[arg(long, value_parser = format(OutputForm::OF_OVERVIEWS), default_value = "text", help_heading = "Output options")]
    pub format: OutputForm,
    #[command(flatten)]
    pub open: AnalysisArguments,
}

/// `report`
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// An earlier dump of the program: what grew since then, and how fast
    #[arg(long, value_name = "OLDER")]
    pub before: Option<PathBuf>,
    /// Show values, such as keys and names of threads, in a page that is sent
    ///
    /// Text for a terminal shows them; html, markdown and json hide them unless asked.
    #[arg(long)]
    pub values: bool,
    /// Give the page to a program as its input, too
    ///
    /// COMMAND is run by the shell, after the page was written to standard output. Its failure is that of this program.
    #[arg(long, value_name = "COMMAND")]
    pub post: Option<String>,
    #[command(flatten)]
    pub rules: RulesArguments,
    /// Output format; html and markdown are self-contained pages
    #[arg(long, value_parser = format(OutputForm::OF_OVERVIEWS), default_value = "text", help_heading = "Output options")]
    pub format: OutputForm,
    #[command(flatten)]
    pub open: AnalysisArguments,
}

/// `histogram`
#[derive(Debug, Args)]
pub struct HistogramArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Grouping of rows
    #[arg(long, value_parser = named::<HistogramRows>(), value_name = "GROUP", default_value = "class")]
    pub by: HistogramRows,
    /// Add who holds the objects of each class: the three main owners
    #[arg(long, conflicts_with_all = ["unreachable", "retained_by"])]
    pub owners: bool,
    /// Count only unreachable objects
    #[arg(long, conflicts_with_all = ["cuts", "fix"])]
    pub unreachable: bool,
    /// JavaScript: count only objects retained by this kind of holder alone
    #[arg(long, alias = "held-by", value_parser = named::<RetainerKind>(), value_name = "HOLDER",
          conflicts_with = "unreachable")]
    pub retained_by: Option<RetainerKind>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `sites`
#[derive(Debug, Args)]
pub struct SitesArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Print the classes of objects allocated at this site and its callees
    ///
    /// N is the number of the site in the tree.
    #[arg(long, value_name = "N")]
    pub site: Option<usize>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `bitmaps`
#[derive(Debug, Args)]
pub struct BitmapsArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Save bitmaps with recorded pixels to this folder
    ///
    /// Bitmaps are written as PNG, or in the format in which the dump contains them.
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}
