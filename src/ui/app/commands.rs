//! Execution of commands: the only place that changes the window. Actions are in `actions.rs` and `targets.rs`.

use std::path::{Path, PathBuf};

use eframe::egui;
use egui::Context;

use super::App;
use super::undo_steps::Step;
use crate::ui::clipboard::Content;
use crate::ui::export_content::ExportContent;
use crate::ui::location::NamedLocation;
use crate::ui::panes::InspectorTab;
use crate::ui::tab::Tab;
use crate::ui::tab::fix_jobs::FixSource;
use crate::ui::view_request::ViewRequest;
use crate::ui::views::welcome::{Start, StartQuestion};
use crate::ui::{Command, DumpKey, Location, Pane, Target, Verb, View};
use crate::view::growth_table::GrowthTable;
use heaplens_fleet::Fleet;
use heaplens_session::Cuts;
use heaplens_tables::export::printable::one_line;

impl App {
    /// Executes a command.
    pub fn apply(&mut self, ctx: &Context, command: Command) {
        ctx.request_repaint();
        let (before, closes) = (self.navigation.now(), matches!(command, Command::Do(Verb::CloseTab, Target::Tab(_))));
        self.execute(ctx, command);
        // What leads to a location in a dump shows it, instead of a page of its own.
        if self.navigation.now() != before && !closes {
            self.navigation.pages.hide();
        }
    }

    fn execute(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Do(verb, on) => self.run(ctx, verb, on),
            Command::Select(dump, target, by) => self.navigation.select(&mut self.tabs, dump, target, by),
            Command::Cut(dump, cuts) => self.toggle_cuts(dump, cuts),
            Command::CutNamed(dump, name) => self.resolve_cut(dump, name),
            Command::ClearCuts => self.change_cuts(self.navigation.dump(), Cuts::clear),
            Command::SwitchCut(dump, at, is_on) => {
                self.change_cuts(Some(dump), |cuts, dump, jobs| cuts.switch(at, is_on, dump, jobs));
            }
            Command::NoteCut(dump, at, note) => {
                self.change_cuts(Some(dump), |cuts, dump, jobs| cuts.note(at, note, dump, jobs));
            }
            Command::NameFix(dump, name) => {
                self.change_cuts(Some(dump), |cuts, dump, jobs| cuts.name_fix(&name, dump, jobs));
            }
            Command::SaveFix(dump, path) => self.save_fix(dump, path),
            Command::ReadFix(path) => self.apply_fix(ctx, self.navigation.dump(), FixSource::File(path)),
            Command::ApplyFix(dump, fix) => self.apply_fix(ctx, Some(dump), FixSource::Known(*fix)),
            Command::ShowAfter(dump, is_wanted) => self.show_after(Some(dump), is_wanted),
            Command::WriteNote(dump, object, note) => self.write_note(dump, object, note),
            Command::ShowQuery(dump, query) => self.show_query(dump, query),
            Command::Export(dump, content, title) => self.export(ctx, dump, *content, &title),
            Command::Open(paths) => self.open_all(paths),
            Command::OpenLink(link) => self.open_link(ctx, &link),
            Command::OpenTaken { dump, before } => self.open_taken(&dump, before.as_deref()),
            Command::OpenFinding(path, fingerprint) => self.open_finding(&path, fingerprint),
            Command::UseMapping(path) => self.use_mapping(ctx, path),
            Command::ReadReport(path) => self.read_report(ctx, path),
            Command::ReadRecord(path) => self.read_record(ctx, path),
            Command::Compare(one, other) => self.compare(one, other),
            Command::CompareAgain(key) => self.tabs.compare_again(key, &self.jobs),
            Command::ShowGrowth(of) => {
                self.show_table(GrowthTable::Comparison(of));
                self.navigation.switch_to(&mut self.tabs, View::Growth);
            }
            Command::ShowTab(key) => self.navigation.show_tab(&self.tabs, key),
            Command::ShowPage(kind) => self.navigation.pages.show(kind),
            Command::Reopen(key) => self.reopen(ctx, key),
            Command::HideBanner(key) => {
                if let Some(tab) = self.tabs.get_mut(key) {
                    tab.banner = None;
                }
            }
            Command::Back(steps) => self.navigation.travel(&mut self.tabs, |history| history.back_by(steps)),
            Command::Forward(steps) => self.navigation.travel(&mut self.tabs, |history| history.forward_by(steps)),
            Command::Toggle(pane) => {
                self.change_docks(|docks, _| docks.of(pane).into_iter().for_each(|dock| dock.shown ^= true));
            }
            Command::SetVerdict(about) => self.ask_verdict(Some(*about)),
            Command::AddVerdict(verdict) => {
                let before = self.lists.verdicts.add(*verdict, &self.jobs);
                self.lists.verdicts.offers_undo = true;
                self.undo.push(Step::Verdict(Box::new(before)));
            }
            Command::StepTour(by) => self.step_tour(by),
            Command::EndTour => self.navigation.tour = None,
            Command::UndoRemovals(dump, is_redo) => self.undo_removals(dump, is_redo),
            Command::RememberQuery(query) => self.session.settings.queries.remember(query),
            Command::SaveQuery(name, query) => self.session.settings.queries.save(name, query),
            Command::ForgetQuery(name) => self.session.settings.queries.forget(&name),
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
        for folder in digests.iter().filter(|path| path.is_dir()) {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            self.session.settings.remember(&folder);
        }
        self.navigation.pages.open_fleet(digests, &self.jobs);
        let Some(Start { dumps, question }) = self.navigation.welcome.choose(paths) else { return };
        for path in &dumps {
            self.open(path);
            self.await_answer(question);
        }
        match (question, dumps.as_slice()) {
            (Some(StartQuestion::Programs), [first, second, ..]) => self.tabs.expect_requested(first, second),
            _ => self.tabs.expect_files_together(&dumps),
        }
    }

