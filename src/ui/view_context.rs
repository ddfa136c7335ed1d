//! Data that every view receives for one frame: the dump, the current location, and a list for commands.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use eframe::egui::Response;

use super::command::{Command, RowCommand};
use super::location::Location;
use super::panes::{InspectorRequest, Pane};
use heaplens_analysis::leaks::rules::Verdict;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::open_dump::labels::Labels;
use heaplens_session::open_dump::selection::{Listing, Selection};
use heaplens_session::{Comparing, Cuts, JobError, Jobs, LeakRules, Marks, OpenDump, SavedQueries, Slot};
use heaplens_tables::export::copy::{Clip, Excerpt};

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
    pub location: Location,
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
    /// File with the user's list of known leaking Android references.
    pub references: Option<&'a Path>,
    /// Queries of the user.
    pub queries: &'a SavedQueries,
    /// Cuts of the user.
    pub cuts: &'a Cuts,
    /// Part of the inspector to show.
    pub inspect: Option<InspectorRequest>,
    /// True to copy the selected rows.
    pub copy_rows: bool,
    /// Number of selected rows, if more are selected than are copied.
    pub excerpt: Option<Excerpt>,
    /// Number of rows that are selected in the view, for the status bar.
    pub selected_rows: &'a mut u64,
    /// True to export the whole table.
    pub export: bool,
    /// True to show the rows of the table as a query.
    pub as_query: bool,
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

    /// Requests a command about rows of the dump that is drawn, if there is one.
    pub fn push_row(&mut self, command: impl Into<Option<RowCommand>>) {
        let dump = self.location.dump;
        self.push(command.into().map(|command| Command::InDump(dump, command)));
    }

    /// Selects the object of a clicked widget; a double click shows it in the dominator tree.
    pub fn follow(&mut self, response: &Response, object: ObjectId) {
        if response.double_clicked() {
            self.push_row(RowCommand::Reveal(object));
        } else if response.clicked() {
            self.push_row(RowCommand::Select(object));
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
