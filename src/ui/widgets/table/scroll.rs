//! Mouse wheel and scroll bar of a table, exact for any number of rows.

use eframe::egui;
use egui::{Id, Rect, Role, Sense, Ui, pos2, vec2};

use super::TableState;
use crate::ui::theme::tokens;

/// Width of the scroll bar, in points.
pub(super) const WIDTH: f32 = 12.0;
const THUMB: f32 = 5.0;

pub(super) fn wheel(ui: &Ui, body: Rect, row_height: f32, state: &mut TableState) {
    if !ui.rect_contains_pointer(body) {
        return;
    }
    let points = ui.input_mut(|i| std::mem::take(&mut i.smooth_scroll_delta.y));
    if points != 0.0 {
        state.scroll_by(-f64::from(points) / f64::from(row_height));
    }
}

pub(super) fn bar_ui(ui: &Ui, id: Id, name: &str, body: Rect, rows: u64, state: &mut TableState) {
    if state.max_top() <= 0.0 {
        return;
    }
    let tokens = tokens(ui);
    let track = Rect::from_min_max(pos2(body.right() - WIDTH, body.top()), body.max);
    let height = (f64::from(track.height()) * state.view() / rows as f64) as f32;
    let height = height.clamp(32.0_f32.min(track.height() * 0.5), track.height());
    let free = track.height() - height;
    let response = ui.interact(track, id.with("scroll bar"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(Role::ScrollBar, true, format!("Scroll {name}"));
        info.value = Some(state.top());
        info
    });
    let thumb_top = |state: &TableState| track.top() + (f64::from(free) * state.top() / state.max_top()) as f32;
    if let Some(pointer) = response.interact_pointer_pos() {
        let within = pointer.y - thumb_top(state);
        if response.drag_started() || response.clicked() {
            // A click beside the thumb centres it on the pointer.
            let hit = (0.0..=height).contains(&within);
            state.grabbed = Some(if hit { within } else { height / 2.0 });
        }
        let grabbed = state.grabbed.unwrap_or(height / 2.0);
        if (response.dragged() || response.clicked()) && free > 0.0 {
            let part = f64::from((pointer.y - grabbed - track.top()) / free);
            state.set_top(part.clamp(0.0, 1.0) * state.max_top());
        }
    }
    if response.drag_stopped() {
        state.grabbed = None;
    }
    let is_active = response.hovered() || response.dragged();
    let width = if is_active { THUMB + 2.0 } else { THUMB };
    let thumb = Rect::from_min_size(
        pos2(track.center().x - width / 2.0, thumb_top(state) + 2.0),
        vec2(width, (height - 4.0).max(4.0)),
    );
    ui.painter().rect_filled(thumb, width / 2.0, if is_active { tokens.faint } else { tokens.edge });
}
