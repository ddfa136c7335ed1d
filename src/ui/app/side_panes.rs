//! The side panes of a view: which of them are shown, how wide they are, and which has the keyboard focus.

use eframe::egui;
use egui::containers::panel::PanelState;
use egui::{Context, Frame, Panel, Rect, Ui, vec2};

use crate::ui::panes::{Dock, Docks, Side};
use crate::ui::theme::tokens;
use crate::ui::views::PaneContent;
use crate::ui::{DumpKey, Pane, View};

/// Width in points that side panes leave to the table.
const TABLE: f32 = 470.0;
/// Width in points from which on the panes of a wide window share what the table does not need.
const WIDE: f32 = 1500.0;
/// Window width in points below which one side pane is shown at most.
const NARROW: f32 = 900.0;

/// What decides, beside the settings, which side panes are shown.
#[derive(Debug, Default)]
pub(in crate::ui::app) struct SidePanes {
    /// View in which an object was selected: its panes stay when a row of neither an object nor a class is selected.
    filled: Option<(DumpKey, View)>,
    /// True if a narrow window shows the path, false if it shows the inspector.
    narrow_has_path: bool,
}

impl SidePanes {
    /// The panes as a view shows them: none while they have nothing to show, so that the table has their room, and one
    /// in a narrow window. A pane that has the keyboard focus is shown in any case.
    pub(in crate::ui::app) fn shown(
        &mut self,
        ctx: &Context,
        mut docks: Docks,
        focus: Pane,
        view: (DumpKey, View),
        content: PaneContent,
    ) -> Docks {
        match content {
            PaneContent::Objects => self.filled = Some(view),
            PaneContent::Nothing => {}
            PaneContent::Class => self.filled = None,
        }
        let is_filled = self.filled == Some(view);
        for pane in [Pane::Path, Pane::Inspector] {
            if let Some(dock) = docks.of(pane) {
                dock.shown &= is_filled || focus == pane;
            }
        }
        if focus != Pane::Main {
            self.narrow_has_path = focus == Pane::Path;
        }
        if ctx.content_rect().width() < NARROW && docks.path.shown && docks.inspector.shown {
            docks.path.shown = self.narrow_has_path;
            docks.inspector.shown = !self.narrow_has_path;
        }
        docks
    }
}

/// Draws a side pane where it is docked and returns its rectangle.
pub(super) fn pane_ui(ui: &mut Ui, pane: Pane, dock: &mut Dock, add: impl FnOnce(&mut Ui)) -> Rect {
    let area = ui.available_size();
    // In a narrow window the panes shrink before the columns of the table do; a wide one gives them more, too.
    let spare = (area.x - TABLE).max(0.0);
    let beyond = (area.x - WIDE).max(0.0);
    let (name, default, least, most) = match (pane, dock.side) {
        (_, Side::Below) => ("below", area.y * 0.34, 120.0, area.y * 0.7),
        (Pane::Path, _) => {
            let default = (area.x * 0.2).clamp(220.0, 300.0) + (beyond * 0.15).min(140.0);
            ("held by", default, 190.0, (spare * 0.42).max(190.0))
        }
        _ => {
            let default = (area.x * 0.37).clamp(270.0, 400.0) + (beyond * 0.4).min(260.0);
            ("inspector", default, 200.0, (spare * 0.8).max(210.0))
        }
    };
    let id = egui::Id::unique((name, pane as u8, dock.side as u8));
    let panel = match dock.side {
        Side::Left => Panel::left(id),
        Side::Right => Panel::right(id),
        Side::Below => Panel::bottom(id),
    };
    forget_squeezed(ui, id, area);
    let frame = Frame::NONE.fill(tokens(ui).panel);
    let panel = panel.resizable(true).default_size(dock.size.unwrap_or(default)).size_range(least..=most.max(least));
    let shown = panel.frame(frame).show(ui, add).response.rect;
    let size = if dock.side == Side::Below { shown.height() } else { shown.width() };
    if let Some(size) = dragged_to(ui, id, size) {
        dock.size = Some(size);
    }
    shown
}

/// Forgets the size of a panel when its window has another size: a pane that a small window squeezed gets the size
/// that the user or the window gave it again.
fn forget_squeezed(ui: &Ui, id: egui::Id, area: egui::Vec2) {
    let of_area = id.with("area");
    let known = ui.data(|data| data.get_temp::<egui::Vec2>(of_area));
    if known.is_some_and(|known| (known - area).length() > 0.5) {
        let state = ui.scope_id().with(id);
        ui.data_mut(|data| data.remove::<PanelState>(state));
    }
    ui.data_mut(|data| data.insert_temp(of_area, area));
}

/// Size to which the user has dragged the edge of a panel, when the button is released. Only that is stored: the
/// default size follows the window.
fn dragged_to(ui: &Ui, id: egui::Id, size: f32) -> Option<f32> {
    let at_press = id.with("at press");
    if ui.input(|i| i.pointer.any_pressed()) {
        ui.data_mut(|data| data.insert_temp(at_press, size));
    }
    if !ui.input(|i| i.pointer.any_released()) {
        return None;
    }
    let pressed = ui.data_mut(|data| data.remove_temp::<f32>(at_press))?;
    ((size - pressed).abs() > 4.0).then_some(size)
}

/// Moves the keyboard focus to a pane that is clicked, and marks it unless it is the view.
pub(super) fn take_focus(ui: &Ui, pane: Pane, shown: Rect, focus: &mut Pane) {
    let pressed = ui.input(|i| i.pointer.any_pressed().then(|| i.pointer.interact_pos()).flatten());
    if pressed.is_some_and(|at| shown.contains(at)) && !egui::Popup::is_any_open(ui.ctx()) {
        *focus = pane;
    }
    if *focus == pane && pane != Pane::Main {
        let line = Rect::from_min_size(shown.min, vec2(shown.width(), 2.0));
        ui.painter().rect_filled(line, 0.0, tokens(ui).accent);
    }
}
