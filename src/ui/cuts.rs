//! Cuts: references of a dump that the user excludes to see what would be freed. They add up until they are undone; the
//! dump itself does not change.

use std::collections::HashSet;

use eframe::egui;
use egui::{Button, Popup, RichText, Ui};

use super::command::{Command, RowCommand};
use super::location::DumpKey;
use super::theme::{fonts, tokens};
use heaplens_analysis::cuts::{Cut, CutEffect, frees_at_least};
use heaplens_base::task::Task;
use heaplens_base::units::{Bytes, Count};
use heaplens_session::jobs::Jobs;
use heaplens_session::open_dump::OpenDump;
use heaplens_session::slot::Slot;
use heaplens_tables::export::command_line::CommandLine;

/// Maximum number of characters of a name in the status bar.
const SHOWN: usize = 36;
/// Maximum number of cuts that are listed by name; of the others only the number is shown.
const NAMED: usize = 24;

/// Cuts of one dump and their effect.
#[derive(Default)]
pub struct Cuts {
    made: Vec<Cut>,
    /// The same cuts as a set, for lookups.
    is_made: HashSet<Cut>,
    /// Number of cuts added by each step, oldest first. Undo removes one step.
    steps: Vec<usize>,
    bound: Slot<(Vec<Cut>, Bytes)>,
    effect: Slot<CutEffect>,
}

impl Cuts {
    /// True if nothing is cut.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// True while a job is running.
    pub fn is_running(&self) -> bool {
        self.effect.is_running() || self.bound.is_running()
    }

    /// Adds a cut, or removes it if it exists.
    pub fn toggle(&mut self, cut: Cut, dump: &OpenDump, jobs: &Jobs) {
        self.toggle_all(vec![cut], dump, jobs);
    }

    /// Adds several cuts as one step; if all of them exist, removes them.
    pub fn toggle_all(&mut self, mut cuts: Vec<Cut>, dump: &OpenDump, jobs: &Jobs) {
        if self.has(&cuts) {
            cuts.iter().for_each(|cut| self.take_back(cut));
        } else {
            cuts.retain(|cut| self.is_made.insert(cut.clone()));
            self.steps.push(cuts.len());
            self.made.extend(cuts);
        }
        self.ask(dump, jobs);
    }

    /// True if all of these cuts exist.
    pub fn has(&self, cuts: &[Cut]) -> bool {
        cuts.iter().all(|cut| self.is_made.contains(cut))
    }

    fn take_back(&mut self, cut: &Cut) {
        let Some(at) = self.made.iter().position(|made| made == cut) else { return };
        self.made.remove(at);
        self.is_made.remove(cut);
        let mut before = 0;
        for step in &mut self.steps {
            before += *step;
            if at < before {
                *step -= 1;
                break;
            }
        }
        self.steps.retain(|&step| step > 0);
    }

    /// Undoes the last step.
    pub fn undo(&mut self, dump: &OpenDump, jobs: &Jobs) {
        let last = self.steps.pop().unwrap_or(0);
        for cut in self.made.split_off(self.made.len().saturating_sub(last)) {
            self.is_made.remove(&cut);
        }
        self.ask(dump, jobs);
    }

    /// Removes all cuts.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes over finished results.
    pub fn poll(&mut self) {
        self.bound.poll();
        self.effect.poll();
    }

    fn ask(&mut self, open_dump: &OpenDump, jobs: &Jobs) {
        if self.made.is_empty() {
            return self.clear();
        }
        let (cuts, dump) = (self.made.clone(), open_dump.clone());
        self.bound.ask(jobs, "what cutting frees at least", move |_| {
            let bytes = frees_at_least(&dump.heap, &dump.analysis, &cuts);
            Ok((cuts, bytes))
        });
        let (cuts, dump) = (self.made.clone(), open_dump.clone());
        self.effect.ask(jobs, "what cutting frees", move |task: &Task| {
            Ok(CutEffect::of(dump.namer(task)?, cuts, NAMED, task)?)
        });
    }

    /// Command line that prints the effect of the cuts: by names as far as they are known, else by ids.
    pub fn command(&self, dump: &OpenDump) -> Option<CommandLine> {
        let heap = &dump.heap;
        let effect = self.effect.get().filter(|effect| effect.cuts == self.made);
        let name = |at: usize, cut: &Cut| {
            let known = effect.and_then(|effect| effect.names.get(at)).cloned();
            known.unwrap_or_else(|| cut.text_with_ids(heap))
        };
        let line = || CommandLine::new("summary", &dump.opened);
        let with = |line: CommandLine, (at, cut)| line.option("cut", name(at, cut));
        (!self.made.is_empty()).then(|| self.made.iter().enumerate().fold(line(), with))
    }

