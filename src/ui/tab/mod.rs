//! A tab: an open dump and its views.

mod after;
mod before_after;
mod cut_searches;
pub mod fix_jobs;
mod fixes;

use std::path::Path;
use std::sync::Arc;

use eframe::egui::Ui;

use self::after::AfterRemovals;
use self::fix_jobs::FixJobs;
use crate::ui::command::Command;
use crate::ui::file_dialog::FileDialogs;
use crate::ui::location::{DumpKey, Location, NamedLocation, View};
use crate::ui::panes::Pane;
use crate::ui::view_context::ViewContext;
use crate::ui::view_request::{CopyTarget, ViewRequest, ViewRequests};
use crate::ui::view_selection::ViewSelections;
use crate::ui::views::all::Views;
use crate::ui::views::copying;
use crate::ui::views::opening::Opening;
use heaplens_analysis::cuts::SmallestCut;
use heaplens_analysis::leaks::next_instance;
use heaplens_analysis::object::neighbour_in_class;
use heaplens_analysis::{Cut, RuntimeClasses};
use heaplens_heap::ObjectId;
use heaplens_session::cuts::{RestoredCuts, SavedList};
use heaplens_session::dump::State;
use heaplens_session::files::{file_name, short_name};
use heaplens_session::open_dump::labels::Labels;
use heaplens_session::open_dump::selection::{ObjectSet, Selection};
use heaplens_session::{
    Comparing, Cuts, DumpHandle, Jobs, LeakRules, Marks, OpenDump, OpenSettings, SavedQueries, Slot,
};
use heaplens_tables::export::copy::Clip;
use heaplens_tables::reports::elide::{self, Neighbours, UsualCut};

/// A dump and its views.
pub struct Tab {
    /// Unique number of the tab.
    pub key: DumpKey,
    /// The dump.
    pub dump: DumpHandle,
    /// Number of this tab among the tabs of the same dump, from 1.
    pub copy: usize,
    /// True if another dump has the same file name in another folder: then the folder is a part of the name.
    pub has_namesake: bool,
    opened: Arc<OpenSettings>,
    open_dump: Option<OpenDump>,
    comparing: Option<Comparing>,
    copying: Slot<Clip>,
    labels: Labels,
    opening: Opening,
    /// Views of the dump.
    pub views: Views,
    selection: Selection,
    /// Number of rows selected in the view.
    selected_rows: u64,
    /// View with this selection.
    selected_in: Option<View>,
    /// Selection of each view when the user left it.
    pub selections: ViewSelections,
    /// Removals of the user.
    pub cuts: Cuts,
    after: AfterRemovals,
    /// True until the kept removals of the dump are searched for.
    pub awaits_cuts: bool,
    /// Removals that a reopened tab had; `None` for those that are kept for the dump.
    pub own_cuts: Option<SavedList>,
    /// Kept removals of the dump.
    pub restoring: Slot<RestoredCuts>,
    fixes: FixJobs,
    /// Location to go to once the dump is open.
    pub awaited: Option<NamedLocation>,
    /// True for a dump that is open only until it is compared, as in the previous session.
    pub is_for_comparison: bool,
    /// Message about changes of the file since it was opened.
    pub banner: Option<String>,
    /// Object whose name is copied once it is known.
    naming: Option<ObjectId>,
    /// An object, and the next of its class.
    stepping: Slot<(ObjectId, Option<ObjectId>)>,
    /// A cut by its name.
    resolving: Slot<Cut>,
    /// The smallest set of references that frees an object.
    smallest: Slot<SmallestCut>,
}

/// Data of the window that drawing a tab needs.
#[derive(Clone, Copy)]
pub struct TabContext<'a> {
    /// Handle to start jobs.
    pub jobs: &'a Jobs,
    /// Current location.
    pub location: Location,
    /// Pane with the keyboard focus.
    pub focus: Pane,
    /// Stars and notes.
    pub marks: &'a Marks,
    /// Rules for expected memory, and verdicts of the user.
    pub rules: &'a Arc<LeakRules>,
    /// Queries of the user.
    pub queries: &'a SavedQueries,
    /// File with the user's list of known leaking Android references.
    pub references: Option<&'a Path>,
}

