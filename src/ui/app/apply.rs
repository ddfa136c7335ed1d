//! Execution of commands: the only place that changes the window. Actions are in `verbs.rs`.

use std::path::PathBuf;

use eframe::egui;
use egui::Context;

use super::{App, FileSelection};
use crate::ui::clipboard::Content;
use crate::ui::command::Command;
use crate::ui::cuts::Cuts;
use crate::ui::exporting::ExportContent;
use crate::ui::file_dialog::Question;
use crate::ui::location::{DumpKey, History, Location, View};
use crate::ui::panes::Pane;
use crate::ui::tab::Tab;
use crate::ui::views::growth::GrowthTable;
use crate::ui::views::object::{InspectorRequest, InspectorTab};
use heaplens_base::storage::folder::Folder;
use heaplens_base::units::Bytes;
use heaplens_core::heap::ids::{ClassId, ObjectId};
use heaplens_session::comparing::Comparing;
use heaplens_session::dump::Dump;
use heaplens_session::files::file_name;
use heaplens_session::jobs::{JobError, Jobs};
use heaplens_session::marks::Mark;
use heaplens_session::open_dump::OpenDump;

/// File extensions of heap dumps.
const DUMPS: &[&str] =
    &["hprof", "gz", "zip", "bin", "dump", "heapsnapshot", "heaptimeline", "rawheap", "phd", "txt", "heaplens"];

impl App {
    /// Changes what is cut in a dump.
    fn cut(&mut self, of: Option<DumpKey>, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        let jobs = self.jobs.clone();
        if let Some(tab) = of.and_then(|key| self.tab_mut(key)) {
            tab.cut(&jobs, change);
        }
    }

    /// Executes a command issued while the dump `drawn` was on screen. If another dump is current by now (e.g. after
    /// the key for the next tab in the same frame), row numbers mean other objects and such commands are dropped.
    pub(super) fn apply_to(&mut self, ctx: &Context, drawn: Option<DumpKey>, command: Command) {
        if !command.names_rows() || drawn.is_none() && self.history.now().is_none() {
            return self.apply(ctx, command);
        }
        // The dump may be closed or reloading: then row numbers are invalid.
        let Some(of) = drawn.filter(|&key| self.tab(key).is_some_and(|tab| tab.open_dump().is_some())) else { return };
        if self.dump_now() == drawn {
            return self.apply(ctx, command);
        }
        match command {
            Command::WriteNote(object, note) => self.mark(of, object, |mark| mark.note = note),
            Command::Cut(cut) => self.cut(drawn, |cuts, dump, jobs| cuts.toggle(cut, dump, jobs)),
            Command::CutTogether(cuts) => {
                self.cut(drawn, |all, dump, jobs| all.toggle_all(cuts, dump, jobs));
            }
            // The view has selected it already and reports it once.
            Command::InitialSelection(object) | Command::MoveCursor(object) => {
                let class = self.tab(of).and_then(Tab::open_dump).map(|dump| dump.heap.class_id(object));
                self.history.correct_last_in(of, |place| Location { object: Some(object), class, ..place });
            }
            _ => {}
        }
    }

