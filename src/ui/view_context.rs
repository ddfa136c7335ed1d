//! Data that every view receives for one frame: the dump, the current location, and a list for commands.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use eframe::egui::Response;

use super::command::{Command, SelectedBy, Target};
use super::export_content::ExportContent;
use super::location::Location;
use super::panes::Pane;
use super::verb::Verb;
use super::view_request::{CopyTarget, ViewRequest, ViewRequests};
use heaplens_analysis::Cut;
use heaplens_analysis::leaks::rules::Verdict;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::open_dump::labels::Labels;
use heaplens_session::open_dump::selection::{Listing, Selection};
use heaplens_session::{Comparing, Cuts, JobError, Jobs, LeakRules, Marks, OpenDump, SavedQueries, Slot};
use heaplens_tables::RowTarget;
use heaplens_tables::export::copy::{Clip, Excerpt};

/// Context of a view for one frame.
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
    pub location: Location,
    /// Commands of this frame.
    pub commands: &'a mut Vec<Command>,
    /// Requests of this frame to the view.
    pub requests: &'a ViewRequests,
    /// Selected objects, for the status bar.
    pub selection: &'a mut Selection,
    /// Pane with the keyboard focus.
    pub focus: Pane,
    /// Stars and notes.
    pub marks: &'a Marks,
    /// Rules for expected memory, and verdicts of the user.
    pub rules: &'a Arc<LeakRules>,
    /// File with the user's list of known leaking Android references.
    pub references: Option<&'a Path>,
    /// Queries of the user.
    pub queries: &'a SavedQueries,
    /// Removals of the user.
    pub cuts: &'a Cuts,
    /// True if the heap after them is on screen.
    pub is_after: bool,
    /// Number of selected rows, if more are selected than are copied.
    pub excerpt: Option<Excerpt>,
    /// Number of rows that are selected in the view, for the status bar.
    pub selected_rows: &'a mut u64,
    /// True if the selected row does not match the filter of the table, for the status bar.
    pub is_filtered_away: &'a mut bool,
    /// Job that prepares a copy.
    pub copying: &'a mut Slot<Clip>,
    /// Running or finished comparison, if the tab compares.
    pub comparing: Option<&'a Comparing>,
}

impl<'a> ViewContext<'a> {
    /// Requests a command, if there is one.
    pub fn push(&mut self, command: impl Into<Option<Command>>) {
        self.commands.extend(command.into());
    }

    /// True if the selected rows are to be copied.
    pub fn copies_rows(&self) -> bool {
        self.requests.has(ViewRequest::Copy(CopyTarget::Rows))
    }

    /// True if the whole table is to be exported.
    pub fn exports(&self) -> bool {
        self.requests.has(ViewRequest::Export)
    }

    /// True if the filter is to get the keyboard focus.
    pub fn focuses_filter(&self) -> bool {
        self.requests.has(ViewRequest::Filter)
    }

    /// Runs an action on an object or class of the dump that is drawn.
    pub fn run_on(&mut self, verb: Verb, target: RowTarget) {
        self.push(Command::Do(verb, Target::Row(self.location.dump, target)));
    }

    /// Opens the target of a row, as a double click does.
    pub fn open(&mut self, target: RowTarget) {
        self.push(Command::open(self.location.dump, target));
    }

    /// Selects the target of a row.
    pub fn select_target(&mut self, target: RowTarget, by: SelectedBy) {
        self.push(Command::Select(self.location.dump, target, by));
    }

    /// Selects an object, if there is one, as by a click.
    pub fn select(&mut self, object: impl Into<Option<ObjectId>>) {
        object.into().into_iter().for_each(|object| self.select_target(RowTarget::Object(object), SelectedBy::Click));
    }

    /// Selects an object, if there is one, that the user did not choose.
    pub fn select_initially(&mut self, object: impl Into<Option<ObjectId>>) {
        object.into().into_iter().for_each(|object| self.select_target(RowTarget::Object(object), SelectedBy::View));
    }

    /// True if the removals free an object of the dump on screen.
    pub fn is_freed(&self, object: ObjectId) -> bool {
        self.frees()(object)
    }

    /// The same as a function that does not borrow the context.
    pub fn frees(&self) -> impl Fn(ObjectId) -> bool + use<'a> {
        let (cuts, dump, is_after) = (self.cuts, self.dump, self.is_after);
        move |object| !is_after && cuts.frees(&dump.analysis, object)
    }

    /// True if the reference between two objects is removed; `name` is that of its field, if it is one.
    pub fn is_removed(&self, from: ObjectId, to: ObjectId, name: Option<&str>) -> bool {
        self.cuts.removes(&self.dump.heap, (from, to), name)
    }

    /// Removes references as one step, or puts them back if all of them are removed.
    pub fn cut(&mut self, cuts: Vec<Cut>) {
        self.push(Command::Cut(self.location.dump, cuts));
    }

    /// Exports content to a file; `title` names it.
    pub fn export(&mut self, content: ExportContent, title: impl Into<String>) {
        self.push(Command::Export(self.location.dump, Box::new(content), title.into()));
    }

    /// Selects the object of a clicked widget; a double click shows it in the dominator tree.
    pub fn follow(&mut self, response: &Response, object: ObjectId) {
        if response.double_clicked() {
            self.open(RowTarget::Object(object));
        } else if response.clicked() {
            self.select(object);
        }
    }

    /// Reports several selected rows. `version` changes when rows mean other objects. If there are many rows, `listing`
    /// must be cheap; its list runs in the background.
    pub fn select_rows(&mut self, rows: RangeInclusive<u64>, version: usize, listing: impl FnOnce() -> Listing) {
        if rows.start() < rows.end() {
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
        let (dump, excerpt) = (self.dump.clone(), self.excerpt.clone());
        self.copying.ask(self.jobs, "copy", move |task| {
            let clip = make(&dump, task)?;
            Ok(match excerpt {
                Some(Excerpt { of, hint }) => clip.out_of(of, &hint),
                None => clip,
            })
        });
    }
}
