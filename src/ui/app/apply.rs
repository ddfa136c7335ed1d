//! What commands do. The one place where the window changes.

use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Context, ThemePreference, ViewportCommand};

use super::copying::How;
use super::{App, Picked, start_of};
use crate::export::copy::Form;
use crate::heap::ids::{ClassId, ObjectId};
use crate::session::jobs::JobError;
use crate::storage::folder::Folder;
use crate::ui::command::{Command, Verb};
use crate::ui::marks::Mark;
use crate::ui::panes::{Pane, Side};
use crate::ui::place::{DumpKey, History, Place, View};
use crate::ui::tab::{Tab, What, file_name};
use crate::ui::views::object::{Inspect, Look};
use crate::ui::widgets::units;
use crate::units::Bytes;

/// A dialog that ends sooner was never seen.
const SEEN: Duration = Duration::from_millis(300);

/// Limits on memory that the menu offers.
const FOUR_GIGABYTES: u64 = 4_000_000_000;
const ONE_GIGABYTE: u64 = 1_000_000_000;

impl App {
    /// Whether what a verb sets is set so now; `None` for verbs that do something.
    pub(super) fn is_set(&self, verb: Verb) -> Option<bool> {
        let (memory, theme) = (self.options.keeping.memory, self.saved.theme.preference());
        Some(match verb {
            Verb::MemoryAll => memory.is_none(),
            Verb::MemoryFourGigabytes => memory == Some(FOUR_GIGABYTES),
            Verb::MemoryOneGigabyte => memory == Some(ONE_GIGABYTE),
            Verb::ThemeDark => theme == ThemePreference::Dark,
            Verb::ThemeLight => theme == ThemePreference::Light,
            Verb::ThemeSystem => theme == ThemePreference::System,
            Verb::KeepUnreachable => self.options.rules.keep_unreachable,
            Verb::ExactSizes => self.saved.exact_sizes,
            Verb::PathPane => self.saved.docks.held_by.shown,
            Verb::InspectorPane => self.saved.docks.inspector.shown,
            verb if let Some((pane, side)) = docking(verb) => {
                let mut docks = self.saved.docks;
                docks.of(pane).is_some_and(|dock| dock.side == side)
            }
            _ => return None,
        })
    }

    /// Does what was asked for.
    pub(super) fn apply(&mut self, ctx: &Context, command: Command) {
        ctx.request_repaint();
        match command {
            Command::Do(verb) => self.apply_verb(ctx, verb),
            Command::OpenFile(path) => self.open(&path),
            Command::ShowTab(key) => self.show_tab(key),
            Command::Close(key) => self.close(key),
            Command::Reopen(key) => {
                let Some(path) = self.tab(key).map(|t| t.opened().file.clone()) else { return };
                self.close(key);
                self.open(&path);
            }
            Command::Show(view) => self.go(|place| Place { view, ..place }),
            Command::Select(object) => {
                let class = self.class_of(object);
                self.go(|place| {
                    let view = if place.view.is_about_objects() { place.view } else { View::Dominators };
                    // The list of a class can only show its own objects.
                    let stays = view == View::Objects && place.class == class;
                    let view = if view == View::Objects && !stays { View::Dominators } else { view };
                    Place { view, object: Some(object), class, ..place }
                });
            }
            Command::Pass(object) => {
                let class = self.class_of(object);
                if let Some(place) = self.history.now() {
                    self.history.pass(Place { object: Some(object), class, ..place });
                }
            }
            Command::PassGroup(class) => {
                if let Some(place) = self.history.now() {
                    self.history.pass(Place { object: None, class: class.or(place.class), ..place });
                }
            }
            Command::Settle(object) => {
                let class = self.class_of(object);
                if let Some(place) = self.history.now() {
                    self.history.correct(Place { object: Some(object), class, ..place });
                }
            }
            Command::SelectClass(class) => self.go(|place| Place { class: Some(class), ..place }),
            Command::PassClass(class) => {
                if let Some(place) = self.history.now() {
                    self.history.pass(Place { class: Some(class), ..place });
                }
            }
            Command::ObjectsOf(class) => self.go(|place| {
                let object = place.object.filter(|_| place.class == Some(class) && place.view.is_about_objects());
                Place { view: View::Objects, class: Some(class), object, ..place }
            }),
            Command::About(object, verb) => {
                if self.history.now().and_then(|p| p.object) != Some(object) {
                    self.apply(ctx, Command::Select(object));
                }
                self.apply_verb(ctx, verb);
            }
            Command::Back(places) => self.travel(|history| history.back_by(places)),
            Command::Forward(places) => self.travel(|history| history.forward_by(places)),
            Command::Toggle(pane) => {
                if let Some(dock) = self.saved.docks.of(pane) {
                    dock.shown ^= true;
                }
            }
            Command::WriteNote(object, note) => self.mark(Some(object), |mark| mark.note = note),
            Command::PathsOf(of) => {
                if let Some(key) = self.history.now().map(|place| place.dump)
                    && let Some(tab) = self.tab_mut(key)
                {
                    tab.merge_paths(of);
                }
                self.go(|place| Place { view: View::Paths, ..place });
            }
            Command::Ignore(ignored) => {
                if let Some(key) = self.history.now().map(|place| place.dump)
                    && let Some(tab) = self.tab_mut(key)
                {
                    tab.ignore(ignored);
                }
            }
            Command::Reveal(object) => {
                let class = self.class_of(object);
                self.go(|place| Place { view: View::Dominators, object: Some(object), class, ..place });
            }
            Command::Copy(text, what) => {
                ctx.copy_text(text);
                self.toasts.say(ctx, format!("Copied {what}"), true);
            }
            Command::CopyClip(clip) => self.copy(ctx, *clip),
            Command::Export(request, title) => {
                let answers = place_of(self).and_then(Tab::answers).cloned();
                if let Some(answers) = answers {
                    self.exporting.ask(ctx, answers, *request, &title);
                }
            }
            Command::Done(text) => self.toasts.say(ctx, text, true),
            Command::Say(text) => self.toasts.say(ctx, text, false),
        }
    }

