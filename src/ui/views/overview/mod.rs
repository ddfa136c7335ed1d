//! First page of a dump: its origin, findings, and the largest objects, classes, packages and threads. Figures from
//! columns appear at once, others as they are computed; slow searches in large dumps run on demand. Every row leads to
//! a view.

mod actions;
mod cards;
mod export;
mod finding_line;
mod findings;
mod help;
mod rows;
mod tiles;

use heaplens_tables::RowTarget;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{self, Key, Modifiers, RichText, ScrollArea, Ui, vec2};

use self::finding_line::List;
use self::rows::Rows;
use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::waiting;
use crate::ui::{Command, Verb, View, ViewContext};
use heaplens_analysis::android::shark::LeakReport;
use heaplens_analysis::out_of_memory::{ErrorKind, MemoryErrors};
use heaplens_analysis::overview::{
    DetailedOverview, HeapSummary, HolderFindings, Target, WasteTotals, glance, holders,
};
use heaplens_analysis::process::{ProcessMemory, ProcessQuestion};
use heaplens_analysis::{Cut, Overview};
use heaplens_session::files::file_name;
use heaplens_session::overview::{DetailsQuestion, WasteTotalsQuestion};
use heaplens_session::{Jobs, LeakRules, OpenDump, Slot};
use heaplens_tables::export::report::words;

/// Space between cards.
const GAP: f32 = 14.0;
/// Number of objects above which the search for waste, which then takes more than a few seconds, runs on demand only.
const AT_ONCE: usize = 4_000_000;
/// Minimum width of a card in several columns, in points.
const CARD: f32 = 400.0;

/// The view.
#[derive(Default)]
pub struct OverviewPage {
    /// Rules of the current findings.
    asked_by: Option<Arc<LeakRules>>,
    glance: Slot<HeapSummary>,
    /// The same of the baseline, in a comparison.
    before: Slot<HeapSummary>,
    /// True if that was asked for since the baseline changed.
    asked_before: bool,
    /// Findings of the leak search, which Leaks shows too.
    holders: Slot<HolderFindings>,
    closer: Slot<DetailedOverview>,
    wasted: Slot<WasteTotals>,
    process: Slot<Arc<ProcessMemory>>,
    /// Results received so far.
    known: Overview,
    /// Texts of these findings.
    findings: Vec<finding_line::Line>,
    /// Android leaks, largest first, and the report they are from.
    leaks: Vec<finding_line::Line>,
    report: Option<Arc<LeakReport>>,
    leaks_by: Option<Arc<LeakRules>>,
    lead: String,
    /// The `OutOfMemoryError` of the dump.
    error: Option<String>,
    /// What could not be read of the dump.
    loss: Option<String>,
    rows: Rows,
    /// The finding at the cursor: its list and its index in it.
    at_cursor: Option<(List, usize)>,
    /// References of a finding to cut.
    cutting: Slot<Vec<Cut>>,
    /// Running export: path of the file, or `None` if the dialog was cancelled.
    exporting: Slot<Option<PathBuf>>,
}

impl ViewPage for OverviewPage {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.take_in(context);
        self.keys(ui);
        self.rows.begin();
        self.at_cursor = None;
        let area = ui.available_rect_before_wrap();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            egui::Frame::NONE.inner_margin(egui::Margin::symmetric(22, 18)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
                self.header_ui(ui, context);
                if let Some(why) = self.glance.error() {
                    ui.label(RichText::new(why).color(tokens(ui).error));
                } else if self.glance.is_running() && self.known.glance.health.is_empty() {
                    ui.label(RichText::new("Analyzing the heap…").color(tokens(ui).muted));
                    waiting::running_ui(ui, area);
                } else {
                    self.tiles_ui(ui);
                    self.leaks_ui(ui, context);
                    self.findings_ui(ui, context);
                    ui.add_space(GAP);
                    self.cards_ui(ui, context);
                }
            });
        });
        if context.copies_rows() {
            self.copy_at_cursor(context);
        }
        if let Some(target) = self.rows.end() {
            self.go(context, target);
        }
    }

    fn is_running(&self) -> bool {
        let parts = [
            self.glance.is_running(),
            self.holders.is_running(),
            self.closer.is_running(),
            self.wasted.is_running(),
            self.process.is_running(),
        ];
        self.asked_by.is_none() || parts.contains(&true) || self.exporting.is_running() || self.cutting.is_running()
    }

    /// Reports the outcome of an export. Called once a frame, whichever view is shown.
    fn tick(&mut self, context: &mut ViewContext<'_>) {
        context.push(self.poll_export());
        self.take_cuts(context);
    }
}

