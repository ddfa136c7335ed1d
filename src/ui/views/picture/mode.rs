//! Control for the display mode of a view: table, chart or both.

use eframe::egui::{self, CursorIcon, Id, Key, Modifiers, Rect, Role, Sense, Ui, pos2, vec2};

use crate::ui::theme::{Icon, icons, tokens};
use crate::ui::widgets::controls;
use crate::view::chart::{Kind, Mode};

const KINDS: [(Kind, Icon, &str); 3] = [
    (Kind::Treemap, Icon::Treemap, "Treemap"),
    (Kind::Icicle, Icon::Icicle, "Icicle"),
    (Kind::Sunburst, Icon::Sunburst, "Sunburst"),
];

/// Width of a button of the control, in points.
const BUTTON: f32 = 30.0;
/// Gap before the button for table and chart, in points.
const APART: f32 = 6.0;
/// Width of the control at the right end of the toolbar, in points.
pub const WIDTH: f32 = 5.0 * BUTTON + APART + 8.0;

/// Draws the control at the right of `row`.
pub fn control_ui(ui: &Ui, row: Rect, mode: &mut Mode) {
    let t = tokens(ui);
    let all = Rect::from_min_size(pos2(row.right() - WIDTH + 8.0, row.center().y - 14.0), vec2(4.0 * BUTTON, 28.0));
    ui.painter().rect(all, 6.0, t.raised, (1.0, t.edge), egui::StrokeKind::Inside);
    let button = |n: usize, apart: f32| {
        Rect::from_min_size(pos2(all.left() + BUTTON * n as f32 + apart, all.top()), vec2(BUTTON, 28.0))
    };
    if segment_ui(ui, button(0, 0.0), Icon::Table, "Table", *mode == Mode::Table) {
        *mode = Mode::Table;
    }
    for (n, (kind, icon, name)) in KINDS.into_iter().enumerate() {
        if segment_ui(ui, button(n + 1, 0.0), icon, name, mode.kind() == Some(kind)) {
            *mode = mode.with(kind);
        }
    }
    let split = button(4, APART);
    ui.painter().rect(split, 6.0, t.raised, (1.0, t.edge), egui::StrokeKind::Inside);
    let is_split = matches!(mode, Mode::Split(_));
    if segment_ui(ui, split, Icon::Split, "Table and chart", is_split) {
        *mode = mode.split();
    }
}

fn segment_ui(ui: &Ui, rect: Rect, icon: Icon, name: &str, chosen: bool) -> bool {
    let t = tokens(ui);
    let response = ui.interact(rect, Id::unique(("display mode", name)), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(Role::RadioButton, true, chosen, name));
    let inside = rect.shrink(3.0);
    let is_lit = response.hovered() || response.has_focus();
    if chosen {
        ui.painter().rect_filled(inside, 4.0, t.selected);
    } else if is_lit {
        ui.painter().rect_filled(inside, 4.0, t.hover);
    }
    controls::focus_ring(ui, &response, inside);
    let color = match (chosen, is_lit) {
        (true, _) => t.accent,
        (false, true) => t.text,
        (false, false) => t.muted,
    };
    icons::paint(ui.painter(), icon, rect, 13.0, color);
    response.on_hover_text(name).clicked()
}

/// Draws table and chart one above the other, with a draggable line between them. `share` is that of the table.
pub fn split_ui<T>(
    ui: &mut Ui,
    share: &mut f32,
    state: &mut T,
    table: impl FnOnce(&mut Ui, &mut T),
    picture: impl FnOnce(&mut Ui, &mut T),
) {
    let t = tokens(ui);
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let at = area.top() + area.height() * share.clamp(0.15, 0.85);
    let handle = Rect::from_min_max(pos2(area.left(), at - 4.0), pos2(area.right(), at + 4.0));
    let (upper, lower) = (area.with_max_y(at), area.with_min_y(at + 1.0));
    let mut upper = controls::part_ui(ui, upper, ("part", false));
    let mut lower = controls::part_ui(ui, lower, ("part", true));
    table(&mut upper, state);
    picture(&mut lower, state);
    let response = ui.interact(handle, Id::unique("between table and chart"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Splitter, true, "Divider between table and chart"));
    let mut by = response.drag_delta().y;
    if response.has_focus() {
        let pressed = |key| ui.input_mut(|i| i.count_and_consume_key(Modifiers::NONE, key)) as f32;
        by += 12.0 * (pressed(Key::ArrowDown) - pressed(Key::ArrowUp));
    }
    *share = (share.clamp(0.15, 0.85) + by / area.height().max(1.0)).clamp(0.15, 0.85);
    let is_lit = response.hovered() || response.dragged() || response.has_focus();
    if is_lit {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeVertical);
    }
    let color = if is_lit { t.accent } else { t.border };
    ui.painter().hline(area.x_range(), at + 0.5, (1.0, color));
}
