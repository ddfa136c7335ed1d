//! `dominators`: which part of the tree, in which form.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CutArguments, OrderArguments, PrintArguments};

/// `dominators`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct DominatorsArguments {
    /// The dump
    pub file: PathBuf,
    /// Begin below this object (id or name), not at the GC roots
    #[arg(long, value_name = "ID")]
    pub of: Option<String>,
    /// Levels of the tree to print
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Only objects whose class contains TEXT, at the first level
    #[arg(long, value_name = "TEXT")]
    pub filter_class: Option<String>,
    /// Only what no GC root reaches: the biggest dead structures
    #[arg(long, conflicts_with_all = ["of", "cuts"])]
    pub unreachable: bool,
    /// Also who of the application holds each object; rows that stand for several have no one owner
    #[arg(long, conflicts_with_all = ["FoldedArguments", "drops"])]
    pub owner: bool,
    #[command(flatten)]
    pub order: OrderArguments,
    /// Which rows stand for several objects
    #[command(flatten)]
    pub folded: FoldedArguments,
    /// Big objects, and where below each what it holds accumulates
    #[arg(long, conflicts_with_all = ["unreachable", "FoldedArguments", "of", "depth"])]
    pub drops: bool,
    /// It accumulates where the biggest object below retains less than PERCENT of it
    #[arg(long, value_name = "PERCENT", default_value_t = 70, requires = "drops",
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub drop_share: u32,
    #[command(flatten)]
    pub cut: CutArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// Rows that stand for several objects, and the one of them whose level is printed.
#[derive(Debug, Clone, Default, Args)]
pub struct FoldedArguments {
    /// Chains, many siblings of a class, and what the same owners share: one row each
    #[arg(long, conflicts_with = "unreachable")]
    pub fold: bool,
    /// Every row is a group of objects side by side
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["unreachable", "fold"])]
    pub by: Option<DominatorsBy>,
    /// Objects at the top because several things hold them: a row per set of owners
    #[arg(long, conflicts_with_all = ["unreachable", "fold", "by", "of"])]
    pub shared: bool,
    /// Below the chain that begins with this object: what hangs off it, and the chain itself
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "of"])]
    pub chain: Option<String>,
    /// The objects of the chain that begins with this one
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "of", "chain"])]
    pub chain_objects: Option<String>,
    /// What exactly these owners share; may be repeated; many: what has more than 64
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "of", "chain", "chain_objects", "by"])]
    pub shared_by: Vec<String>,
    /// The row of this class unfolded; the id of its class object tells it from others of its name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["unreachable", "shared"])]
    pub class: Option<String>,
    /// The row of this package unfolded
    #[arg(long, value_name = "NAME", conflicts_with_all = ["unreachable", "shared", "fold", "class"])]
    pub package: Option<String>,
    /// The row of this class loader unfolded; system: that of the runtime's own classes
    #[arg(long, value_name = "ID", conflicts_with_all = ["unreachable", "shared", "fold", "class", "package"])]
    pub loader: Option<String>,
}

/// `dominators --by`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DominatorsBy {
    /// Their class
    Class,
    /// The package of their class
    Package,
    /// The loader of their class
    Loader,
}