impl Tab {
    /// A tab for a dump.
    pub fn new(key: DumpKey, dump: DumpHandle, opened: OpenSettings) -> Self {
        Self {
            key,
            dump,
            copy: 1,
            has_namesake: false,
            opened: Arc::new(opened),
            copying: Slot::default(),
            open_dump: None,
            comparing: None,
            labels: Labels::default(),
            opening: Opening::default(),
            views: Views::default(),
            selection: Selection::default(),
            selected_rows: 0,
            selected_in: None,
            selections: ViewSelections::default(),
            cuts: Cuts::default(),
            after: AfterRemovals::default(),
            awaits_cuts: true,
            own_cuts: None,
            restoring: Slot::default(),
            fixes: FixJobs::default(),
            awaited: None,
            is_for_comparison: false,
            banner: None,
            naming: None,
            stepping: Slot::default(),
            resolving: Slot::default(),
            smallest: Slot::default(),
        }
    }

    /// Title of the tab.
    pub fn name(&self) -> String {
        self.fitting_name(Neighbours::default(), &|_| true)
    }

    /// The name, shortened until it `fits` where it is the same as the names beside it.
    pub fn fitting_name(&self, beside: Neighbours<'_>, fits: &dyn Fn(&str) -> bool) -> String {
        let numbered = |name: &str| if self.copy > 1 { format!("{name} ({})", self.copy) } else { name.to_owned() };
        let name = match &self.comparing {
            Some(comparing) => {
                let paths = [comparing.dump().path(), self.dump.path()];
                let mut names = paths.map(short_name);
                if names[0] == names[1] && paths[0] != paths[1] {
                    names = paths.map(|path| in_folder(path, short_name(path)));
                }
                let [before, after] = names;
                elide::pair(&before, &after, &|name| fits(&numbered(name)))
            }
            None => {
                let name = self.file_name();
                elide::among(&name, UsualCut::Middle, beside, &|name| fits(&numbered(name))).into_owned()
            }
        };
        numbered(&name)
    }

    /// Name of the file, after its folder if another dump has the same name.
    pub fn file_name(&self) -> String {
        let (path, name) = (self.dump.path(), file_name(self.dump.path()));
        if self.has_namesake { in_folder(path, name) } else { name }
    }

    /// Name and rules by which the dump is opened.
    pub fn opened(&self) -> &OpenSettings {
        &self.opened
    }

    /// Data of the dump, once it is completely open.
    pub fn open_dump(&self) -> Option<&OpenDump> {
        self.open_dump.as_ref()
    }

    /// True if a part of the dump, or of its baseline, could not be read.
    pub fn is_incomplete(&self) -> bool {
        let before = |dump: &OpenDump| dump.baseline.as_ref().map(|baseline| baseline.before.heap.is_incomplete());
        self.open_dump().is_some_and(|dump| dump.heap.is_incomplete() || before(dump) == Some(true))
    }

    /// Comparison with the baseline, if the tab compares.
    pub fn comparing(&self) -> Option<&Comparing> {
        self.comparing.as_ref()
    }

    /// The same, mutable: to start or cancel it.
    pub fn comparing_mut(&mut self) -> Option<&mut Comparing> {
        self.comparing.as_mut()
    }

    /// Turns the tab into a comparison.
    pub fn compare(&mut self, comparing: Comparing) {
        if let Some(open_dump) = &mut self.open_dump {
            open_dump.set_baseline(comparing.done().cloned());
            self.views.invalidate_leaks();
        }
        self.comparing = Some(comparing);
    }

    /// True if both tabs show completely open dumps of different files and neither is a comparison.
    pub fn can_be_compared_with(&self, other: &Self) -> bool {
        let is_dump = |tab: &Self| tab.open_dump.is_some() && tab.comparing.is_none();
        is_dump(self) && is_dump(other) && self.dump.path() != other.dump.path()
    }

    /// True if the stored analysis of the dump or of the baseline is damaged.
    pub fn is_damaged(&self) -> bool {
        self.dump.is_damaged() || self.comparing.as_ref().is_some_and(|comparing| comparing.dump().is_damaged())
    }

    /// True until the kept removals of the dump are restored.
    pub fn awaits_removals(&self) -> bool {
        self.is_opening() || self.open_dump.is_some() && self.awaits_cuts || self.restoring.is_running()
    }

    /// True while the dump is being opened.
    pub fn is_opening(&self) -> bool {
        *self.dump.state() == State::Opening
    }

