//! What commands take that write files: the desktop's, and an analysis to keep.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::OpenArguments;

/// `desktop`
#[derive(Debug, Args)]
pub struct DesktopArguments {
    /// What to do
    #[arg(value_enum)]
    pub what: DesktopArgument,
    /// Folder of the user's desktop entries, file types and icons [default: ~/.local/share]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

/// What `desktop` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DesktopArgument {
    /// Write the files, over those of an earlier version
    Install,
    /// Delete them
    Remove,
}

/// `index`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct IndexArguments {
    /// The dump
    pub file: PathBuf,
    /// The file to write, as a rule NAME.heaplens
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub open: OpenArguments,
}

/// `strip`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct StripArguments {
    /// The dump
    pub file: PathBuf,
    /// The dump to write
    pub output: PathBuf,
    /// Of a dump of Android: only instances and arrays of these heaps, such as app,zygote [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub heaps: Vec<String>,
    #[command(flatten)]
    pub open: OpenArguments,
}
