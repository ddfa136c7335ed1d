//! References that somebody cut in a dump, to see what would be freed. They add
//! up until they are taken back; nothing of the dump itself changes.

use std::collections::HashSet;

use eframe::egui;
use egui::{Button, Popup, RichText, Ui};

use super::command::Command;
use super::theme::{fonts, tokens};
use super::view_context::OpenDump;
use super::views::opening::percent;
use crate::analysis::cuts::{WhatIf, frees_at_least, what_if};
use crate::export::command_line::CommandLine;
use crate::export::cuts::words;
use crate::heap::cut::Cut;
use crate::session::jobs::Jobs;
use crate::session::slot::Slot;
use crate::task::Task;
use crate::units::{Bytes, Count};

/// Characters of a name in the status bar.
const SHOWN: usize = 36;
/// Cuts that are named, and listed; of more only the number is told.
const NAMED: usize = 24;

/// What is cut in one dump, and what that would free.
#[derive(Default)]
pub struct Cuts {
    made: Vec<Cut>,
    /// The same, to be asked for one.
    is_made: HashSet<Cut>,
    /// How many of them were made at once, in the order in which they were: they are taken back at once.
    steps: Vec<usize>,
    bound: Slot<(Vec<Cut>, Bytes)>,
    told: Slot<Told>,
}

/// The answer for some cuts.
struct Told {
    cuts: Vec<Cut>,
    /// How the command line is told of each.
    names: Vec<String>,
    what: WhatIf,
    /// The same for the other ways.
    ways: Vec<String>,
}

impl Cuts {
    /// Whether anything is cut.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// Whether an answer is on its way.
    pub fn is_running(&self) -> bool {
        self.told.is_running() || self.bound.is_running()
    }

    /// Cuts one more; one that was made is taken back.
    pub fn turn(&mut self, cut: Cut, answers: &OpenDump, jobs: &Jobs) {
        self.turn_together(vec![cut], answers, jobs);
    }

    /// Cuts several at once; if all of them were made, they are taken back.
    pub fn turn_together(&mut self, mut cuts: Vec<Cut>, answers: &OpenDump, jobs: &Jobs) {
        if self.has(&cuts) {
            cuts.iter().for_each(|cut| self.take_back(cut));
        } else {
            cuts.retain(|cut| self.is_made.insert(cut.clone()));
            self.steps.push(cuts.len());
            self.made.extend(cuts);
        }
        self.ask(answers, jobs);
    }

    /// Whether all of these are made.
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

    /// Takes back what was cut last.
    pub fn undo(&mut self, answers: &OpenDump, jobs: &Jobs) {
        let last = self.steps.pop().unwrap_or(0);
        for cut in self.made.split_off(self.made.len().saturating_sub(last)) {
            self.is_made.remove(&cut);
        }
        self.ask(answers, jobs);
    }

    /// Takes all cuts back.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes in what has arrived.
    pub fn poll(&mut self) {
        self.bound.poll();
        self.told.poll();
    }

    fn ask(&mut self, answers: &OpenDump, jobs: &Jobs) {
        if self.made.is_empty() {
            return self.clear();
        }
        let (cuts, theirs) = (self.made.clone(), answers.clone());
        self.bound.ask(jobs, "what cutting frees at least", move |_| {
            let bytes = frees_at_least(&theirs.heap, &theirs.analyzed, &cuts);
            Ok((cuts, bytes))
        });
        let (cuts, theirs) = (self.made.clone(), answers.clone());
        self.told.ask(jobs, "what cutting frees", move |task: &Task| {
            let (heap, contents, analyzed) = (&*theirs.heap, &*theirs.contents, &*theirs.analyzed);
            let what = what_if(heap, contents, analyzed, &cuts, task)?;
            let namer = theirs.namer(task)?;
            let names = cuts.iter().take(NAMED).map(|cut| namer.cut_name(cut, task)).collect::<Result<_, _>>()?;
            let ways = what.some_ways.iter().map(|way| namer.cut_name(&way.cut, task)).collect::<Result<_, _>>()?;
            Ok(Told { cuts, names, what, ways })
        });
    }

