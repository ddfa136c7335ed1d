//! Arguments of `index`.

use std::path::PathBuf;

use super::OpenArguments;
use clap::Args;

/// `index`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct IndexArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Index file to write, usually NAME.heaplens
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub open: OpenArguments,
}
