//! Arguments of `dominators`: which part of the tree to print and how to group it.

use std::path::PathBuf;

use clap::Args;

use super::named::named;
use super::{OrderArguments, PrintArguments};
use heaplens_analysis::dominator_tree::PartitionBy;

/// `dominators`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
#[expect(clippy::struct_excessive_bools, reason = "independent options of the command line")]
pub struct DominatorsArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Start below this object (id or name) instead of at the GC roots
    #[arg(long, value_name = "ID")]
    pub of: Option<String>,
    /// Number of tree levels to print
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// At the first level, print only objects whose class contains TEXT
    #[arg(long, value_name = "TEXT")]
    pub filter_class: Option<String>,
    /// Print only unreachable objects: the largest garbage structures
    #[arg(long, conflicts_with_all = ["of", "cuts", "fix"])]
    pub unreachable: bool,
    /// Add a column with the owner: the nearest application object or field
    #[arg(long, conflicts_with_all = ["FoldArguments", "drops"])]
    pub owner: bool,
    /// Add a column with the fields that tell objects of a class apart
    #[arg(long, conflicts_with_all = ["FoldArguments", "drops"])]
    pub preview: bool,
    /// Add columns with the age of objects, where the dump tells the order of allocation
    #[arg(long, conflicts_with = "drops")]
    pub age: bool,
    /// Print large objects and the accumulation point below each
    #[arg(long, conflicts_with_all = ["unreachable", "FoldArguments", "of", "depth"])]
    pub drops: bool,
    /// Accumulation point: largest child retains less than PERCENT of its parent
    #[arg(long, value_name = "PERCENT", default_value_t = 70, requires = "drops",
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub drop_share: u32,
    /// Grouping of rows.
    #[command(flatten)]
    pub folded: FoldArguments,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// Grouping of rows, and the group to expand.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Grouping options")]
pub struct FoldArguments {
    /// Collapse chains, same-class siblings and objects shared by the same owners
    #[arg(long, conflicts_with = "unreachable")]
    pub fold: bool,
    /// Group the objects of each level
    #[arg(long, value_parser = named::<PartitionBy>(), value_name = "GROUP", conflicts_with_all = ["unreachable", "fold"])]
    pub by: Option<PartitionBy>,
    /// Group top-level objects that have several owners, one row per set of owners
    #[arg(long, conflicts_with_all = ["unreachable", "fold", "by", "of"])]
    pub shared: bool,
    /// Expand the collapsed chain that starts with this object
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "of"])]
    pub chain: Option<String>,
    /// List the objects of the chain that starts with this object
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "of", "chain"])]
    pub chain_objects: Option<String>,
    /// List the objects shared by exactly these owners (repeatable)
    ///
    /// The value `many` lists the objects that have more than 64 owners.
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "of", "chain", "chain_objects", "by"])]
    pub shared_by: Vec<String>,
    /// Expand the group of this class; use the id of the class object if names collide
    #[arg(long, value_name = "NAME", conflicts_with_all = ["unreachable", "shared"])]
    pub class: Option<String>,
    /// Expand the group of this package
    #[arg(long, value_name = "NAME", conflicts_with_all = ["unreachable", "shared", "fold", "class"])]
    pub package: Option<String>,
    /// Expand the group of this class loader; `system` is the bootstrap loader
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "fold", "class", "package"])]
    pub loader: Option<String>,
}