    /// Takes over finished results.
    pub fn poll(&mut self) {
        self.dump.poll();
        self.cuts.poll();
        self.poll_after();
        if self.open_dump.is_none()
            && *self.dump.state() == State::Ready
            && let Some(dump) = self.dump.dump()
        {
            let is_stored_analysis = self.dump.is_stored_analysis();
            self.open_dump = Some(OpenDump::new(dump.clone(), self.opened.clone(), is_stored_analysis));
        }
        if let (Some(comparing), Some(open_dump)) = (&mut self.comparing, &mut self.open_dump)
            && comparing.poll()
        {
            let is_known = open_dump.baseline.as_ref().map(Arc::as_ptr) == comparing.done().map(Arc::as_ptr);
            if !is_known {
                open_dump.set_baseline(comparing.done().cloned());
                self.views.invalidate_leaks();
            }
            open_dump.over_time = comparing.over_time().cloned();
        }
    }

    /// Draws the page of a dump that is still being opened.
    pub fn opening_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.opening.ui(ui, &self.dump, self.key, commands);
    }

    /// Runs `draw` with the context and the views; `None` if the dump is not completely open.
    pub fn context<R>(
        &mut self,
        around: TabContext<'_>,
        requests: &ViewRequests,
        commands: &mut Vec<Command>,
        draw: impl FnOnce(&mut Views, &mut ViewContext<'_>) -> R,
    ) -> Option<R> {
        let TabContext { jobs, location, focus, marks, rules, queries, references } = around;
        self.after.compare(&self.dump, self.open_dump.as_ref(), jobs);
        let open_dump = self.after.shown.as_ref().or(self.open_dump.as_ref())?;
        self.labels.tick(open_dump, jobs);
        self.selection.poll(open_dump, jobs);
        // A view without a table has none.
        self.selected_rows = 0;
        let mut is_filtered_away = false;
        let mut context = ViewContext {
            dump: open_dump,
            path: self.dump.path(),
            jobs,
            labels: &mut self.labels,
            location,
            commands,
            requests,
            selection: &mut self.selection,
            focus,
            marks,
            rules,
            references,
            queries,
            cuts: &self.cuts,
            is_after: self.after.shown.is_some(),
            excerpt: None,
            selected_rows: &mut self.selected_rows,
            is_filtered_away: &mut is_filtered_away,
            copying: &mut self.copying,
            comparing: if self.after.shown.is_some() { &self.after.comparing } else { &self.comparing }.as_ref(),
        };
        if let Some(clip) = context.copying.take_new() {
            context.push(Command::CopyClip(Box::new(clip)));
        }
        if let Some(object) = location.object.filter(|_| requests.copy() == Some(CopyTarget::Object)) {
            copying::object(&mut context, object);
        }
        match requests.copy() {
            Some(CopyTarget::Path) => self.views.paths.copy(location.object),
            Some(CopyTarget::Inspector) => self.views.inspector.copy(location.object),
            Some(CopyTarget::Report) => self.views.leaks.copy_report(),
            Some(CopyTarget::Rows | CopyTarget::Object) | None => {}
        }
        if requests.has(ViewRequest::NextMode)
            && let Some(mode) = self.views.picture_mode(location.view)
        {
            *mode = mode.next();
        }
        if requests.has(ViewRequest::AccumulationPoint) {
            self.views.dominators.view.show_accumulation_point();
        }
        if self.selected_in.replace(location.view) != Some(location.view) {
            context.selection.forget_rows();
        }
        self.views.tick(&mut context);
        let drawn = draw(&mut self.views, &mut context);
        if !context.selection.take_reported() {
            let set = match (location.view, location.class, location.object) {
                (View::Histogram, Some(class), _) if !*context.is_filtered_away => ObjectSet::Class(class),
                (view, _, Some(object)) if view.is_about_objects() => ObjectSet::Object(object),
                _ => ObjectSet::Nothing,
            };
            context.selection.put(set, open_dump, jobs);
        }
        Some(drawn)
    }

    /// Number of rows selected in the view on screen.
    pub fn selected_rows(&self) -> u64 {
        self.selected_rows
    }

    /// Selected objects.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Starts the search for the exact retained size of the selected objects.
    pub fn search_selection(&mut self, jobs: &Jobs) {
        if let Some(open_dump) = self.after.shown.as_ref().or(self.open_dump.as_ref()) {
            self.selection.search(open_dump, jobs);
        }
    }

    /// Changes the removals and computes their effect.
    pub fn cut(&mut self, jobs: &Jobs, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        if let Some(open_dump) = &self.open_dump {
            change(&mut self.cuts, open_dump, jobs);
            self.removals_changed(jobs);
        }
    }

    /// Searches for the next or previous object of the class of `object`.
    pub fn step_of_class(&mut self, jobs: &Jobs, object: ObjectId, forwards: bool) {
        let Some(open_dump) = self.shown_dump().cloned() else { return };
        self.stepping.ask(jobs, "next object of the class", move |task| {
            Ok((object, neighbour_in_class(open_dump.data(), object, forwards, task)?))
        });
    }

    /// Searches for the next or previous object that accumulates in the selected finding; false if there is none.
    pub fn step_in_finding(&mut self, jobs: &Jobs, object: ObjectId, forwards: bool) -> bool {
        let finding = self.views.leaks.chosen().filter(|finding| finding.accumulated.is_some());
        let (Some(finding), Some(open_dump)) = (finding.cloned(), self.shown_dump().cloned()) else { return false };
        self.stepping.ask(jobs, "next object that accumulates", move |task| {
            Ok((object, next_instance(open_dump.data(), &finding, object, forwards, task)?))
        });
        true
    }

    /// Result of the last search, returned once.
    pub fn take_step(&mut self) -> Option<(ObjectId, Option<ObjectId>)> {
        self.stepping.take_new()
    }

    /// Label of an object, if it is known; requests it otherwise.
    pub fn label(&mut self, object: ObjectId) -> Option<&str> {
        self.labels.of(object)
    }

    /// Address-free name of an object, if it is known; requests it otherwise.
    pub fn object_name(&mut self, object: ObjectId) -> Option<&str> {
        self.labels.name(object)
    }

    /// Asks for the name of an object, to copy it once it is known.
    pub fn ask_name(&mut self, object: ObjectId) {
        self.naming = Some(object);
    }

    /// The name that was asked for, returned once; `Some(None)` if the object has none.
    pub fn take_name(&mut self) -> Option<Option<String>> {
        let name = self.labels.name_if_any(self.naming?)?.map(str::to_owned);
        self.naming = None;
        Some(name)
    }

    /// Applies other rules for runtime classes.
    pub fn set_runtime_classes(&mut self, rules: &Arc<RuntimeClasses>) {
        self.forget_after();
        self.dump.set_runtime_classes(rules.clone());
        if let Some(open_dump) = &mut self.open_dump {
            // Names, owners and findings computed by the previous rules are computed again.
            if let Some(dump) = self.dump.dump() {
                open_dump.set_dump(dump.clone());
            }
            self.labels = Labels::default();
            self.views.overview.look_again();
            self.views.leaks.look_again();
        }
    }

    /// Asks for a file and exports the report to it.
    pub fn export_report(&mut self, jobs: &Jobs, rules: &Arc<LeakRules>, dialogs: FileDialogs) {
        if let Some(open_dump) = self.after.shown.as_ref().or(self.open_dump.as_ref()) {
            self.views.overview.export(open_dump, jobs, rules, dialogs, self.dump.path());
        }
    }

    /// Description of a running job for `view`, and for the side panes if `panes` is true.
    pub fn busy_with(&self, view: View, panes: bool) -> Option<&'static str> {
        match self.dump.state() {
            State::Opening => return Some("opening"),
            State::Failed(_) | State::Cancelled => return None,
            State::Ready => {}
        }
        let parts = [
            (self.views.is_running(view, panes), "the view"),
            (self.labels.is_running(), "names of objects"),
            (self.selection.is_running(), "the selection"),
            (self.cuts.is_running() || self.restoring.is_running() || self.fixes.is_running(), "removals"),
            (self.is_deriving_after(), "the heap after the removals"),
            (self.stepping.is_running(), "the next object of a class"),
            (self.resolving.is_running(), "what to remove"),
            (self.smallest.is_running(), "the smallest set of references"),
            (self.copying.is_running(), "a copy"),
            (self.comparing.as_ref().is_some_and(Comparing::is_running), "the comparison"),
            (self.after.comparing.as_ref().is_some_and(Comparing::is_running), "what the removals changed"),
        ];
        parts.into_iter().find_map(|(is_running, what)| is_running.then_some(what))
    }
}

/// A name of a file after that of its folder.
fn in_folder(path: &Path, name: String) -> String {
    match path.parent().map(file_name).filter(|folder| !folder.is_empty()) {
        Some(folder) => format!("{folder}/{name}"),
        None => name,
    }
}
