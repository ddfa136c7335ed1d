//! Arguments of `strip`, and of `check-stripped`, which is `strip --check` by its earlier name.

use std::path::PathBuf;

use super::OpenArguments;
use super::named::format;
use clap::Args;
use heaplens_tables::OutputForm;

/// `strip`
#[derive(Debug, Args)]
#[command(
    override_usage = "heaplens strip [OPTIONS] <FILE> <OUTPUT>\n       heaplens strip --check [OPTIONS] <FILE>..."
)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct StripArguments {
    /// Check whether dumps still have values: strings, numbers, boxed values
    ///
    /// Nothing is written. Exit status 0: none, 3: some. It reads the data, so it works for dumps that other tools stripped, too.
    #[arg(long)]
    pub check: bool,
    /// Android: keep only objects in these heaps, such as app,zygote [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "check")]
    pub heaps: Vec<String>,
    #[command(flatten)]
    pub values: ValueArguments,
}

/// Files and values of `strip` and `check-stripped`.
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct ValueArguments {
    /// Heap dump to read, and heap dump to write; with --check, all are read
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Numbers in fields are values, too, except sizes, counts and states
    ///
    /// They are set to zero. With --check, they are counted without it, but a dump with nothing else passes.
    #[arg(long)]
    pub numbers: bool,
    /// Keys are values, too: property names of objects used as dictionaries (snapshots)
    ///
    /// They are replaced. With --check, they are counted without it, but a dump with nothing else passes.
    #[arg(long)]
    pub keys: bool,
    /// With --check: output format; json and csv are stable for scripts [default: text]
    #[arg(long, value_parser = format(&[OutputForm::Text, OutputForm::Json, OutputForm::Csv]))]
    pub format: Option<OutputForm>,
    #[command(flatten)]
    pub open: OpenArguments,
}
