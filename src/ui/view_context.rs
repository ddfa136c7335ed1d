//! What every view is given: the answers there are, where the reader is, and a
//! list to put commands on.

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
use super::views::object::Inspect;
use super::widgets::object_link::ObjectName;
use crate::analysis::leaks::rules::Verdict;
use crate::analysis::naming::{NameIndex, Namer, Owner};
use crate::analysis::runtime_classes::RuntimeClasses;
use crate::export::command_line::OpenedAs;
use crate::export::copy::Clip;
use crate::export::table_context::TableContext;
use crate::heap::analysis::Analysis;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::notes::ImportNote;
use crate::session::dump::Facts;
use crate::session::jobs::{JobError, Jobs};
use crate::session::leaks::LeakRules;
use crate::session::slot::Slot;
use crate::task::{Cancelled, Task};

/// Everything about a dump that is open to the end; clones are the same dump.
#[derive(Clone)]
pub struct OpenDump {
    /// What the file said.
    pub heap: Arc<Heap>,
    /// The inside of objects; asked by jobs alone, never by a frame.
    pub contents: Arc<dyn Contents>,
    /// What follows.
    pub analyzed: Arc<Analysis>,
    /// What both were read from.
    pub facts: Facts,
    /// What there is to say of this open, not of the dump.
    pub remarks: Arc<[ImportNote]>,
    /// What was read to open it.
    pub opened_from: &'static str,
    /// What tells it from other dumps.
    pub identity: Arc<str>,
    /// By which name and rules it was opened.
    pub opened: Arc<OpenedAs>,
    /// Which classes are not the application's.
    pub runtime_classes: Arc<RuntimeClasses>,
    /// How many bitmaps of Android there are.
    pub bitmaps: u64,
    /// Whether it says when its objects were allocated.
    pub is_recording: bool,
    /// What names take, once somebody asked for one.
    pub name_index: Arc<OnceLock<NameIndex>>,
    /// In a tab that compares: the dump before and what grew since, once it is known.
    pub baseline: Option<Arc<Baseline>>,
    /// The same of more than two dumps, if so many of the program are open.
    pub over_time: Option<Arc<OverTime>>,
}

impl OpenDump {
    /// Why what they say may be wrong, in words: what a job has made of a dump that could not be read to the end, or of
    /// one that it was compared with, is not to be kept.
    pub fn doubt(&self) -> Option<String> {
        let before = self.baseline.iter().map(|baseline| &baseline.before);
        let others = before.chain(self.over_time.iter().flat_map(|over_time| &over_time.dumps));
        self.facts.doubt().or_else(|| others.into_iter().find_map(|other| other.facts.doubt()))
    }

    /// What names and sizes are looked up in; by jobs alone, never by a frame.
    pub fn dictionary(&self) -> TableContext<'_> {
        TableContext { heap: &self.heap, contents: &*self.contents, analyzed: &self.analyzed, namer: None }
    }

    /// Names objects and finds them by their names; to be asked by jobs alone.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        let (heap, contents, analyzed) = (&*self.heap, &*self.contents, &*self.analyzed);
        let index = match self.name_index.get() {
            Some(index) => index,
            None => {
                let rules = RuntimeClasses::clone(&self.runtime_classes);
                let made = NameIndex::new(heap, contents, analyzed, rules, task)?;
                // Another job may have been faster; both made the same.
                self.name_index.get_or_init(|| made)
            }
        };
        Ok(Namer { heap, contents, analyzed, index })
    }
}

/// What a view is given for one frame.
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own, for this frame alone")]
pub struct ViewContext<'a> {
    /// The dump.
    pub answers: &'a OpenDump,
    /// The file it was opened from.
    pub path: &'a Path,
    /// Starts work in the background.
    pub jobs: &'a Jobs,
    /// Labels of objects.
    pub labels: &'a mut Labels,
    /// Where the reader is.
    pub place: Location,
    /// What the view asks for.
    pub commands: &'a mut Vec<Command>,
    /// Whether the filter is to be typed into.
    pub focus_filter: bool,
    /// Whether a row is to be looked for.
    pub find: bool,
    /// What is selected, for the status bar.
    pub selection: &'a mut Selection,
    /// Where keys go.
    pub focus: Pane,
    /// Stars and notes.
    pub marks: &'a Marks,
    /// What is normal, and what the user says of leaks.
    pub rules: &'a Arc<LeakRules>,
    /// The user's list of references of Android that are known to leak.
    pub known_leaks: Option<&'a Path>,
    /// What is cut.
    pub cuts: &'a Cuts,
    /// What the inspector is to show.
    pub inspect: Option<Inspect>,
    /// The selected rows are to be copied.
    pub copy_rows: bool,
    /// The whole table is to be exported.
    pub export: bool,
    /// What is being made to be copied.
    pub copying: &'a mut Slot<Clip>,
    /// The comparison, in a tab that has one: done or on its way.
    pub comparing: Option<&'a Comparing>,
}

