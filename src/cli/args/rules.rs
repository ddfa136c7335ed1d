//! Options for user-defined leak rules and known leaks.

use std::path::PathBuf;

use clap::Args;

/// User-defined leak rules, in addition to verdicts set in the window, and known leaks.
#[derive(Debug, Clone, Default, Args)]
pub struct RulesArguments {
    /// Read rules that mark objects as normal, expected or leaking (repeatable)
    ///
    /// The format is described in docs/command-line.md. These rules take precedence over verdicts.txt in the platform's
    /// settings folder.
    #[arg(long = "rules", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Read known leaks of libraries, with what to do (repeatable)
    ///
    /// The format is described in docs/known-leaks.md. These entries take precedence over known-leaks.txt in the
    /// platform's settings folder, and over the built-in list.
    #[arg(long = "known-leaks", value_name = "FILE")]
    pub known_leaks: Vec<PathBuf>,
}
