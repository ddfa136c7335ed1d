//! Leaks: findings in groups, largest savings first. The selected one is shown with its evidence, the path from the GC
//! root with the reference to cut, and actions. Android leaks come first, each with its leak trace.

mod actions;
mod chain;
mod current;
mod detail;
mod list;
mod outside;
mod trace;

use std::sync::Arc;

use eframe::egui::{self, Button, Id, Panel, Rect, Ui, vec2};

pub(in crate::ui) use self::trace::about_leak;
use crate::ui::theme::{Icon, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::{TableState, toolbar, waiting};
use crate::ui::{Command, SelectedBy, Verb, View, ViewContext, ViewState};
use heaplens_analysis::leaks::Group;
use heaplens_analysis::leaks::words;
use heaplens_base::Count;
use heaplens_heap::ObjectId;
use heaplens_tables::export::traces::headline;
use heaplens_tables::leak_list::android_leaks::AndroidLeaks;
use heaplens_tables::leak_list::cut_search::CutSearch;
use heaplens_tables::leak_list::filter::NUMBERS;
use heaplens_tables::leak_list::groups::GroupHead;
use heaplens_tables::leak_list::lines::{LeakLine, LeakList};
use heaplens_tables::leak_list::search::{LeakFindings, LeakSearch};
use heaplens_tables::{RowTarget, TypedFilter};

/// From this width on, details are beside the list instead of below it, in points.
const BESIDE: f32 = 1_000.0;

/// The view.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own, none excludes another")]
pub struct Leaks {
    search: LeakSearch,
    /// Findings on screen.
    findings: Arc<LeakFindings>,
    /// Android leaks.
    traces: AndroidLeaks,
    folded: FoldedGroups,
    lines: Vec<LeakLine>,
    /// Selected row: a finding, a leak or an unreachable object.
    chosen: Option<LeakLine>,
    /// True if the user selected it.
    is_picked: bool,
    table: TableState,
    filter: TypedFilter,
    cutting: CutSearch,
    outside: outside::Outside,
    /// True if LeakCanary's report is to be copied once it is computed.
    is_report_wanted: bool,
    /// True if the order of the findings changes with the next result: the first one is selected then.
    is_order_new: bool,
    /// Fingerprint of the finding to select once it is found.
    wanted: Option<String>,
    /// Selected object when the finding last followed it.
    followed: Option<ObjectId>,
    /// True if the user went back to a location in this view.
    came_back: bool,
    /// Number of the pass in which it was drawn last.
    drawn: u64,
    /// True if the other panes show the selected finding.
    is_settled: bool,
}

/// Collapsed groups; by default bounded and normal memory.
struct FoldedGroups(Vec<GroupHead>);

impl Default for FoldedGroups {
    fn default() -> Self {
        Self([Group::Bounded, Group::Normal].map(GroupHead::Group).into())
    }
}

impl ViewPage for Leaks {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let now = ui.ctx().cumulative_pass_nr();
        let is_shown_again = std::mem::replace(&mut self.drawn, now) + 1 < now;
        self.traces.ask(context.dump, context.jobs, context.references);
        let changed = self.search.ask((context.dump, context.jobs), context.rules, &self.findings) || !self.is_settled;
        let is_there = self.findings.is_there || self.traces.report().is_some();
        if is_there {
            self.follow(context.location.object);
            if changed || is_shown_again {
                self.settle(context);
            }
        } else {
            self.waiting_ui(ui);
            return;
        }
        // Enter in a text field or on a button must not also act on the table.
        let active = ui.memory(|memory| memory.focused().is_none());
        self.tools_ui(ui, context);
        self.outside.ask(context);
        self.outside.ui(ui, context);
        let area = ui.available_size();
        let frame = egui::Frame::NONE.fill(tokens(ui).surface);
        let panel = if area.x > BESIDE {
            Panel::right("finding").default_size(area.x * 0.56).size_range(420.0..=area.x - 320.0)
        } else {
            // In a low window the list shrinks, so that the path stays visible.
            let share = if area.y < 520.0 { 0.68 } else { 0.62 };
            // However long the text is, the list has its part.
            Panel::bottom("finding").default_size(area.y * share).size_range(120.0..=(area.y * 0.7).max(121.0))
        };
        let panel = panel.resizable(true).frame(frame);
        // Without a row in the list, details would be those of none.
        match self.chosen.filter(|_| !self.lines.is_empty()) {
            Some(LeakLine::Finding(at)) => {
                let findings = Arc::clone(&self.findings);
                if let Some(finding) = findings.findings.get(at) {
                    let cuts = self.cutting.known(finding);
                    panel.show(ui, |ui| detail::ui(ui, context, finding, cuts));
                }
            }
            Some(line @ (LeakLine::Leak(_) | LeakLine::Lost(_))) => {
                panel.show(ui, |ui| trace::ui(ui, context, &mut self.traces, line));
            }
            Some(LeakLine::Head(_)) | None => {}
        }
        self.fold_keys(ui, active);
        let (findings, filter) = (Arc::clone(&self.findings), self.filter.checked(&NUMBERS));
        let listed = LeakList { findings: &findings, traces: &self.traces, folded: &self.folded.0, filter: &filter };
        let output = list::ui(ui, &listed, &self.lines, context, &mut self.table, active);
        let is_empty = findings.findings.is_empty() && self.first().is_none();
        if is_empty && !self.search.is_running() && !self.traces.is_running() {
            let area = ui.min_rect();
            let hint = "No single owner and no kind of waste accounts for 1 % of the heap or more";
            waiting::empty_ui(ui, area, Icon::Check, words::NOTHING, hint);
        }
        if self.lines.is_empty() && !is_empty {
            let area = ui.min_rect();
            let hint = "Clear the filter to see all findings";
            waiting::empty_ui(ui, area, Icon::Search, "No finding matches the filter", hint);
        }
        self.handle(context, &output);
    }

    fn is_running(&self) -> bool {
        self.search.is_running() || self.traces.is_running() || self.cutting.is_running() || self.outside.is_running()
    }

    fn tick(&mut self, context: &mut ViewContext<'_>) {
        self.outside.poll();
        if self.search.poll() && self.take_in() && context.location.view == View::Leaks {
            // Waste that was wanted has no object, so the panes must not show another one.
            let has_object = self.chosen.and_then(|line| self.object_of(line)).is_some();
            if !has_object {
                context.select_target(RowTarget::None, SelectedBy::Cursor);
            }
        }
        if self.traces.poll() {
            self.begin();
            if let Some(line) = self.wanted.as_deref().and_then(|fingerprint| self.known_by(fingerprint)) {
                (self.wanted, self.is_picked) = (None, true);
                self.choose(line);
            }
        }
        if self.wanted.is_some() && !self.traces.is_running() && self.search.is_exhausted(&self.findings) {
            self.wanted = None;
            context.push(Command::Hint(match self.search.error() {
                Some(why) => format!("Cannot find the requested finding: the search failed: {why}"),
                None if self.findings.has_waste => "This dump does not have the requested finding".to_owned(),
                None => "The search for the requested finding was cancelled".to_owned(),
            }));
        }
        self.copy_wanted_report(context);
        let chosen = if let Some(LeakLine::Finding(at)) = self.chosen { self.findings.findings.get(at) } else { None };
        let cuts = self.cutting.tick(context.dump, context.jobs, chosen);
        cuts.into_iter().for_each(|cuts| context.cut(cuts));
    }

    fn view_state(&self) -> Option<ViewState> {
        let filter = self.filter.text().to_owned();
        Some(ViewState { filter, sort: None, top: self.table.top(), folded: self.folded(), selected: None })
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.came_back = true;
        self.filter.set(&view_state.filter);
        self.put_folded(&view_state.folded);
        self.table.come_back_to(view_state.top);
    }
}