    /// Has the dump that was just opened begin with the view that answers a question of the start page.
    fn await_answer(&mut self, question: Option<StartQuestion>) {
        if let Some(view) = question.and_then(StartQuestion::view)
            && let Some(tab) = self.tab_now_mut()
        {
            tab.awaited = Some(NamedLocation { view: Some(view), object: None, class: None });
        }
    }

    fn show_query(&mut self, of: DumpKey, query: String) {
        if self.navigation.dump() == Some(of)
            && let Some(tab) = self.tabs.get_mut(of).filter(|tab| tab.open_dump().is_some())
        {
            tab.views.query.show(query);
            self.navigation.go(&mut self.tabs, |location| Location { view: View::Query, ..location });
        }
    }

    /// Asks for a file and exports to it.
    fn export(&mut self, ctx: &Context, of: DumpKey, content: ExportContent, title: &str) {
        let dump = self.tabs.get(of).filter(|_| self.navigation.dump() == Some(of)).and_then(Tab::open_dump).cloned();
        if let Some(dump) = dump {
            self.output.exporting.ask(ctx, self.session.files.prompts.handle(), dump, content, title);
        }
    }

    /// Shows a tab of the inspector and moves the keyboard focus there.
    pub(super) fn inspect(&mut self, tab: InspectorTab) {
        self.session.settings.docks.inspector.shown = true;
        self.navigation.focus = Pane::Inspector;
        self.navigation.requests.add(ViewRequest::Inspect(tab));
    }

    /// Opens the current location in a new tab.
    pub(super) fn open_in_new_tab(&mut self) {
        let (Some(location), layout) = (self.navigation.now(), self.layout()) else { return };
        if let Some(dump) = self.tabs.duplicate(location.dump, &layout, &self.jobs) {
            self.navigation.history.go(Location { dump, ..location });
        }
    }

    /// Opens a dump that was taken, and compares it with the one before.
    fn open_taken(&mut self, dump: &Path, before: Option<&Path>) {
        self.open(dump);
        let question = self.navigation.welcome.take_question();
        self.await_answer(question);
        if let Some(before) = before {
            // It may have been closed.
            if self.tabs.of_file(before).next().is_none() {
                self.open(before);
            }
            self.tabs.expect_requested(before, dump);
        }
    }

    /// Opens a dump of a fleet at a finding.
    fn open_finding(&mut self, path: &Path, fingerprint: String) {
        self.open(path);
        if let Some(tab) = self.tab_now_mut() {
            tab.views.leaks.look_for_finding(fingerprint);
            tab.awaited = Some(NamedLocation { view: Some(View::Leaks), object: None, class: None });
        }
    }

    pub(super) fn export_report(&mut self) {
        let dialogs = self.session.files.prompts.handle();
        if let Some(tab) = self.navigation.dump().and_then(|key| self.tabs.get_mut(key)) {
            tab.export_report(&self.jobs, &self.lists.verdicts.rules, dialogs);
        }
    }

    /// Closes the tab of a dump or a comparison at the request of the user, who can have it back.
    pub(super) fn close_by_user(&mut self, ctx: &Context, key: DumpKey) {
        if let Some(tab) = self.tabs.get(key) {
            let at = self.tabs.index_of(key).unwrap_or_default();
            let closed = self.closed_tab(at, tab);
            let name = one_line(&tab.name());
            self.undo.push(Step::Tab(Box::new(closed)));
            self.toasts.done_undoable(ctx, format!("Closed {name}"));
        }
        self.close(key);
    }

    /// Closes the tab of a dump or a comparison.
    pub(super) fn close(&mut self, key: DumpKey) {
        let is_shown = self.navigation.now().is_some_and(|location| location.dump == key);
        let page = self.navigation.pages.shown();
        self.keep_layout();
        let Some((at, tab)) = self.tabs.remove(key) else { return };
        self.jobs.discard(tab);
        self.navigation.history.forget(key);
        let tabs = self.tabs.list();
        if is_shown && let Some(tab) = tabs.get(at.min(tabs.len().saturating_sub(1))) {
            self.navigation.show_tab(&self.tabs, tab.key);
        }
        // A page that is shown stays, and one takes the place of the last dump.
        let next = || self.navigation.pages.open().first().copied().filter(|_| self.tabs.list().is_empty());
        if let Some(kind) = page.or_else(next) {
            self.navigation.pages.show(kind);
        }
    }
}