    fn apply_verb(&mut self, ctx: &Context, verb: Verb) {
        let place = self.history.now();
        match verb {
            Verb::Open => self.pick(ctx),
            Verb::ExportOverview => self.export_overview(),
            Verb::CloseTab => self.apply_to_tab(place, Self::close),
            Verb::NextTab => self.step_tab(1),
            Verb::PreviousTab => self.step_tab(self.tabs.len().saturating_sub(1)),
            Verb::StopOpening => {
                if let Some(tab) = place.and_then(|p| self.tab_mut(p.dump)) {
                    tab.dump.cancel();
                }
            }
            Verb::MemoryAll => self.set_memory(ctx, None),
            Verb::MemoryFourGigabytes => self.set_memory(ctx, Some(FOUR_GIGABYTES)),
            Verb::MemoryOneGigabyte => self.set_memory(ctx, Some(ONE_GIGABYTE)),
            Verb::KeepUnreachable => {
                self.options.rules.keep_unreachable ^= true;
                if let Some(place) = place {
                    self.apply(ctx, Command::Reopen(place.dump));
                }
            }
            Verb::ForgetStored => self.forget_stored(),
            Verb::RuntimeClasses => self.edit_rules(),
            Verb::ReloadRuntimeClasses => self.reload_rules(),
            Verb::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Verb::ExportTable => self.asked.export = true,
            Verb::StopExport => self.exporting.stop(),
            Verb::CopyRows => self.ask_copy(What::Rows, How::LastForm),
            Verb::CopyPath => self.ask_copy(What::Path, How::LastForm),
            Verb::CopyObject => self.ask_copy(What::Object, How::LastForm),
            Verb::CopyInside => self.ask_copy(What::Inside, How::LastForm),
            Verb::CopyCommand => self.ask_copy(What::Rows, How::As(Form::Command)),
            Verb::CopyAs => self.ask_copy(What::Rows, How::Chosen),
            Verb::CopyText => self.ask_copy(What::Rows, How::As(Form::Text)),
            Verb::CopyMarkdown => self.ask_copy(What::Rows, How::As(Form::Markdown)),
            Verb::CopyTrace => self.ask_copy(What::Path, How::As(Form::Trace)),
            Verb::CopyCells => self.ask_copy(What::Rows, How::As(Form::Cells)),
            Verb::CopyJson => self.ask_copy(What::Rows, How::As(Form::Json)),
            Verb::MorePaths => {
                if let Some(tab) = place.and_then(|place| self.tab_mut(place.dump)) {
                    tab.more_paths();
                }
            }
            Verb::CopyId => {
                let answers = place.and_then(|p| self.tab(p.dump)).and_then(Tab::answers);
                let id = answers.zip(place.and_then(|p| p.object)).map(|(a, o)| a.heap.id_text(o));
                if let Some(id) = id {
                    self.apply(ctx, Command::Copy(id.clone(), id));
                }
            }
            Verb::Picture => self.asked.picture = true,
            Verb::Filter => self.asked.focus_filter = true,
            Verb::Palette => self.palette.toggle(),
            Verb::Back => self.travel(|history| history.back_by(1)),
            Verb::Forward => self.travel(|history| history.forward_by(1)),
            Verb::Overview => self.apply(ctx, Command::Show(View::Overview)),
            Verb::Dominators => self.apply(ctx, Command::Show(View::Dominators)),
            Verb::Histogram => self.apply(ctx, Command::Show(View::Histogram)),
            Verb::Objects => self.apply(ctx, Command::Show(View::Objects)),
            Verb::Paths => self.apply(ctx, Command::Show(View::Paths)),
            Verb::Threads => self.apply(ctx, Command::Show(View::Threads)),
            Verb::Strings => self.apply(ctx, Command::Show(View::Strings)),
            Verb::Collections => self.apply(ctx, Command::Show(View::Collections)),
            Verb::Waste => self.apply(ctx, Command::Show(View::Waste)),
            Verb::Loaders => self.apply(ctx, Command::Show(View::Loaders)),
            Verb::Finalizers => self.apply(ctx, Command::Show(View::Finalizers)),
            Verb::Roots => self.apply(ctx, Command::Show(View::Roots)),
            Verb::Stars => self.apply(ctx, Command::Show(View::Stars)),
            Verb::Find => self.asked.find = true,
            Verb::Notes => self.apply(ctx, Command::Show(View::Notes)),
            Verb::ShowInTree => {
                if let Some(object) = place.and_then(|p| p.object) {
                    self.apply(ctx, Command::Reveal(object));
                }
            }
            Verb::AccumulationPoint => {
                self.apply(ctx, Command::Show(View::Dominators));
                self.asked.accumulation_point = true;
            }
            Verb::ObjectsOfClass => {
                let class = place.and_then(|p| p.class);
                if let Some(class) = class {
                    self.apply(ctx, Command::ObjectsOf(class));
                }
            }
            Verb::PathPane => self.saved.docks.step(Pane::HeldBy, &mut self.focus),
            Verb::MainPane => self.focus = Pane::Main,
            Verb::InspectorPane => self.saved.docks.step(Pane::Inspector, &mut self.focus),
            Verb::PathLeft
            | Verb::PathRight
            | Verb::PathBelow
            | Verb::InspectorLeft
            | Verb::InspectorRight
            | Verb::InspectorBelow => {
                if let Some((pane, side)) = docking(verb) {
                    self.saved.docks.put(pane, side);
                }
            }
            Verb::ExactSizes => {
                self.saved.exact_sizes ^= true;
                units::set_exact(ctx, self.saved.exact_sizes);
            }
            Verb::Incoming => self.inspect(Look::Incoming),
            Verb::Outgoing => self.inspect(Look::Outgoing),
            Verb::PreviousOfClass => self.step_object(false),
            Verb::NextOfClass => self.step_object(true),
            Verb::OpenBeside => self.open_beside(),
            Verb::RetainedSet => {
                let jobs = self.jobs.clone();
                if let Some(tab) = place.and_then(|p| self.tab_mut(p.dump)) {
                    tab.search_selection(&jobs);
                }
            }
            Verb::Star => self.mark(place.and_then(|p| p.object), |mark| mark.star ^= true),
            Verb::Note => {
                self.saved.docks.inspector.shown = true;
                self.asked.inspect = Some(Inspect::Note);
            }
            Verb::ZoomIn => zoom(ctx, ctx.zoom_factor() + 0.1),
            Verb::ZoomOut => zoom(ctx, ctx.zoom_factor() - 0.1),
            Verb::ZoomReset => zoom(ctx, 1.0),
            Verb::ThemeDark => self.set_theme(ctx, ThemePreference::Dark),
            Verb::ThemeLight => self.set_theme(ctx, ThemePreference::Light),
            Verb::ThemeSystem => self.set_theme(ctx, ThemePreference::System),
            Verb::Help => self.help = !self.help,
        }
    }

