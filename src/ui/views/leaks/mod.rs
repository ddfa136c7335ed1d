//! Leaks: findings in groups, what frees most first; of the chosen one why it is
//! thought to be a leak, the path root down with the reference to cut, and what
//! can be done about it.

mod chain;
mod cutting;
mod detail;
mod list;
mod search;
mod shown;
mod stance;

use std::sync::Arc;

use eframe::egui;
use egui::{Button, Id, Key, Modifiers, Panel, Rect, Ui, vec2};

use self::cutting::Cutting;
use self::list::Line;
use self::search::{Found, Search};
use super::copying;
use super::objects::tools;
use crate::analysis::filter::TextFilter;
use crate::analysis::leaks::{Finding, Group, Kind};
use crate::analysis::waste::WasteKind;
use crate::export::command_line::CommandLine;
use crate::export::copy::Body;
use crate::export::leaks::{Counts, words};
use crate::heap::ids::ObjectId;
use crate::ui::command::{Command, Verb};
use crate::ui::place::View;
use crate::ui::scene::Scene;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::tokens;
use crate::ui::widgets::filter::Filter;
use crate::ui::widgets::table::{TableOutput, TableState};
use crate::ui::widgets::waiting;
use crate::units::Count;

/// From this width on what is known of a finding stands beside the list, not below it.
const BESIDE: f32 = 1_000.0;

/// The view.
pub struct Leaks {
    search: Search,
    /// What is shown.
    found: Arc<Found>,
    /// Groups of which only the head is shown.
    folded: Vec<Group>,
    lines: Vec<Line>,
    /// The finding that is looked at closely.
    chosen: Option<usize>,
    table: TableState,
    filter: Filter,
    cutting: Cutting,
    /// The object whose finding somebody wants to see.
    wanted: Option<ObjectId>,
    /// The object that the reader was at when the finding was last compared with it.
    followed: Option<ObjectId>,
    /// When it was drawn last.
    drawn: u64,
    /// The panes beside were told what it is about.
    is_settled: bool,
}

impl Default for Leaks {
    fn default() -> Self {
        Self {
            search: Search::default(),
            found: Arc::default(),
            folded: vec![Group::Bounded, Group::Normal],
            lines: Vec::new(),
            chosen: None,
            table: TableState::default(),
            filter: Filter::default(),
            cutting: Cutting::default(),
            wanted: None,
            followed: None,
            drawn: 0,
            is_settled: false,
        }
    }
}

impl Leaks {
    /// The finding that is looked at.
    pub fn chosen(&self) -> Option<&Finding> {
        self.found.findings.get(self.chosen?)
    }

    /// Other rules say from now on which classes are the application's. What is shown stays until it is found anew.
    pub fn look_again(&mut self) {
        self.search.look_again();
    }

    /// Takes in what was found, also while it is not drawn.
    pub fn tick(&mut self, scene: &mut Scene<'_>) {
        if self.search.poll() {
            self.take_in();
        }
        let chosen = self.chosen.and_then(|at| self.found.findings.get(at));
        self.cutting.tick(scene, chosen);
    }

    /// Whether anything is being looked for.
    pub fn is_running(&self) -> bool {
        self.search.is_running() || self.cutting.is_running()
    }

    /// Cuts what the chosen finding names, as soon as it is known; false where it names nothing.
    pub fn cut_chosen(&mut self) -> bool {
        let names_any = self.chosen().is_some_and(|finding| !finding.cut.is_empty());
        if names_any {
            self.cutting.want();
        }
        names_any
    }