impl<'a> ViewContext<'a> {
    /// Asks for something.
    pub fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Says which rows are selected, if they are several, and what they are of. `version` changes when rows stand for
    /// other objects than before. Where they are many, `listing` costs nothing and its list runs in the background.
    pub fn select_rows(
        &mut self,
        rows: Option<RangeInclusive<u64>>,
        version: usize,
        listing: impl FnOnce() -> Listing,
    ) {
        if let Some(rows) = rows.filter(|rows| rows.start() < rows.end()) {
            self.selection.put_rows(rows, version, listing, self.answers, self.jobs);
        }
    }

    /// Says that rows are selected that stand for many objects, which are listed in the background.
    pub fn select_listed(&mut self, rows: RangeInclusive<u64>, version: usize, listing: impl FnOnce() -> Listing) {
        self.selection.put_listed(rows, version, listing, self.answers, self.jobs);
    }

    /// What the user says of an object, by its name as soon as that is known, or by its class.
    pub fn verdict_of(&mut self, object: ObjectId) -> Option<&'a Verdict> {
        let (rules, classes) = (self.rules, &self.answers.heap.classes);
        // Where nothing is said no name is looked for.
        rules.of_user().next()?;
        let class = classes.of_object(object).unwrap_or_else(|| self.answers.heap.class_id(object));
        rules.of_object(self.labels.name(object), &classes.get(class).name)
    }

    /// Copies what `make` makes, as soon as it is made.
    pub fn copy(&mut self, make: impl FnOnce(&OpenDump, &Task) -> Result<Clip, JobError> + Send + 'static) {
        let answers = self.answers.clone();
        self.copying.ask(self.jobs, "copy", move |task| make(&answers, task));
    }
}

/// What objects on screen are called: labels, names without addresses, owners. Read in the background.
#[derive(Default)]
pub struct Labels {
    short: LabelCache<Box<str>>,
    names: LabelCache<Box<str>>,
    owners: LabelCache<Owner>,
}

impl Labels {
    /// The label, if it is known; else it is asked for.
    pub fn of(&mut self, object: ObjectId) -> Option<&str> {
        self.short.of(object)?.map(|text| &**text)
    }

    /// The name without addresses, if it is known; else it is asked for.
    pub fn name(&mut self, object: ObjectId) -> Option<&str> {
        self.names.of(object)?.map(|text| &**text)
    }

    /// Who of the application holds the object, or that nobody does; if neither is known, it is asked for.
    pub fn owner(&mut self, object: ObjectId) -> Option<Option<&Owner>> {
        self.owners.of(object)
    }

    /// The label, if it is known; it is not asked for.
    pub fn known(&self, object: ObjectId) -> Option<&str> {
        self.short.known(object).map(|text| &**text)
    }

    /// Runs `with` with the name of an object.
    pub fn named<R>(&mut self, heap: &Heap, object: ObjectId, with: impl FnOnce(ObjectName<'_>) -> R) -> R {
        let id = heap.id_text(object);
        let class = &heap.class(object).name;
        with(ObjectName { class, label: self.of(object), id: &id })
    }

    /// Takes in what was read and asks for what is wanted. Once a frame.
    pub fn tick(&mut self, answers: &OpenDump, jobs: &Jobs) {
        self.short.tick(answers, jobs, "labels", |answers, object, _| {
            Ok(answers.contents.label(&answers.heap, object).map(String::into_boxed_str))
        });
        self.names.tick(answers, jobs, "names", |answers, object, task| {
            Ok(answers.namer(task)?.name(object, task)?.map(String::into_boxed_str))
        });
        self.owners
            .tick(answers, jobs, "owners", |answers, object, task| Ok(answers.namer(task)?.owner(object, task)?));
    }

    /// Whether any are on their way.
    pub fn is_running(&self) -> bool {
        self.short.is_running() || self.names.is_running() || self.owners.is_running()
    }
}
