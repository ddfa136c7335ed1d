//! Arguments of `mcp`.

use std::path::PathBuf;

use clap::Args;

use super::{OpenArguments, RulesArguments};

/// `mcp`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct McpArguments {
    /// Heap dumps, and folders with heap dumps, that the client may open
    #[arg(required_unless_present = "window", value_name = "PATHS")]
    pub places: Vec<PathBuf>,
    /// Show values of the program: strings, numbers, keys and thread names
    #[arg(long)]
    pub values: bool,
    /// Ask the open window, once Share with assistant is on there, instead of opening dumps
    #[arg(long, conflicts_with_all = ["places", "values"])]
    pub window: bool,
    #[command(flatten)]
    pub rules: RulesArguments,
    #[command(flatten)]
    pub open: OpenArguments,
}