    /// The command that says what the cuts free: by names as far as they are known, else by ids.
    pub fn command(&self, answers: &OpenDump) -> Option<CommandLine> {
        let heap = &answers.heap;
        let told = self.told.get().filter(|told| told.cuts == self.made);
        let name = |at: usize, cut: &Cut| match (told.and_then(|told| told.names.get(at)), cut) {
            (Some(name), _) => name.clone(),
            (None, Cut::Reference { from, to }) => format!("{}:{}", heap.id_text(*from), heap.id_text(*to)),
            (None, Cut::Field { class, name }) => format!("{}.{name}", heap.classes.get(*class).name),
            (None, Cut::Object(object)) => heap.id_text(*object),
            (None, Cut::Class(class)) => heap.classes.get(*class).name.to_string(),
        };
        let line = || CommandLine::new("summary", &answers.opened);
        let with = |line: CommandLine, (at, cut)| line.option("cut", name(at, cut));
        (!self.made.is_empty()).then(|| self.made.iter().enumerate().fold(line(), with))
    }

    /// What is cut and what that frees, with the way back; nothing where nothing is cut.
    pub fn status_ui(&mut self, ui: &mut Ui, answers: Option<&OpenDump>, commands: &mut Vec<Command>) {
        if self.made.is_empty() {
            return;
        }
        let t = tokens(ui);
        let link = |text: &str| Button::new(RichText::new(text).font(fonts::small()).color(t.accent)).frame(false);
        if ui.add(link("Undo")).on_hover_text("Undo last cut (Ctrl+Z)").clicked() {
            commands.push(Command::UndoCut);
        }
        let (said, told) = self.said();
        let text = RichText::new(&said).font(fonts::small()).color(t.text);
        let shown = ui.add(Button::new(text).frame(false).truncate());
        let shown = shown.on_hover_text("List the cuts and the remaining paths");
        Popup::menu(&shown).show(|ui| {
            ui.set_max_width(560.0);
            ui.label(RichText::new("Cuts: select one to undo it").font(fonts::small()).color(t.muted));
            for (at, cut) in self.made.iter().enumerate().take(NAMED) {
                let name = told.and_then(|told| told.names.get(at)).map_or("…", String::as_str);
                if ui.add(Button::new(name).truncate()).clicked() {
                    commands.push(Command::Cut(cut.clone()));
                    ui.close();
                }
            }
            if self.made.len() > NAMED {
                let more = format!("and {} more", Count((self.made.len() - NAMED) as u64));
                ui.label(RichText::new(more).font(fonts::small()).color(t.faint));
            }
            if let Some(told) = told.filter(|told| !told.ways.is_empty()) {
                ui.separator();
                let ways = "Remaining paths: select one to cut it too";
                ui.label(RichText::new(ways).font(fonts::small()).color(t.muted));
                for (way, name) in told.what.some_ways.iter().zip(&told.ways) {
                    if ui.add(Button::new(name).truncate()).clicked() {
                        commands.push(Command::Cut(way.cut.clone()));
                        ui.close();
                    }
                }
            }
            ui.separator();
            let copies = ui
                .button("Copy command line of the cuts")
                .on_hover_text("Copy the heaplens command that computes what they free");
            if let Some(command) = answers.filter(|_| copies.clicked()).and_then(|answers| self.command(answers)) {
                commands.push(Command::Copy(format!("{command}\n"), "the command line".to_owned()));
                ui.close();
            }
            if ui.button("Undo all cuts").clicked() {
                commands.push(Command::ClearCuts);
                ui.close();
            }
        });
    }

    /// One line, and the answer it says if that is of all cuts there are.
    fn said(&self) -> (String, Option<&Told>) {
        let what = |name: Option<&String>| match (self.made.len(), name) {
            (1, Some(name)) => format!("Cut {}", ending(name)),
            (1, None) => "Cut".to_owned(),
            (n, _) => format!("{n} cuts"),
        };
        if let Some(told) = self.told.get().filter(|told| told.cuts == self.made) {
            return (format!("{}: {}", what(told.names.first()), words(&told.what)), Some(told));
        }
        if let Some(error) = self.told.error() {
            return (format!("{}: {error}", what(None)), None);
        }
        let bound = self.bound.get().filter(|(cuts, bytes)| *cuts == self.made && *bytes > Bytes(0));
        let least = bound.map(|(_, bytes)| format!("frees at least {bytes}, ")).unwrap_or_default();
        let progress = self.told.progress().as_ref().and_then(percent);
        let percent = progress.map(|percent| format!(" {percent} %")).unwrap_or_default();
        (format!("{}: {least}searching…{percent}", what(None)), None)
    }
}

/// The end of a name, which says what is cut.
fn ending(name: &str) -> String {
    let long = name.chars().count();
    if long <= SHOWN { name.to_owned() } else { format!("…{}", name.chars().skip(long - SHOWN).collect::<String>()) }
}
