//! The views of one dump, with the state of each.

use std::collections::BTreeMap;

use eframe::egui::Ui;

use super::bitmaps::Bitmaps;
use super::containment::Containment;
use super::dominator_tree::DominatorTree;
use super::growth::Growth;
use super::histogram::Histogram;
use super::leaks::Leaks;
use super::merged_paths::MergedPaths;
use super::notes;
use super::object::Inspector;
use super::objects::Objects;
use super::overview::OverviewPage;
use super::ownership::Ownership;
use super::paths::Paths;
use super::picture::chart_pane::ChartPane;
use super::picture::classes::Classes;
use super::picture::dominators::Dominators;
use super::picture::mode::Mode;
use super::report::{self, Report};
use super::route::Route;
use super::stars::Stars;
use super::timeline::Timeline;
use crate::ui::layout::Layout;
use crate::ui::location::{View, ViewState};
use crate::ui::view_context::ViewContext;

/// The views of a tab, and the panes beside them.
#[derive(Default)]
pub struct Views {
    /// Overview.
    pub overview: OverviewPage,
    /// Leaks.
    pub leaks: Leaks,
    bitmaps: Bitmaps,
    containment: Containment,
    timeline: Timeline,
    ownership: Ownership,
    /// Path between two objects.
    pub route: Route,
    /// Dominator tree.
    pub dominators: DominatorTree,
    dominators_picture: ChartPane<Dominators>,
    /// Growth, in a comparison.
    pub growth: Growth,
    histogram: Histogram,
    histogram_picture: ChartPane<Classes>,
    objects: Objects,
    stars: Stars,
    /// Right pane: details of the selected object.
    pub inspector: Inspector,
    /// Left pane: path to the GC root.
    pub paths: Paths,
    /// Merged paths to many objects.
    pub merged: MergedPaths,
    /// Opened reports.
    reports: BTreeMap<View, Report>,
}

impl Views {
    /// Takes over finished results, also of hidden parts.
    pub fn tick(&mut self, context: &mut ViewContext<'_>) {
        self.paths.tick(context);
        self.inspector.tick();
        self.overview.tick(context);
        self.leaks.tick(context);
    }

    /// Filters the object list by the heap of the histogram, if the list is opened from there; else removes the filter.
    pub fn objects_as_counted(&mut self, by_histogram: bool) {
        let heap = self.histogram.heap().filter(|_| by_histogram);
        self.objects.choose_heap(heap);
    }

    /// Draws the current view.
    pub fn main_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        match context.place.view {
            View::Overview => {
                self.leaks.trace_early(context);
                self.overview.ui(ui, context, context.path, self.leaks.report());
            }
            View::Dominators => {
                if !self.dominators_picture.shown.mode.has_table() {
                    self.dominators.unseen(context);
                }
                self.dominators_picture.ui(ui, context, |ui, context| self.dominators.ui(ui, context));
            }
            View::Histogram => {
                if !self.histogram_picture.shown.mode.has_table() {
                    self.histogram.unseen(context);
                }
                self.histogram_picture.ui(ui, context, |ui, context| self.histogram.ui(ui, context));
            }
            View::Leaks => self.leaks.ui(ui, context),
            View::Bitmaps => self.bitmaps.ui(ui, context),
            View::Containment => self.containment.ui(ui, context),
            View::Timeline => self.timeline.ui(ui, context),
            View::Ownership => self.ownership.ui(ui, context),
            View::Route => self.route.ui(ui, context),
            View::Objects => self.objects.ui(ui, context),
            View::Stars => self.stars.ui(ui, context),
            View::Paths => self.merged.ui(ui, context),
            View::Notes => notes::ui(ui, context),
            View::Growth => self.growth.ui(ui, context),
            view => {
                if let Some(kind) = report::of(view) {
                    self.reports.entry(view).or_insert_with(|| Report::new(kind)).ui(ui, context);
                }
            }
        }
    }

    /// True while a job of `view` or of the panes beside it is running.
    pub fn is_running(&self, view: View, panes: bool) -> bool {
        let main = match view {
            View::Overview => self.overview.is_running() || self.leaks.is_tracing(),
            View::Dominators => self.dominators_picture.is_running(self.dominators.is_running()),
            View::Histogram => self.histogram_picture.is_running(self.histogram.is_running()),
            View::Leaks => self.leaks.is_running(),
            View::Bitmaps => self.bitmaps.is_running(),
            View::Containment => self.containment.is_running(),
            View::Timeline => self.timeline.is_running(),
            View::Ownership => self.ownership.is_running(),
            View::Route => self.route.is_running(),
            View::Objects => self.objects.is_running(),
            View::Paths => self.merged.is_running(),
            View::Stars => self.stars.is_running(),
            View::Notes => false,
            View::Growth => self.growth.is_running(),
            report => self.reports.get(&report).is_none_or(Report::is_running),
        };
        main || (panes && (self.inspector.is_running() || self.paths.is_running()))
    }

    /// State of a view, for later restoring.
    pub fn view_state(&self, view: View) -> Option<ViewState> {
        match view {
            View::Dominators => Some(self.dominators.view_state()),
            View::Histogram => Some(self.histogram.view_state()),
            View::Objects => Some(self.objects.view_state()),
            View::Growth => self.growth.view_state(),
            View::Leaks => Some(self.leaks.view_state()),
            View::Bitmaps => Some(self.bitmaps.view_state()),
            report => self.reports.get(&report).map(Report::view_state),
        }
    }

    /// Restores the state of a view.
    pub fn restore(&mut self, view: View, view_state: &ViewState) {
        match view {
            View::Dominators => self.dominators.restore(view_state),
            View::Histogram => self.histogram.restore(view_state),
            View::Objects => self.objects.restore(view_state),
            View::Growth => self.growth.restore(view_state),
            View::Leaks => self.leaks.restore(view_state),
            View::Bitmaps => self.bitmaps.restore(view_state),
            report => {
                if let Some(report) = self.reports.get_mut(&report) {
                    report.restore(view_state);
                }
            }
        }
    }

    /// Display mode of a view that has a choice: table, chart or both.
    pub fn picture_mode(&mut self, view: View) -> Option<&mut Mode> {
        match view {
            View::Dominators => Some(&mut self.dominators_picture.shown.mode),
            View::Histogram => Some(&mut self.histogram_picture.shown.mode),
            View::Growth => Some(self.growth.mode()),
            _ => None,
        }
    }

    /// Layout of the views.
    pub fn layout(&mut self) -> Layout {
        Layout {
            dominators: self.dominators_picture.shown,
            histogram: self.histogram_picture.shown,
            tree: self.dominators.form().into(),
            weakest: self.paths.weakest(),
            tree_columns: self.dominators.table().widths().to_vec(),
            histogram_columns: self.histogram.table().widths().to_vec(),
            object_columns: self.objects.table().widths().to_vec(),
            leaks_folded: Some(self.leaks.folded()),
        }
    }

    /// Applies a saved layout to a new tab.
    pub fn lay_out(&mut self, layout: &Layout) {
        self.dominators_picture.shown = layout.dominators;
        self.histogram_picture.shown = layout.histogram;
        self.dominators.begin_with(layout.tree.into());
        self.paths.put_weakest(layout.weakest);
        self.dominators.table().put_widths(&layout.tree_columns);
        self.histogram.table().put_widths(&layout.histogram_columns);
        self.objects.table().put_widths(&layout.object_columns);
        layout.leaks_folded.iter().for_each(|folded| self.leaks.put_folded(folded));
    }
}
