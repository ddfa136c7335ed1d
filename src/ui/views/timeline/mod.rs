//! Allocation timeline: live bytes by allocation time, with a selectable range, and below it the live objects of that
//! range by class.

mod chart;

use std::sync::Arc;

use eframe::egui::Ui;

use self::chart::Chart;
use super::report::{Kind, Report};
use crate::ui::theme::Icon;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{Column, waiting};
use crate::ui::{ViewContext, ViewState};
use heaplens_analysis::javascript::timeline::{Bar, timeline};
use heaplens_session::{JobError, Slot};
use heaplens_tables::TableContext;
use heaplens_tables::dump::javascript::opened;
use heaplens_tables::relations::ALLOCATED_BY_CLASS;
use heaplens_tables::reports::allocated;

/// Live objects allocated in a range of the recording, by class; below each class its largest objects.
const ALLOCATED: Kind = Kind {
    sorted: Some("shallow_bytes"),
    filter: "Filter by class",
    nothing: ("No objects", "All objects allocated in the selected range were collected"),
    ..Kind::new(
        "Allocated in range",
        &[
            Column::naming(ALLOCATED_BY_CLASS.column("class"), 250.0).about(
                "Class of objects allocated in the selected range and still alive; below it its largest objects",
            ),
            Column::of(ALLOCATED_BY_CLASS.column("objects"), 96.0, 6)
                .about("Number of live objects allocated in the selected range"),
            Column::of(ALLOCATED_BY_CLASS.column("shallow_bytes"), 152.0, 8),
            Column::numbers("Retained size", "Of a single object: expand a class to see its largest", 104.0, 4),
        ],
        |_, _| Err(JobError::Failed("no range is selected".to_owned())),
    )
};

/// The view.
pub struct Timeline {
    requested: bool,
    bars: Slot<Arc<[Bar]>>,
    chart: Chart,
    /// Range that the table shows.
    shown: Option<(usize, usize)>,
    report: Report,
}

impl Default for Timeline {
    fn default() -> Self {
        Self {
            requested: false,
            bars: Slot::default(),
            chart: Chart::default(),
            shown: None,
            report: Report::new(&ALLOCATED),
        }
    }
}

impl ViewPage for Timeline {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        if !std::mem::replace(&mut self.requested, true) {
            let dump = context.dump.clone();
            self.bars.ask(context.jobs, "allocation timeline", move |task| {
                Ok(timeline(opened(TableContext::of(&dump))?, task)?.into())
            });
        }
        self.bars.poll();
        let area = ui.available_rect_before_wrap();
        if let Some(error) = self.bars.error() {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot read the timeline", error);
        }
        let Some(bars) = self.bars.get().cloned() else {
            return waiting::empty_ui(ui, area, Icon::Search, "Loading…", "");
        };
        if bars.is_empty() {
            let why = "The snapshot has no allocation samples. In DevTools, record “Allocation instrumentation on timeline” and save it";
            return waiting::empty_ui(ui, area, Icon::Search, "No allocation timeline", why);
        }
        let chosen = self.chart.ui(ui, &bars);
        // Each query walks over all objects, so none starts while a range is being dragged.
        if self.shown != Some(chosen) && !self.chart.is_dragged() {
            self.shown = Some(chosen);
            let bars = bars.clone();
            self.report.ask_with(Arc::new(move |dump, task| {
                allocated::rows(dump, bars.get(chosen.0..=chosen.1).unwrap_or_default(), task)
            }));
        }
        let mut is_all = false;
        self.report.ui_with(ui, context, |ui, _| {
            if chosen != (0, bars.len() - 1) {
                is_all = ui.button("Select all").on_hover_text("Select the whole recording").clicked();
            }
        });
        if is_all {
            self.chart.choose_all();
        }
    }

    fn is_running(&self) -> bool {
        !self.requested || self.bars.is_at_work() || self.report.is_running()
    }

    fn view_state(&self) -> Option<ViewState> {
        self.report.view_state()
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.report.restore(view_state);
    }
}
