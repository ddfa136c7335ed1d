//! A fleet: leaks of many dumps from their digests. It stands beside the dumps of the window, as a tab of its own.

mod dumps;
mod folder;
mod leaks;
mod map;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui;
use egui::{CentralPanel, Frame, Id, Key, Modifiers, RichText, Ui};

use self::dumps::DumpsOfLeak;
use self::folder::FolderDumps;
use self::leaks::LeakRows;
use self::map::LeakMap;
use super::command::Command;
use super::theme::{Icon, fonts, tokens};
use super::widgets::filter::filter_ui;
use super::widgets::{controls, toolbar, waiting};
use heaplens_base::Count;
use heaplens_fleet::{Fleet, FleetTable, LeakChange};
use heaplens_session::files::file_name;
use heaplens_session::folder_dumps::{FolderDump, dumps_in};
use heaplens_session::{JobError, Jobs, Slot};
use heaplens_sql::QueryError;

/// Width of the filter, in points.
const FILTER: f32 = 260.0;

/// The page.
pub struct FleetPage {
    paths: Vec<PathBuf>,
    reading: Slot<FleetTable>,
    /// Why the digests cannot be read.
    error: Option<String>,
    table: Option<Arc<FleetTable>>,
    rows: LeakRows,
    map: LeakMap,
    /// Changes that are listed; none for all.
    only: Option<LeakChange>,
    shows_map: bool,
    /// The leak whose dumps are listed.
    dumps: Option<DumpsOfLeak>,
    /// Search for dumps in the folders, and what it found.
    looking: Slot<Vec<FolderDump>>,
    folder: Option<FolderDumps>,
    /// True if the dumps of the folders are shown although there are digests.
    shows_folder: bool,
}

impl FleetPage {
    /// Begins to read digests: files, and folders with them.
    pub fn open(paths: Vec<PathBuf>, jobs: &Jobs) -> Self {
        let mut page = Self {
            paths,
            reading: Slot::default(),
            error: None,
            table: None,
            rows: LeakRows::default(),
            map: LeakMap::default(),
            only: None,
            shows_map: false,
            dumps: None,
            looking: Slot::default(),
            folder: None,
            shows_folder: false,
        };
        let folders: Vec<PathBuf> = page.paths.iter().filter(|path| path.is_dir()).cloned().collect();
        if !folders.is_empty() {
            page.looking.ask(jobs, "look for dumps", move |task| Ok(dumps_in(&folders, task)?));
        }
        let paths = page.paths.clone();
        page.reading.ask(jobs, "read digests", move |task| {
            let fleet = Arc::new(Fleet::read(&paths, task)?);
            FleetTable::new(fleet, task).map_err(|error| match error {
                QueryError::Cancelled => JobError::Cancelled,
                error => JobError::Failed(error.to_string()),
            })
        });
        page
    }

    /// Name of its tab.
    pub fn name(&self) -> String {
        match &self.paths[..] {
            [path] => file_name(path),
            paths => Count(paths.len() as u64).of("file of digests", "files of digests"),
        }
    }

    /// True while the digests are read.
    pub fn is_running(&self) -> bool {
        self.reading.is_at_work() || self.looking.is_at_work()
    }

    /// The same page with further digests and folders.
    #[must_use]
    pub fn with(mut self, paths: Vec<PathBuf>, jobs: &Jobs) -> Self {
        self.paths.retain(|path| !paths.contains(path));
        self.paths.extend(paths);
        Self::open(self.paths, jobs)
    }

    /// True if its folders have dumps but no digests.
    pub fn is_folder(&self) -> bool {
        let has_no_digest = self.table.as_ref().is_some_and(|table| table.fleet.is_empty());
        has_no_digest && self.folder.as_ref().is_some_and(|folder| folder.len() > 0)
    }

    /// The list of dumps, while it is on screen.
    fn folder_on_screen(&self) -> Option<&FolderDumps> {
        self.folder.as_ref().filter(|folder| folder.len() > 0 && (self.shows_folder || self.is_folder()))
    }

    /// Row of the cursor in the list on screen.
    pub fn cursor(&self) -> Option<u64> {
        if let Some(folder) = self.folder_on_screen() {
            return folder.cursor();
        }
        self.dumps.as_ref().map_or_else(|| self.rows.cursor(), DumpsOfLeak::cursor)
    }

    /// Text for the status bar.
    pub fn status(&self) -> String {
        if let Some(folder) = self.folder_on_screen() {
            return Count(folder.len() as u64).of("dump", "dumps");
        }
        let Some(table) = &self.table else { return String::new() };
        let dumps = Count(table.readable.total).of("dump", "dumps");
        let unreadable = table.readable.total - table.readable.part;
        let unreadable = if unreadable == 0 { String::new() } else { format!(", {} damaged", Count(unreadable)) };
        let failed = match table.fleet.failed.len() {
            0 => String::new(),
            failed => format!(" · {} no digest", Count(failed as u64).of("file is", "files are")),
        };
        format!("{dumps}{unreadable} · {}{failed}", Count(table.leaks.len() as u64).of("leak", "leaks"))
    }

