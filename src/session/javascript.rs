//! Leaks between snapshots of one JavaScript program: objects that stayed, and what only grew.

use std::path::PathBuf;

use super::lists::read_list;
use crate::analysis::javascript::Opened;
use crate::analysis::javascript::growth::{Growing, growing};
use crate::analysis::javascript::leaks::{Leaks, Question, leaks};
use crate::analysis::javascript::rules::Rules;
use crate::analysis::javascript::same::ByNumber;
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

/// What leaks between snapshots of one process (baselines, the target, the last), and what only grows.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn found(
    (baselines, target, last): (&[Opened<'_>], Opened<'_>, Opened<'_>),
    rules: &Rules,
    task: &Task,
) -> Result<(Leaks, Vec<Growing>), Cancelled> {
    let before: Vec<ByNumber> = baselines.iter().chain([&target]).map(|&of| ByNumber::of(of)).collect();
    let question = Question { baselines, target, last, before: &before, rules };
    Ok((leaks(question, task)?, growing(question, task)?))
}
