//! Taking dumps of a process: what it does, progress, what was taken.

use eframe::egui;
use egui::{RichText, Ui};

use super::folder::DumpsFolder;
use crate::ui::Command;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::controls;
use heaplens_base::{Bytes, Progress};
use heaplens_session::{JobError, Jobs, Slot};
use heaplens_take::{Machine, Process, ProcessKind, TakeError, TakeOptions, Taken, Target, effect_of, take};

/// Height of the line of buttons in points, whatever is in it.
const BUTTONS: f32 = 34.0;

/// Dumps of one process.
pub(super) struct Taking {
    machine: Machine,
    options: TakeOptions,
    running: Slot<Taken>,
    taken: Vec<Taken>,
    error: Option<String>,
}

impl Taking {
    pub(super) fn new(machine: Machine) -> Self {
        let options = TakeOptions::default();
        Self { machine, options, running: Slot::default(), taken: Vec::new(), error: None }
    }

    /// True while a dump is taken.
    pub(super) fn is_running(&self) -> bool {
        self.running.is_running()
    }

    /// Options of dumps, which also apply to the watch.
    pub(super) fn options(&self) -> &TakeOptions {
        &self.options
    }

    /// Takes the result of a dump: the second is compared with the one before.
    fn poll(&mut self, commands: &mut Vec<Command>) {
        match self.running.take_ended() {
            Some(Ok(taken)) => {
                let before = self.taken.last().map(|before| before.path.clone());
                commands.push(Command::OpenTaken { dump: taken.path.clone(), before });
                self.taken.push(taken);
            }
            Some(Err(why)) => self.error = Some(why),
            None => {}
        }
    }

    fn start(&mut self, process: &Process, folder: &DumpsFolder, jobs: &Jobs) {
        self.error = None;
        let (machine, folder, options) = (self.machine.clone(), folder.path().to_owned(), self.options.clone());
        let target = Target::Pid(process.pid);
        self.running.ask(jobs, "take dump", move |task| {
            take(&machine, &target, &options, &folder, task).map_err(|error| match error {
                TakeError::Cancelled => JobError::Cancelled,
                error => JobError::Failed(error.to_string()),
            })
        });
    }

    /// Draws the buttons, and what a dump does to the process.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        process: &Process,
        folder: &mut DumpsFolder,
        jobs: &Jobs,
        commands: &mut Vec<Command>,
    ) {
        self.poll(commands);
        let t = tokens(ui);
        ui.horizontal(|ui| {
            ui.set_min_height(BUTTONS);
            if self.is_running() {
                let progress = self.running.progress();
                if ui.add(egui::Button::new("Cancel").min_size(egui::vec2(0.0, BUTTONS))).clicked() {
                    self.running.cancel();
                }
                ui.add_space(8.0);
                ui.label(
                    RichText::new(progress.map_or_else(String::new, |progress| progress_text(&progress))).color(t.text),
                );
                return;
            }
            let name = if self.taken.is_empty() { "Dump now" } else { "Dump again" };
            let about = if self.taken.is_empty() {
                "Take a heap dump and open it"
            } else {
                "Take another heap dump, and compare it with the one before"
            };
            if controls::primary_button(ui, name).on_hover_text(about).clicked() {
                self.start(process, folder, jobs);
            }
            ui.add_space(12.0);
            self.options_ui(ui, process);
        });
        ui.add_space(4.0);
        let line = match &self.error {
            Some(why) => RichText::new(why).color(t.error),
            None => {
                let effect = effect_of(process, &self.options);
                RichText::new(format!("{effect}. The dump goes to {}", folder.path().display())).color(t.muted)
            }
        };
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(line.font(fonts::small()));
            if folder.change_ui(ui) {
                // It may have been about the folder.
                self.error = None;
            }
        });
    }

    fn options_ui(&mut self, ui: &mut Ui, process: &Process) {
        if process.kind == ProcessKind::JavaScript {
            if process.inspector.is_none() {
                let about = "Sends SIGUSR1 to Node, and switches its inspector off again afterwards";
                ui.checkbox(&mut self.options.may_start_inspector, "Switch inspector on").on_hover_text(about);
            }
            return;
        }
        let about = "Without, the process collects garbage first, and the dump is smaller";
        ui.checkbox(&mut self.options.is_all, "Unreachable objects, too").on_hover_text(about);
    }
}

/// Step of a dump in words.
fn progress_text(progress: &Progress) -> String {
    match (progress.done, progress.total) {
        (0, _) => format!("{}…", progress.step),
        (done, 0) => format!("{}: {}", progress.step, Bytes(done)),
        // The total is an estimate.
        (done, total) => format!("{}: {} of about {}", progress.step, Bytes(done), Bytes(total.max(done))),
    }
}
