//! The window, one frame at a time: take over finished work, draw, execute commands. It needs only egui, so tests and
//! screenshots run it without a display.
//!
//! Five owners hold its state, each with its own functions: `tabs` (dumps and comparisons), `navigation` (locations,
//! pages, focus), `output` (copies, links, exports), `lists` (verdicts, runtime classes, mappings) and `session`
//! (settings, files, desktop). [`App`] coordinates what needs two of them.

mod event;

mod lists;
mod navigation;
mod output;
mod session;
mod tabs;

mod actions;
mod automation;
mod availability;
mod commands;
mod comparing;
mod copying;
mod cuts;
mod draw;
mod dump_companions;
mod file_watch;
mod fixes;
mod links;
mod polling;
mod reload;
mod session_restore;
mod side_panes;
mod targets;
mod touring;
mod undo;
mod undo_steps;

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use eframe::egui;
use egui::{Context, ThemePreference, Ui};

use self::lists::Lists;
use self::lists::verdicts::Verdicts;
use self::navigation::Navigation;
use self::output::Output;
use self::session::Session;
use self::session::sharing::SharingEndpoint;
use self::session::system_menu::SystemMenu;
use self::tabs::Tabs;
use self::undo_steps::UndoSteps;
use super::clipboard::{Clipboard, Desktop};
use super::command::{Command, Target};
use super::fleet::FleetPage;
use super::layout::Layout;
use super::location::{DumpKey, Location};
use super::shell::toasts::Toasts;
use super::tab::Tab;
use super::theme;
use super::typed_keys::{TypedAhead, ignore_other_signs};
use super::verb::{self, Verb};
use super::view_request::ViewRequest;
use super::views::note;
use super::widgets::object_menu;
use heaplens_assistant::Pictures;
use heaplens_fleet::Fleet;
use heaplens_platform::documents::DocumentRequest;
use heaplens_session::dump::State;
use heaplens_session::{Jobs, OpenOptions, SavedSession};
use heaplens_take::Machine;

/// The window: five owners of its parts, and what all of them use.
pub struct App {
    /// Before the jobs, so that its dialogs are gone when they end: one may wait for an answer.
    session: Session,
    jobs: Jobs,
    options: OpenOptions,
    toasts: Toasts,
    tabs: Tabs,
    navigation: Navigation,
    output: Output,
    lists: Lists,
    undo: UndoSteps,
    typed_ahead: TypedAhead,
}

impl App {
    /// Creates a window that opens `paths`. Sets fonts and style of the context.
    pub fn new(ctx: &Context, paths: &[PathBuf], options: OpenOptions) -> Self {
        theme::style::install(ctx);
        let waker = ctx.clone();
        let jobs = Jobs::new(Arc::new(move || waker.request_repaint()));
        let mut toasts = Toasts::default();
        let mut app = Self {
            session: Session::new(ctx),
            tabs: Tabs::new(&jobs),
            jobs,
            navigation: Navigation::default(),
            output: Output::default(),
            lists: Lists { verdicts: Verdicts::read(ctx, &options, &mut toasts), ..Lists::default() },
            options,
            toasts,
            undo: UndoSteps::default(),
            typed_ahead: TypedAhead::default(),
        };
        let (digests, paths): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.iter().cloned().partition(|path| Fleet::may_be(path));
        for (index, path) in paths.iter().enumerate() {
            app.open_by(path, app.options.of_file(index));
        }
        app.options = app.options.of_file(paths.len());
        // A number of a heap graph is one of its own file only.
        app.options.heap_graphs.clear();
        app.options.read.heap_graph = None;
        app.navigation.pages.open_fleet(digests, &app.jobs);
        if let Some(first) = app.tabs.list().first().map(|t| t.key) {
            app.navigation.history.correct(Location::start(first));
        }
        app.tabs.expect_files_together(&paths);
        app
    }

    /// Like [`App::new`], with stored settings and sessions, and saving its own.
    pub fn with_kept(ctx: &Context, store: SavedSession, paths: &[PathBuf], options: OpenOptions) -> Self {
        let mut app = Self::new(ctx, paths, options);
        app.session.restore(ctx, store);
        app.options.storage.memory = app.options.storage.memory.or(app.session.settings.memory);
        for tab in app.tabs.list_mut() {
            tab.views.lay_out(&app.session.settings.layout);
        }
        app
    }