    fn go(&mut self, change: impl FnOnce(Place) -> Place) {
        if let Some(place) = self.history.now() {
            self.leave();
            self.history.go(change(place));
        }
    }

    /// Keeps how the view stands, for whoever comes back.
    fn leave(&mut self) {
        let stance = self.history.now().and_then(|place| self.tab(place.dump)?.stance(place.view));
        self.history.leave(stance);
    }

    /// Goes back or forward, to the view as it was left.
    fn travel(&mut self, step: impl FnOnce(&mut History)) {
        self.leave();
        step(&mut self.history);
        let (Some(place), Some(stance)) = (self.history.now(), self.history.stance().cloned()) else { return };
        if let Some(tab) = self.tab_mut(place.dump) {
            tab.stand(place.view, &stance);
        }
    }

    fn set_memory(&mut self, ctx: &Context, limit: Option<u64>) {
        self.limit_memory(limit);
        let said = limit.map_or_else(
            || "Dumps opened from now on take the memory they need".to_owned(),
            |limit| format!("Dumps opened from now on take {} of memory at most", Bytes(limit)),
        );
        self.toasts.say(ctx, said, true);
    }

    /// In the background: files of many gigabytes take the system a while to delete.
    fn forget_stored(&mut self) {
        let folder = self.options.keeping.folder.clone().or_else(Folder::of_platform);
        self.forgetting.ask(&self.jobs, "delete stored analyses", move |_| {
            let gone = folder.map(|folder| folder.clear()).transpose();
            gone.map(|bytes| bytes.unwrap_or(0)).map_err(|error| JobError::Failed(error.to_string()))
        });
    }