    /// Status bar entry of the dump `of`: the cuts, their effect and an undo button. Draws nothing without cuts.
    pub fn status_ui(&mut self, ui: &mut Ui, of: DumpKey, dump: Option<&OpenDump>, commands: &mut Vec<Command>) {
        if self.made.is_empty() {
            return;
        }
        let t = tokens(ui);
        let link = |text: &str| Button::new(RichText::new(text).font(fonts::small()).color(t.accent)).frame(false);
        if ui.add(link("Undo")).on_hover_text("Undo last cut (Ctrl+Z)").clicked() {
            commands.push(Command::UndoCut);
        }
        let (status, effect) = self.status();
        let text = RichText::new(&status).font(fonts::small()).color(t.text);
        let shown = ui.add(Button::new(text).frame(false).truncate());
        let shown = shown.on_hover_text("List the cuts and the remaining paths");
        Popup::menu(&shown).show(|ui| {
            ui.set_max_width(560.0);
            ui.label(RichText::new("Cuts: select one to undo it").font(fonts::small()).color(t.muted));
            for (at, cut) in self.made.iter().enumerate().take(NAMED) {
                let name = effect.and_then(|effect| effect.names.get(at)).map_or("…", String::as_str);
                if ui.add(Button::new(name).truncate()).clicked() {
                    commands.push(Command::InDump(of, RowCommand::Cut(cut.clone())));
                    ui.close();
                }
            }
            if self.made.len() > NAMED {
                let more = format!("and {} more", Count((self.made.len() - NAMED) as u64));
                ui.label(RichText::new(more).font(fonts::small()).color(t.faint));
            }
            if let Some(effect) = effect.filter(|effect| !effect.other_ways.is_empty()) {
                ui.separator();
                let ways = "Remaining paths: select one to cut it too";
                ui.label(RichText::new(ways).font(fonts::small()).color(t.muted));
                for (way, name) in effect.what.some_ways.iter().zip(&effect.other_ways) {
                    if ui.add(Button::new(name).truncate()).clicked() {
                        commands.push(Command::InDump(of, RowCommand::Cut(way.cut.clone())));
                        ui.close();
                    }
                }
            }
            ui.separator();
            let copies = ui
                .button("Copy command line of the cuts")
                .on_hover_text("Copy the heaplens command that computes what they free");
            if let Some(command) = dump.filter(|_| copies.clicked()).and_then(|dump| self.command(dump)) {
                commands.push(Command::Copy(format!("{command}\n"), "the command line".to_owned()));
                ui.close();
            }
            if ui.button("Undo all cuts").clicked() {
                commands.push(Command::ClearCuts);
                ui.close();
            }
        });
    }

    /// Status text, and the effect if it is computed for the current cuts.
    fn status(&self) -> (String, Option<&CutEffect>) {
        let what = |name: Option<&String>| match (self.made.len(), name) {
            (1, Some(name)) => format!("Cut {}", ending(name)),
            (1, None) => "Cut".to_owned(),
            (n, _) => format!("{n} cuts"),
        };
        if let Some(effect) = self.effect.get().filter(|effect| effect.cuts == self.made) {
            return (format!("{}: {}", what(effect.names.first()), effect.what), Some(effect));
        }
        if let Some(error) = self.effect.error() {
            return (format!("{}: {error}", what(None)), None);
        }
        let bound = self.bound.get().filter(|(cuts, bytes)| *cuts == self.made && *bytes > Bytes(0));
        let least = bound.map(|(_, bytes)| format!("frees at least {bytes}, ")).unwrap_or_default();
        let progress = self.effect.progress().and_then(|progress| progress.percent());
        let percent = progress.map(|percent| format!(" {percent} %")).unwrap_or_default();
        (format!("{}: {least}searching…{percent}", what(None)), None)
    }
}

/// Last characters of a long name: its end identifies the cut.
fn ending(name: &str) -> String {
    let long = name.chars().count();
    if long <= SHOWN { name.to_owned() } else { format!("…{}", name.chars().skip(long - SHOWN).collect::<String>()) }
}
