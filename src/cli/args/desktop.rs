//! Arguments of `desktop`.

use std::path::PathBuf;

use super::named::named;
use clap::Args;
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
