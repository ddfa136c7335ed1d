//! Arguments of `strip` and `check-stripped`.

use std::path::PathBuf;

use super::OpenArguments;
use super::named::format;
use clap::Args;
use heaplens_tables::OutputForm;

/// `strip`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct StripArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Heap dump to write
    pub output: PathBuf,
    /// Also set numbers in fields to zero, except sizes, counts and states
    #[arg(long)]
    pub numbers: bool,
    /// Also replace keys: property names of objects used as dictionaries (snapshots)
    #[arg(long)]
    pub keys: bool,
    /// Android: keep only objects in these heaps, such as app,zygote [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub heaps: Vec<String>,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// `check-stripped`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct CheckStrippedArguments {
    /// Heap dumps to check
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Numbers in fields are values, too
    #[arg(long)]
    pub numbers: bool,
    /// Keys of objects used as dictionaries are values, too (snapshots)
    #[arg(long)]
    pub keys: bool,
    /// Output format; json and csv are stable for scripts
    #[arg(long, value_parser = format(&[OutputForm::Text, OutputForm::Json, OutputForm::Csv]), default_value = "text")]
    pub format: OutputForm,
    #[command(flatten)]
    pub open: OpenArguments,
}
