//! Execution of commands: the only place that changes the window. Actions are in `actions.rs` and `targets.rs`.

use std::path::PathBuf;

use eframe::egui;
use egui::Context;

use super::App;
use crate::ui::clipboard::Content;
use crate::ui::export_content::ExportContent;
use crate::ui::location::History;
use crate::ui::panes::InspectorTab;
use crate::ui::tab::Tab;
use crate::ui::view_request::ViewRequest;
use crate::ui::{Command, DumpKey, Location, Pane, Target, Verb, View};
use crate::view::growth_table::GrowthTable;
use heaplens_base::Bytes;
use heaplens_base::storage::Folder;
use heaplens_fleet::Fleet;
use heaplens_heap::ObjectId;
use heaplens_session::files::file_name;
use heaplens_session::marks::Mark;
use heaplens_session::{Comparing, DumpHandle, JobError};

impl App {
    /// Executes a command.
    pub fn apply(&mut self, ctx: &Context, command: Command) {
        ctx.request_repaint();
        let (before, closes) = (self.history.now(), matches!(command, Command::Do(Verb::CloseTab, Target::Tab(_))));
        self.execute(ctx, command);
        // What leads to a location in a dump shows it, instead of a page of its own.
        if self.history.now() != before && !closes {
            self.pages.hide();
        }
    }

