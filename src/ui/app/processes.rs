//! Dumps of running processes.

use std::path::{Path, PathBuf};

use super::App;
use super::pending::ComparisonReason;
use heaplens_platform::folders::downloads;
use heaplens_take::Machine;

impl App {
    /// Looks for processes on another machine than this one, for tests.
    pub fn look_for_processes_on(&mut self, machine: Machine, folder: PathBuf) {
        self.machine = machine;
        self.dumps_folder = Some(folder);
    }

    /// Shows the processes of this machine.
    pub(super) fn show_processes(&mut self) {
        let folder = self.dumps_folder.clone().unwrap_or_else(downloads);
        self.pages.open_processes(&self.machine, folder, self.file_prompts.handle(), &self.jobs);
    }

    /// Opens a dump that was taken, and compares it with the one before.
    pub(super) fn open_taken(&mut self, dump: &Path, before: Option<&Path>) {
        self.open(dump);
        if let Some(before) = before {
            // It may have been closed.
            if self.tabs_of(before).next().is_none() {
                self.open(before);
            }
            let of = |path: &Path| self.tabs_of(path).next().map(|tab| tab.key);
            let keys = [of(before), of(dump)].into_iter().flatten().collect();
            self.expect_comparison(keys, ComparisonReason::Requested);
        }
    }
}
