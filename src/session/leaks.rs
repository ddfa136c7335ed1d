//! Leaks of a dump: the finder's own answer, with the plain answers of other
//! analyses beside it; and the rules that say what is normal.

use std::path::PathBuf;

use super::lists::read_list;
pub use crate::analysis::android::shark::Matchers;
pub use crate::analysis::leaks::rules::LeakRules;
use crate::analysis::leaks::{Finding, Question, judge, leaks, rank};
use crate::analysis::naming::Namer;
use crate::analysis::strings::duplicate_strings;
use crate::analysis::waste::{WasteKind, complete, waste};
use crate::task::{Cancelled, Task};

/// What follows from columns and a few looks inside: leaks, and what is big beside them.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn found(question: Question<'_>, task: &Task) -> Result<Vec<Finding>, Cancelled> {
    leaks(question, task)
}

/// Adds what a look inside every object finds: each kind of waste that comes to `question.least`.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn add_waste(question: Question<'_>, findings: &mut Vec<Finding>, task: &Task) -> Result<(), Cancelled> {
    let Namer { heap, contents, analyzed, .. } = question.namer;
    let rows = waste(heap, contents, analyzed, task)?;
    let strings = duplicate_strings(heap, contents, analyzed, task)?;
    let whole = analyzed.shown.shallow;
    for row in complete(heap, analyzed, rows, strings.surplus()) {
        // What the runtime puts before every object can be saved by nobody.
        if row.kind != WasteKind::ObjectHeaders && row.wasted >= question.least {
            findings.push(Finding::of_waste(row.kind.name(), row.objects, row.wasted, whole));
        }
    }
    judge(analyzed, question.rules, findings);
    rank(findings);
    Ok(())
}

/// The rules that are built in, with those of some files; of files the last counts most.
///
/// # Errors
/// When one cannot be read or has a line that is no rule, in words for people.
pub fn read_rules(files: &[PathBuf]) -> Result<LeakRules, String> {
    let mut rules = LeakRules::default();
    for file in files {
        let text = read_list(file, "rules")?;
        rules.add(&text).map_err(|why| format!("{}, {why}", file.display()))?;
    }
    Ok(rules)
}

/// References of Android that are known to leak, with those of some files; of files the last counts most.
///
/// # Errors
/// When one cannot be read or has a line that is none, in words for people.
pub fn read_matchers(files: &[PathBuf]) -> Result<Matchers, String> {
    let mut matchers = Matchers::default();
    for file in files {
        let text = read_list(file, "references")?;
        matchers.add(&text).map_err(|why| format!("{}, {why}", file.display()))?;
    }
    Ok(matchers)
}
