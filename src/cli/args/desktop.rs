//! Arguments of `desktop`, `index` and `strip`, the commands that write files.

use std::path::PathBuf;

use clap::Args;

use super::OpenArguments;
use super::named::named;
use heaplens_base::named;

/// `desktop`
#[derive(Debug, Args)]
pub struct DesktopArguments {
    /// Action to perform
    #[arg(value_parser = named::<DesktopArgument>())]
    pub what: DesktopArgument,
    /// Folder for desktop entries, file types and icons [default: ~/.local/share]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

/// Action of `desktop`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesktopArgument {
    /// Write the files.
    Install,
    /// Delete the files.
    Remove,
}

named!(DesktopArgument {
    Install = "install", "Write the files, replacing those of an earlier version";
    Remove = "remove", "Delete them";
});

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

/// `strip`
#[derive(Debug, Args)]
#[expect(missing_docs, reason = "the text below is the help of the command line")]
pub struct StripArguments {
    /// Heap dump to read
    pub file: PathBuf,
    /// Heap dump to write
    pub output: PathBuf,
    /// Android: keep only objects in these heaps, such as app,zygote [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub heaps: Vec<String>,
    #[command(flatten)]
    pub open: OpenArguments,
}
