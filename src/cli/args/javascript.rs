//! What `javascript` takes, and what other commands take of snapshots of JavaScript alone.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{OrderArguments, PrintArguments};
use crate::analysis::javascript::held::HeldBy;
use crate::tables::javascript::Asked;

/// `javascript`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct JavaScriptArguments {
    /// The snapshot
    pub file: PathBuf,
    /// Only this [default: all; csv: held]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub of: Option<JavaScriptOf>,
    /// With `--of timeline`: what was allocated in this time and is still there, by class
    #[arg(long, value_name = "MS-MS", value_parser = between, requires = "of")]
    pub between: Option<(u64, u64)>,
    #[command(flatten)]
    pub order: OrderArguments,
    #[command(flatten)]
    pub print: PrintArguments,
}

/// `0-1500`: milliseconds since a recording began.
fn between(text: &str) -> Result<(u64, u64), String> {
    let ends = text.split_once('-').and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    ends.filter(|(first, last)| first <= last).ok_or_else(|| "two times in milliseconds, 0-1500".to_owned())
}

/// `--of`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum JavaScriptOf {
    /// What detached nodes, contexts, the console and event handlers keep
    Held,
    /// What belongs to which page, frame or vm context
    NativeContexts,
    /// Detached nodes by class and by who holds them
    Detached,
    /// Functions: source, closures, what they capture
    Closures,
    /// When what is there was allocated; of recordings
    Timeline,
}

impl From<JavaScriptOf> for Asked {
    fn from(of: JavaScriptOf) -> Self {
        match of {
            JavaScriptOf::Held => Self::Held,
            JavaScriptOf::NativeContexts => Self::NativeContexts,
            JavaScriptOf::Detached => Self::Detached,
            JavaScriptOf::Closures => Self::Closures,
            JavaScriptOf::Timeline => Self::Timeline,
        }
    }
}

/// `--held-by`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HeldByArgument {
    /// Nodes that are in no document
    Detached,
    /// Variables that functions capture
    Contexts,
    /// The DevTools console
    Console,
    /// Event handlers
    Handlers,
}

impl From<HeldByArgument> for HeldBy {
    fn from(by: HeldByArgument) -> Self {
        match by {
            HeldByArgument::Detached => Self::DetachedNodes,
            HeldByArgument::Contexts => Self::Contexts,
            HeldByArgument::Console => Self::Console,
            HeldByArgument::Handlers => Self::Handlers,
        }
    }
}