    fn execute(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Do(verb, on) => self.run(ctx, verb, on),
            Command::Select(dump, target, by) => self.select(dump, target, by),
            Command::Cut(dump, cuts) => self.toggle_cuts(dump, cuts),
            Command::ClearCuts => self.change_cuts(self.dump_now(), |cuts, _, _| cuts.clear()),
            Command::WriteNote(dump, object, note) => self.mark(dump, object, |mark| mark.note = note),
            Command::ShowQuery(dump, query) => self.show_query(dump, query),
            Command::Export(dump, content, title) => self.export(ctx, dump, *content, &title),
            Command::Open(paths) => self.open_all(paths),
            Command::OpenLink(link) => self.open_link(ctx, &link),
            Command::OpenTaken { dump, before } => self.open_taken(&dump, before.as_deref()),
            Command::OpenFinding(path, fingerprint) => self.open_finding(&path, fingerprint),
            Command::UseMapping(path) => self.use_mapping(ctx, path),
            Command::ReadReport(path) => self.read_report(ctx, path),
            Command::Compare(one, other) => self.compare(one, other),
            Command::CompareAgain(key) => self.compare_again(key),
            Command::ShowGrowth(of) => {
                self.show_table(GrowthTable::Comparison(of));
                self.switch_to(View::Growth);
            }
            Command::ShowTab(key) => self.show_tab(key),
            Command::ShowPage(kind) => self.pages.show(kind),
            Command::Reopen(key) => self.reopen(ctx, key),
            Command::HideBanner(key) => {
                if let Some(tab) = self.tab_mut(key) {
                    tab.banner = None;
                }
            }
            Command::Back(steps) => self.travel(|history| history.back_by(steps)),
            Command::Forward(steps) => self.travel(|history| history.forward_by(steps)),
            Command::Toggle(pane) => {
                self.change_docks(|docks, _| docks.of(pane).into_iter().for_each(|dock| dock.shown ^= true));
            }
            Command::SetVerdict(about) => self.set_verdict_of(*about),
            Command::AddVerdict(verdict) => self.add_verdict(*verdict),
            Command::RememberQuery(query) => self.saved.queries.remember(query),
            Command::SaveQuery(name, query) => self.saved.queries.save(name, query),
            Command::ForgetQuery(name) => self.saved.queries.forget(&name),
            Command::Copy(text, name) => self.put_on_clipboard(ctx, Content::Text(text), name),
            Command::CopyPicture(picture, name) => self.put_on_clipboard(ctx, Content::Picture(picture), name),
            Command::CopyClip(clip) => self.copy(ctx, *clip),
            Command::Done(text) => self.toasts.done(ctx, text),
            Command::Hint(text) => self.toasts.hint(ctx, text),
            Command::Warn(text) => self.toasts.warn(ctx, text),
        }
    }

    /// Opens files: digests as a fleet, dumps in tabs, of which the oldest is compared with the newest.
    fn open_all(&mut self, paths: Vec<PathBuf>) {
        let (digests, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| Fleet::may_be(path));
        paths.iter().for_each(|path| self.open(path));
        self.pages.open_fleet(digests, &self.jobs);
        self.expect_files_together(&paths);
    }

    fn show_query(&mut self, of: DumpKey, query: String) {
        if self.dump_now() == Some(of)
            && let Some(tab) = self.tab_mut(of).filter(|tab| tab.open_dump().is_some())
        {
            tab.views.query.show(query);
            self.go(|location| Location { view: View::Query, ..location });
        }
    }

    /// Asks for a file and exports to it.
    fn export(&mut self, ctx: &Context, of: DumpKey, content: ExportContent, title: &str) {
        let dump = self.tab(of).filter(|_| self.dump_now() == Some(of)).and_then(Tab::open_dump).cloned();
        if let Some(dump) = dump {
            self.exporting.ask(ctx, self.file_prompts.handle(), dump, content, title);
        }
    }

    pub(super) fn go(&mut self, change: impl FnOnce(Location) -> Location) {
        if let Some(location) = self.history.now() {
            self.leave();
            self.history.go(change(location));
        }
    }

    /// Moves the cursor to a location: cursor movements in a row are one entry of the history.
    pub(super) fn pass(&mut self, change: impl FnOnce(Location) -> Location) {
        if let Some(location) = self.location() {
            self.history.pass(change(location));
        }
    }

    /// Dump of the current location.
    pub(super) fn dump_now(&self) -> Option<DumpKey> {
        self.location().map(|location| location.dump)
    }

    /// Stores the state of the current view in the history.
    fn leave(&mut self) {
        let view_state =
            self.history.now().and_then(|location| self.tab(location.dump)?.views.view_state(location.view));
        self.history.leave(view_state);
        self.remember_selection();
    }

    /// Moves through the history and restores the state of the view there.
    pub(super) fn travel(&mut self, step: impl FnOnce(&mut History)) {
        self.leave();
        step(&mut self.history);
        let (Some(location), Some(view_state)) = (self.history.now(), self.history.view_state().cloned()) else {
            return;
        };
        if let Some(tab) = self.tab_mut(location.dump) {
            tab.views.restore(location.view, &view_state);
        }
    }

    /// In the background: files of many gigabytes take the system a while to delete.
    pub(super) fn forget_stored(&mut self) {
        let folder = self.options.storage.folder.clone().or_else(Folder::of_platform);
        self.forgetting.ask(&self.jobs, "delete stored analyses", move |_| {
            let gone = folder.map(|folder| folder.clear()).transpose();
            gone.map(|bytes| bytes.unwrap_or(0)).map_err(|error| JobError::Failed(error.to_string()))
        });
    }

    /// Reports the result of deleting stored analyses.
    pub(super) fn take_forgotten(&mut self, ctx: &Context) {
        match self.forgetting.take_ended() {
            Some(Ok(bytes)) => self.toasts.done(ctx, format!("Deleted {} of stored analyses", Bytes(bytes))),
            Some(Err(error)) => self.toasts.warn(ctx, format!("Cannot delete stored analyses: {error}")),
            None => {}
        }
    }

    /// Shows a tab of the inspector and moves the keyboard focus there.
    pub(super) fn inspect(&mut self, tab: InspectorTab) {
        self.saved.docks.inspector.shown = true;
        self.focus = Pane::Inspector;
        self.requests.add(ViewRequest::Inspect(tab));
    }

    /// Searches the next or previous object of the class, or in Leaks the next one of the selected finding.
    pub(super) fn step_object(&mut self, ctx: &Context, forwards: bool) {
        let jobs = self.jobs.clone();
        let Some(location) = self.history.now() else { return };
        if let (Some(tab), Some(object)) = (self.tab_mut(location.dump), location.object) {
            // In Leaks, steps go through the traces of a leak or the objects of the selected finding.
            if location.view == View::Leaks
                && let Some(stepped) = tab.views.leaks.step_trace(forwards)
            {
                match stepped {
                    Some(object) => self.select_object(object),
                    None => self.toasts.hint(ctx, "No further leak trace with this fingerprint".to_owned()),
                }
                return;
            }
            if location.view == View::Leaks && tab.step_in_finding(&jobs, object, forwards) {
                return;
            }
            tab.step_of_class(&jobs, object, forwards);
        }
    }

    /// Opens the current location in a new tab.
    pub(super) fn open_in_new_tab(&mut self) {
        let Some(location) = self.history.now() else { return };
        let Some(at) = self.tabs.iter().position(|t| t.key == location.dump) else { return };
        let Some(dump) = self.tabs[at].dump.share() else { return };
        let mut tab = Tab::new(self.next_key, dump, self.tabs[at].opened().clone());
        let (path, compares) = (tab.dump.path(), self.tabs[at].comparing().map(|comparing| comparing.dump().path()));
        let is_same =
            |t: &&Tab| t.dump.path() == path && t.comparing().map(|comparing| comparing.dump().path()) == compares;
        tab.copy = 1 + self.tabs.iter().filter(is_same).map(|t| t.copy).max().unwrap_or(0);
        tab.poll();
        let theirs = self.tabs[at].comparing().zip(tab.open_dump());
        if let Some(comparing) = theirs.and_then(|(comparing, after)| comparing.again(after, &self.jobs)) {
            tab.compare(comparing);
        }
        let dump = self.insert_tab(at + 1, tab);
        self.history.go(Location { dump, ..location });
    }

    /// Changes the mark on an object of a dump.
    pub(super) fn mark(&mut self, of: DumpKey, object: ObjectId, change: impl FnOnce(&mut Mark)) {
        let Some((tab, open_dump)) = self.tab(of).and_then(|tab| Some((tab, tab.open_dump()?))) else { return };
        let (dump, id, file) = (open_dump.identity.clone(), open_dump.heap.id_text(object), file_name(tab.dump.path()));
        self.saved.marks.change(&dump, &file, &id, change);
    }

    /// Stores the names of marked objects once they are known, so that other dumps can find them.
    pub(super) fn name_marks(&mut self) {
        let now = self.dump_now();
        let Some(tab) = self.tabs.iter_mut().find(|tab| Some(tab.key) == now) else { return };
        let Some(dump) = tab.open_dump().cloned() else { return };
        self.saved.marks.put_names(&dump.identity, &dump.heap, |object| tab.object_name(object).map(str::to_owned));
    }

    pub(super) fn export_overview(&mut self) {
        let (jobs, rules) = (self.jobs.clone(), self.verdicts.rules.clone());
        let dialogs = self.file_prompts.handle();
        if let Some(tab) = self.tab_now_mut() {
            tab.export_overview(&jobs, &rules, dialogs);
        }
    }

    pub(super) fn show_tab(&mut self, key: DumpKey) {
        self.pages.hide();
        let location = self.history.last_in(key).unwrap_or_else(|| self.start_of(key));
        self.history.go(location);
    }

    /// Shows the tab that is so many tabs further; those of pages are before those of dumps.
    pub(super) fn step_tab(&mut self, by: isize) {
        let pages = self.pages.open();
        let all = (self.tabs.len() + pages.len()) as isize;
        let of_dump = |key| self.tabs.iter().position(|tab| tab.key == key);
        let now = match self.dump_now().and_then(of_dump) {
            Some(location) => location + pages.len(),
            None => match self.pages.shown().and_then(|shown| pages.iter().position(|&kind| kind == shown)) {
                Some(location) => location,
                None => return,
            },
        };
        let to = (now as isize + by).rem_euclid(all) as usize;
        match (pages.get(to), to.checked_sub(pages.len()).and_then(|location| self.tabs.get(location))) {
            (None, Some(tab)) => self.show_tab(tab.key),
            (page, _) => page.into_iter().for_each(|&kind| self.pages.show(kind)),
        }
    }

    pub(super) fn close(&mut self, key: DumpKey) {
        let Some(at) = self.tabs.iter().position(|t| t.key == key) else { return };
        let shown = self.history.now().is_some_and(|p| p.dump == key);
        let page = self.pages.shown();
        self.keep_layout();
        let tab = self.tabs.remove(at);
        let closed = std::iter::once(&tab.dump).chain(tab.comparing().map(Comparing::dump));
        for path in closed.map(DumpHandle::path) {
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
        // A page that is shown stays, and one takes the place of the last dump.
        let next = || self.pages.open().first().copied().filter(|_| self.tabs.is_empty());
        if let Some(kind) = page.or_else(next) {
            self.pages.show(kind);
        }
    }
}
