//! First page of a dump: the page for the person on call, told as its answers come, with details below: the largest
//! objects, classes, packages and threads, and facts about the dump. Every line leads to a view.

mod actions;
mod cards;
mod copied;
mod export;
mod finding_line;
mod findings;
mod help;
mod path_line;
mod rows;
mod steps;
mod story;
mod tiles;

use heaplens_tables::RowTarget;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{self, Key, Modifiers, RichText, ScrollArea, Ui, vec2};

use self::copied::Copied;
use self::rows::Rows;
use self::steps::Steps;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::{Command, Verb, View, ViewContext};
use heaplens_analysis::android::shark::LeakReport;
use heaplens_analysis::overview::{FactKind, Finding, FindingSubject, HeapSummary, Target, glance};
use heaplens_analysis::{Cut, Overview};
use heaplens_session::files::file_name;
use heaplens_session::{Jobs, LeakRules, OpenDump, Slot};
use heaplens_tables::export::printable::one_line;
use heaplens_tables::export::report::words;
use heaplens_tables::story::{Lead, StoryPart, StoryStep};

/// Space between cards.
const GAP: f32 = 14.0;
/// Minimum width of a card in several columns, in points.
const CARD: f32 = 400.0;
/// Space beside the page in a wide window, and in one that is narrower than [`NARROW`].
const MARGINS: [i8; 2] = [22, 12];
const NARROW: f32 = 700.0;

/// The view.
#[derive(Default)]
pub struct OverviewPage {
    steps: Steps,
    /// Figures of the baseline, in a comparison.
    before: Slot<HeapSummary>,
    /// True if that was asked for since the baseline changed.
    asked_before: bool,
    /// What is known so far.
    known: Overview,
    /// Findings that the page does not tell.
    others: Vec<finding_line::Line>,
    /// Android leaks, largest first.
    leaks: Vec<finding_line::Line>,
    leaks_by: Option<Arc<LeakRules>>,
    lead: String,
    /// What the list of recent files is to say, until it is taken, and the heading of it.
    verdict: Option<Verdict>,
    heading: String,
    rows: Rows,
    /// What a copy of the row at the cursor is, if it can be copied.
    at_cursor: Option<Copied>,
    /// References of a finding to cut.
    cutting: Slot<Vec<Cut>>,
    /// Running export: path of the file, or `None` if the dialog was cancelled.
    exporting: Slot<Option<PathBuf>>,
}

/// What the page says of a dump.
pub struct Verdict {
    /// Main class or archive of the program, if it is recorded.
    pub program: Option<String>,
    /// The answer in a sentence.
    pub text: String,
}

impl ViewPage for OverviewPage {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.take_in(context);
        self.keys(ui);
        self.rows.begin();
        self.at_cursor = None;
        let side = MARGINS[usize::from(ui.available_width() < NARROW)];
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            egui::Frame::NONE.inner_margin(egui::Margin::symmetric(side, 18)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
                self.header_ui(ui, context);
                self.story_ui(ui, context);
                if !self.known.glance.health.is_empty() {
                    self.tiles_ui(ui);
                    self.leaks_ui(ui, context);
                    self.others_ui(ui, context);
                    self.cards_ui(ui, context);
                }
            });
        });
        if context.copies_rows() {
            self.copy_at_cursor(context);
        }
        if let Some(lead) = self.rows.end() {
            follow(context, &lead);
        }
    }

    fn is_running(&self) -> bool {
        self.steps.is_running() || self.exporting.is_running() || self.cutting.is_running()
    }

    /// Reports the outcome of an export. Called once a frame, whichever view is shown.
    fn tick(&mut self, context: &mut ViewContext<'_>) {
        context.push(self.poll_export());
        self.take_cuts(context);
    }
}

impl OverviewPage {
    /// Starts missing jobs and takes what is known.
    fn take_in(&mut self, context: &ViewContext<'_>) {
        self.steps.start(context.dump, context.rules, context.jobs);
        self.compare(context.dump, context.jobs);
        if !self.steps.poll() {
            return;
        }
        let Some(source) = self.steps.source() else { return };
        self.known = source.overview.clone();
        self.lead = words::lead(&self.known);
        if let Some(claim) = self.steps.story.claims(StoryPart::Verdict).first()
            && self.heading != claim.text
        {
            self.heading.clone_from(&claim.text);
            let program = self.known.glance.health.iter().find(|fact| fact.kind == FactKind::Program);
            let program = program.and_then(|fact| fact.value.as_deref().map(one_line));
            self.verdict = Some(Verdict { program, text: claim.text.clone() });
        }
        // The page tells of waste, garbage and native memory.
        let holders = &self.steps.story.holders;
        let is_told = |finding: &Finding| match (&finding.about, &finding.leak) {
            (_, Some(leak)) => holders.iter().any(|holder| holder.fingerprint == leak.fingerprint),
            (FindingSubject::Garbage(_) | FindingSubject::Native(_), None) => true,
            _ => finding.is_waste(),
        };
        if self.steps.has(StoryStep::Findings) {
            let findings = self.known.findings();
            let others = findings.iter().filter(|finding| !is_told(finding));
            self.others = others.map(finding_line::Line::new).collect();
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
            self.leaks_by = Some(Arc::clone(rules));
            self.leaks = finding_line::leaks(report, rules);
        }
    }

    /// The answer of the page, once after it changed.
    pub fn take_verdict(&mut self) -> Option<Verdict> {
        self.verdict.take()
    }

    /// Called when the rules for application classes or the baseline change. Old findings stay visible until the new ones are computed.
    pub fn look_again(&mut self) {
        self.steps.look_again();
        self.asked_before = false;
    }

    /// Draws the name of the dump and the export button.
    fn header_ui(&self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let (t, path) = (tokens(ui), context.path);
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let entry = Verb::ExportReport.entry();
                if ui.add_enabled(!self.exporting.is_running(), egui::Button::new(entry.name)).clicked() {
                    context.push(Command::from(Verb::ExportReport));
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let compared = context.comparing.filter(|_| !context.is_after);
                    let before = compared.map(|comparing| file_name(comparing.dump().path()));
                    let name = match before {
                        Some(before) => format!("{before} → {}", file_name(path)),
                        None => file_name(path),
                    };
                    let name = RichText::new(name).font(fonts::medium()).color(t.muted);
                    ui.add(egui::Label::new(name).truncate()).on_hover_text(path.display().to_string());
                });
            });
        });
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

/// Shows what a line leads to.
fn follow(context: &mut ViewContext<'_>, lead: &Lead) {
    match lead {
        Lead::Finding(finding) => {
            context.push(Command::on_finding(Verb::Show(View::Leaks), context.location.dump, finding));
        }
        Lead::View(target) => go(context, *target),
        Lead::Nothing => {}
    }
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
        Target::ParseWarnings => context.push(Command::from(Verb::Show(View::ParseWarnings))),
        Target::Dominators => context.push(Command::from(Verb::Show(View::Dominators))),
        Target::Growth => context.push(Command::from(Verb::Show(View::Growth))),
    }
}

/// Number of card columns for a width.
fn columns(width: f32) -> usize {
    (((width + GAP) / (CARD + GAP)).floor() as usize).clamp(1, 3)
}

/// Radius of the corners of cards.
const CORNER: u8 = sizes::CORNER + 2;