    /// Says what became of stored analyses that were to be deleted.
    pub(super) fn take_forgotten(&mut self, ctx: &Context) {
        if !self.forgetting.is_running() {
            return;
        }
        if self.forgetting.poll()
            && let Some(bytes) = self.forgetting.take()
        {
            self.toasts.say(ctx, format!("{} of stored analyses deleted", Bytes(bytes)), true);
        } else if let Some(error) = self.forgetting.error() {
            self.toasts.say(ctx, format!("Stored analyses could not be deleted: {error}"), false);
        }
    }

    /// Shows a part of the inspector, and has keys go there.
    fn inspect(&mut self, look: Look) {
        self.saved.docks.inspector.shown = true;
        self.focus = Pane::Inspector;
        self.asked.inspect = Some(Inspect::Look(look));
    }

    /// Looks for the next object of the class, or the one before.
    fn step_object(&mut self, forwards: bool) {
        let jobs = self.jobs.clone();
        let Some(place) = self.history.now() else { return };
        if let (Some(tab), Some(object)) = (self.tab_mut(place.dump), place.object) {
            tab.step_of_class(&jobs, object, forwards);
        }
    }

    /// The same place in a tab of its own.
    fn open_beside(&mut self) {
        let Some(place) = self.history.now() else { return };
        let Some(at) = self.tabs.iter().position(|t| t.key == place.dump) else { return };
        let Some(dump) = self.tabs[at].dump.again() else { return };
        let key = self.next_key;
        self.next_key += 1;
        let mut tab = Tab::new(key, dump, self.tabs[at].opened().clone());
        let path = tab.dump.path();
        tab.copy = 1 + self.tabs.iter().filter(|t| t.dump.path() == path).map(|t| t.copy).max().unwrap_or(0);
        self.keep_layout();
        tab.lay_out(&self.saved.layout);
        tab.poll();
        self.tabs.insert(at + 1, tab);
        self.history.go(Place { dump: key, ..place });
    }

