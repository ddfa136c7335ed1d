//! User-defined leak rules: verdicts set in the window, and files given with `--rules`.

use std::path::PathBuf;

use super::args::RulesArguments;
use super::failure::Failure;
use heaplens_session::leaks::read_rules;
use heaplens_session::{LeakRules, verdicts};

/// Leak rules in ascending precedence: built-in, verdicts set in the window, files given on the command line.
pub(super) fn leak_rules(arguments: &RulesArguments) -> Result<LeakRules, Failure> {
    let verdicts = verdicts::user_file().filter(|file| file.exists());
    let files: Vec<PathBuf> = verdicts.into_iter().chain(arguments.files.iter().cloned()).collect();
    read_rules(&files).map_err(Failure::Usage)
}