    /// Draws the view.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let now = ui.ctx().cumulative_pass_nr();
        let came = std::mem::replace(&mut self.drawn, now) + 1 < now;
        let news = self.search.ask(scene, &self.found);
        if self.found.is_there {
            self.follow(scene.place.object);
            if news || came {
                self.settle(scene);
            }
        }
        if !self.found.is_there {
            self.waiting_ui(ui);
            return;
        }
        // Enter that ends a text or presses a button is not meant for the table as well.
        let active = ui.memory(|memory| memory.focused().is_none());
        self.tools_ui(ui, scene);
        let room = ui.available_size();
        let frame = egui::Frame::NONE.fill(tokens(ui).surface);
        let panel = if room.x > BESIDE {
            Panel::right("finding").default_size(room.x * 0.56).size_range(420.0..=room.x - 320.0)
        } else {
            // In a low window the list gives way: of the finding the path is to be seen.
            let share = if room.y < 520.0 { 0.68 } else { 0.62 };
            Panel::bottom("finding").default_size(room.y * share).size_range(120.0..=(room.y - 120.0).max(121.0))
        };
        let found = Arc::clone(&self.found);
        if let Some(finding) = self.chosen.and_then(|at| found.findings.get(at)) {
            let cuts = self.cutting.known(finding);
            panel.resizable(true).frame(frame).show(ui, |ui| detail::ui(ui, scene, finding, cuts));
        }
        self.fold_keys(ui, active);
        let filter = self.filter.pattern().clone();
        let listed = list::Listed { found: &found, lines: &self.lines, folded: &self.folded, filter: &filter };
        let output = list::ui(ui, &listed, &mut self.table, active);
        if found.findings.is_empty() && !self.search.is_running() {
            let room = ui.min_rect();
            waiting::empty_ui(
                ui,
                room,
                Icon::Check,
                words::NOTHING,
                "No single holder and no kind of waste takes 1 % of the heap",
            );
        }
        if self.lines.is_empty() && !found.findings.is_empty() {
            let room = ui.min_rect();
            waiting::empty_ui(ui, room, Icon::Search, "No finding passes the filter", "Clear it to see all findings");
        }
        self.obey(scene, &output);
    }

    /// Before there is anything to show.
    fn waiting_ui(&mut self, ui: &mut Ui) {
        let room = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(room);
        let button = Rect::from_center_size(room.center() + vec2(0.0, 36.0), vec2(120.0, 30.0));
        if let Some(why) = self.search.error() {
            waiting::empty_ui(ui, room, Icon::Warning, "Leaks: no answer", why);
        } else if self.search.is_stopped() {
            waiting::empty_ui(ui, room, Icon::Search, "Leaks were not looked for to the end", "");
            if ui.put(button, Button::new("Look for leaks")).clicked() {
                self.search.look_again();
            }
        } else {
            waiting::empty_ui(ui, room, Icon::Search, "Looking for leaks…", "");
            let line = Rect::from_min_size(room.min, vec2(room.width(), 2.0));
            waiting::progress_ui(ui, line, self.search.progress().as_ref());
            if ui.put(button, Button::new("Stop")).clicked() {
                self.search.stop();
            }
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let running = self.search.is_running();
        let found = Arc::clone(&self.found);
        let rect = tools(ui, |ui| {
            let rect = ui.max_rect();
            let width = (ui.available_width() * 0.3).clamp(120.0, 260.0);
            let id = Id::unique("filter of leaks");
            if self.filter.ui(ui, id, "Filter findings", width, scene.focus_filter) {
                self.lay_out();
            }
            ui.label(egui::RichText::new(words::summary(&found.findings)).color(tokens(ui).text));
            ui.add_space(8.0);
            if running {
                ui.label(egui::RichText::new("Looking for waste…").color(tokens(ui).muted));
                if ui.button("Stop").on_hover_text("What was found so far stays").clicked() {
                    self.search.stop();
                }
            } else if !found.has_waste {
                let about = "Looks inside every object: in a dump of this size that takes a while";
                if ui.button("Look for waste…").on_hover_text(about).clicked() {
                    self.search.want_waste();
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let said = scene.rules.of_user().count() as u64;
                let about = Verb::Verdicts.entry().about;
                if said > 0 && ui.button(format!("Verdicts: {}…", Count(said))).on_hover_text(about).clicked() {
                    scene.push(Command::Do(Verb::Verdicts));
                }
            });
            rect
        });
        if running {
            let line = Rect::from_min_size(rect.left_bottom() - vec2(0.0, 2.0), vec2(rect.width(), 2.0));
            waiting::progress_ui(ui, line, self.search.progress().as_ref());
        }
    }

    /// What was found is shown from now on; the finding that was looked at stays the one, wherever it stands now.
    fn take_in(&mut self) {
        let Some(found) = self.search.take() else { return };
        let known = self.chosen().map(|finding| finding.fingerprint.clone());
        self.found = Arc::new(found);
        let is_known = |finding: &Finding| Some(&finding.fingerprint) == known.as_ref();
        let findings = &self.found.findings;
        self.chosen = findings.iter().position(is_known).or((!findings.is_empty()).then_some(0));
        if let Some(at) = self.wanted.take().and_then(|object| self.accumulating_in(object)) {
            self.chosen = Some(at);
        }
        self.show_chosen();
    }

    fn lay_out(&mut self) {
        self.line_up();
        let row = self.chosen.and_then(|at| self.lines.iter().position(|&line| line == Line::Finding(at)));
        if let Some(row) = row {
            self.table.select_and_show(row as u64);
        }
    }

    fn line_up(&mut self) {
        self.lines = list::lines(&self.found.findings, &self.folded, self.filter.pattern());
    }

    /// The panes beside are about the chosen finding, unless something of its path was chosen meanwhile.
    fn settle(&mut self, scene: &mut Scene<'_>) {
        let is_settled = std::mem::replace(&mut self.is_settled, true);
        let Some(finding) = self.chosen() else { return };
        let is_of_it = |object: ObjectId| {
            let of_path = |path: &crate::analysis::paths::Path| path.steps.iter().any(|step| step.object == object);
            finding.path.as_ref().is_some_and(of_path)
        };
        if let Some(object) = accumulates_in(finding)
            && !(is_settled && scene.place.object.is_some_and(is_of_it))
        {
            scene.push(Command::Settle(object));
        }
    }

    /// Right unfolds a group, left folds it, or that of the finding.
    fn fold_keys(&mut self, ui: &Ui, active: bool) {
        let Some(row) = self.table.cursor().filter(|_| active) else { return };
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let (right, left) = (pressed(Key::ArrowRight), pressed(Key::ArrowLeft));
        match self.lines.get(row as usize).copied() {
            Some(Line::Group(group)) if right && self.folded.contains(&group) => self.turn(group),
            Some(Line::Group(group)) if left && !self.folded.contains(&group) => self.turn(group),
            Some(Line::Finding(at)) if left => {
                let group = self.found.findings.get(at).map(|finding| Line::Group(finding.group));
                let head = self.lines.iter().position(|&line| Some(line) == group);
                head.into_iter().for_each(|head| self.table.select_and_show(head as u64));
            }
            _ => {}
        }
    }

    /// Folds a group, or unfolds it; the cursor stays at its head.
    fn turn(&mut self, group: Group) {
        let folded = self.folded.len();
        self.folded.retain(|&other| other != group);
        if self.folded.len() == folded {
            self.folded.push(group);
        }
        self.line_up();
        let head = self.lines.iter().position(|&line| line == Line::Group(group));
        self.table.select(head.map(|head| head as u64));
    }

    fn obey(&mut self, scene: &mut Scene<'_>, output: &TableOutput) {
        let line = |row: Option<u64>| self.lines.get(row? as usize).copied();
        let (clicked, moved, activated) = (line(output.clicked), line(output.moved), line(output.activated));
        let toggled = line(output.toggled);
        if let Some(Line::Finding(at)) = clicked.or(moved) {
            self.chosen = Some(at);
            if let Some(object) = self.chosen().and_then(accumulates_in) {
                scene.push(if clicked.is_some() { Command::Select(object) } else { Command::Pass(object) });
            }
        }
        match (clicked, activated) {
            (Some(Line::Group(group)), _) | (None, Some(Line::Group(group))) => self.turn(group),
            (_, Some(Line::Finding(at))) => {
                self.found.findings.get(at).into_iter().for_each(|finding| show(scene, finding));
            }
            _ => {}
        }
        if let Some(Line::Group(group)) = toggled {
            self.turn(group);
        }
        if scene.copy_rows {
            self.copy(scene);
        }
        if scene.export {
            let passing = self.found.findings.iter().filter(|finding| finding.passes(self.filter.pattern()));
            let passing = Arc::new(passing.cloned().collect());
            scene.push(Command::ExportFindings(passing, Counts::of(&self.found.findings)));
        }
    }

    /// Copies the selected findings, or the chosen one.
    fn copy(&self, scene: &mut Scene<'_>) {
        let rows = self.table.selection().unwrap_or(0..=0);
        let several = rows.filter_map(|row| match self.lines.get(row as usize)? {
            Line::Finding(at) => self.found.findings.get(*at).cloned(),
            Line::Group(_) => None,
        });
        let mut copied: Vec<Finding> = several.collect();
        if copied.is_empty() {
            copied.extend(self.chosen().cloned());
        }
        let filter = match copied.as_slice() {
            [one] => Some(filter_of(one, &self.found.findings)),
            _ => None,
        };
        scene.copy(move |answers, _| {
            let command = CommandLine::new("leaks", &answers.opened).some("filter", filter);
            Ok(copying::clip(answers, "Leaks", command, Body::Findings(copied)))
        });
    }
}