    /// Executes a command.
    pub fn apply(&mut self, ctx: &Context, command: Command) {
        ctx.request_repaint();
        match command {
            Command::Do(verb) => self.apply_verb(ctx, verb),
            Command::OpenFile(path) => self.open(&path),
            Command::OpenTogether(paths) => {
                paths.iter().for_each(|path| self.open(path));
                self.expect_files_together(&paths);
            }
            Command::Compare(one, other) => self.compare(one, other),
            Command::Swap(key) => self.swap(key),
            Command::CompareAgain(key) => self.compare_again(key),
            Command::StopComparing(key) => {
                if let Some(comparing) = self.tab_mut(key).and_then(Tab::comparing_mut) {
                    comparing.cancel();
                }
            }
            Command::ShowTab(key) => self.show_tab(key),
            Command::Close(key) => self.close(key),
            Command::Reopen(key) => self.reopen(ctx, key),
            Command::HideBanner(key) => {
                if let Some(tab) = self.tab_mut(key) {
                    tab.banner = None;
                }
            }
            Command::UseMapping(path) => self.use_mapping(ctx, path),
            Command::ReadReport(path) => self.read_report(ctx, path),
            Command::Show(view) => self.switch_to(view),
            Command::Select(object) => {
                let class = self.class_of(object);
                self.go(|place| {
                    let view = if place.view.is_about_objects() { place.view } else { View::Dominators };
                    // The list of a class can only show its own objects.
                    let stays = view == View::Objects && place.class == class;
                    let view = if view == View::Objects && !stays { View::Dominators } else { view };
                    Location { view, object: Some(object), class, ..place }
                });
            }
            Command::MoveCursor(object) => {
                let class = self.class_of(object);
                if let Some(place) = self.history.now() {
                    self.history.pass(Location { object: Some(object), class, ..place });
                }
            }
            Command::MoveCursorToGroup(class) => {
                if let Some(place) = self.history.now() {
                    self.history.pass(Location { object: None, class: class.or(place.class), ..place });
                }
            }
            Command::InitialSelection(object) => {
                let class = self.class_of(object);
                if let Some(place) = self.history.now() {
                    self.history.correct(Location { object: Some(object), class, ..place });
                }
            }
            Command::SelectClass(class) => self.go(|place| Location { class: Some(class), object: None, ..place }),
            Command::MoveCursorToClass(class) => {
                if let Some(place) = self.history.now() {
                    self.history.pass(Location { class: Some(class), object: None, ..place });
                }
            }
            Command::ObjectsOf(class) => {
                self.objects_as_seen();
                self.go(|place| {
                    let object = place.object.filter(|_| place.class == Some(class) && place.view.is_about_objects());
                    Location { view: View::Objects, class: Some(class), object, ..place }
                });
            }
            Command::About(object, verb) => self.apply_about(ctx, object, verb),
            Command::Back(places) => self.travel(|history| history.back_by(places)),
            Command::Forward(places) => self.travel(|history| history.forward_by(places)),
            Command::Toggle(pane) => {
                if let Some(dock) = self.saved.docks.of(pane) {
                    dock.shown ^= true;
                }
            }
            Command::WriteNote(object, note) => {
                if let Some(place) = self.history.now() {
                    self.mark(place.dump, object, |mark| mark.note = note);
                }
            }
            Command::PathsOf(of) => {
                if let Some(key) = self.history.now().map(|place| place.dump)
                    && let Some(tab) = self.tab_mut(key)
                {
                    tab.views.merged.show(of);
                }
                self.go(|place| Location { view: View::Paths, object: None, ..place });
            }
            Command::Ignore(ignored) => {
                if let Some(key) = self.history.now().map(|place| place.dump)
                    && let Some(tab) = self.tab_mut(key)
                {
                    tab.views.paths.ignore(ignored);
                }
            }
            Command::Cut(cut) => self.cut(self.dump_now(), |cuts, dump, jobs| cuts.toggle(cut, dump, jobs)),
            Command::CutTogether(cuts) => {
                self.cut(self.dump_now(), |all, dump, jobs| all.toggle_all(cuts, dump, jobs));
            }
            Command::SetVerdict(about) => self.set_verdict_of(*about),
            Command::AddVerdict(said) => self.judge(*said),
            Command::ShowLeak(object) => self.show_leak(object),
            Command::UndoCut => self.cut(self.dump_now(), Cuts::undo),
            Command::ClearCuts => self.cut(self.dump_now(), |cuts, _, _| cuts.clear()),
            Command::Reveal(object) => {
                let class = self.class_of(object);
                self.go(|place| Location { view: View::Dominators, object: Some(object), class, ..place });
            }
            Command::RevealBefore(object) => self.show_before(View::Dominators, Some(object), None),
            Command::ObjectsBefore(class) => self.show_before(View::Objects, None, Some(class)),
            Command::ShowGrowth(of) => {
                self.show_table(GrowthTable::Of(of));
                self.apply(ctx, Command::Show(View::Growth));
            }
            Command::Copy(text, what) => self.put_on_clipboard(ctx, Content::Text(text), what),
            Command::CopyPicture(picture, what) => self.put_on_clipboard(ctx, Content::Picture(picture), what),
            Command::CopyClip(clip) => self.copy(ctx, *clip),
            Command::Export(request, title) => {
                let dump = place_of(self).and_then(Tab::open_dump).cloned();
                if let Some(dump) = dump {
                    self.exporting.ask(ctx, self.file_prompts.handle(), dump, ExportContent::Rows(*request), &title);
                }
            }
            Command::ExportFindings(findings) => {
                let dump = place_of(self).and_then(Tab::open_dump).cloned();
                if let Some(dump) = dump {
                    self.exporting.ask(
                        ctx,
                        self.file_prompts.handle(),
                        dump,
                        ExportContent::Findings(findings),
                        "Leaks",
                    );
                }
            }
            Command::ExportBitmap(bitmap) => {
                let dump = place_of(self).and_then(Tab::open_dump).cloned();
                if let Some(dump) = dump {
                    let title = format!("bitmap {}", dump.heap.id_text(bitmap.object));
                    self.exporting.ask(ctx, self.file_prompts.handle(), dump, ExportContent::Picture(bitmap), &title);
                }
            }
            Command::Done(text) => self.toasts.done(ctx, text),
            Command::Hint(text) => self.toasts.hint(ctx, text),
            Command::Warn(text) => self.toasts.warn(ctx, text),
        }
    }

