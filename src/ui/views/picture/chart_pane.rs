//! A view and a chart of the same rows: one of them, or both.

use eframe::egui::{Rect, Ui, vec2};

use super::{Picture, Source, mode};
use crate::ui::layout::ViewLayout;
use crate::ui::theme::sizes;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::toolbar::keep_free;
use crate::ui::{ViewContext, ViewState};
use crate::view::chart::Mode;

/// Display mode of a view, and its chart.
#[derive(Default)]
pub struct ChartPane<S: Source> {
    /// Display mode, and the share of the table.
    pub shown: ViewLayout,
    picture: Picture<S>,
}

impl<S: Source> ChartPane<S> {
    /// Draws the visible parts; `table` draws the view itself.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        context: &mut ViewContext<'_>,
        table: impl FnOnce(&mut Ui, &mut ViewContext<'_>),
    ) {
        let row = Rect::from_min_size(ui.available_rect_before_wrap().min, vec2(ui.available_width(), sizes::TOOLS));
        if self.shown.mode.kind().is_some() {
            // Before the table, which consumes the keys it handles.
            self.picture.keys(ui, context, !self.shown.mode.has_table());
        }
        keep_free(ui, mode::WIDTH);
        match self.shown.mode {
            Mode::Table => table(ui, context),
            Mode::Picture(kind) => self.picture.ui(ui, context, kind),
            Mode::Split(kind) => {
                let picture = &mut self.picture;
                mode::split_ui(ui, &mut self.shown.share, context, table, |ui, context| picture.ui(ui, context, kind));
            }
        }
        let inside = row.shrink2(vec2(sizes::PAD, 0.0));
        mode::control_ui(ui, inside, &mut self.shown.mode);
    }

    /// True while a visible part is being computed; `table` is the state of the view itself.
    pub fn is_running(&self, table: bool) -> bool {
        self.shown.mode.has_table() && table || self.shown.mode.kind().is_some() && self.picture.is_running()
    }
}

/// A view with a chart of its rows.
#[derive(Default)]
pub struct Charted<V, S: Source + Default> {
    /// The view.
    pub view: V,
    /// Its display mode, and the chart.
    pub chart: ChartPane<S>,
}

impl<V: ViewPage, S: Source + Default + Send> ViewPage for Charted<V, S> {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        if !self.chart.shown.mode.has_table() {
            self.view.unseen(context);
        }
        self.chart.ui(ui, context, |ui, context| self.view.ui(ui, context));
    }

    fn is_running(&self) -> bool {
        self.chart.is_running(self.view.is_running())
    }

    fn view_state(&self) -> Option<ViewState> {
        self.view.view_state()
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.view.restore(view_state);
    }

    fn picture_mode(&mut self) -> Option<&mut Mode> {
        Some(&mut self.chart.shown.mode)
    }
}
