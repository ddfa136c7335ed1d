//! The data of a completely open dump, with those it is compared with, as jobs and views share them.

pub mod labels;
pub mod link_target;
pub mod pages;
pub mod selection;

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::leaks::{KnownLeaks, LeakRules, LeaksQuestion, add_waste_totals};
use crate::{DeferredDrop, OpenSettings, marks, overview::WasteTotalsQuestion, series::Series};
use heaplens_analysis::android::bitmaps;
use heaplens_analysis::diff::Comparison;
use heaplens_analysis::diff::{MatchStatus, Pair, program::ProgramMatch};
use heaplens_analysis::leaks::{BaselineQuery, LeakQuery, default_min_bytes, judge, rank, with_baseline};
use heaplens_analysis::{LeakFinding, finalizers};
use heaplens_base::{Bytes, Cancelled, Shared, Task};
use heaplens_dump::Dump;
use heaplens_heap::ObjectId;

/// A completely open dump of a tab; clones share its data.
#[derive(Clone)]
pub struct OpenDump {
    /// The dump. Contents of objects are read only by jobs, never while drawing.
    pub dump: Dump,
    /// Description of the data that was read to open it.
    pub opened_from: &'static str,
    /// Key of the dump for stars and notes.
    pub identity: Arc<str>,
    /// Name and rules by which it was opened.
    pub opened: Arc<OpenSettings>,
    /// Number of Android bitmaps.
    pub bitmaps: u64,
    /// True if objects with a finalizer are recorded.
    pub has_finalizers: bool,
    /// True if it records when its objects were allocated.
    pub is_recording: bool,
    /// Baseline and comparison, once they are computed, if the tab compares.
    pub baseline: Option<Arc<Baseline>>,
    /// Findings of the leak search with their growth since the baseline, before the user's rules.
    grown: Arc<Shared<Vec<LeakFinding>>>,
    /// Growth over more than two dumps, if so many of the program are open.
    pub over_time: Option<Arc<OverTime>>,
}

impl Deref for OpenDump {
    type Target = Dump;

    fn deref(&self) -> &Dump {
        &self.dump
    }
}

impl OpenDump {
    /// A dump that is not compared. `is_stored_analysis` is true if the file is itself a stored analysis.
    pub fn new(dump: Dump, opened: Arc<OpenSettings>, is_stored_analysis: bool) -> Self {
        let opened_from = match dump.facts.stored {
            None => "the dump",
            Some(_) if is_stored_analysis => "a stored analysis without its dump: values are not available",
            Some(_) => "the stored analysis of an earlier open",
        };
        Self {
            opened_from,
            identity: marks::identity(dump.data()).into(),
            opened,
            bitmaps: bitmaps::count(dump.data()),
            has_finalizers: finalizers::are_recorded(&dump.heap),
            is_recording: dump.contents.has_samples(),
            baseline: None,
            grown: Arc::default(),
            over_time: None,
            dump,
        }
    }

    /// The same dump after removals, given with their texts. Names, owners and findings are others.
    #[must_use]
    pub fn after(&self, dump: Dump, cuts: Vec<String>) -> Self {
        let opened = Arc::new(OpenSettings { cuts, ..OpenSettings::clone(&self.opened) });
        Self { dump, opened, ..self.alone() }
    }

    /// Replaces the state of the dump by another one of the same objects: names, owners and findings are others.
    pub fn set_dump(&mut self, dump: Dump) {
        (self.dump, self.grown) = (dump, Arc::default());
    }

