//! Leaks between snapshots of one JavaScript program: objects that stayed, and what only grew.

use std::path::PathBuf;

use super::lists::read_list;
use crate::analysis::javascript::growth::{Growing, growing};
use crate::analysis::javascript::leaks::{Leaks, Question, leaks};
use crate::analysis::javascript::rules::Rules;
use crate::task::{Cancelled, Task};

/// The rules of some files.
///
/// # Errors
/// When one cannot be read or has a line that is no rule, in words for people.
pub fn read_rules(files: &[PathBuf]) -> Result<Rules, String> {
    let mut rules = Rules::default();
    for file in files {
        rules.add(&read_list(file, "rules")?).map_err(|why| format!("{}, {why}", file.display()))?;
    }
    Ok(rules)
}

/// What leaks, and what only grows.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn found(question: Question<'_>, task: &Task) -> Result<(Leaks, Vec<Growing>), Cancelled> {
    Ok((leaks(question, task)?, growing(question, task)?))
}
