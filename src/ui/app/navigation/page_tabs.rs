//! The tabs of pages that belong to no single dump: a fleet, running processes.

use std::path::PathBuf;

use eframe::egui::Ui;

use crate::ui::Command;
use crate::ui::file_dialog::FileDialogs;
use crate::ui::fleet::FleetPage;
use crate::ui::page_kind::{PageKind, PageTab};
use crate::ui::processes::ProcessesPage;
use heaplens_platform::folders::downloads;
use heaplens_session::Jobs;
use heaplens_take::Machine;

/// Open pages, at most one of each kind.
#[derive(Default)]
pub(crate) struct PageTabs {
    fleet: Option<FleetPage>,
    processes: Option<ProcessesPage>,
    shown: Option<PageKind>,
    /// Where running processes are looked for, and the folder of their dumps, instead of those of this machine.
    other_machine: Option<(Machine, PathBuf)>,
}

impl PageTabs {
    /// Opens digests and folders, if there are some, beside those that are open, and shows them.
    pub(crate) fn open_fleet(&mut self, paths: Vec<PathBuf>, jobs: &Jobs) {
        if !paths.is_empty() {
            self.fleet = Some(match self.fleet.take() {
                Some(page) => page.with(paths, jobs),
                None => FleetPage::open(paths, jobs),
            });
            self.shown = Some(PageKind::Fleet);
        }
    }

    /// Looks for processes on another machine than this one, and puts their dumps into `folder`.
    pub(crate) fn look_for_processes_on(&mut self, machine: Machine, folder: PathBuf) {
        self.other_machine = Some((machine, folder));
    }

    /// Shows the running processes; `dialogs` ask for another folder for their dumps.
    pub(crate) fn open_processes(&mut self, dialogs: FileDialogs, jobs: &Jobs) {
        let (machine, folder) = self.other_machine.clone().unwrap_or_else(|| (Machine::this(), downloads()));
        self.processes.get_or_insert_with(|| ProcessesPage::open(machine, folder, dialogs, jobs.clone()));
        self.shown = Some(PageKind::Processes);
    }

    fn is_open(&self, kind: PageKind) -> bool {
        match kind {
            PageKind::Fleet => self.fleet.is_some(),
            PageKind::Processes => self.processes.is_some(),
        }
    }

    /// Kinds of the open pages, in the order of their tabs.
    pub(crate) fn open(&self) -> Vec<PageKind> {
        PageKind::ALL.into_iter().filter(|&kind| self.is_open(kind)).collect()
    }

    /// The page that is shown instead of a dump.
    pub(crate) fn shown(&self) -> Option<PageKind> {
        self.shown.filter(|&kind| self.is_open(kind))
    }

    /// True while a page waits for answers that end by themselves.
    pub(crate) fn is_running(&self) -> bool {
        self.fleet.as_ref().is_some_and(FleetPage::is_running)
            || self.processes.as_ref().is_some_and(ProcessesPage::is_running)
    }

    /// Shows dumps.
    pub(crate) fn hide(&mut self) {
        self.shown = None;
    }

    /// Shows a page, if it is open.
    pub(crate) fn show(&mut self, kind: PageKind) {
        self.shown = Some(kind).filter(|&kind| self.is_open(kind)).or(self.shown);
    }

    /// Closes a page.
    pub(crate) fn close(&mut self, kind: PageKind) {
        match kind {
            PageKind::Fleet => self.fleet = None,
            PageKind::Processes => self.processes = None,
        }
    }

    /// Name of a page; empty if it is not open.
    pub(crate) fn name(&self, kind: PageKind) -> String {
        match kind {
            PageKind::Fleet => self.fleet.as_ref().map(fleet_name).unwrap_or_default(),
            PageKind::Processes => "Processes".to_owned(),
        }
    }

    /// Tabs of the open pages.
    pub(crate) fn tabs(&self) -> Vec<PageTab> {
        let shown = self.shown();
        let tab = |kind| PageTab { kind, name: self.name(kind), is_shown: shown == Some(kind) };
        self.open().into_iter().map(tab).collect()
    }

    /// The fleet, while it is shown.
    pub(crate) fn fleet(&self) -> Option<&FleetPage> {
        self.fleet.as_ref().filter(|_| self.shown() == Some(PageKind::Fleet))
    }

    /// Text of the shown page for the status bar; `None` while dumps are shown.
    pub(crate) fn status(&self) -> Option<String> {
        match self.shown()? {
            PageKind::Fleet => self.fleet.as_ref().map(FleetPage::status),
            PageKind::Processes => self.processes.as_ref().map(ProcessesPage::status),
        }
    }

    /// Draws the shown page; false if there is none. Keys are its own while `is_active`.
    pub(crate) fn ui(&mut self, ui: &mut Ui, is_active: bool, commands: &mut Vec<Command>) -> bool {
        match self.shown() {
            Some(PageKind::Fleet) => self.fleet.iter_mut().for_each(|page| page.ui(ui, is_active, commands)),
            Some(PageKind::Processes) => self.processes.iter_mut().for_each(|page| page.ui(ui, is_active, commands)),
            None => return false,
        }
        true
    }
}

/// Name of the page of a fleet, or of a folder of dumps.
fn fleet_name(page: &FleetPage) -> String {
    format!("{}: {}", if page.is_folder() { "Folder" } else { "Fleet" }, page.name())
}
