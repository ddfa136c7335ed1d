//! User-defined leak rules: verdicts set in the window, and files given with `--rules` and `--known-leaks`.

use std::path::PathBuf;

use super::args::RulesArguments;
use super::failure::Failure;
use heaplens_session::leaks::{known_leaks_file, read_known_leaks, read_rules};
use heaplens_session::{LeakRules, verdicts};

/// Leak rules as [`leak_rules`], if there are any of the user.
pub(super) fn leak_rules_of_user(arguments: &RulesArguments) -> Result<Option<LeakRules>, Failure> {
    if rule_files(arguments).is_empty() && arguments.known_leaks.is_empty() {
        return Ok(None);
    }
    Ok(Some(leak_rules(arguments)?).filter(|rules| rules.of_user().next().is_some()))
}

/// Leak rules in ascending precedence: built-in, verdicts set in the window, files given on the command line. Known leaks
/// likewise, with the list in the settings folder.
pub(super) fn leak_rules(arguments: &RulesArguments) -> Result<LeakRules, Failure> {
    let known = read_known_leaks(known_leaks_file().as_deref(), &arguments.known_leaks).map_err(Failure::Usage)?;
    Ok(read_rules(&rule_files(arguments)).map_err(Failure::Usage)?.with_known(known))
}

fn rule_files(arguments: &RulesArguments) -> Vec<PathBuf> {
    let verdicts = verdicts::user_file().filter(|file| file.exists());
    verdicts.into_iter().chain(arguments.files.iter().cloned()).collect()
}
