//! The window, one frame at a time: poll results, draw, execute commands. It needs only egui, so tests and screenshots
//! run it without a display.

mod actions;
mod automation;
mod availability;
mod commands;
mod companion_files;
mod comparing;
mod copy_state;
mod copying;
mod cutting;
mod draw;
mod file_watch;
mod kept_cuts;
mod koom_report;
mod leaks;
mod link_state;
mod links;
mod mapping;
mod open_tabs;
mod page_tabs;
mod pending;
mod picking;
mod processes;
mod reload;
mod runtime_classes;
mod session_restore;
mod sets;
mod settings;
mod sharing;
mod sharing_state;
mod switching;
mod system_menu;
mod system_menu_state;
mod targets;
mod verdict_state;
mod verdicts;

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use crossbeam_channel::{Receiver, Sender};
use eframe::egui;
use egui::{Context, ThemePreference, Ui};

use self::copy_state::Copying;
use self::link_state::Links;
use self::open_tabs::OpenTabs;
use self::page_tabs::PageTabs;
use self::pending::{FileSelection, MappedDump, PendingComparison, ProgramHint};
use self::settings::WindowSettings;
use self::sharing_state::Sharing;
use self::system_menu_state::SystemMenu;
use self::verdict_state::Verdicts;
use super::clipboard::{Clipboard, Desktop};
use super::command::{Command, Target};
use super::exporting::Exporting;
use super::file_dialog::FilePrompts;
use super::fleet::FleetPage;
use super::location::{DumpKey, History, Location};
use super::panes::Pane;
use super::shell::help::Help;
use super::shell::palette::Palette;
use super::shell::toasts::Toasts;
use super::tab::Tab;
use super::theme;
use super::typed_keys::ignore_other_signs;
use super::verb::{self, Verb};
use super::view_request::ViewRequests;
use super::views::welcome::Welcome;
use super::widgets::table::set_arrangements;
use super::widgets::{object_menu, units};
use heaplens_analysis::RuntimeClasses;
use heaplens_dump::facts::Facts;
use heaplens_fleet::Fleet;
use heaplens_platform::documents::DocumentRequest;
use heaplens_session::dump::State;
use heaplens_session::koom::KoomMatch;
use heaplens_session::watch::Watch;
use heaplens_session::{DumpHandle, Jobs, OpenOptions, OpenSettings, SavedSession, Slot};
use heaplens_take::Machine;

/// The window.
pub struct App {
    /// Before the jobs, so that it is gone when they end: one may wait for an answer.
    file_prompts: FilePrompts,
    jobs: Jobs,
    pages: PageTabs,
    /// Where running processes are looked for.
    machine: Machine,
    /// Folder of their dumps; `None` for that of the platform.
    dumps_folder: Option<PathBuf>,
    options: OpenOptions,
    tabs: Vec<Tab>,
    next_key: DumpKey,
    history: History,
    requests: ViewRequests,
    saved: WindowSettings,
    welcome: Welcome,
    toasts: Toasts,
    palette: Palette,
    help: Help,
    focus: Pane,
    picking: (Sender<FileSelection>, Receiver<FileSelection>),
    dialog_open: bool,
    copying: Copying,
    links: Links,
    clipboard: Clipboard,
    exporting: Exporting,
    sharing: Sharing,
    /// Mapping being applied.
    mapping: Slot<MappedDump>,
    /// KOOM report being imported.
    reported: Slot<(DumpKey, Facts, KoomMatch)>,
    /// Deletion of stored analyses; result in bytes.
    forgetting: Slot<u64>,
    /// Work on the user's list of runtime classes: message and new list.
    listing: Slot<(String, Option<Arc<RuntimeClasses>>)>,
    /// The user's verdicts and the built-in rules.
    verdicts: Verdicts,
    /// Keeps the progress page when the dump is open (for screenshots).
    opening_page: bool,
    /// Scheduled comparisons.
    together: Vec<PendingComparison>,
    /// Suggestion of a comparison, once its dumps are known to be of one program.
    hinting: Slot<ProgramHint>,
    /// Tabs of the previous session by their index there, to put its comparisons between them.
    restored: Vec<(usize, DumpKey)>,
    /// Watches the files of open dumps.
    watch: Watch,
    /// Storage for settings and session; `None` if nothing is saved.
    kept: Option<SavedSession>,
    /// Previous session, to be reopened.
    offered: Option<OpenTabs>,
    /// True if the list of views shows names.
    names_views: bool,
    /// Present window title.
    title: String,
    /// Menus in the menu bar of the system; `None` if the window has its own.
    system_menu: Option<SystemMenu>,
}

