//! Arguments of `roots`, which also works without GC roots.

#![expect(missing_docs, reason = "the text below is the help of the command line")]

use std::path::PathBuf;

use super::named::named;
use super::opening::bytes;
use super::{OrderArguments, PrintArguments};
use clap::Args;
use heaplens_heap::SoftLinks;

/// `roots`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct RootsArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// List inferred roots and the objects they own, as in IBM's HeapRoots
    ///
    /// Inferred roots are objects without incoming references, and one object of each cycle that they do not reach.
    /// Totals depend on the order of visiting; retained sizes do not.
    #[arg(long)]
    pub ownership: bool,
    /// Treatment of soft, weak and phantom references when inferring roots
    #[arg(long, value_parser = named::<SoftLinks>())]
    pub soft: Option<SoftLinks>,
    /// List all objects with total, descendants, depth, owner and kind
    #[arg(long, requires = "ownership", conflicts_with = "listing")]
    pub every_object: bool,
    /// Print the ownership trees in HeapRoots' text format
    #[arg(long)]
    pub listing: bool,
    /// Print only the tree below this object
    #[arg(long, value_name = "ID", requires = "listing")]
    pub of: Option<String>,
    /// Smallest total size of a printed line, in bytes [default: 1048576]
    #[arg(long, value_name = "BYTES", requires = "listing", value_parser = bytes)]
    pub threshold: Option<u64>,
    /// Use the smallest threshold that yields at most N lines [default: 100]
    #[arg(long, value_name = "N", requires = "listing", conflicts_with = "threshold",
          num_args = 0..=1, default_missing_value = "100")]
    pub auto_threshold: Option<usize>,
    /// Number of tree levels to print, -1 for all [default: 8]
    #[arg(long, value_name = "N", requires = "listing", allow_negative_numbers = true)]
    pub depth: Option<i64>,
    /// Omit children that are owned by another object
    #[arg(long, requires = "listing")]
    pub prune: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}
