//! The data of a completely open dump, with those it is compared with, as jobs and views share them.

pub mod label_cache;
pub mod labels;
pub mod pages;
pub mod selection;

use std::sync::{Arc, OnceLock};

use crate::{Comparison, DeferredDrop, OpenSettings, series::Series};
use heaplens_analysis::diff::{MatchStatus, Pair, Side};
use heaplens_analysis::{Namer, RuntimeClasses, naming::NameIndex};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_core::dump::facts::Facts;
use heaplens_core::heap::{Analysis, Contents, Heap, ImportNote, ObjectId};

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
    /// True if it records when its objects were allocated.
    pub is_recording: bool,
    /// Index of address-free names, computed on the first request.
    pub name_index: Arc<OnceLock<NameIndex>>,
    /// Baseline and comparison, once they are computed, if the tab compares.
    pub baseline: Option<Arc<Baseline>>,
    /// Growth over more than two dumps, if so many of the program are open.
    pub over_time: Option<Arc<OverTime>>,
}

impl OpenDump {
    /// Reason to distrust these data or those of the dumps it is compared with; results computed from data that were
    /// not completely readable must not be kept.
    pub fn doubt(&self) -> Option<String> {
        let before = self.baseline.iter().map(|baseline| &baseline.before);
        let others = before.chain(self.over_time.iter().flat_map(|over_time| &over_time.dumps));
        self.facts.doubt().or_else(|| others.into_iter().find_map(|other| other.facts.doubt()))
    }

    /// Names objects and finds them by name. Only for jobs.
    pub fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        let (heap, contents, analysis) = (&*self.heap, &*self.contents, &*self.analysis);
        let index = match self.name_index.get() {
            Some(index) => index,
            None => {
                let rules = RuntimeClasses::clone(&self.runtime_classes);
                let index = NameIndex::new(heap, contents, analysis, rules, task)?;
                // Another job may have finished first, with the same result.
                self.name_index.get_or_init(|| index)
            }
        };
        Ok(Namer { heap, contents, analysis, index })
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
    found: DeferredDrop<Comparison>,
}

impl Baseline {
    /// A baseline with the result of its comparison.
    pub fn new(before: OpenDump, found: DeferredDrop<Comparison>) -> Self {
        Self { before, found }
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