impl App {
    /// Creates a window that opens `paths`. Sets fonts and style of the context.
    pub fn new(ctx: &Context, paths: &[PathBuf], options: OpenOptions) -> Self {
        theme::style::install(ctx);
        let waker = ctx.clone();
        let jobs = Jobs::new(Arc::new(move || waker.request_repaint()));
        let mut app = Self {
            file_prompts: FilePrompts::new(ctx),
            watch: Watch::new(&jobs),
            kept: None,
            offered: None,
            jobs,
            pages: PageTabs::default(),
            machine: Machine::this(),
            dumps_folder: None,
            options,
            tabs: Vec::new(),
            next_key: 1,
            history: History::default(),
            requests: ViewRequests::default(),
            saved: WindowSettings::default(),
            welcome: Welcome::default(),
            toasts: Toasts::default(),
            palette: Palette::default(),
            help: Help::default(),
            focus: Pane::Main,
            picking: crossbeam_channel::unbounded(),
            dialog_open: false,
            copying: Copying::default(),
            links: Links::default(),
            clipboard: Clipboard::default(),
            exporting: Exporting::default(),
            sharing: Sharing::default(),
            mapping: Slot::default(),
            reported: Slot::default(),
            forgetting: Slot::default(),
            listing: Slot::default(),
            verdicts: Verdicts::default(),
            opening_page: false,
            together: Vec::new(),
            hinting: Slot::default(),
            restored: Vec::new(),
            names_views: true,
            title: String::new(),
            system_menu: None,
        };
        app.read_verdicts(ctx);
        let (digests, paths): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.iter().cloned().partition(|path| Fleet::may_be(path));
        for (index, path) in paths.iter().enumerate() {
            app.open_as(path, app.options.of_file(index));
        }
        app.options = app.options.of_file(paths.len());
        // A number of a heap graph is one of its own file only.
        app.options.heap_graphs.clear();
        app.options.read.heap_graph = None;
        app.pages.open_fleet(digests, &app.jobs);
        if let Some(first) = app.tabs.first().map(|t| t.key) {
            app.history.correct(Location::start(first));
        }
        app.expect_files_together(&paths);
        app
    }

    /// Like [`App::new`], with stored settings and sessions, and saving its own.
    pub fn with_kept(ctx: &Context, mut kept: SavedSession, paths: &[PathBuf], options: OpenOptions) -> Self {
        let mut app = Self::new(ctx, paths, options);
        let saved = kept.settings::<WindowSettings>();
        app.options.storage.memory = app.options.storage.memory.or(saved.memory);
        let opened = std::mem::replace(&mut app.saved, saved).recent;
        for path in opened.iter().rev() {
            app.saved.remember(path);
        }
        for tab in &mut app.tabs {
            tab.views.lay_out(&app.saved.layout);
        }
        app.offered = OpenTabs::together(kept.last());
        app.kept = Some(kept);
        ctx.set_theme(app.saved.theme);
        units::set_exact(ctx, app.saved.exact_sizes);
        set_arrangements(ctx, &app.saved.columns);
        ctx.set_zoom_factor(app.saved.zoom.clamp(0.5, 3.0));
        app
    }

    /// Opens a dump in a new tab, or shows the tab it is open in.
    pub fn open(&mut self, path: &Path) {
        self.open_as(path, self.options.clone());
    }

    fn open_as(&mut self, path: &Path, options: OpenOptions) {
        self.pages.hide();
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let there = self.tabs_of(&absolute).next().map(|tab| tab.key);
        match there {
            Some(key) => self.history.go(Location::start(key)),
            None => drop(self.open_in_tab(path, options)),
        }
    }