impl OverviewPage {
    /// Starts missing jobs and takes finished ones. Reports the outcome of an export.
    fn take_in(&mut self, context: &ViewContext<'_>) {
        let (dump, jobs) = (context.dump, context.jobs);
        let mut changed = false;
        if self.known.glance.health.is_empty() && !self.glance.is_running() && self.glance.error().is_none() {
            let theirs = dump.clone();
            self.glance.ask(jobs, "overview", move |task| Ok(glance(theirs.data(), &theirs.open_warnings, task)?));
        }
        self.compare(dump, jobs);
        if let Some(glance) = self.glance.take_new() {
            self.known.glance = glance;
            changed = true;
        }
        if self.asked_by.as_ref().is_none_or(|requested| !Arc::ptr_eq(requested, context.rules)) {
            let (theirs, rules) = (dump.clone(), Arc::clone(context.rules));
            self.asked_by = Some(Arc::clone(context.rules));
            self.holders.ask(jobs, "overview: leaks", move |task| {
                Ok(holders(&theirs.analysis, &theirs.leak_findings(&rules, task)?))
            });
        }
        if let Some(holders) = self.holders.take_new() {
            self.known.holders = Some(holders);
            changed = true;
            // One after the other, so that the first results do not wait for the rest.
            if self.known.closer.is_none() {
                let theirs = dump.clone();
                self.closer.ask(jobs, "overview: packages and threads", move |task| {
                    Ok(DetailedOverview::clone(&*theirs.answer(&DetailsQuestion, task)?))
                });
            }
        }
        if let Some(closer) = self.closer.take_new() {
            self.known.closer = Some(closer);
            changed = true;
            let theirs = dump.clone();
            self.process.ask(jobs, "overview: process", move |task| Ok(theirs.answer(&ProcessQuestion, task)?));
            if dump.heap.len() <= AT_ONCE && self.known.wasted.is_none() {
                self.look_for_waste(dump, jobs);
            }
        }
        if let Some(process) = self.process.take_new() {
            self.known.process = process.telling_sentence();
        }
        if let Some(wasted) = self.wasted.take_new() {
            self.known.wasted = Some(wasted);
            changed = true;
        }
        if changed {
            self.findings = self.known.findings().iter().map(finding_line::Line::new).collect();
            (self.lead, self.loss) = (words::lead(&self.known), words::loss(&self.known));
            self.error = self.known.glance.out_of_memory.sentence();
        }
    }

    /// Asks for the figures of the baseline, once after it has changed.
    fn compare(&mut self, dump: &OpenDump, jobs: &Jobs) {
        if !std::mem::replace(&mut self.asked_before, true) {
            self.before = Slot::default();
            if let Some(baseline) = dump.baseline.clone() {
                self.before.ask(jobs, "overview: baseline", move |task| {
                    let before = &baseline.before;
                    Ok(glance(before.data(), &before.open_warnings, task)?)
                });
            }
        }
        self.before.poll();
    }

    /// Takes over the leaks that the view of leaks has found, if the rules have changed since the last.
    pub fn take_leaks(&mut self, leaks: Option<&Arc<LeakReport>>, rules: &Arc<LeakRules>) {
        let is_by_rules = self.leaks_by.as_ref().is_some_and(|by| Arc::ptr_eq(by, rules));
        if let Some(report) = leaks.filter(|_| !is_by_rules) {
            (self.report, self.leaks_by) = (Some(Arc::clone(report)), Some(Arc::clone(rules)));
            self.leaks = finding_line::leaks(report, rules);
        }
    }

    /// Called when the rules for application classes or the baseline change. Old findings stay visible until the new ones are computed.
    pub fn look_again(&mut self) {
        (self.asked_by, self.asked_before) = (None, false);
    }

    /// Follows the link of the row at the cursor.
    fn go(&self, context: &mut ViewContext<'_>, target: Target) {
        let line =
            self.at_cursor.and_then(|(list, at)| if list == List::Findings { self.findings.get(at) } else { None });
        match (target, line.and_then(|line| line.leak.as_ref())) {
            (Target::Leak(_), Some(finding)) => {
                context.push(Command::on_finding(Verb::Show(View::Leaks), context.location.dump, finding));
            }
            _ => go(context, target),
        }
    }

    fn look_for_waste(&mut self, dump: &OpenDump, jobs: &Jobs) {
        let theirs = dump.clone();
        self.wasted.ask(jobs, "overview: waste", move |task| {
            Ok(WasteTotals::clone(&*theirs.answer(&WasteTotalsQuestion, task)?))
        });
    }

