//! A view and a chart of the same rows: one of them, or both.

use eframe::egui;
use egui::{Rect, Ui, vec2};

use super::mode::{self, Mode};
use super::{Picture, Source};
use crate::ui::layout::ViewLayout;
use crate::ui::theme::sizes;
use crate::ui::view_context::ViewContext;
use crate::ui::widgets::toolbar::keep_free;

/// Display mode of a view, and its chart.
pub struct ChartPane<S: Source> {
    /// Display mode, and the share of the table.
    pub shown: ViewLayout,
    picture: Picture<S>,
}

impl<S: Source + Default> Default for ChartPane<S> {
    fn default() -> Self {
        Self { shown: ViewLayout::default(), picture: Picture::default() }
    }
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
