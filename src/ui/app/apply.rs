//! What commands do. The one place where the window changes.

use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Context, ThemePreference, ViewportCommand};

use super::{App, Picked, start_of};
use crate::session::jobs::JobError;
use crate::storage::folder::Folder;
use crate::ui::command::{Command, Verb};
use crate::ui::place::{DumpKey, Place, View};
use crate::ui::tab::Tab;
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
            Verb::PathPane => self.saved.path_pane,
            Verb::InspectorPane => self.saved.inspector_pane,
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
                let Some(path) = self.tab(key).map(|t| t.dump.path().to_owned()) else { return };
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
            Command::Reveal(object) => {
                let class = self.class_of(object);
                self.go(|place| Place { view: View::Dominators, object: Some(object), class, ..place });
            }
            Command::Copy(text, what) => {
                ctx.copy_text(text);
                self.toasts.say(ctx, format!("Copied {what}"), true);
            }
            Command::Say(text) => self.toasts.say(ctx, text, false),
        }
    }

    fn apply_verb(&mut self, ctx: &Context, verb: Verb) {
        let place = self.history.now();
        match verb {
            Verb::Open => self.pick(ctx),
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
            Verb::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Verb::CopyRows => self.asked.copy_rows = true,
            Verb::CopyPath => self.asked.copy_path = true,
            Verb::CopyId => {
                let answers = place.and_then(|p| self.tab(p.dump)).and_then(Tab::answers);
                let id = answers.zip(place.and_then(|p| p.object)).map(|(a, o)| a.heap.id_text(o));
                if let Some(id) = id {
                    self.apply(ctx, Command::Copy(id.clone(), id));
                }
            }
            Verb::Filter => self.asked.focus_filter = true,
            Verb::Palette => self.palette.toggle(),
            Verb::Back => self.history.back(),
            Verb::Forward => self.history.forward(),
            Verb::Dominators => self.apply(ctx, Command::Show(View::Dominators)),
            Verb::Histogram => self.apply(ctx, Command::Show(View::Histogram)),
            Verb::Objects => self.apply(ctx, Command::Show(View::Objects)),
            Verb::Threads => self.apply(ctx, Command::Show(View::Threads)),
            Verb::Strings => self.apply(ctx, Command::Show(View::Strings)),
            Verb::Collections => self.apply(ctx, Command::Show(View::Collections)),
            Verb::Waste => self.apply(ctx, Command::Show(View::Waste)),
            Verb::Loaders => self.apply(ctx, Command::Show(View::Loaders)),
            Verb::Finalizers => self.apply(ctx, Command::Show(View::Finalizers)),
            Verb::Roots => self.apply(ctx, Command::Show(View::Roots)),
            Verb::Notes => self.apply(ctx, Command::Show(View::Notes)),
            Verb::ShowInTree => {
                if let Some(object) = place.and_then(|p| p.object) {
                    self.apply(ctx, Command::Reveal(object));
                }
            }
            Verb::ObjectsOfClass => {
                let class = place.and_then(|p| p.class);
                if let Some(class) = class {
                    self.apply(ctx, Command::ObjectsOf(class));
                }
            }
            Verb::PathPane => self.saved.path_pane = !self.saved.path_pane,
            Verb::InspectorPane => self.saved.inspector_pane = !self.saved.inspector_pane,
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
            self.history.go(change(place));
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

    fn class_of(&self, object: crate::heap::ids::ObjectId) -> Option<crate::heap::ids::ClassId> {
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

fn zoom(ctx: &Context, factor: f32) {
    ctx.set_zoom_factor((factor.clamp(0.5, 3.0) * 10.0).round() / 10.0);
}