    /// Tabs of a file that are neither comparisons nor cancelled.
    fn tabs_of(&self, path: &Path) -> impl Iterator<Item = &Tab> {
        let alone = self.tabs.iter().filter(|tab| tab.comparing().is_none());
        alone.filter(move |tab| tab.dump.path() == path && *tab.dump.state() != State::Cancelled)
    }

    /// Opens a dump in a new tab even if it is open already.
    fn open_in_tab(&mut self, path: &Path, options: OpenOptions) -> DumpKey {
        let named = path;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let opened = opened_as(named, &options);
        let dump = DumpHandle::open(&path, options, &self.jobs);
        self.watch.begin(&path);
        let mut tab = Tab::new(self.next_key, dump, opened);
        tab.copy = 1 + self.tabs_of(&path).map(|tab| tab.copy).max().unwrap_or(0);
        let key = self.insert_tab(self.tabs.len(), tab);
        self.history.go(Location::start(key));
        key
    }

    /// Inserts a new tab, which has the next key, with the layout of the current one.
    fn insert_tab(&mut self, at: usize, mut tab: Tab) -> DumpKey {
        let key = tab.key;
        self.keep_layout();
        tab.views.lay_out(&self.saved.layout);
        self.next_key += 1;
        self.tabs.insert(at.min(self.tabs.len()), tab);
        key
    }

    /// Stores the layout of the current tab for new tabs.
    fn keep_layout(&mut self) {
        // Comparisons have a layout of their own.
        if let Some(tab) = self.tab_now_mut().filter(|tab| tab.comparing().is_none()) {
            self.saved.layout = tab.views.layout();
        }
    }

    /// Opens files and links that the system and other starts of the program ask for.
    pub fn take_documents(&mut self, ctx: &Context, requests: mpsc::Receiver<DocumentRequest>) {
        let (sender, waker) = (self.picking.0.clone(), ctx.clone());
        // Without the thread the requests are ignored.
        let _refused = heaplens_base::threads::start("documents", move || {
            for DocumentRequest { paths, links } in requests {
                // The window may be closing; then the receiver is gone.
                let _unwanted = sender.send(FileSelection { paths, links, from_outside: true, command: None });
                waker.request_repaint();
            }
        });
    }

    /// Reads every copy back from the clipboard of the desktop before reporting success.
    pub fn use_clipboard_of(&mut self, desktop: Desktop) {
        self.clipboard = Clipboard::new(desktop);
    }

    /// Keeps the progress page on screen when the dump is open.
    pub fn stay_on_opening_page(&mut self) {
        self.opening_page = true;
    }

    /// Sets the theme.
    pub fn set_theme(&mut self, ctx: &Context, theme: ThemePreference) {
        self.saved.theme = theme;
        ctx.set_theme(theme);
    }

    /// Current location.
    pub fn location(&self) -> Option<Location> {
        self.history.now().filter(|_| self.pages.shown().is_none())
    }

    /// The fleet, while it is shown.
    pub fn fleet(&self) -> Option<&FleetPage> {
        self.pages.fleet()
    }

    /// The open dumps, in the order of their tabs.
    pub fn tabs(&self) -> &[Tab] {
        &self.tabs
    }

    /// True while something on screen is still being computed.
    pub fn is_busy(&self) -> bool {
        self.busy_with().is_some()
    }

