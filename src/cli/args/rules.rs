//! Option for user-defined leak rules.

use std::path::PathBuf;

use clap::Args;

/// User-defined leak rules, in addition to verdicts set in the window.
#[derive(Debug, Clone, Default, Args)]
pub struct RulesArguments {
    /// Read rules that mark objects as normal, expected or leaking (repeatable)
    ///
    /// The format is described in docs/command-line.md. These rules take precedence over verdicts.txt in the platform's
    /// settings folder.
    #[arg(long = "rules", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
