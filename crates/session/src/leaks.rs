//! Leaks of a dump: the leak search together with waste, traces of Android, and rules.

use std::path::{Path, PathBuf};

use super::lists::read_all;
use super::overview::wasted;
use heaplens_analysis::android::shark::leak_report;
pub use heaplens_analysis::android::shark::{Device, LeakReport, Matchers, Roots, SharkQuery as Traced};
use heaplens_analysis::leaks::{LeakQuery, judge, rank};
pub use heaplens_analysis::leaks::{leaks as found, rules::LeakRules};
use heaplens_analysis::overview::WasteTotals;
use heaplens_analysis::{LeakFinding, Namer, WasteKind};
use heaplens_base::{Bytes, Cancelled, Task, storage::folder::settings_folder};
use heaplens_core::heap::{Analysis, Heap};

/// File name of the user's list of known leaking Android references.
const KNOWN: &str = "android-references.txt";

/// Adds each kind of waste of at least `question.least` bytes. Reads the contents of every object.
pub fn add_waste(question: LeakQuery<'_>, findings: &mut Vec<LeakFinding>, task: &Task) -> Result<(), Cancelled> {
    let Namer { heap, contents, analysis, .. } = question.namer;
    let totals = wasted(heap, contents, analysis, task)?;
    add_waste_totals(analysis, (&totals, question.least), question.rules, findings);
    Ok(())
}

/// Adds each kind of waste of at least `least` bytes from the totals of the overview, then judges and ranks all.
pub fn add_waste_totals(
    analysis: &Analysis,
    (totals, least): (&WasteTotals, Bytes),
    rules: &LeakRules,
    findings: &mut Vec<LeakFinding>,
) {
    let whole = analysis.shown.shallow;
    // Object headers cannot be saved.
    let rows = totals.rows.iter().filter(|row| row.kind != WasteKind::ObjectHeaders && row.wasted >= least);
    findings.extend(rows.map(|row| LeakFinding::of_waste(row.kind, row.objects, row.wasted, whole)));
    judge(analysis, rules, findings);
    rank(findings);
}

/// True of Android dumps, whose leaks are traced as by Shark.
pub fn has_traces(heap: &Heap) -> bool {
    heap.origin.format.is_android()
}

/// Leak traces of an Android dump, as found by Shark; `None` of other dumps.
pub fn traces(question: Traced<'_>, task: &Task) -> Result<Option<LeakReport>, Cancelled> {
    has_traces(question.heap).then(|| leak_report(question, task)).transpose()
}

/// The built-in rules and those of files. Later files take precedence.
///
/// # Errors
/// A message if a file cannot be read or has a line that is not a rule.
pub fn read_rules(files: &[PathBuf]) -> Result<LeakRules, String> {
    read_all(files, "rules", LeakRules::add)
}

/// Path of the user's list of known references, if the user has a home folder.
pub fn known_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(KNOWN))
}

/// Known leaking Android references: built-in, from the user's list if it exists, and from files, which take
/// precedence.
///
/// # Errors
/// A message if a file cannot be read or has an invalid line.
pub fn read_known(own: Option<&Path>, files: &[PathBuf]) -> Result<Matchers, String> {
    let own = own.filter(|file| file.exists()).map(Path::to_owned);
    let all: Vec<PathBuf> = own.into_iter().chain(files.iter().cloned()).collect();
    read_all(&all, "references", Matchers::add)
}
