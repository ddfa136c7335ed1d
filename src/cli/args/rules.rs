//! Rules of the user's own for leaks.

use std::path::PathBuf;

use clap::Args;

/// What the user says of leaks, beside what was said in the window.
#[derive(Debug, Clone, Default, Args)]
pub struct RulesArguments {
    /// Your own rules: what is normal, expected or leaking (see docs/command-line.md); may be repeated; they count more
    /// than verdicts.txt in the platform's settings folder
    #[arg(long = "rules", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