impl Leaks {
    /// Called when the rules for application classes change. Old findings stay visible until the new search is done.
    pub fn look_again(&mut self) {
        self.search.look_again();
        self.traces.look_again();
    }

    /// Called when the baseline changes. Old findings stay visible until the new ones are there.
    pub fn compare_again(&mut self) {
        self.search.look_again();
        self.is_order_new = true;
    }

    fn stop(&mut self) {
        self.search.stop();
        self.traces.stop();
    }

    /// Cuts the references of the selected finding once they are known; false if there are none.
    pub fn cut_chosen(&mut self) -> bool {
        let names_any = self.chosen().is_some_and(|finding| !finding.cut.is_empty());
        if names_any {
            self.cutting.want();
        }
        names_any
    }

    /// Draws the page without results.
    fn waiting_ui(&mut self, ui: &mut Ui) {
        let area = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(area);
        let button = Rect::from_center_size(area.center() + vec2(0.0, 36.0), vec2(120.0, 30.0));
        if let Some(why) = self.search.error().or(self.traces.error()) {
            waiting::empty_ui(ui, area, Icon::Warning, "Cannot search for leaks", why);
        } else if self.search.is_stopped() {
            waiting::empty_ui(ui, area, Icon::Search, "The search for leaks was cancelled", "");
            if ui.put(button, Button::new("Search for leaks")).clicked() {
                self.look_again();
            }
        } else {
            waiting::empty_ui(ui, area, Icon::Search, "Searching for leaks…", "");
            waiting::progress_ui(ui, area, self.search.progress().as_ref());
            if ui.put(button, Button::new("Stop")).clicked() {
                self.stop();
            }
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let running = self.search.is_running();
        let tracing = self.traces.is_running();
        let findings = Arc::clone(&self.findings);
        let rect = toolbar::tools(ui, |ui| {
            let rect = ui.max_rect();
            let width = (ui.available_width() * 0.3).clamp(120.0, 260.0);
            let id = Id::unique("filter of leaks");
            if filter_ui(&mut self.filter, ui, id, "Filter findings", width, context.focuses_filter()) {
                self.lay_out();
            }
            let summary = match (self.traces.report(), self.traces.error()) {
                (Some(report), _) if report.leaks.is_empty() && report.unreachable.is_empty() => {
                    words::summary(&findings.findings)
                }
                (Some(report), _) => headline(report),
                (None, Some(why)) => format!("The search for Android leaks failed: {why}"),
                (None, None) => words::summary(&findings.findings),
            };
            // Reserve space for the buttons on the right.
            let has_verdicts = context.rules.of_user().next().is_some();
            let offers = running || tracing || !findings.has_waste || self.traces.is_stopped();
            let behind = [offers, has_verdicts].map(|is_there| if is_there { 150.0 } else { 0.0 });
            ui.scope(|ui| {
                ui.set_max_width((ui.available_width() - behind.iter().sum::<f32>()).max(80.0));
                let text = egui::RichText::new(&summary).color(tokens(ui).text);
                ui.add(egui::Label::new(text).truncate()).on_hover_text(&summary);
            });
            ui.add_space(8.0);
            if running || tracing {
                let what = match (tracing, findings.is_there) {
                    (true, _) => "Searching for Android leaks…",
                    (false, true) => "Searching for waste…",
                    (false, false) => "Searching for leaks…",
                };
                ui.add(egui::Label::new(egui::RichText::new(what).color(tokens(ui).muted)).truncate());
                if ui.button("Stop").on_hover_text("Stop the search and keep the findings so far").clicked() {
                    self.stop();
                }
            } else if self.traces.is_stopped() {
                let about = "The search for Android leaks was cancelled; run it again";
                if ui.button("Search again").on_hover_text(about).clicked() {
                    self.traces.look_again();
                }
            } else if findings.is_there && !findings.has_waste {
                let about = "Reads the contents of every object, which takes a while for a dump of this size";
                if ui.button("Search for waste…").on_hover_text(about).clicked() {
                    self.search.want_waste();
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let has_verdicts = context.rules.of_user().count() as u64;
                let about = Verb::Verdicts.entry().about;
                if has_verdicts > 0
                    && ui.button(format!("Verdicts: {}…", Count(has_verdicts))).on_hover_text(about).clicked()
                {
                    context.push(Command::from(Verb::Verdicts));
                }
            });
            rect
        });
        if running || tracing {
            let line = Rect::from_min_size(rect.left_bottom() - vec2(0.0, 2.0), vec2(rect.width(), 2.0));
            let progress = if tracing { self.traces.progress() } else { self.search.progress() };
            waiting::progress_ui(ui, line, progress.as_ref());
        }
    }

    /// Shows new findings and keeps the selection; true if the wanted finding is among them, and selected now.
    fn take_in(&mut self) -> bool {
        let Some(findings) = self.search.take() else { return false };
        let is_first_shown = std::mem::take(&mut self.is_order_new) && !self.is_picked;
        let known = self.chosen().map(|finding| finding.fingerprint.clone());
        if is_first_shown && known.is_some() {
            self.chosen = None;
        }
        self.findings = Arc::new(findings);
        if let Some(known) = known.filter(|_| !is_first_shown) {
            let at = self.findings.findings.iter().position(|finding| finding.fingerprint == known);
            self.chosen = at.map(LeakLine::Finding);
        }
        // Waste is found later, so an unknown one is still wanted.
        let wanted = self.wanted.as_deref().and_then(|fingerprint| self.known_by(fingerprint));
        if wanted.is_some() {
            (self.chosen, self.is_picked, self.wanted) = (wanted, true, None);
        }
        self.begin();
        wanted.is_some()
    }

    /// Default selection: the first finding.
    fn begin(&mut self) {
        let is_new = !self.is_picked && matches!(self.chosen, None | Some(LeakLine::Finding(_)));
        if self.chosen.is_none() || is_new && self.traces.report().is_some() {
            self.chosen = self.first();
            self.is_settled = false;
        }
        self.show_chosen();
    }

    fn lay_out(&mut self) {
        self.line_up();
        let row = self.chosen.and_then(|chosen| self.lines.iter().position(|&line| line == chosen));
        if let Some(row) = row {
            self.table.select_and_show(row as u64);
        }
    }

    /// Numbers of the collapsed groups.
    pub fn folded(&self) -> Vec<u8> {
        GroupHead::numbered().filter(|(_, head)| self.folded.0.contains(head)).map(|(number, _)| number).collect()
    }

    /// Collapses these groups and no others.
    pub fn put_folded(&mut self, folded: &[u8]) {
        self.folded.0 =
            GroupHead::numbered().filter(|(number, _)| folded.contains(number)).map(|(_, head)| head).collect();
        self.lay_out();
    }

    fn line_up(&mut self) {
        let filter = self.filter.checked(&NUMBERS);
        let (traces, folded) = (&self.traces, &*self.folded.0);
        self.lines = LeakList { findings: &self.findings, traces, folded, filter: &filter }.lines();
    }
}
