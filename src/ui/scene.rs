//! What every view is given: the answers there are, where the reader is, and a
//! list to put commands on.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::command::Command;
use super::marks::Marks;
use super::panes::Pane;
use super::place::Place;
use super::selection::Selection;
use super::views::object::Inspect;
use super::widgets::object_link::ObjectName;
use crate::export::command_line::OpenedAs;
use crate::export::copy::Clip;
use crate::export::dictionary::Dictionary;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::notes::ImportNote;
use crate::session::jobs::{JobError, Jobs};
use crate::session::slot::Slot;
use crate::task::Task;

/// Everything about a dump that is open to the end; clones are the same dump.
#[derive(Clone)]
pub struct Answers {
    /// What the file said.
    pub heap: Arc<Heap>,
    /// The inside of objects; asked by jobs alone, never by a frame.
    pub contents: Arc<dyn Contents>,
    /// What follows.
    pub analyzed: Arc<Analyzed>,
    /// What there is to say of this open, not of the dump.
    pub remarks: Arc<[ImportNote]>,
    /// What was read to open it.
    pub opened_from: &'static str,
    /// What tells it from other dumps.
    pub identity: Arc<str>,
    /// By which name and rules it was opened.
    pub opened: Arc<OpenedAs>,
}

impl Answers {
    /// What names and sizes are looked up in; by jobs alone, never by a frame.
    pub fn dictionary(&self) -> Dictionary<'_> {
        Dictionary { heap: &self.heap, contents: &*self.contents, analyzed: &self.analyzed }
    }
}

/// What a view is given for one frame.
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own, for this frame alone")]
pub struct Scene<'a> {
    /// The dump.
    pub answers: &'a Answers,
    /// Starts work in the background.
    pub jobs: &'a Jobs,
    /// Labels of objects.
    pub labels: &'a mut Labels,
    /// Where the reader is.
    pub place: Place,
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
    /// What the inspector is to show.
    pub inspect: Option<Inspect>,
    /// The selected rows are to be copied.
    pub copy_rows: bool,
    /// The whole table is to be exported.
    pub export: bool,
    /// What is being made to be copied.
    pub copying: &'a mut Slot<Clip>,
}

impl Scene<'_> {
    /// Asks for something.
    pub fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Says which rows are selected, if they are several, and what they are of. `version` changes when rows stand for
    /// other objects than before.
    pub fn select_rows(
        &mut self,
        rows: Option<RangeInclusive<u64>>,
        version: usize,
        objects: impl FnOnce() -> Vec<ObjectId>,
    ) {
        if let Some(rows) = rows.filter(|rows| rows.start() < rows.end()) {
            self.selection.put_rows(rows, version, objects, self.answers, self.jobs);
        }
    }

    /// Copies what `make` makes, as soon as it is made.
    pub fn copy(&mut self, make: impl FnOnce(&Answers, &Task) -> Result<Clip, JobError> + Send + 'static) {
        let answers = self.answers.clone();
        self.copying.ask(self.jobs, "copy", move |task| make(&answers, task));
    }
}

/// Labels of objects that came on screen, read in the background. A row is
/// drawn without its label until it is there.
#[derive(Default)]
pub struct Labels {
    known: HashMap<ObjectId, Option<Box<str>>>,
    wanted: Vec<ObjectId>,
    slot: Slot<Vec<(ObjectId, Option<String>)>>,
}

/// Labels kept at most; then all are read anew as they are seen.
const LIMIT: usize = 50_000;

impl Labels {
    /// The label, if it is known; else it is asked for.
    pub fn of(&mut self, object: ObjectId) -> Option<&str> {
        if !self.known.contains_key(&object) {
            self.wanted.push(object);
            return None;
        }
        self.known.get(&object)?.as_deref()
    }

    /// The label, if it is known; it is not asked for.
    pub fn known(&self, object: ObjectId) -> Option<&str> {
        self.known.get(&object)?.as_deref()
    }

    /// Runs `with` with the name of an object.
    pub fn named<R>(&mut self, heap: &Heap, object: ObjectId, with: impl FnOnce(ObjectName<'_>) -> R) -> R {
        let id = heap.id_text(object);
        let class = &heap.class(object).name;
        with(ObjectName { class, label: self.of(object), id: &id })
    }

    /// Takes in what was read and asks for what is wanted. Once a frame.
    pub fn tick(&mut self, answers: &Answers, jobs: &Jobs) {
        if self.slot.poll()
            && let Some(read) = self.slot.get_mut()
        {
            if self.known.len() > LIMIT {
                self.known.clear();
            }
            let read = std::mem::take(read);
            self.known.extend(read.into_iter().map(|(o, label)| (o, label.map(String::into_boxed_str))));
        }
        let failed = self.slot.error().is_some();
        if self.wanted.is_empty() || self.slot.is_running() || failed {
            self.wanted.clear();
            return;
        }
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort_unstable();
        wanted.dedup();
        let answers = answers.clone();
        self.slot.ask(jobs, "labels", move |task| {
            let mut read = Vec::with_capacity(wanted.len());
            for object in wanted {
                task.checkpoint()?;
                read.push((object, answers.contents.label(&answers.heap, object)));
            }
            Ok(read)
        });
    }

    /// Whether labels are on their way.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}
