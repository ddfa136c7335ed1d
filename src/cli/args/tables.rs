//! What questions about a whole dump take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CutArguments, HeldByArgument, OpenArguments, OrderArguments, PrintArguments, RulesArguments};

/// `summary`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct SummaryArguments {
    /// The dump
    pub file: PathBuf,
    #[command(flatten)]
    pub cut: CutArguments,
    #[command(flatten)]
    pub rules: RulesArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// A dump, which rows of its answer, and how to print them.
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct TableArguments {
    /// The dump
    pub file: PathBuf,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `overview`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct OverviewArguments {
    /// The dump
    pub file: PathBuf,
    /// html and markdown are reports, headed by what the dump is
    #[arg(long, value_enum, default_value = "text")]
    pub format: ReportFormat,
    #[command(flatten)]
    pub rules: RulesArguments,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// Form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people, on a terminal
    Text,
    /// For programs
    Json,
    /// For a ticket
    Markdown,
    /// One file for a browser, or for paper
    Html,
}

/// `histogram`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct HistogramArguments {
    /// The dump
    pub file: PathBuf,
    /// What a row is
    #[arg(long, value_enum, value_name = "WHAT", default_value = "class")]
    pub by: ByArgument,
    /// Only what no GC root reaches
    #[arg(long, conflicts_with = "cuts")]
    pub unreachable: bool,
    /// Of snapshots of JavaScript: only what would be gone without these
    #[arg(long, value_enum, value_name = "WHOM", conflicts_with_all = ["unreachable", "cuts"])]
    pub held_by: Option<HeldByArgument>,
    #[command(flatten)]
    pub cut: CutArguments,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `--by`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ByArgument {
    /// A class
    Class,
    /// A package; of an array that of its elements
    Package,
    /// A class loader
    Loader,
    /// The class directly above
    Superclass,
    /// An object
    Object,
}

/// `sites`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct SitesArguments {
    /// The dump
    pub file: PathBuf,
    /// The classes of what was allocated at this site, by its number in the tree, and in what it called
    #[arg(long, value_name = "N")]
    pub site: Option<usize>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `bitmaps`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct BitmapsArguments {
    /// The dump
    pub file: PathBuf,
    /// Write the bitmaps whose pixels are in the dump into this folder: as PNG, or as the dump has them encoded
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}
