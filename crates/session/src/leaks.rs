//! Leaks of a dump: the leak search together with waste, traces of Android, and rules.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lists::read_all;
use super::overview::WasteTotalsQuestion;
use heaplens_analysis::android::shark::leak_report;
pub use heaplens_analysis::android::shark::{Device, LeakReport, Matchers, Roots, SharkQuery as Traced};
use heaplens_analysis::answer_file::AnswerFile;
use heaplens_analysis::leaks::{LeakQuery, judge, rank};
pub use heaplens_analysis::leaks::{find_leaks, known_rules::KnownLeaks, rules::LeakRules};
use heaplens_analysis::overview::WasteTotals;
use heaplens_analysis::{DumpData, LeakFinding, Question, WasteKind};
use heaplens_base::{Bytes, Cancelled, Task, storage::folder::settings_folder, threads};
use heaplens_heap::{Analysis, Heap};

/// File name of the user's list of known leaking Android references.
const REFERENCES: &str = "android-references.txt";
/// File name of the user's list of known leaks of libraries.
const KNOWN_LEAKS: &str = "known-leaks.txt";

/// What may leak, by the built-in rules? Those of the user judge the findings later.
#[derive(Clone, PartialEq, Eq)]
pub struct LeaksQuestion {
    /// Known leaks of libraries.
    pub known: Arc<KnownLeaks>,
    /// Findings that free less are left out.
    pub min_bytes: Bytes,
}

impl Question for LeaksQuestion {
    type Answer = Vec<LeakFinding>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<LeakFinding>, Cancelled> {
        let rules = &LeakRules::default().with_known(Arc::clone(&self.known));
        find_leaks(LeakQuery { namer: dump.namer(task)?, with_ages: true, rules, min_bytes: self.min_bytes }, task)
    }

    fn file(&self) -> Option<AnswerFile<Vec<LeakFinding>>> {
        Some(AnswerFile::json("leaks", &(&self.known, self.min_bytes)))
    }
}

/// Findings of at least `min_bytes` bytes, judged and ranked.
///
/// # Errors
/// When `task` is cancelled.
pub fn findings(
    dump: DumpData<'_>,
    (rules, min_bytes): (&LeakRules, Bytes),
    task: &Task,
) -> Result<Vec<LeakFinding>, Cancelled> {
    let leaks = dump.answer(&LeaksQuestion { known: Arc::clone(rules.known()), min_bytes }, task)?;
    let mut findings = Vec::clone(&leaks);
    judge(dump.analysis, rules, &mut findings);
    rank(&mut findings);
    Ok(findings)
}

/// Findings of at least `min_bytes` bytes, judged and ranked, and waste. Each search reads the whole dump; both run at
/// the same time. Two tasks, since each shows its own progress.
///
/// # Errors
/// When a task is cancelled.
pub fn found_and_wasted(
    dump: DumpData<'_>,
    (rules, min_bytes): (&LeakRules, Bytes),
    leaks: &Task,
    waste: &Task,
) -> Result<(Vec<LeakFinding>, Arc<WasteTotals>), Cancelled> {
    let search = || dump.answer(&WasteTotalsQuestion, waste);
    let (findings, totals) = threads::join("search for waste", || findings(dump, (rules, min_bytes), leaks), search);
    Ok((findings?, totals?))
}

/// Adds each kind of waste of at least `min_bytes` bytes from the totals of the overview, then judges and ranks all.
pub fn add_waste_totals(
    analysis: &Analysis,
    (totals, min_bytes): (&WasteTotals, Bytes),
    rules: &LeakRules,
    findings: &mut Vec<LeakFinding>,
) {
    let total = analysis.shown.shallow;
    // Object headers cannot be saved. What two kinds have is told once.
    let rows = totals.rows.iter().filter(|row| row.kind != WasteKind::ObjectHeaders);
    let rows = rows.filter(|row| row.own.objects > 0 && row.own.shallow >= min_bytes);
    let first = findings.len();
    findings.extend(rows.map(|row| LeakFinding::of_waste(row.kind, row.own.objects, row.own.shallow, total)));
    judge(analysis, rules, findings);
    let (holding, wasteful) = findings.split_at_mut(first);
    let freed = |leak: &LeakFinding| leak.cut.iter().filter_map(|cut| analysis.subtree(cut.to)).collect::<Vec<_>>();
    let holding: Vec<(&LeakFinding, Vec<Range<u32>>)> = holding.iter().map(|leak| (leak, freed(leak))).collect();
    for finding in wasteful {
        let extent = totals.findings.iter().find(|about| about.waste_kind() == Some(finding.kind)).map(|of| &of.extent);
        let total = holding.iter().find(|(_, freed)| extent.is_some_and(|extent| extent.is_nearly_within(freed)));
        finding.within = total.map(|(leak, _)| leak.label.clone()).filter(|label| !label.is_empty());
    }
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
pub fn references_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(REFERENCES))
}

/// Path of the user's list of known leaks of libraries, if the user has a home folder.
pub fn known_leaks_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(KNOWN_LEAKS))
}

/// Known leaks of libraries: built-in, from the user's list if it exists, and from files, which take precedence.
///
/// # Errors
/// A message if a file cannot be read or has an invalid line.
pub fn read_known_leaks(own: Option<&Path>, files: &[PathBuf]) -> Result<Arc<KnownLeaks>, String> {
    let files = own_first(own, files);
    if files.is_empty() {
        return Ok(KnownLeaks::built_in());
    }
    read_all(&files, "known leaks", KnownLeaks::add).map(Arc::new)
}

/// The user's own list, if it exists, before the given files.
fn own_first(own: Option<&Path>, files: &[PathBuf]) -> Vec<PathBuf> {
    let own = own.filter(|file| file.exists()).map(Path::to_owned);
    own.into_iter().chain(files.iter().cloned()).collect()
}

/// Known leaking Android references: built-in, from the user's list if it exists, and from files, which take
/// precedence.
///
/// # Errors
/// A message if a file cannot be read or has an invalid line.
pub fn read_references(own: Option<&Path>, files: &[PathBuf]) -> Result<Matchers, String> {
    read_all(&own_first(own, files), "references", Matchers::add)
}