    fn dump_now(&self) -> Option<DumpKey> {
        self.history.now().map(|place| place.dump)
    }

    /// Filters the list of objects by the Android heap that the histogram shows.
    fn objects_as_seen(&mut self) {
        let Some(place) = self.history.now().filter(|place| place.view != View::Objects) else { return };
        if let Some(tab) = self.tab_mut(place.dump) {
            tab.views.objects_as_counted(place.view == View::Histogram);
        }
    }

    pub(super) fn go(&mut self, change: impl FnOnce(Location) -> Location) {
        if let Some(place) = self.history.now() {
            self.leave();
            self.history.go(change(place));
        }
    }

    /// Stores the state of the current view in the history.
    fn leave(&mut self) {
        let view_state = self.history.now().and_then(|place| self.tab(place.dump)?.views.view_state(place.view));
        self.history.leave(view_state);
        self.remember_selection();
    }

    /// Moves through the history and restores the state of the view there.
    pub(super) fn travel(&mut self, step: impl FnOnce(&mut History)) {
        self.leave();
        step(&mut self.history);
        let (Some(place), Some(view_state)) = (self.history.now(), self.history.view_state().cloned()) else { return };
        if let Some(tab) = self.tab_mut(place.dump) {
            tab.views.restore(place.view, &view_state);
        }
    }

    /// In the background: files of many gigabytes take the system a while to delete.
    pub(super) fn forget_stored(&mut self) {
        let folder = self.options.keeping.folder.clone().or_else(Folder::of_platform);
        self.forgetting.ask(&self.jobs, "delete stored analyses", move |_| {
            let gone = folder.map(|folder| folder.clear()).transpose();
            gone.map(|bytes| bytes.unwrap_or(0)).map_err(|error| JobError::Failed(error.to_string()))
        });
    }

    /// Reports the result of deleting stored analyses.
    pub(super) fn take_forgotten(&mut self, ctx: &Context) {
        if !self.forgetting.is_running() {
            return;
        }
        if self.forgetting.poll()
            && let Some(bytes) = self.forgetting.take()
        {
            self.toasts.done(ctx, format!("Deleted {} of stored analyses", Bytes(bytes)));
        } else if let Some(error) = self.forgetting.error() {
            self.toasts.warn(ctx, format!("Cannot delete stored analyses: {error}"));
        }
    }

    /// Shows a tab of the inspector and moves the keyboard focus there.
    pub(super) fn inspect(&mut self, look: InspectorTab) {
        self.saved.docks.inspector.shown = true;
        self.focus = Pane::Inspector;
        self.asked.inspect = Some(InspectorRequest::Tab(look));
    }

    /// Searches the next or previous object of the class, or in Leaks the next one of the selected finding.
    pub(super) fn step_object(&mut self, ctx: &Context, forwards: bool) {
        let jobs = self.jobs.clone();
        let Some(place) = self.history.now() else { return };
        if let (Some(tab), Some(object)) = (self.tab_mut(place.dump), place.object) {
            // In Leaks, steps go through the traces of a leak or the objects of the selected finding.
            if place.view == View::Leaks
                && let Some(stepped) = tab.views.leaks.step_trace(forwards)
            {
                let last = || Command::Hint("No further leak trace with this fingerprint".to_owned());
                let then = stepped.map_or_else(last, Command::Select);
                return self.apply(ctx, then);
            }
            if place.view == View::Leaks && tab.step_in_finding(&jobs, object, forwards) {
                return;
            }
            tab.step_of_class(&jobs, object, forwards);
        }
    }

    /// Opens the current location in a new tab.
    pub(super) fn open_beside(&mut self) {
        let Some(place) = self.history.now() else { return };
        let Some(at) = self.tabs.iter().position(|t| t.key == place.dump) else { return };
        let Some(dump) = self.tabs[at].dump.again() else { return };
        let key = self.next_key;
        self.next_key += 1;
        let mut tab = Tab::new(key, dump, self.tabs[at].opened().clone());
        let (path, compares) = (tab.dump.path(), self.tabs[at].comparing().map(|comparing| comparing.dump().path()));
        let is_same =
            |t: &&Tab| t.dump.path() == path && t.comparing().map(|comparing| comparing.dump().path()) == compares;
        tab.copy = 1 + self.tabs.iter().filter(is_same).map(|t| t.copy).max().unwrap_or(0);
        self.keep_layout();
        tab.views.lay_out(&self.saved.layout);
        tab.poll();
        let theirs = self.tabs[at].comparing().zip(tab.open_dump());
        if let Some(comparing) = theirs.and_then(|(comparing, after)| comparing.again(after, &self.jobs)) {
            tab.compare(comparing);
        }
        self.tabs.insert(at + 1, tab);
        self.history.go(Location { dump: key, ..place });
    }

