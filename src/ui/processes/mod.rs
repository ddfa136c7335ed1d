//! Running processes: a list, and one of them live, of which dumps are taken. It has a tab of its own, beside dumps.

mod chart;
mod classes;
mod folder;
mod list;
mod live;
mod taking;
mod watching;

use std::path::PathBuf;

use eframe::egui;
use egui::{CentralPanel, Frame, Key, Modifiers, Ui};

use self::folder::DumpsFolder;
use self::list::ProcessList;
use self::live::LiveProcess;
use super::command::Command;
use super::file_dialog::FileDialogs;
use super::theme::tokens;
use heaplens_base::Count;
use heaplens_session::Jobs;
use heaplens_take::Machine;

/// The page.
pub struct ProcessesPage {
    machine: Machine,
    jobs: Jobs,
    folder: DumpsFolder,
    list: ProcessList,
    live: Option<LiveProcess>,
}

impl ProcessesPage {
    /// The processes of `machine`; dumps of them go to `folder`, or to another that `dialogs` ask for.
    pub fn open(machine: Machine, folder: PathBuf, dialogs: FileDialogs, jobs: Jobs) -> Self {
        let folder = DumpsFolder::new(folder, dialogs);
        Self { machine, jobs, folder, list: ProcessList::default(), live: None }
    }

    /// True while answers are awaited that come by themselves: the first list, a dump.
    pub fn is_running(&self) -> bool {
        self.list.is_running() || self.live.as_ref().is_some_and(LiveProcess::is_taking)
    }

    /// Text for the status bar.
    pub fn status(&self) -> String {
        match &self.live {
            Some(live) => live.status(),
            None if self.list.is_running() => String::new(),
            None => Count(self.list.len() as u64).of("process with a heap", "processes with a heap"),
        }
    }

    /// Draws the page. Keys are its own while `is_active`.
    pub fn ui(&mut self, ui: &mut Ui, is_active: bool, commands: &mut Vec<Command>) {
        let t = tokens(ui);
        CentralPanel::default().frame(Frame::NONE.fill(t.surface)).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if let Some(live) = &mut self.live {
                let keys = is_active && !ui.ctx().egui_wants_keyboard_input();
                let back = keys && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape));
                // A dump that is being written goes on only while its process is on screen.
                if (live.ui(ui, is_active, &mut self.folder, &self.jobs, commands) || back) && !live.is_taking() {
                    self.live = None;
                }
                return;
            }
            if let Some(process) = self.list.ui(ui, is_active, &self.machine, &self.jobs) {
                self.live = Some(LiveProcess::new(self.machine.clone(), process));
            }
        });
    }
}
