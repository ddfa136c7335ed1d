//! Growth since the baseline: a headline, and a table of owners, classes, packages, loaders, threads, strings or
//! collections, each before and after.

mod header;
mod tables;

use std::collections::BTreeMap;
use std::sync::Arc;

use eframe::egui::{self, Rect, Ui, vec2};

use super::picture::chart_pane::ChartPane;
use super::picture::dominators::Dominators;
use super::report::{GrowthFilter, Report};
use crate::ui::theme::{Icon, sizes, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{controls, tabs, toolbar, waiting};
use crate::ui::{Command, Target, Verb, ViewContext, ViewState};
use crate::view::chart::Mode;
use crate::view::growth_table::GrowthTable;
use heaplens_base::Progress;
use heaplens_session::open_dump::OverTime;
use heaplens_session::{Comparing, SideRowKind};
use heaplens_tables::diff::DiffRows;

/// Below this width, a combo box replaces the checkboxes, in points.
const NARROW: f32 = 460.0;

/// The view.
#[derive(Default)]
pub struct Growth {
    of: GrowthTable,
    /// True if the user has just chosen the table.
    is_new: bool,
    only: GrowthFilter,
    /// Dumps of the current tables of owners over time.
    over_time: Option<Arc<OverTime>>,
    /// True if the details of the matching are expanded.
    shows_details: bool,
    reports: BTreeMap<GrowthTable, Report>,
    /// Chart of the target, coloured by growth.
    picture: ChartPane<Dominators>,
}

impl ViewPage for Growth {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let Some(comparing) = context.comparing else {
            let area = ui.available_rect_before_wrap();
            let hint =
                "Growth shows the difference between two dumps. Open another dump of the same program, then press B";
            return waiting::empty_ui(ui, area, Icon::Search, "No comparison", hint);
        };
        let Some(baseline) = comparing.done() else { return waiting_ui(ui, context) };
        let baseline = baseline.clone();
        header::ui(ui, context, &baseline, &mut self.shows_details);
        self.take_in(context);
        self.chooser_ui(ui, context.dump.heap.snapshot().is_some());
        let has_lines = self.over_time.is_some();
        let report = self.reports.entry(self.of).or_insert_with(|| Report::new(tables::of(self.of, has_lines)));
        if std::mem::take(&mut self.is_new) {
            report.take_place();
        }
        let follows = has_lines && matches!(self.of, GrowthTable::Comparison(DiffRows::Owners) | GrowthTable::OverTime);
        // Growth in every interval is only known for tracked owners.
        let filter = if follows || self.only != GrowthFilter::GrownEveryTime { self.only } else { GrowthFilter::Grown };
        let grows = !matches!(self.of, GrowthTable::SnapshotLeaks(_));
        // Removals free memory: what grows by them is little.
        report.show_only(if grows && !context.is_after { filter } else { GrowthFilter::All });
        let only = &mut self.only;
        self.picture.ui(ui, context, |ui, context| {
            let following = context.comparing.and_then(Comparing::following);
            report.ui_with(ui, context, |ui, _| {
                if grows {
                    only_ui(ui, only, follows, following.as_ref());
                }
            });
        });
    }

    fn is_running(&self) -> bool {
        // Without a comparison no job is running.
        !self.reports.is_empty() && self.picture.is_running(self.reports.get(&self.of).is_some_and(Report::is_running))
    }

    fn view_state(&self) -> Option<ViewState> {
        self.reports.get(&self.of).and_then(Report::view_state)
    }

    fn restore(&mut self, view_state: &ViewState) {
        if let Some(report) = self.reports.get_mut(&self.of) {
            report.restore(view_state);
        }
    }

    fn picture_mode(&mut self) -> Option<&mut Mode> {
        Some(&mut self.picture.shown.mode)
    }
}

impl Growth {
    /// Tables of owners over time are recomputed when the open dumps change.
    fn take_in(&mut self, context: &ViewContext<'_>) {
        let now = &context.dump.over_time;
        if now.as_ref().map(Arc::as_ptr) == self.over_time.as_ref().map(Arc::as_ptr) {
            return;
        }
        self.over_time.clone_from(now);
        if now.is_none() {
            self.reports.remove(&GrowthTable::OverTime);
            if self.of == GrowthTable::OverTime {
                self.of = GrowthTable::Comparison(DiffRows::Owners);
            }
        }
        // The answer depends on the snapshots in between.
        self.reports.retain(|shown, _| !matches!(shown, GrowthTable::SnapshotLeaks(_)));
        for shown in [GrowthTable::Comparison(DiffRows::Owners), GrowthTable::OverTime] {
            if let Some(report) = self.reports.get_mut(&shown) {
                report.ask_again(tables::of(shown, now.is_some()));
            }
        }
    }

