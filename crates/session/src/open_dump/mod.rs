//! The data of a completely open dump, with those it is compared with, as jobs and views share them.

pub mod label_cache;
pub mod labels;
pub mod link_target;
pub mod pages;
pub mod restored_cuts;
pub mod selection;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::comparison::ComparedDump;
use crate::dump::namer;
use crate::kept_answers::KeptAnswers;
use crate::leaks::{KnownLeaks, LEAKS, LeakRules, WASTE, add_waste_totals, by_built_in_rules};
use crate::{Comparison, DeferredDrop, JobError, Jobs, OpenSettings};
use crate::{overview::wasted, series::Series, shared_answer::SharedAnswer};
use heaplens_analysis::clock::{Ages, SharedAges};
use heaplens_analysis::diff::{MatchStatus, Pair, Side, program::ProgramMatch};
use heaplens_analysis::leaks::{BaselineQuery, LeakQuery, judge, rank, usual_least, with_baseline};
use heaplens_analysis::{LeakFinding, Namer, RuntimeClasses, naming::NameIndex, overview::WasteTotals};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_dump::facts::Facts;
use heaplens_heap::{Analysis, Contents, Heap, ImportNote, ObjectId};

/// Data of a completely open dump; clones share it.
#[derive(Clone)]
pub struct OpenDump {
    /// Objects and references, as recorded in the file.
    pub heap: Arc<Heap>,
    /// Contents of objects; read only by jobs, never while drawing.
    pub contents: Arc<dyn Contents>,
    /// Derived data: dominators, retained sizes, roots.
    pub analysis: Arc<Analysis>,
    /// Source of both.
    pub facts: Facts,
    /// Notes on this open, not on the dump.
    pub remarks: Arc<[ImportNote]>,
    /// Description of the data that was read to open it.
    pub opened_from: &'static str,
    /// Key of the dump for stars and notes.
    pub identity: Arc<str>,
    /// Name and rules by which it was opened.
    pub opened: Arc<OpenSettings>,
    /// Rules for runtime classes.
    pub runtime_classes: Arc<RuntimeClasses>,
    /// Number of Android bitmaps.
    pub bitmaps: u64,
    /// True if objects with a finalizer are recorded.
    pub has_finalizers: bool,
    /// True if it records when its objects were allocated.
    pub is_recording: bool,
    /// Index of address-free names, computed on the first request.
    pub name_index: Arc<OnceLock<NameIndex>>,
    /// Ages of the objects, measured on the first request.
    pub ages: Arc<SharedAges>,
    /// Searches that several views need; each runs at most once.
    pub searches: Arc<Searches>,
    /// Their answers kept by an earlier open.
    pub kept: KeptAnswers,
    /// Baseline and comparison, once they are computed, if the tab compares.
    pub baseline: Option<Arc<Baseline>>,
    /// Growth over more than two dumps, if so many of the program are open.
    pub over_time: Option<Arc<OverTime>>,
}

/// Searches that several views of a dump need.
#[derive(Default)]
pub struct Searches {
    /// Findings of the leak search, before the user's rules.
    leaks: Arc<SharedAnswer<Vec<LeakFinding>>>,
    waste: Arc<SharedAnswer<WasteTotals>>,
    /// Findings with their growth since the baseline, before the user's rules.
    grown: SharedAnswer<Vec<LeakFinding>>,
}

impl OpenDump {
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

