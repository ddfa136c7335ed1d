//! What every view of a dump can do. A view has its own small state, reads the open dump, and changes nothing else: user
//! actions go out as commands.

use eframe::egui::Ui;

use crate::ui::{ViewContext, ViewState};
use crate::view::chart::Mode;

/// A view of one dump, with its state.
pub trait ViewPage: Send {
    /// Draws the view, starts missing jobs, and handles requests of the frame: to copy, to export, to filter.
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>);

    /// Handles requests of the frame while a chart replaces the view.
    fn unseen(&mut self, _context: &mut ViewContext<'_>) {}

    /// Takes over finished results, once a frame, also while another view is shown.
    fn tick(&mut self, _context: &mut ViewContext<'_>) {}

    /// True while a job of the view is running.
    fn is_running(&self) -> bool {
        false
    }

    /// Filter, order and scroll position, for later restoring; `None` if the view always begins anew.
    fn view_state(&self) -> Option<ViewState> {
        None
    }

    /// Restores the state.
    fn restore(&mut self, _view_state: &ViewState) {}

    /// Name of the cut in the selected row, if its rows are cuts.
    fn cut_text(&self) -> Option<String> {
        None
    }

    /// Display mode, if the view has a choice: table, chart or both.
    fn picture_mode(&mut self) -> Option<&mut Mode> {
        None
    }
}
