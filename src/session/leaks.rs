//! Leaks of a dump: the finder's own answer, with the plain answers of other
//! analyses beside it; and the rules that say what is normal.

use std::path::PathBuf;

pub use crate::analysis::leaks::rules::LeakRules;
use crate::analysis::leaks::{Finding, Question, leaks};
use crate::task::{Cancelled, Task};

/// Bytes a list of rules may have; a larger file is none.
const LARGEST: u64 = 1 << 20;

/// Everything that is found, in the order in which it is shown.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn found(question: Question<'_>, task: &Task) -> Result<Vec<Finding>, Cancelled> {
    leaks(question, task)
}

/// The rules that are built in, with those of some files; of files the last counts most.
///
/// # Errors
/// When one cannot be read or has a line that is no rule, in words for people.
pub fn read_rules(files: &[PathBuf]) -> Result<LeakRules, String> {
    let mut rules = LeakRules::default();
    for file in files {
        let described = |error: std::io::Error| format!("{}: {error}", file.display());
        let bytes = std::fs::metadata(file).map_err(described)?.len();
        if bytes > LARGEST {
            return Err(format!("{}: {bytes} bytes are no list of rules", file.display()));
        }
        let text = std::fs::read_to_string(file).map_err(described)?;
        rules.add(&text).map_err(|why| format!("{}, {why}", file.display()))?;
    }
    Ok(rules)
}