    /// Opens a dump in a new tab, or shows the tab it is open in.
    pub fn open(&mut self, path: &Path) {
        self.open_by(path, self.options.clone());
    }

    fn open_by(&mut self, path: &Path, options: OpenOptions) {
        self.navigation.pages.hide();
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let there = self.tabs.of_file(&absolute).next().map(|tab| tab.key);
        match there {
            Some(key) => self.navigation.history.go(Location::start(key)),
            None => drop(self.open_in_tab(path, options)),
        }
    }

    /// Opens a dump in a new tab even if it is open already.
    fn open_in_tab(&mut self, path: &Path, options: OpenOptions) -> DumpKey {
        let layout = self.layout();
        let key = self.tabs.open(path, options, &layout, &self.jobs);
        self.navigation.history.go(Location::start(key));
        key
    }

    /// Layout of the current tab, for a new one.
    fn layout(&mut self) -> Layout {
        self.keep_layout();
        self.session.settings.layout.clone()
    }

    /// Stores the layout of the current tab for new tabs.
    fn keep_layout(&mut self) {
        // Comparisons have a layout of their own.
        let tab = self.tab_now_mut().filter(|tab| tab.comparing().is_none());
        if let Some(layout) = tab.map(|tab| tab.views.layout()) {
            self.session.settings.layout = layout;
        }
    }

    /// Opens files and links that the system and other starts of the program ask for.
    pub fn take_documents(&mut self, ctx: &Context, requests: mpsc::Receiver<DocumentRequest>) {
        self.session.files.take_documents(ctx, requests);
    }

    /// Reads every copy back from the clipboard of the desktop before reporting success.
    pub fn use_clipboard_of(&mut self, desktop: Desktop) {
        self.output.clipboard = Clipboard::new(desktop);
    }

    /// Puts the menus into the menu bar of the system; without one the window keeps its own. To be called on the main
    /// thread, by the event loop.
    pub fn use_system_menu(&mut self, ctx: &Context) {
        self.session.system_menu = SystemMenu::install(ctx);
    }

    /// Lets assistants find this window below the cache folder, once its dumps are shared; `draw` makes what draws
    /// pictures for them.
    pub fn share_below(&mut self, cache: PathBuf, draw: fn(OpenOptions) -> Pictures) {
        self.session.sharing.endpoint = Some(SharingEndpoint { cache, draw });
    }

    /// Looks for processes on another machine than this one, for tests.
    pub fn look_for_processes_on(&mut self, machine: Machine, folder: PathBuf) {
        self.navigation.pages.look_for_processes_on(machine, folder);
    }

    /// Keeps the progress page on screen when the dump is open.
    pub fn stay_on_opening_page(&mut self) {
        self.navigation.keeps_opening_page = true;
    }

    /// Sets the theme.
    pub fn set_theme(&mut self, ctx: &Context, theme: ThemePreference) {
        self.session.set_theme(ctx, theme);
    }

    /// Current location.
    pub fn location(&self) -> Option<Location> {
        self.navigation.location()
    }

    /// The fleet, while it is shown.
    pub fn fleet(&self) -> Option<&FleetPage> {
        self.navigation.pages.fleet()
    }

    /// The open dumps, in the order of their tabs.
    pub fn tabs(&self) -> &[Tab] {
        self.tabs.list()
    }

    /// True while something on screen is still being computed.
    pub fn is_busy(&self) -> bool {
        self.busy_with().is_some()
    }

