//! Arguments of `retained-set`, which also works without GC roots, and of `retained`.

#![expect(missing_docs, reason = "the text below is the help of the command line")]

use std::path::PathBuf;

use super::named::named;
use super::{OrderArguments, PrintArguments};
use clap::Args;
use heaplens_analysis::ownership::retained_set::RootSource;
use heaplens_heap::SoftLinks;

/// `retained-set`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("set").required(true).multiple(true).args(["ids", "class"]))]
pub struct RetainedSetArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Object ids (0x…, @…) or names, as printed by other commands
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Use all objects of this class
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Roots to use [default: file if its GC roots reach an object, otherwise found]
    #[arg(long, value_parser = named::<RootSource>(), value_name = "ROOTS")]
    pub roots: Option<RootSource>,
    /// Treatment of soft, weak and phantom references when inferring roots
    #[arg(long, value_parser = named::<SoftLinks>(), default_value = "follow", hide_default_value = true)]
    pub soft: SoftLinks,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `retained`
#[derive(Debug, Args)]
pub struct RetainedArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Object ids (0x…, @…) or names, as printed by other commands
    #[arg(value_name = "ID", required_unless_present = "class")]
    pub ids: Vec<String>,
    /// Use all objects of this class
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    #[command(flatten)]
    pub print: PrintArguments,
}
