//! One process: its dumps, and its classes over time.

use std::time::{Duration, Instant};

use eframe::egui;
use egui::{ComboBox, Frame, Margin, RichText, Ui};

use super::chart;
use super::classes::ClassRows;
use super::folder::DumpsFolder;
use super::list::kind_name;
use super::taking::Taking;
use super::watching::{INTERVALS, Watching};
use crate::ui::Command;
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::widgets::{controls, toolbar, waiting};
use heaplens_base::Count;
use heaplens_session::Jobs;
use heaplens_take::{Machine, Process, ProcessKind, Target};

/// A process on screen.
pub(super) struct LiveProcess {
    machine: Machine,
    process: Process,
    taking: Taking,
    watching: Watching,
    rows: ClassRows,
    /// When the process was last looked for, and whether it had ended.
    looked_at: Option<Instant>,
    has_ended: bool,
}

/// Time between two looks whether the process still runs.
const LOOK_EVERY: Duration = Duration::from_secs(2);

impl LiveProcess {
    pub(super) fn new(machine: Machine, process: Process) -> Self {
        let taking = Taking::new(machine.clone());
        Self {
            machine,
            process,
            taking,
            watching: Watching::default(),
            rows: ClassRows::default(),
            looked_at: None,
            has_ended: false,
        }
    }

    /// True while a dump is taken.
    pub(super) fn is_taking(&self) -> bool {
        self.taking.is_running()
    }

    /// Text for the status bar.
    pub(super) fn status(&self) -> String {
        let rounds = match self.watching.history().rounds().len() {
            0 => String::new(),
            rounds => format!(" · {}", Count(rounds as u64).of("round", "rounds")),
        };
        format!("{}, process {}{rounds}", self.process.name, self.process.pid)
    }

    /// Draws the process; true to go back to the list.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        is_active: bool,
        folder: &mut DumpsFolder,
        jobs: &Jobs,
        commands: &mut Vec<Command>,
    ) -> bool {
        self.look(ui);
        let target = Target::Pid(self.process.pid);
        if self.watching.poll() {
            self.rows.update(self.watching.history());
        }
        let options = self.taking.options().clone();
        let next = self.watching.keep_on(&self.machine, &target, &options, self.taking.is_running(), jobs);
        next.into_iter().for_each(|next| ui.ctx().request_repaint_after(next));
        let mut back = self.title_ui(ui);
        if self.has_ended {
            back |= self.ended_ui(ui);
        }
        let frame = Frame::NONE.inner_margin(Margin { left: 12, right: 12, top: 4, bottom: 12 });
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.add_enabled_ui(!self.has_ended, |ui| self.taking.ui(ui, &self.process, folder, jobs, commands));
        });
        let is_enabled = !self.has_ended || self.watching.is_on();
        ui.add_enabled_ui(is_enabled, |ui| self.watch_ui(ui));
        let area = ui.available_rect_before_wrap();
        if self.has_ended && self.watching.history().rounds().is_empty() {
            let hint = "Its dumps stay open. Another run of the program is in the list of processes";
            waiting::empty_ui(ui, area, Icon::Info, "The process has ended", hint);
        } else if let Some(why) = self.watching.error().filter(|_| self.watching.history().rounds().is_empty()) {
            waiting::empty_ui(ui, area, Icon::Warning, "The process cannot be watched", why);
        } else if self.watching.history().rounds().is_empty() {
            let hint = match self.process.kind {
                ProcessKind::JavaScript => "Each round, the process collects garbage and says how much memory is left",
                _ => "Each round, the process collects garbage and counts objects by class: about 1 s per 2 GB",
            };
            let title = if self.watching.is_on() { "Waiting for the first round" } else { "Watch to see what grows" };
            waiting::empty_ui(ui, area, Icon::Search, title, hint);
        } else {
            chart::ui(ui, self.watching.history(), &self.rows.charted());
            self.rows.ui(ui, is_active, self.process.kind == ProcessKind::JavaScript);
        }
        back
    }

    /// Looks now and then whether the process still runs.
    fn look(&mut self, ui: &Ui) {
        if self.has_ended {
            return;
        }
        if self.looked_at.is_none_or(|last| last.elapsed() >= LOOK_EVERY) {
            self.looked_at = Some(Instant::now());
            self.has_ended = !self.machine.is_alive(self.process.pid);
        }
        ui.ctx().request_repaint_after(LOOK_EVERY);
    }

    /// Says that the process has ended; true to go back to the list.
    fn ended_ui(&self, ui: &mut Ui) -> bool {
        let t = tokens(ui);
        let frame = Frame::NONE.inner_margin(Margin { left: 12, right: 12, top: 4, bottom: 4 });
        let shown = frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(format!("{} has ended", self.process.name)).font(fonts::medium()).color(t.warn));
                ui.add_space(8.0);
                ui.button("Back to processes").clicked()
            })
        });
        shown.inner.inner
    }

    fn title_ui(&self, ui: &mut Ui) -> bool {
        let process = &self.process;
        let mut back = false;
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            back = controls::icon_button(ui, Icon::Back, "Back to the processes (Esc)", true).clicked();
            ui.add_space(4.0);
            ui.label(RichText::new(&process.name).font(fonts::heading()).color(t.text));
            ui.add_space(8.0);
            let version = if process.version.is_empty() { String::new() } else { format!(" {}", process.version) };
            let limit = process.heap_limit.map_or_else(String::new, |limit| format!(" of {limit}"));
            let last = self.watching.history().rounds().last().and_then(|round| round.used);
            let used = last.or(process.heap_used).unwrap_or(process.resident);
            let kind = kind_name(process.kind);
            toolbar::hint(ui, &format!("process {} · {kind}{version} · {used}{limit}", process.pid));
        });
        back
    }

    /// Draws the switch of the watch, its interval, and what it found.
    fn watch_ui(&mut self, ui: &mut Ui) {
        toolbar::tools(ui, |ui| {
            let t = tokens(ui);
            let (icon, name) =
                if self.watching.is_on() { (Icon::Cross, "Stop watching") } else { (Icon::Search, "Watch") };
            if controls::labelled_button(ui, icon, name).clicked() {
                self.watching.turn();
            }
            ui.add_space(8.0);
            let combo = ComboBox::from_id_salt("interval of the watch").width(96.0);
            let named = |seconds: u64| match seconds {
                60.. => format!("every {} min", seconds / 60),
                seconds => format!("every {seconds} s"),
            };
            controls::choice_ui(
                ui,
                combo,
                |every| format!("Interval: {}", named(every)),
                &mut self.watching.every,
                INTERVALS,
                named,
            );
            ui.add_space(8.0);
            match (self.watching.error(), self.watching.alarm()) {
                (Some(why), _) => {
                    ui.add(egui::Label::new(RichText::new(why).color(t.error)).truncate()).on_hover_text(why);
                }
                (None, Some(alarm)) => {
                    let text = alarm.to_string();
                    ui.add(egui::Label::new(RichText::new(&text).color(t.grew)).truncate()).on_hover_text(&text);
                }
                (None, None) => {}
            }
        });
    }
}