    /// The dump without what it is compared with.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self { baseline: None, grown: Arc::default(), over_time: None, ..self.clone() }
    }

    /// Reason to distrust these data or those of the dumps it is compared with; results computed from data that were
    /// not completely readable must not be kept.
    pub fn doubt(&self) -> Option<String> {
        let before = self.baseline.iter().map(|baseline| &baseline.before);
        let others = before.chain(self.over_time.iter().flat_map(|over_time| &over_time.dumps));
        self.facts.doubt().or_else(|| others.into_iter().find_map(|other| other.facts.doubt()))
    }

    /// Files that are read: of the dump, its mapping, and the dumps that it is compared with.
    pub fn files(&self) -> Vec<PathBuf> {
        let before = self.baseline.iter().map(|baseline| &baseline.before);
        let others = before.chain(self.over_time.iter().flat_map(|over_time| &over_time.dumps));
        let others = others.filter_map(|other| other.facts.path().map(Path::to_owned));
        others.chain([self.opened.file.clone()]).chain(self.opened.mapping.clone()).collect()
    }

    /// Sets the baseline and its comparison. Growth since another baseline is forgotten.
    pub fn set_baseline(&mut self, baseline: Option<Arc<Baseline>>) {
        (self.baseline, self.grown) = (baseline, Arc::default());
    }

    /// Findings of the leak search, with growth if the tab compares, judged by `rules` and ranked. Only for jobs.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn leak_findings(&self, rules: &LeakRules, task: &Task) -> Result<Vec<LeakFinding>, Cancelled> {
        let known = rules.known();
        let question = LeaksQuestion { known: Arc::clone(known), min_bytes: self.least_finding() };
        let mut leaks = self.answer(&question, task)?;
        if self.compared().is_some() {
            let alone = Vec::clone(&leaks);
            leaks = self.grown.get(task, |_| true, |task| self.with_growth(alone, Arc::clone(known), task))?;
        }
        let mut findings = Vec::clone(&leaks);
        judge(&self.analysis, rules, &mut findings);
        rank(&mut findings);
        Ok(findings)
    }

    /// Findings with their growth since the baseline.
    fn with_growth(
        &self,
        findings: Vec<LeakFinding>,
        known: Arc<KnownLeaks>,
        task: &Task,
    ) -> Result<Vec<LeakFinding>, Cancelled> {
        let Some((before, Comparison { matches, growth, .. })) = self.compared() else { return Ok(findings) };
        let (before, rules) = (before.namer(task)?, &LeakRules::default().with_known(known));
        let question = LeakQuery { namer: self.namer(task)?, with_ages: true, rules, min_bytes: self.least_finding() };
        with_baseline(BaselineQuery { question, before, matches, growth }, findings, task)
    }

    /// Adds each kind of waste to the findings, then judges and ranks all. Only for jobs.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn add_waste(&self, rules: &LeakRules, findings: &mut Vec<LeakFinding>, task: &Task) -> Result<(), Cancelled> {
        let totals = self.answer(&WasteTotalsQuestion, task)?;
        add_waste_totals(&self.analysis, (&totals, self.least_finding()), rules, findings);
        Ok(())
    }

    /// Findings that free less are left out.
    fn least_finding(&self) -> Bytes {
        default_min_bytes(self.analysis.shown.shallow)
    }

    /// The baseline and the comparison, if the tab compares.
    pub fn compared(&self) -> Option<(&OpenDump, &Comparison)> {
        let baseline = self.baseline.as_ref()?;
        Some((&baseline.before, baseline.comparison()?))
    }

    /// Both heaps, if the tab compares. Only for jobs.
    pub fn pair(&self) -> Option<Pair<'_>> {
        Some(Pair { before: self.baseline.as_ref()?.before.data(), after: self.data() })
    }

    /// Whether this and a later dump are of one program. Only for jobs.
    pub fn program_match(&self, after: &Self) -> ProgramMatch {
        ProgramMatch::of(self.data(), after.data(), after.runtime_classes())
    }

    /// Retained size of an object in the baseline, if the tab compares. An ambiguous object counts as unchanged.
    pub fn retained_then(&self) -> Option<impl Fn(ObjectId) -> Bytes + Sync> {
        let (before, comparison) = self.compared()?;
        Some(|object| match comparison.matches.match_status_of_after(object) {
            MatchStatus::Matched(old, _) => before.analysis.retained(old),
            MatchStatus::Alone => Bytes(0),
            MatchStatus::Unknown => self.analysis.retained(object),
        })
    }

    /// Match status of an object of this dump, if the tab compares.
    pub fn match_status(&self, object: ObjectId) -> Option<MatchStatus> {
        Some(self.compared()?.1.matches.match_status_of_after(object))
    }
}

