//! Leaks of a dump: the finder's own answer, with the plain answers of other
//! analyses beside it; and the rules that say what is normal.

use std::path::{Path, PathBuf};

use super::lists::read_list;
use crate::analysis::android::FORMAT;
use crate::analysis::android::shark::leak_report;
pub use crate::analysis::android::shark::{Device, LeakReport, Matchers, Question as Traced, Roots};
pub use crate::analysis::leaks::rules::LeakRules;
use crate::analysis::leaks::{Finding, Question, judge, leaks, rank};
use crate::analysis::naming::Namer;
use crate::analysis::strings::duplicate_strings;
use crate::analysis::waste::{WasteKind, complete, waste};
use crate::heap::facts::Heap;
use crate::storage::folder::settings_folder;
use crate::task::{Cancelled, Task};

/// The name of the user's own list of references of Android that are known to leak.
const KNOWN: &str = "android-references.txt";

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
            findings.push(Finding::of_waste(row.kind, row.objects, row.wasted, whole));
        }
    }
    judge(analyzed, question.rules, findings);
    rank(findings);
    Ok(())
}

/// Whether leaks are traced as Shark does it: that is done in dumps of Android.
pub fn has_traces(heap: &Heap) -> bool {
    &*heap.origin.format == FORMAT
}

/// Objects of a dump of Android that should be gone, with what holds each, as Shark finds them; `None` of other dumps.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn traces(question: Traced<'_>, task: &Task) -> Result<Option<LeakReport>, Cancelled> {
    has_traces(question.heap).then(|| leak_report(question, task)).transpose()
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

/// Where the user's own list of references is, if the user has a home.
pub fn known_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(KNOWN))
}

/// References of Android that are known to leak: those that are built in, those of the user's own list, if it is there,
/// and those of some files, which count most.
///
/// # Errors
/// As [`read_matchers`].
pub fn read_known(own: Option<&Path>, files: &[PathBuf]) -> Result<Matchers, String> {
    let own = own.filter(|file| file.exists()).map(Path::to_owned);
    let all: Vec<PathBuf> = own.into_iter().chain(files.iter().cloned()).collect();
    read_matchers(&all)
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