    /// Names objects and finds them by name. Only for jobs.
    pub fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        namer(&self.facts, &self.analysis, &self.name_index, &self.runtime_classes, task)
    }

    /// Ages of the objects. Only for jobs.
    pub fn ages(&self, task: &Task) -> Result<&Ages, Cancelled> {
        self.ages.get(self.namer(task)?, task)
    }

    /// Sets the baseline and its comparison. Growth since another baseline is forgotten.
    pub fn set_baseline(&mut self, baseline: Option<Arc<Baseline>>) {
        let (leaks, waste) = (Arc::clone(&self.searches.leaks), Arc::clone(&self.searches.waste));
        self.searches = Arc::new(Searches { leaks, waste, grown: SharedAnswer::default() });
        self.baseline = baseline;
    }

    /// Findings of the leak search, with growth if the tab compares, judged by `rules` and ranked. The search runs once,
    /// in the background, with the known leaks of the first who asks; blocks until it has ended. Only for jobs.
    ///
    /// # Errors
    /// When `task` is cancelled, or the search failed.
    pub fn leak_findings(&self, jobs: &Jobs, rules: &LeakRules, task: &Task) -> Result<Vec<LeakFinding>, JobError> {
        let (dump, known) = (self.clone(), Arc::clone(rules.known()));
        let found = self.searches.leaks.get((jobs, "search for leaks"), task, move |task| {
            let search =
                |known| Ok(by_built_in_rules((dump.namer(task)?, &dump.ages), known, dump.least_finding(), task)?);
            dump.kept.get_or(LEAKS, &(&known, dump.least_finding()), &dump.facts, || search(&known))
        })?;
        let found = if self.compared().is_some() {
            let (dump, alone, known) = (self.clone(), Arc::clone(&found), Arc::clone(rules.known()));
            let compute = move |task: &Task| dump.with_growth(Vec::clone(&alone), known, task);
            self.searches.grown.get((jobs, "growth of leaks"), task, compute)?
        } else {
            found
        };
        let mut findings = Vec::clone(&found);
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
    ) -> Result<Vec<LeakFinding>, JobError> {
        let Some((before, Comparison { matches, growth, .. })) = self.compared() else { return Ok(findings) };
        let (before, rules) = (before.namer(task)?, &LeakRules::default().with_known(known));
        let question =
            LeakQuery { namer: self.namer(task)?, ages: Some(&self.ages), rules, least: self.least_finding() };
        Ok(with_baseline(BaselineQuery { question, before, matches, growth }, findings, task)?)
    }

    /// Waste by kind. The search, which reads the contents of every object, runs once, in the background; blocks until it
    /// has ended. Only for jobs.
    ///
    /// # Errors
    /// When `task` is cancelled, or the search failed.
    pub fn waste_totals(&self, jobs: &Jobs, task: &Task) -> Result<Arc<WasteTotals>, JobError> {
        let dump = self.clone();
        self.searches.waste.get((jobs, "search for waste"), task, move |task| {
            let search = || Ok(wasted(&dump.heap, &*dump.contents, &dump.analysis, task)?);
            dump.kept.get_or(WASTE, &(), &dump.facts, search)
        })
    }

    /// Adds each kind of waste to the findings, then judges and ranks all. Only for jobs.
    ///
    /// # Errors
    /// When `task` is cancelled, or the search failed.
    pub fn add_waste(
        &self,
        jobs: &Jobs,
        rules: &LeakRules,
        findings: &mut Vec<LeakFinding>,
        task: &Task,
    ) -> Result<(), JobError> {
        let totals = self.waste_totals(jobs, task)?;
        add_waste_totals(&self.analysis, (&totals, self.least_finding()), rules, findings);
        Ok(())
    }

    /// Findings that free less are left out.
    fn least_finding(&self) -> Bytes {
        usual_least(self.analysis.shown.shallow)
    }

    /// The dump as one to compare with another. Only for jobs.
    pub fn to_compare(&self) -> ComparedDump<'_> {
        ComparedDump { facts: &self.facts, analysis: &self.analysis, kept: &self.kept }
    }

    /// One side of a comparison. Only for jobs.
    pub fn side(&self) -> Side<'_> {
        Side { heap: &self.heap, contents: &*self.contents, analysis: &self.analysis }
    }

    /// The baseline and the comparison, if the tab compares.
    pub fn compared(&self) -> Option<(&OpenDump, &Comparison)> {
        let baseline = self.baseline.as_ref()?;
        Some((&baseline.before, baseline.comparison()?))
    }

    /// Both heaps, if the tab compares. Only for jobs.
    pub fn pair(&self) -> Option<Pair<'_>> {
        Some(Pair { before: self.baseline.as_ref()?.before.side(), after: self.side() })
    }

    /// Whether this and a later dump are of one program. Only for jobs.
    pub fn program_match(&self, after: &Self) -> ProgramMatch {
        ProgramMatch::of(self.side(), after.side(), &after.runtime_classes)
    }

    /// Retained size of an object in the baseline, if the tab compares. An ambiguous object counts as unchanged.
    pub fn retained_then(&self) -> Option<impl Fn(ObjectId) -> Bytes + Sync> {
        let (before, found) = self.compared()?;
        Some(|object| match found.matches.match_status_of_after(object) {
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
    found: DeferredDrop<Comparison>,
}

impl Baseline {
    /// A baseline with the result of its comparison with `after`. Only for jobs.
    pub fn new(before: OpenDump, after: &OpenDump, found: DeferredDrop<Comparison>) -> Self {
        let program = before.program_match(after);
        Self { before, program, found }
    }

    /// Result of the comparison. `None` once its memory is being freed.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.found.get()
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
        OpenDump {
            heap: dump.facts.heap.clone(),
            contents: dump.facts.contents.clone(),
            analysis: dump.analysis.clone(),
            facts: dump.facts.clone(),
            remarks: Arc::default(),
            opened_from: "the dump",
            identity: "a dump".into(),
            opened: Arc::default(),
            runtime_classes: dump.runtime_classes.clone(),
            bitmaps: 0,
            has_finalizers: false,
            is_recording: false,
            name_index: Arc::default(),
            ages: Arc::default(),
            searches: Arc::default(),
            kept: KeptAnswers::default(),
            baseline: None,
            over_time: None,
        }
    }

    /// Views that ask at the same time and later, with other verdicts, get the findings of one search.
    #[test]
    fn leaks_and_waste_are_searched_for_once() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/leak-after.hprof.gz");
        let (dump, jobs) = (&opened(&path), &Jobs::new(Arc::new(|| {})));
        let (usual, mut expected) = (&LeakRules::default(), LeakRules::default());
        expected.add("expected desk.SessionCache.ENTRIES # warm").expect("a rule");
        let groups = |rules: &LeakRules| {
            let findings = dump.clone().leak_findings(jobs, rules, &Task::new()).expect("an answer");
            findings.into_iter().map(|finding| (finding.name, finding.group)).collect::<Vec<_>>()
        };
        let [plain, judged] = std::thread::scope(|scope| {
            let asked = [usual, &expected].map(|rules| scope.spawn(move || groups(rules)));
            asked.map(|asked| asked.join().expect("no panic"))
        });
        let group_of = |groups: &[(String, Group)]| {
            groups.iter().find(|(name, _)| name == "desk.SessionCache.ENTRIES").map(|(_, group)| *group)
        };
        assert_eq!((group_of(&plain), group_of(&judged)), (Some(Group::Leak), Some(Group::Expected)));
        let mut findings = Vec::new();
        dump.add_waste(jobs, &expected, &mut findings, &Task::new()).expect("an answer");
        assert!(!findings.is_empty() && findings.iter().all(|finding| finding.group == Group::Waste));
        // A further search would fail.
        let again = dump.searches.leaks.get((jobs, "again"), &Task::new(), |_| panic!("a second search"));
        assert_eq!(again.map(|found| found.len()), Ok(plain.len()));
        let again = dump.searches.waste.get((jobs, "again"), &Task::new(), |_| panic!("a second search"));
        assert!(again.is_ok());
    }
}