/// Baseline dump and its comparison with the dump of the tab.
pub struct Baseline {
    /// Baseline.
    pub before: OpenDump,
    /// Whether both dumps are of one program.
    pub program: ProgramMatch,
    comparison: DeferredDrop<Comparison>,
}

impl Baseline {
    /// A baseline with the result of its comparison with `after`. Only for jobs.
    pub fn new(before: OpenDump, after: &OpenDump, comparison: DeferredDrop<Comparison>) -> Self {
        let program = before.program_match(after);
        Self { before, program, comparison }
    }

    /// Result of the comparison. `None` once its memory is being freed.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.comparison.get()
    }
}

/// More than two dumps of one program.
pub struct OverTime {
    /// The dumps, oldest first.
    pub dumps: Vec<OpenDump>,
    /// Indices of the baseline and the target of the tab.
    pub ends: (usize, usize),
    /// Sizes of owners and classes in all dumps, as the command line prints them.
    pub series: Arc<Series>,
    /// Lines by row of the growth table.
    pub rows: Vec<Lines>,
}

/// Retained bytes of the owners of a row, in each dump.
pub struct Lines {
    /// Sum of all owners.
    pub together: Arc<[Bytes]>,
    /// The first owners individually; empty if there is only one.
    pub each: Vec<Arc<[Bytes]>>,
}

/// True if both are the data of the same open dump.
pub fn is_same(one: &OpenDump, other: &OpenDump) -> bool {
    Arc::ptr_eq(&one.heap, &other.heap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenOptions;
    use crate::dump::open_and_wait;
    use heaplens_analysis::leaks::Group;

    pub(super) fn opened(path: &std::path::Path) -> OpenDump {
        let dump = open_and_wait(path, &OpenOptions::default(), &Task::new()).expect("it opens");
        OpenDump::new(dump, Arc::default(), false)
    }

    /// Views that ask at the same time and later, with other verdicts, get the findings of one search.
    #[test]
    fn leaks_and_waste_are_searched_for_once() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/leak-after.hprof.gz");
        let dump = &opened(&path);
        let (default_rules, mut expected) = (&LeakRules::default(), LeakRules::default());
        expected.add("expected desk.SessionCache.ENTRIES # warm").expect("a rule");
        let groups = |rules: &LeakRules| {
            let findings = dump.clone().leak_findings(rules, &Task::new()).expect("an answer");
            findings.into_iter().map(|finding| (finding.name, finding.group)).collect::<Vec<_>>()
        };
        let [plain, judged] = std::thread::scope(|scope| {
            let threads = [default_rules, &expected].map(|rules| scope.spawn(move || groups(rules)));
            threads.map(|threads| threads.join().expect("no panic"))
        });
        let group_of = |groups: &[(String, Group)]| {
            groups.iter().find(|(name, _)| name == "desk.SessionCache.ENTRIES").map(|(_, group)| *group)
        };
        assert_eq!((group_of(&plain), group_of(&judged)), (Some(Group::Leak), Some(Group::Expected)));
        let mut findings = Vec::new();
        for _ in 0..2 {
            findings.clear();
            dump.add_waste(&expected, &mut findings, &Task::new()).expect("an answer");
        }
        assert!(!findings.is_empty() && findings.iter().all(|finding| finding.group == Group::Waste));
        let leaks = LeaksQuestion { known: Arc::clone(default_rules.known()), min_bytes: dump.least_finding() };
        let answers = dump.answers();
        assert_eq!((answers.computations(&leaks), answers.computations(&WasteTotalsQuestion)), (1, 1));
        assert_eq!(answers.known(&leaks).map(|known| known.len()), Some(plain.len()));
    }
}