    /// Draws the page. Keys are its own while `is_active`.
    pub fn ui(&mut self, ui: &mut Ui, is_active: bool, commands: &mut Vec<Command>) {
        self.take_read();
        let t = tokens(ui);
        CentralPanel::default().frame(Frame::NONE.fill(t.surface)).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let Some(table) = self.table.clone() else { return self.empty_ui(ui) };
            if self.shows_folder && !table.fleet.is_empty() {
                let back = is_active && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape));
                let is_clicked = toolbar::tools(ui, |ui| ui.button("Back to the leaks of the fleet").clicked());
                self.shows_folder = !(back || is_clicked);
            }
            if self.folder_on_screen().is_some() {
                self.folder.iter_mut().for_each(|folder| folder.ui(ui, is_active, commands));
                return;
            }
            if table.fleet.is_empty() {
                if self.looking.is_running() {
                    return self.empty_ui(ui);
                }
                let area = ui.available_rect_before_wrap();
                let why = "A folder of dumps is opened as a list, a folder of their digests as a fleet";
                let why = table.fleet.failed.first().map_or(why, |why| why);
                return waiting::empty_ui(ui, area, Icon::Table, "Neither a dump nor a digest is there", why);
            }
            if let Some(dumps) = &mut self.dumps {
                let back = is_active && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape));
                if dumps.ui(ui, is_active, commands) || back {
                    self.dumps = None;
                }
                return;
            }
            let keys = is_active && !ui.ctx().egui_wants_keyboard_input();
            let filters = keys && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Slash));
            self.tools_ui(ui, &table, filters);
            self.rows.update(&table, self.only);
            let opened = if self.shows_map {
                self.map.ui(ui, &table, self.rows.shown())
            } else {
                self.rows.ui(ui, &table, is_active)
            };
            if keys && ui.input(|i| i.events.contains(&egui::Event::Copy)) {
                commands.extend(self.rows.copied(&table));
            }
            self.dumps = opened.and_then(|leak| DumpsOfLeak::new(&table, leak));
        });
    }

    fn take_read(&mut self) {
        match self.reading.take_ended() {
            Some(Ok(table)) => self.table = Some(Arc::new(table)),
            Some(Err(why)) => self.error = Some(why),
            None => {}
        }
        if let Some(Ok(dumps)) = self.looking.take_ended() {
            self.folder = Some(FolderDumps::new(dumps));
        }
    }

    /// The page before there are leaks.
    fn empty_ui(&self, ui: &Ui) {
        let area = ui.available_rect_before_wrap();
        match &self.error {
            Some(why) => waiting::empty_ui(ui, area, Icon::Warning, "The digests cannot be read", why),
            None => {
                waiting::progress_ui(ui, area, self.reading.progress().as_ref());
                waiting::empty_ui(ui, area, Icon::Search, "Reading digests", &self.name());
            }
        }
    }

    /// Draws the tools; `filters` to type into the filter.
    fn tools_ui(&mut self, ui: &mut Ui, table: &FleetTable, filters: bool) {
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            ui.label(RichText::new("Leaks").font(fonts::heading()).color(t.text));
            ui.add_space(8.0);
            let id = Id::unique("filter of a fleet");
            if filter_ui(&mut self.rows.filter, ui, id, "Filter leaks", FILTER, filters) {
                self.rows.set_stale();
            }
            ui.add_space(8.0);
            let before = self.only;
            if controls::tab(ui, self.only.is_none(), "All", Some(Count(table.leaks.len() as u64).to_string()))
                .clicked()
            {
                self.only = None;
            }
            for &(change, count) in &table.changes {
                let title = leaks::title(change.word());
                let count = Some(Count(count).to_string());
                if controls::tab(ui, self.only == Some(change), &title, count).clicked() {
                    self.only = Some(change);
                }
            }
            if self.only != before {
                self.rows.set_stale();
            }
            if let Some(count) = self.folder.as_ref().map(FolderDumps::len).filter(|&count| count > 0) {
                let about = "List the dumps in the folder, to open or compare them";
                let name = Count(count as u64).of("dump here", "dumps here");
                self.shows_folder |= ui.button(name).on_hover_text(about).clicked();
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let (icon, name) = if self.shows_map { (Icon::Table, "Table") } else { (Icon::Treemap, "Treemap") };
                if controls::icon_button(ui, icon, name, true).clicked() {
                    self.shows_map = !self.shows_map;
                }
            });
        });
    }
}
