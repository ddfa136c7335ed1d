//! What `generate` takes.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

/// `generate`
#[derive(Debug, Args)]
pub struct GenerateArguments {
    /// What to write
    #[command(subcommand)]
    pub what: GenerateWhat,
}

/// What `generate` writes.
#[derive(Debug, Subcommand)]
pub enum GenerateWhat {
    /// Man pages into a folder, which is made if need be: heaplens.1, and one for each command
    Man {
        /// The folder, as a rule share/man/man1
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Completions of a shell, to stdout
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
}
