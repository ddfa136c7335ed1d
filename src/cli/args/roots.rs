//! What questions take whose answer needs no GC root: roots that are found, gaps, routes, what an object keeps.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::opening::bytes;
use super::{OrderArguments, PrintArguments};

/// `roots`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct RootsArguments {
    /// The dump
    pub file: PathBuf,
    /// Roots that are found, as IBM's HeapRoots does: objects that nothing refers to, and what they own. Totals depend
    /// on the order of visiting; retained sizes do not
    #[arg(long)]
    pub ownership: bool,
    /// Whether soft, weak and phantom references are followed when roots are found
    #[arg(long, value_enum)]
    pub soft: Option<SoftArgument>,
    /// Of the roots that are found: every object with its total, descendants, depth, owner and kind
    #[arg(long, requires = "ownership", conflicts_with = "listing")]
    pub every_object: bool,
    /// The trees of the roots that are found, in the text of HeapRoots
    #[arg(long)]
    pub listing: bool,
    /// Of the trees only what is below this object
    #[arg(long, value_name = "ID", requires = "listing")]
    pub of: Option<String>,
    /// Lines with at least so many bytes in total [default: 1048576]
    #[arg(long, value_name = "BYTES", requires = "listing", value_parser = bytes)]
    pub threshold: Option<u64>,
    /// The least threshold with which there are at most so many lines
    #[arg(long, value_name = "LINES", requires = "listing", conflicts_with = "threshold",
          num_args = 0..=1, default_missing_value = "100")]
    pub auto_threshold: Option<usize>,
    /// Levels of the trees; -1: all [default: 8]
    #[arg(long, value_name = "N", requires = "listing", allow_negative_numbers = true)]
    pub depth: Option<i64>,
    /// Without children that something else owns
    #[arg(long, requires = "listing")]
    pub prune: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `--soft`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SoftArgument {
    /// They are references as all others
    Follow,
    /// As if they were not there
    Ignore,
}

/// `route`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct RouteArguments {
    /// The dump
    pub file: PathBuf,
    /// The id of the object where it begins, or its name
    pub from: String,
    /// The id of the object where it ends, or its name
    pub to: String,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `kept`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct KeptArguments {
    /// The dump
    pub file: PathBuf,
    /// The object's id, as other answers print it, or its name
    pub id: String,
    /// Which roots keep the rest [default: those of the file, where it names any that lead to the object]
    #[arg(long, value_enum, value_name = "WHOSE")]
    pub roots: Option<RootsOfArgument>,
    /// Whether soft, weak and phantom references are followed when roots are found
    #[arg(long, value_enum, default_value = "follow", hide_default_value = true)]
    pub soft: SoftArgument,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `--roots`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RootsOfArgument {
    /// The GC roots of the file
    File,
    /// Those that are found
    Found,
}