    /// Changes the mark on an object of a dump.
    pub(super) fn mark(&mut self, of: DumpKey, object: ObjectId, change: impl FnOnce(&mut Mark)) {
        let Some(tab) = self.tab(of) else { return };
        let Some(open_dump) = tab.open_dump() else { return };
        let (dump, id, file) = (open_dump.identity.clone(), open_dump.heap.id_text(object), file_name(tab.dump.path()));
        self.saved.marks.change(&dump, &file, &id, change);
    }

    /// Stores the names of marked objects once they are known, so that other dumps can find them.
    pub(super) fn name_marks(&mut self) {
        let Some(place) = self.history.now() else { return };
        let Some(tab) = self.tabs.iter_mut().find(|tab| tab.key == place.dump) else { return };
        let Some(dump) = tab.open_dump().cloned() else { return };
        self.saved.marks.put_names(&dump.identity, &dump.heap, |object| tab.object_name(object).map(str::to_owned));
    }

    pub(super) fn export_overview(&mut self) {
        let (jobs, rules) = (self.jobs.clone(), self.verdicts.rules().clone());
        let dialogs = self.file_prompts.handle();
        if let Some(tab) = self.history.now().and_then(|place| self.tab_mut(place.dump)) {
            tab.export_overview(&jobs, &rules, dialogs);
        }
    }

    fn class_of(&self, object: ObjectId) -> Option<ClassId> {
        let dump = self.tab(self.history.now()?.dump)?.open_dump()?;
        Some(dump.heap.class_id(object))
    }

    pub(super) fn apply_to_tab(&mut self, place: Option<Location>, what: fn(&mut Self, DumpKey)) {
        if let Some(place) = place {
            what(self, place.dump);
        }
    }

    pub(super) fn show_tab(&mut self, key: DumpKey) {
        let place = self.history.last_in(key).unwrap_or_else(|| self.start_of(key));
        self.history.go(place);
    }

    pub(super) fn step_tab(&mut self, by: usize) {
        let now = self.history.now().and_then(|p| self.tabs.iter().position(|t| t.key == p.dump));
        if let Some(now) = now {
            let key = self.tabs[(now + by) % self.tabs.len()].key;
            self.show_tab(key);
        }
    }

    pub(super) fn close(&mut self, key: DumpKey) {
        let Some(at) = self.tabs.iter().position(|t| t.key == key) else { return };
        let shown = self.history.now().is_some_and(|p| p.dump == key);
        self.keep_layout();
        let tab = self.tabs.remove(at);
        let closed = std::iter::once(&tab.dump).chain(tab.comparing().map(Comparing::dump));
        for path in closed.map(Dump::path) {
            let of =
                |other: &Tab| other.dump.path() == path || other.comparing().is_some_and(|c| c.dump().path() == path);
            if !self.tabs.iter().any(of) {
                self.watch.end(path);
            }
        }
        self.jobs.discard(tab);
        self.history.forget(key);
        if shown && let Some(tab) = self.tabs.get(at.min(self.tabs.len().saturating_sub(1))) {
            let key = tab.key;
            self.show_tab(key);
        }
    }

    /// Asks for heap dumps to open.
    pub(super) fn pick(&mut self) {
        let kinds = vec![("Heap dumps", DUMPS.to_vec())];
        let question = Question { title: "Open heap dump", suggested: PathBuf::new(), kinds, is_save: false };
        self.pick_file(question, |path| FileSelection {
            paths: path.into_iter().collect(),
            ..FileSelection::default()
        });
    }

    /// Asks for a file to read, one question at a time; the answer arrives in [`App::take_files`].
    pub(super) fn pick_file(
        &mut self,
        question: Question,
        picked: impl FnOnce(Option<PathBuf>) -> FileSelection + Send + 'static,
    ) {
        if std::mem::replace(&mut self.dialog_open, true) {
            return;
        }
        let (dialogs, sender) = (self.file_prompts.handle(), self.picking.0.clone());
        self.dialog_open = dialogs.ask_aside(
            || question,
            move |path| {
                // The window may be closed; then the receiver is gone.
                let _unwanted = sender.send(picked(path));
            },
        );
    }
}

/// Tab of the current dump.
fn place_of(app: &App) -> Option<&Tab> {
    app.tab(app.history.now()?.dump)
}