    /// Draws the header: name, export button, and the dump in a sentence.
    fn header_ui(&self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let (t, path) = (tokens(ui), context.path);
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let entry = Verb::ExportOverview.entry();
                if ui.add_enabled(!self.exporting.is_running(), egui::Button::new(entry.name)).clicked() {
                    context.push(Command::from(Verb::ExportOverview));
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let compared = context.comparing.filter(|_| !context.is_after);
                    let before = compared.map(|comparing| file_name(comparing.dump().path()));
                    let name = match before {
                        Some(before) => format!("{before} → {}", file_name(path)),
                        None => file_name(path),
                    };
                    let name = RichText::new(name).font(fonts::title()).color(t.text);
                    ui.add(egui::Label::new(name).truncate()).on_hover_text(path.display().to_string());
                });
            });
        });
        if let Some(error) = &self.error {
            ui.add_space(GAP / 2.0);
            error_ui(ui, error, error_target(&self.known.glance.out_of_memory), context);
            ui.add_space(GAP / 2.0);
        }
        if !self.lead.is_empty() {
            ui.add_space(2.0);
            ui.add(egui::Label::new(RichText::new(&self.lead).color(t.muted)).wrap());
        }
        if let Some(process) = &self.known.process {
            ui.add_space(2.0);
            let link = egui::Label::new(RichText::new(process).color(t.text)).wrap().sense(egui::Sense::click());
            let response = ui.add(link).on_hover_text("Show the memory of the process");
            if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                context.push(Command::from(Verb::Show(View::Process)));
            }
        }
        if let Some(loss) = &self.loss {
            ui.add_space(GAP / 2.0);
            loss_ui(ui, loss, context);
        }
        ui.add_space(GAP);
    }

    /// Up and down move between the rows, Enter goes to the target of the row.
    fn keys(&mut self, ui: &Ui) {
        if ui.ctx().egui_wants_keyboard_input() || egui::Popup::is_any_open(ui.ctx()) {
            return;
        }
        let pressed = |key| ui.input_mut(|i| i.count_and_consume_key(Modifiers::NONE, key));
        let (down, up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        let (first, last, enter) = (pressed(Key::Home), pressed(Key::End), pressed(Key::Enter));
        self.rows.step(down, up, first > 0, last > 0, enter > 0);
    }
}

/// Where to look after an error: at class loaders if metadata of classes ran out, else at the thread.
fn error_target(errors: &MemoryErrors) -> Target {
    let first = errors.first();
    match first.and_then(|error| error.kinds.first()) {
        Some(ErrorKind::Metaspace | ErrorKind::ClassSpace) => Target::Loaders,
        _ => Target::Threads(first.and_then(|error| Some(error.thread.as_ref()?.object.as_ref()?.0))),
    }
}

/// The error that the dump shows, with a link.
fn error_ui(ui: &mut Ui, error: &str, target: Target, context: &mut ViewContext<'_>) {
    let t = tokens(ui);
    let frame = egui::Frame::NONE.fill(t.surface).stroke((1.0, t.warn)).corner_radius(CORNER);
    frame.inner_margin(egui::Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let words = if target == Target::Loaders { "Show class loaders" } else { "Show threads" };
                if ui.button(words).clicked() {
                    go(context, target);
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let (mark, _) = ui.allocate_exact_size(vec2(18.0, 18.0), egui::Sense::HOVER);
                    icons::paint(ui.painter(), Icon::Warning, mark, 14.0, t.warn);
                    ui.add(egui::Label::new(RichText::new(error).color(t.text)).wrap());
                });
            });
        });
    });
}

/// What could not be read, with a link to all warnings.
fn loss_ui(ui: &mut Ui, loss: &str, context: &mut ViewContext<'_>) {
    let t = tokens(ui);
    let frame = egui::Frame::NONE.fill(t.surface).stroke((1.0, t.warn)).corner_radius(CORNER);
    frame.inner_margin(egui::Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("Show parse warnings").clicked() {
                    context.push(Command::from(Verb::Show(View::ParseWarnings)));
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let (mark, _) = ui.allocate_exact_size(vec2(18.0, 18.0), egui::Sense::HOVER);
                    icons::paint(ui.painter(), Icon::Warning, mark, 14.0, t.warn);
                    ui.add(egui::Label::new(RichText::new(loss).color(t.text)).truncate()).on_hover_text(loss);
                });
            });
        });
    });
}

fn go(context: &mut ViewContext<'_>, target: Target) {
    match target {
        Target::Object(object) => context.open(RowTarget::Object(object)),
        Target::Leak(object) => context.run_on(Verb::Show(View::Leaks), RowTarget::Object(object)),
        Target::Leaks => context.push(Command::from(Verb::Show(View::Leaks))),
        Target::Class(class) => context.open(RowTarget::Class(class)),
        Target::Threads(thread) => {
            context.push(Command::from(Verb::Show(View::Threads)));
            context.select_initially(thread);
        }
        Target::Strings => context.push(Command::from(Verb::Show(View::Strings))),
        Target::Collections => context.push(Command::from(Verb::Show(View::Collections))),
        Target::Waste => context.push(Command::from(Verb::Show(View::Waste))),
        Target::Loaders => context.push(Command::from(Verb::Show(View::Loaders))),
        Target::Finalizers => context.push(Command::from(Verb::Show(View::Finalizers))),
        Target::Process => context.push(Command::from(Verb::Show(View::Process))),
        Target::Histogram => context.push(Command::from(Verb::Show(View::Histogram))),
        Target::Roots => context.push(Command::from(Verb::Show(View::Roots))),
    }
}

/// Number of card columns for a width.
fn columns(width: f32) -> usize {
    (((width + GAP) / (CARD + GAP)).floor() as usize).clamp(1, 3)
}

/// Radius of the corners of cards.
const CORNER: u8 = sizes::CORNER + 2;
