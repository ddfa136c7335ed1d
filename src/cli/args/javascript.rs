//! Arguments of `javascript`, and options of other commands that apply to JavaScript snapshots only.

use std::path::PathBuf;

use clap::Args;

use super::named::named;
use super::{OrderArguments, PrintArguments};
use heaplens_tables::dump::javascript::JavaScriptQuery;

/// `javascript`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct JavaScriptArguments {
    /// Heap snapshot to read
    pub file: PathBuf,
    /// Print only this table [default: all; csv: retained-by]
    #[arg(long, value_parser = named::<JavaScriptQuery>(), value_name = "TABLE")]
    pub of: Option<JavaScriptQuery>,
    /// With --of timeline: live objects allocated in this interval, by class
    ///
    /// Both ends are milliseconds since the start of the recording, such as 0-1500.
    #[arg(long, value_name = "MS-MS", value_parser = between, requires = "of")]
    pub between: Option<(u64, u64)>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// Parses `0-1500`: milliseconds since the start of the recording.
fn between(text: &str) -> Result<(u64, u64), String> {
    let ends = text.split_once('-').and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    ends.filter(|(first, last)| first <= last)
        .ok_or_else(|| "expected two times in milliseconds, such as 0-1500".to_owned())
}