/// The filter that lets one finding through: its name, unless that lets others through as well.
fn filter_of(finding: &Finding, all: &[Finding]) -> String {
    let by_name = TextFilter::parse(&finding.name).ok().filter(|_| !finding.name.is_empty());
    let passing = by_name.map(|filter| all.iter().filter(|finding| finding.passes(&filter)).count());
    if passing == Some(1) { finding.name.clone() } else { finding.fingerprint.clone() }
}

/// Where what a finding is about accumulates.
fn accumulates_in(finding: &Finding) -> Option<ObjectId> {
    let point = finding.point.as_ref().map(|point| point.object);
    point.or_else(|| finding.cut.first().map(|cut| cut.to))
}

/// Goes where the finding is seen among everything else.
fn show(scene: &mut Scene<'_>, finding: &Finding) {
    let is = |kind: WasteKind| finding.kind == Kind::Waste(kind.name());
    match (accumulates_in(finding), finding.kind) {
        (Some(object), _) => scene.push(Command::Reveal(object)),
        (None, Kind::Waste(_)) => {
            let collections = [WasteKind::EmptyCollections, WasteKind::SparseCollections, WasteKind::UnusedRoom];
            let view = match () {
                () if is(WasteKind::DuplicateStrings) => View::Strings,
                () if collections.into_iter().any(is) => View::Collections,
                () => View::Waste,
            };
            scene.push(Command::Show(view));
        }
        (None, _) => {}
    }
}
