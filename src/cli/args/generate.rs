//! Arguments of `generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

/// `generate`
#[derive(Debug, Args)]
pub struct GenerateArguments {
    /// Output to generate
    #[command(subcommand)]
    pub what: GenerateWhat,
}

/// Output of `generate`.
#[derive(Debug, Subcommand)]
pub enum GenerateWhat {
    /// Write man pages: heaplens.1 and one page per command
    Man {
        /// Folder to write to, created if missing; usually share/man/man1
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Write a skill for assistants to stdout: which question to ask next
    Skill,
    /// Write shell completions to stdout
    Completions {
        /// Shell to generate completions for
        #[arg(value_enum)]
        shell: Shell,
    },
}