    /// Part of the window that is still waiting for a result.
    pub fn busy_with(&self) -> Option<&'static str> {
        // It waits for a path that is typed.
        if self.file_prompts.is_open() {
            return None;
        }
        let busy_with =
            |location: Location| self.tab(location.dump)?.busy_with(location.view, location.view.is_about_objects());
        let of_tab = self.location().and_then(busy_with);
        let of_window = [
            (self.palette.is_running(), "the palette"),
            (self.exporting.is_running(), "an export"),
            (self.links.is_running(), "a link"),
            (self.listing.is_running(), "the runtime classes"),
            (self.mapping.is_running(), "a mapping"),
            (self.reported.is_running(), "a report"),
            (self.verdicts.is_running(), "verdicts"),
            (!self.together.is_empty() || self.hinting.is_running(), "a pending comparison"),
            (self.pages.is_running(), "digests or processes"),
            (self.tabs.iter().any(|tab| *tab.dump.state() == State::Opening), "opening"),
        ];
        of_tab.or_else(|| of_window.into_iter().find_map(|(is_running, what)| is_running.then_some(what)))
    }

    /// Window title.
    pub fn title(&self) -> &str {
        &self.title
    }

    fn tab(&self, key: DumpKey) -> Option<&Tab> {
        self.tabs.iter().find(|t| t.key == key)
    }

    fn tab_mut(&mut self, key: DumpKey) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|t| t.key == key)
    }

    /// Tab of the current location.
    fn tab_now(&self) -> Option<&Tab> {
        self.tab(self.dump_now()?)
    }

    fn tab_now_mut(&mut self) -> Option<&mut Tab> {
        self.tab_mut(self.dump_now()?)
    }

    /// Runs one frame.
    pub fn frame(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let mut commands = Vec::new();
        ignore_other_signs(&ctx);
        self.take_copied(&ctx);
        self.take_name(&ctx);
        self.poll_tabs(&ctx);
        self.saved.zoom = ctx.zoom_factor();
        self.take_awaited();
        self.restore_cuts(&ctx);
        self.take_links(&ctx);
        self.keep_up(&ctx);
        self.take_forgotten(&ctx);
        self.take_runtime_classes(&ctx);
        self.take_mapping(&ctx);
        self.take_reported(&ctx);
        self.take_verdicts(&ctx);
        self.name_marks();
        self.take_files(&ctx, &mut commands);
        self.share_tabs();
        self.exporting.tick(&ctx, &self.jobs, &mut self.toasts);
        self.take_menu(&mut commands);
        self.take_keys(&ctx, &mut commands);
        self.take_steps(&mut commands);
        object_menu::offer(&ctx, self.dump_now(), |verb| self.is_available(verb, &Target::Selection));
        let requests = std::mem::take(&mut self.requests);
        self.draw(ui, &requests, &mut commands);
        commands.extend(object_menu::take(&ctx));
        let acted = !commands.is_empty();
        for command in commands {
            self.apply(&ctx, command);
        }
        if self.kept.is_some() {
            self.keep_all(&ctx, acted);
        }
        let shown = self.dump_now();
        self.toasts.ui(&ctx, shown);
        self.draw_title(&ctx);
        self.update_menu();
    }

    /// True while something lies over the window and takes the keys.
    fn is_covered(&self) -> bool {
        self.palette.is_open()
            || self.help.is_open()
            || self.file_prompts.is_open()
            || self.copying.chooser.is_some()
            || self.verdicts.is_open()
    }

    fn take_keys(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        self.copying.chooser.iter_mut().for_each(|chooser| chooser.keys(ctx));
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
        commands.extend(
            verb::take_keys(ctx, &|verb| self.is_available(verb, &Target::Selection)).into_iter().map(Command::from),
        );
    }

    /// Selects the next or previous object of the class once it is found, if its origin is still selected.
    fn take_steps(&mut self, commands: &mut Vec<Command>) {
        let Some(location) = self.location() else { return };
        let found = self.tab_mut(location.dump).and_then(Tab::take_step);
        if let Some((_, object)) = found.filter(|(from, _)| Some(*from) == location.object) {
            commands.push(match object {
                Some(object) => Command::select(location.dump, object),
                None => Command::Hint("No further object of this class".to_owned()),
            });
        }
    }
}

fn opened_as(file: &Path, options: &OpenOptions) -> OpenSettings {
    let mapping = options.mappings.first().map(|mapping| mapping.path.clone());
    OpenSettings {
        file: file.to_owned(),
        sizes: options.read.sizes,
        rules: options.rules,
        owner_rules: options.owner_rules,
        mapping,
        redacted: options.redact,
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
