//! Arguments of `javascript`, and options of other commands that apply to JavaScript snapshots only.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{OrderArguments, PrintArguments};
use heaplens_analysis::javascript::retained_by::RetainerKind;
use heaplens_tables::javascript::JavaScriptQuery;

/// `javascript`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct JavaScriptArguments {
    /// Heap snapshot to read
    pub file: PathBuf,
    /// Print only this table [default: all; csv: held]
    #[arg(long, value_enum, value_name = "TABLE")]
    pub of: Option<JavaScriptTable>,
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

/// `--of`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum JavaScriptTable {
    /// Objects retained only by detached nodes, closure contexts, console or event listeners
    #[value(name = "held")]
    RetainedBy,
    /// Memory per native context (page, iframe, vm context)
    NativeContexts,
    /// Detached DOM nodes by class and owner
    Detached,
    /// Functions with source location, closures and captured variables
    Closures,
    /// Live objects by allocation time; needs a recorded allocation timeline
    Timeline,
}

impl From<JavaScriptTable> for JavaScriptQuery {
    fn from(of: JavaScriptTable) -> Self {
        match of {
            JavaScriptTable::RetainedBy => Self::RetainedBy,
            JavaScriptTable::NativeContexts => Self::NativeContexts,
            JavaScriptTable::Detached => Self::Detached,
            JavaScriptTable::Closures => Self::Closures,
            JavaScriptTable::Timeline => Self::Timeline,
        }
    }
}

/// `--held-by`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RetainerArgument {
    /// Detached DOM nodes
    Detached,
    /// Variables captured by closures
    Contexts,
    /// The DevTools console
    Console,
    /// Event listeners
    Handlers,
}

impl From<RetainerArgument> for RetainerKind {
    fn from(by: RetainerArgument) -> Self {
        match by {
            RetainerArgument::Detached => Self::DetachedNodes,
            RetainerArgument::Contexts => Self::Contexts,
            RetainerArgument::Console => Self::Console,
            RetainerArgument::Handlers => Self::Handlers,
        }
    }
}
