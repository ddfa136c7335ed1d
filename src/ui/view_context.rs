//! Data that every view receives for one frame: the dump, the current location, and a list for commands.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::baseline::{Baseline, Comparing};
use super::command::Command;
use super::cuts::Cuts;
use super::label_cache::LabelCache;
use super::location::Location;
use super::marks::Marks;
use super::over_time::OverTime;
use super::panes::Pane;
use super::selection::{Listing, Selection};
use super::views::object::InspectorRequest;
use super::widgets::object_link::ObjectName;
use heaplens_analysis::leaks::rules::Verdict;
use heaplens_analysis::naming::{NameIndex, Namer, Owner};
use heaplens_analysis::runtime_classes::RuntimeClasses;
use heaplens_base::task::{Cancelled, Task};
use heaplens_core::heap::analysis::Analysis;
use heaplens_core::heap::contents::Contents;
use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::ids::ObjectId;
use heaplens_core::heap::notes::ImportNote;
use heaplens_session::dump::Facts;
use heaplens_session::jobs::{JobError, Jobs};
use heaplens_session::leaks::LeakRules;
use heaplens_session::slot::Slot;
use heaplens_tables::export::command_line::OpenSettings;
use heaplens_tables::export::copy::Clip;
use heaplens_tables::export::table_context::TableContext;

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

    /// Lookups for names and sizes. Only for jobs, never while drawing.
    pub fn dictionary(&self) -> TableContext<'_> {
        TableContext { heap: &self.heap, contents: &*self.contents, analysis: &self.analysis, namer: None }
    }

    /// Names objects and finds them by name. Only for jobs.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
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
}

/// Context of a view for one frame.
#[expect(clippy::struct_excessive_bools, reason = "independent requests, reset every frame")]
pub struct ViewContext<'a> {
    /// Data of the dump.
    pub dump: &'a OpenDump,
    /// Path of the dump file.
    pub path: &'a Path,
    /// Handle to start jobs.
    pub jobs: &'a Jobs,
    /// Labels of objects.
    pub labels: &'a mut Labels,
    /// Current location.
    pub place: Location,
    /// Commands of this frame.
    pub commands: &'a mut Vec<Command>,
    /// True to focus the filter.
    pub focus_filter: bool,
    /// True to open the search for a row.
    pub find: bool,
    /// Selected objects, for the status bar.
    pub selection: &'a mut Selection,
    /// Pane with the keyboard focus.
    pub focus: Pane,
    /// Stars and notes.
    pub marks: &'a Marks,
    /// Rules for expected memory, and verdicts of the user.
    pub rules: &'a Arc<LeakRules>,
    /// File with the user's list of known Android leaks.
    pub known_leaks: Option<&'a Path>,
    /// Cuts of the user.
    pub cuts: &'a Cuts,
    /// Part of the inspector to show.
    pub inspect: Option<InspectorRequest>,
    /// True to copy the selected rows.
    pub copy_rows: bool,
    /// True to export the whole table.
    pub export: bool,
    /// Job that prepares a copy.
    pub copying: &'a mut Slot<Clip>,
    /// Running or finished comparison, if the tab compares.
    pub comparing: Option<&'a Comparing>,
}

impl<'a> ViewContext<'a> {
    /// Requests a command.
    pub fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Reports several selected rows. `version` changes when rows mean other objects. If there are many rows, `listing`
    /// must be cheap; its list runs in the background.
    pub fn select_rows(
        &mut self,
        rows: Option<RangeInclusive<u64>>,
        version: usize,
        listing: impl FnOnce() -> Listing,
    ) {
        if let Some(rows) = rows.filter(|rows| rows.start() < rows.end()) {
            self.selection.put_rows(rows, version, listing, self.dump, self.jobs);
        }
    }

    /// Reports selected rows for many objects, which are listed in the background.
    pub fn select_listed(&mut self, rows: RangeInclusive<u64>, version: usize, listing: impl FnOnce() -> Listing) {
        self.selection.put_listed(rows, version, listing, self.dump, self.jobs);
    }

    /// Verdict of the user on an object, by its name once that is known, or by its class.
    pub fn verdict_of(&mut self, object: ObjectId) -> Option<&'a Verdict> {
        let (rules, classes) = (self.rules, &self.dump.heap.classes);
        // Without verdicts no name is requested.
        rules.of_user().next()?;
        let class = classes.of_object(object).unwrap_or_else(|| self.dump.heap.class_id(object));
        rules.of_object(self.labels.name(object), &classes.get(class).name)
    }

    /// Runs `make` in a job and copies its result.
    pub fn copy(&mut self, make: impl FnOnce(&OpenDump, &Task) -> Result<Clip, JobError> + Send + 'static) {
        let dump = self.dump.clone();
        self.copying.ask(self.jobs, "copy", move |task| make(&dump, task));
    }
}

/// Labels, address-free names and owners of the objects on screen, read in the background.
#[derive(Default)]
pub struct Labels {
    short: LabelCache<Box<str>>,
    names: LabelCache<Box<str>>,
    owners: LabelCache<Owner>,
}

impl Labels {
    /// Label of an object, if it is known; requests it otherwise.
    pub fn of(&mut self, object: ObjectId) -> Option<&str> {
        self.short.of(object)?.map(|text| &**text)
    }

    /// Address-free name of an object, if it is known; requests it otherwise.
    pub fn name(&mut self, object: ObjectId) -> Option<&str> {
        self.names.of(object)?.map(|text| &**text)
    }

    /// Owner of an object, `Some(None)` if it has none; requests it if it is not known.
    pub fn owner(&mut self, object: ObjectId) -> Option<Option<&Owner>> {
        self.owners.of(object)
    }

    /// Label of an object, if it is known, without requesting it.
    pub fn known(&self, object: ObjectId) -> Option<&str> {
        self.short.known(object).map(|text| &**text)
    }

    /// Calls `with` with class, label and id of an object.
    pub fn named<R>(&mut self, heap: &Heap, object: ObjectId, with: impl FnOnce(ObjectName<'_>) -> R) -> R {
        let id = heap.id_text(object);
        let class = &heap.class(object).name;
        with(ObjectName { class, label: self.of(object), id: &id })
    }

    /// Takes over results and requests missing data. Call once per frame.
    pub fn tick(&mut self, dump: &OpenDump, jobs: &Jobs) {
        self.short.tick(dump, jobs, "labels", |dump, object, _| {
            Ok(dump.contents.label(&dump.heap, object).map(String::into_boxed_str))
        });
        self.names.tick(dump, jobs, "names", |dump, object, task| {
            Ok(dump.namer(task)?.name(object, task)?.map(String::into_boxed_str))
        });
        self.owners.tick(dump, jobs, "owners", |dump, object, task| Ok(dump.namer(task)?.owner(object, task)?));
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.short.is_running() || self.names.is_running() || self.owners.is_running()
    }
}
