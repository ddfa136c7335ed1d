//! What the user says of leaks: in the window, which keeps it, and in files of rules.

use std::path::PathBuf;

use super::args::RulesArguments;
use super::failure::Failure;
use crate::session::leaks::{LeakRules, read_rules};
use crate::session::verdicts;

/// The rules that are built in, with what was said in the window, and with those that are given, which count more.
pub(super) fn leak_rules(arguments: &RulesArguments) -> Result<LeakRules, Failure> {
    let verdicts = verdicts::user_file().filter(|file| file.exists());
    let files: Vec<PathBuf> = verdicts.into_iter().chain(arguments.files.iter().cloned()).collect();
    read_rules(&files).map_err(Failure::Usage)
}