    fn chooser_ui(&mut self, ui: &mut Ui, of_snapshots: bool) {
        let (width, t) = (ui.available_width(), tokens(ui));
        let row = ui.horizontal(|ui| {
            ui.add_space(4.0);
            let is_there = |shown: GrowthTable| match shown {
                GrowthTable::Comparison(DiffRows::Side(
                    SideRowKind::Loaders | SideRowKind::Threads | SideRowKind::Collections,
                )) => !of_snapshots,
                GrowthTable::Comparison(_) => true,
                GrowthTable::OverTime => self.over_time.is_some(),
                GrowthTable::SnapshotLeaks(_) => of_snapshots,
            };
            let there: Vec<_> = tables::ALL.into_iter().filter(|&(shown, ..)| is_there(shown)).collect();
            let names: Vec<tabs::Tab> = there.iter().map(|&(_, name, _)| tabs::Tab { name, count: None }).collect();
            let now = there.iter().position(|&(shown, ..)| shown == self.of);
            if let Some(&(shown, ..)) = tabs::tabs_ui(ui, &names, now, width - 8.0).and_then(|at| there.get(at)) {
                self.is_new = self.of != shown;
                self.of = shown;
            }
        });
        let rect = row.response.rect;
        ui.painter().hline(rect.left()..=rect.left() + width, rect.bottom() - 1.0, (1.0, t.border));
    }

    /// Shows a table.
    pub fn show(&mut self, of: GrowthTable) {
        self.of = of;
    }

    /// True if only owners that grew in every interval are shown.
    pub fn is_every_time(&self) -> bool {
        self.only == GrowthFilter::GrownEveryTime
    }

    /// Toggles between all owners and those that grew in every interval, if the table distinguishes them.
    pub fn toggle_every_time(&mut self) {
        self.only = if self.is_every_time() { GrowthFilter::All } else { GrowthFilter::GrownEveryTime };
        if self.is_every_time() && self.of != GrowthTable::OverTime {
            self.of = GrowthTable::Comparison(DiffRows::Owners);
        }
    }
}

/// Draws the row filter, or the progress of tracking owners.
fn only_ui(ui: &mut Ui, only: &mut GrowthFilter, follows: bool, following: Option<&Progress>) {
    if follows && ui.available_width() < NARROW {
        let name = |only: GrowthFilter| match only {
            GrowthFilter::All => "All owners",
            GrowthFilter::Grown => "Growing only",
            GrowthFilter::GrownEveryTime => "Grew in every interval",
        };
        let combo = egui::ComboBox::from_id_salt("owner filter").width(124.0);
        let label = |only| format!("Show: {}", name(only));
        let all = [GrowthFilter::All, GrowthFilter::Grown, GrowthFilter::GrownEveryTime];
        controls::choice_ui(ui, combo, label, only, all, name);
        ui.add_space(8.0);
        return;
    }
    let mut set = |ui: &mut Ui, wanted: GrowthFilter, name: &str, about: &str| {
        let mut is_set = *only == wanted;
        if ui.checkbox(&mut is_set, name).on_hover_text(about).changed() {
            *only = if is_set { wanted } else { GrowthFilter::All };
        }
        ui.add_space(8.0);
    };
    set(ui, GrowthFilter::Grown, "Growing only", "Hide rows that shrank or did not change");
    if follows {
        let about = "Show only owners whose retained size increased from each dump to the next";
        set(ui, GrowthFilter::GrownEveryTime, "Grew in every interval", about);
    } else if let Some(progress) = following {
        let done = progress.percent().map(|percent| format!(" {percent} %")).unwrap_or_default();
        toolbar::hint(ui, &format!("Tracking owners through all dumps…{done}"));
        ui.add_space(8.0);
    }
}

/// Draws the progress, or the failure, of the comparison.
fn waiting_ui(ui: &mut Ui, context: &mut ViewContext<'_>) {
    let Some(comparing) = context.comparing else { return };
    let area = ui.available_rect_before_wrap();
    let key = context.location.dump;
    if let Some(why) = comparing.refused() {
        return waiting::empty_ui(ui, area, Icon::Warning, "Cannot compare these two dumps", why);
    }
    let (title, hint, button, command) = match (comparing.progress(), comparing.error()) {
        (Some(progress), _) => {
            let done = progress.percent().map(|percent| format!(" {percent} %")).unwrap_or_default();
            let step = if progress.step.is_empty() { "Comparing" } else { progress.step };
            waiting::progress_ui(ui, area, Some(&progress));
            let hint = "The other views of the target dump are ready to use meanwhile";
            (format!("{step}…{done}"), hint.to_owned(), "Stop", Command::Do(Verb::StopOpening, Target::Tab(key)))
        }
        (None, Some(error)) => {
            ("Cannot compare the dumps".to_owned(), error.to_owned(), "Try again", Command::CompareAgain(key))
        }
        (None, None) => {
            let hint = "No results are available. Compare again to show them";
            ("Comparison cancelled".to_owned(), hint.to_owned(), "Compare", Command::CompareAgain(key))
        }
    };
    let icon = if comparing.error().is_some() { Icon::Warning } else { Icon::Search };
    waiting::empty_ui(ui, area, icon, &title, &hint);
    let rect = Rect::from_center_size(area.center() + vec2(0.0, 52.0), vec2(120.0, sizes::TOOLS));
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(egui::Layout::top_down(egui::Align::Center)));
    if controls::primary_button(&mut child, button).clicked() {
        context.push(command);
    }
}
