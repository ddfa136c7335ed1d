//! Arguments of `route`.

#![expect(missing_docs, reason = "the text below is the help of the command line")]

use std::path::PathBuf;

use super::PrintArguments;
use clap::Args;

/// `route`
#[derive(Debug, Args)]
pub struct RouteArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Id or name of the object at which the path starts
    pub from: String,
    /// Id or name of the object at which the path ends
    pub to: String,
    #[command(flatten)]
    pub print: PrintArguments,
}