    /// Changes the mark on an object of the dump that is looked at.
    fn mark(&mut self, object: Option<ObjectId>, change: impl FnOnce(&mut Mark)) {
        let Some(tab) = place_of(self) else { return };
        let Some((answers, object)) = tab.answers().zip(object) else { return };
        let (dump, id, file) = (answers.identity.clone(), answers.heap.id_text(object), file_name(tab.dump.path()));
        self.saved.marks.change(&dump, &file, &id, change);
    }

    /// Marked objects get their names as soon as these are known, to be found by them in other dumps.
    pub(super) fn name_marks(&mut self) {
        let Some(place) = self.history.now() else { return };
        let Some(tab) = self.tabs.iter_mut().find(|tab| tab.key == place.dump) else { return };
        let Some(answers) = tab.answers().cloned() else { return };
        self.saved
            .marks
            .put_names(&answers.identity, &answers.heap, |object| tab.object_name(object).map(str::to_owned));
    }

    fn export_overview(&mut self) {
        let jobs = self.jobs.clone();
        if let Some(tab) = self.history.now().and_then(|place| self.tab_mut(place.dump)) {
            tab.export_overview(&jobs);
        }
    }

    fn class_of(&self, object: ObjectId) -> Option<ClassId> {
        let answers = self.tab(self.history.now()?.dump)?.answers()?;
        Some(answers.heap.class_id(object))
    }

    fn apply_to_tab(&mut self, place: Option<Place>, what: fn(&mut Self, DumpKey)) {
        if let Some(place) = place {
            what(self, place.dump);
        }
    }

    fn show_tab(&mut self, key: DumpKey) {
        let place = self.history.last_in(key).unwrap_or(start_of(key));
        self.history.go(place);
    }

    fn step_tab(&mut self, by: usize) {
        let now = self.history.now().and_then(|p| self.tabs.iter().position(|t| t.key == p.dump));
        if let Some(now) = now {
            let key = self.tabs[(now + by) % self.tabs.len()].key;
            self.show_tab(key);
        }
    }

    fn close(&mut self, key: DumpKey) {
        let Some(at) = self.tabs.iter().position(|t| t.key == key) else { return };
        let shown = self.history.now().is_some_and(|p| p.dump == key);
        self.keep_layout();
        let tab = self.tabs.remove(at);
        self.jobs.discard(tab);
        self.history.forget(key);
        if shown && let Some(tab) = self.tabs.get(at.min(self.tabs.len().saturating_sub(1))) {
            let key = tab.key;
            self.show_tab(key);
        }
    }

    /// Shows the Open dialog, on a thread of its own.
    fn pick(&mut self, ctx: &Context) {
        if std::mem::replace(&mut self.dialog_open, true) {
            return;
        }
        let (sender, waker) = (self.picking.0.clone(), ctx.clone());
        let started = std::thread::Builder::new().name("open dialog".to_owned()).spawn(move || {
            let began = Instant::now();
            let dialog = rfd::FileDialog::new().set_title("Open a heap dump");
            let dialog = dialog
                .add_filter("Heap dumps", &["hprof", "gz", "bin", "dump", "heaplens"])
                .add_filter("All files", &["*"]);
            let path = dialog.pick_file();
            // The window may be gone: then nobody wants the file.
            let _unwanted = sender.send(Picked { path, seen: began.elapsed() > SEEN, from_outside: false });
            waker.request_repaint();
        });
        if started.is_err() {
            self.dialog_open = false;
        }
    }
}

/// The pane that a verb docks, and where.
fn docking(verb: Verb) -> Option<(Pane, Side)> {
    Some(match verb {
        Verb::PathLeft => (Pane::HeldBy, Side::Left),
        Verb::PathRight => (Pane::HeldBy, Side::Right),
        Verb::PathBelow => (Pane::HeldBy, Side::Below),
        Verb::InspectorLeft => (Pane::Inspector, Side::Left),
        Verb::InspectorRight => (Pane::Inspector, Side::Right),
        Verb::InspectorBelow => (Pane::Inspector, Side::Below),
        _ => return None,
    })
}

/// The dump that is looked at.
fn place_of(app: &App) -> Option<&Tab> {
    app.tab(app.history.now()?.dump)
}

fn zoom(ctx: &Context, factor: f32) {
    ctx.set_zoom_factor((factor.clamp(0.5, 3.0) * 10.0).round() / 10.0);
}