    /// Part of the window that is still waiting for a result.
    pub fn busy_with(&self) -> Option<&'static str> {
        // It waits for a path that is typed.
        if self.session.files.prompts.is_open() {
            return None;
        }
        let busy_with = |location: Location| {
            self.tabs.get(location.dump)?.busy_with(location.view, location.view.is_about_objects())
        };
        let of_window = || {
            [
                (self.navigation.palette.is_running(), "the palette"),
                (self.output.exporting.is_running(), "an export"),
                (self.output.links.is_running(), "a link"),
                (!self.tabs.pending.is_empty() || self.tabs.hint.is_running(), "a pending comparison"),
                (self.navigation.pages.is_running(), "digests or processes"),
                (self.tabs.list().iter().any(|tab| *tab.dump.state() == State::Opening), "opening"),
            ]
            .into_iter()
            .find_map(|(is_running, what)| is_running.then_some(what))
        };
        self.location().and_then(busy_with).or_else(|| self.lists.busy_with()).or_else(of_window)
    }

    /// Window title.
    pub fn title(&self) -> &str {
        self.session.title()
    }

    /// Tab of the current location.
    fn tab_now(&self) -> Option<&Tab> {
        self.navigation.tab(&self.tabs)
    }

    fn tab_now_mut(&mut self) -> Option<&mut Tab> {
        self.navigation.tab_mut(&mut self.tabs)
    }

    /// Runs one frame.
    pub fn frame(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let mut commands = Vec::new();
        let is_covered = self.is_covered();
        self.navigation.tooltips.begin(&ctx, is_covered);
        ignore_other_signs(&ctx);
        self.typed_ahead.hold(&ctx, is_covered || self.awaits_field(), verb::leads_to_field);
        self.poll(&ctx, &mut commands);
        self.take_keys(&ctx, &mut commands);
        self.take_step(&mut commands);
        self.take_smallest(&mut commands);
        self.take_fixes(&ctx);
        self.take_resolved(&mut commands);
        object_menu::offer(&ctx, self.navigation.dump(), |verb| self.is_available(verb, &Target::Selection));
        let requests = std::mem::take(&mut self.navigation.requests);
        self.draw(ui, &requests, &mut commands);
        commands.extend(object_menu::take(&ctx));
        let acted = !commands.is_empty();
        for command in commands {
            self.apply(&ctx, command);
        }
        if self.session.is_stored() {
            self.keep_all(&ctx, acted);
        }
        let mut late = Vec::new();
        self.toasts.ui(&ctx, self.navigation.dump(), &mut late);
        late.into_iter().for_each(|command| self.apply(&ctx, command));
        self.draw_title(&ctx);
        if let Some(menu) = &self.session.system_menu {
            menu.update(&|verb| self.is_in_menu(verb), &|verb| self.is_set(verb));
        }
    }

    /// True while something lies over the window and takes the keys.
    fn is_covered(&self) -> bool {
        self.navigation.palette.is_open()
            || self.navigation.help.is_open()
            || self.session.files.prompts.is_open()
            || self.output.copying.chooser.is_some()
            || self.lists.verdicts.is_open()
    }

    /// True if a field gets the focus in this frame: what is typed is for it.
    fn awaits_field(&self) -> bool {
        [ViewRequest::Filter, ViewRequest::Find].into_iter().any(|request| self.navigation.requests.has(request))
    }

    fn take_keys(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        self.output.copying.chooser.iter_mut().for_each(|chooser| chooser.keys(ctx));
        // egui turns Ctrl+C into a copy event before shortcuts are checked.
        if !ctx.egui_wants_keyboard_input() && self.is_available(Verb::CopyRows, &Target::Selection) {
            let copies = ctx.input_mut(|i| {
                let before = i.events.len();
                i.events.retain(|e| !matches!(e, egui::Event::Copy));
                before != i.events.len()
            });
            if copies {
                commands.push(Command::from(Verb::CopyRows));
            }
        }
        if self.is_covered() {
            return;
        }
        if !note::take_keys(ctx) {
            self.undo.end_note();
        }
        for (button, verb) in [(egui::PointerButton::Extra1, Verb::Back), (egui::PointerButton::Extra2, Verb::Forward)]
        {
            if ctx.input(|i| i.pointer.button_pressed(button)) && self.is_available(verb, &Target::Selection) {
                commands.push(Command::from(verb));
            }
        }
        if self.awaits_field() {
            return;
        }
        let usable = |verb| self.is_available(verb, &Target::Selection);
        if self.tab_now().is_some_and(|tab| tab.open_dump().is_some())
            && let Some(verb) = verb::pressed_without_target(ctx, &usable)
        {
            commands.push(Command::Hint(format!("{}: select an object first", verb.entry().name)));
        }
        let keys = verb::take_keys(ctx, &|verb| self.is_available(verb, &Target::Selection));
        commands.extend(keys.into_iter().map(Command::from));
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.frame(ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.keep_layout();
        self.keep_at_end();
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
