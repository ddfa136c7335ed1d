//! Header of a table: sorts by and resizes columns.

use eframe::egui;
use egui::{CursorIcon, Id, Rect, Role, Sense, Ui, pos2, vec2};

use super::columns::{Align, ColumnLayout, MIN_WIDTH, PAD};
use super::content::{Table, TableOutput};
use super::state::{TableState, WIDTHS};
use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::widgets::{controls, definition};

pub(super) fn header_ui(
    ui: &Ui,
    id: Id,
    rect: Rect,
    shown: &ColumnLayout,
    table: &Table<'_>,
    state: &mut TableState,
    output: &mut TableOutput,
) {
    let tokens = tokens(ui);
    ui.painter().rect_filled(rect, 0.0, tokens.panel);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, (1.0, tokens.border));
    for (i, column) in table.columns.iter().enumerate() {
        let Some((x, width)) = shown.spans[i] else { continue };
        let cell = Rect::from_min_size(pos2(rect.left() + x, rect.top()), vec2(width, rect.height()));
        let sense = if column.sorts { Sense::click() } else { Sense::HOVER };
        let response = ui.interact(cell, id.with(("header", i)), sense);
        let sorted = table.sort.filter(|&(by, _)| by == i).map(|(_, descending)| descending);
        response.widget_info(|| {
            let order = match sorted {
                Some(true) => ", descending",
                Some(false) => ", ascending",
                None => "",
            };
            let what = if column.sorts { "Sort by " } else { "" };
            egui::WidgetInfo::labeled(Role::ColumnHeader, true, format!("{what}{}{order}", column.title))
        });
        controls::focus_ring(ui, &response, cell.shrink(2.0));
        let color = if sorted.is_some() || (column.sorts && response.hovered()) { tokens.text } else { tokens.muted };
        let text = ui.painter().layout_no_wrap(column.title.to_owned(), fonts::small_medium(), color);
        let arrow = if sorted.is_some() { 12.0 } else { 0.0 };
        let y = cell.center().y - text.size().y / 2.0;
        let x = match column.align {
            Align::Left => cell.left() + PAD,
            Align::Right => cell.right() - PAD - text.size().x,
        };
        let end = x + text.size().x;
        ui.painter().with_clip_rect(cell.intersect(ui.clip_rect())).galley(pos2(x, y), text, color);
        if let Some(descending) = sorted {
            let icon = if descending { Icon::Down } else { Icon::Up };
            let centre = match column.align {
                Align::Left => end + arrow,
                Align::Right => x - arrow + 2.0,
            };
            let icon_rect = Rect::from_center_size(pos2(centre, cell.center().y), vec2(8.0, 8.0));
            icons::paint(ui.painter(), icon, icon_rect, 8.0, tokens.accent);
        }
        if response.clicked() {
            output.sort = Some(i);
        }
        definition::tooltip(response, column.title, column.about);
        if !column.fills {
            let from_left = table.columns[..i].iter().any(|c| c.fills);
            resize_ui(ui, id, cell, i, from_left, state);
        }
    }
}

/// The draggable edge of a column towards the filling column; a double click resets the width.
fn resize_ui(ui: &Ui, id: Id, cell: Rect, column: usize, at_left: bool, state: &mut TableState) {
    let x = if at_left { cell.left() } else { cell.right() };
    let edge = Rect::from_center_size(pos2(x, cell.center().y), vec2(7.0, cell.height()));
    let response = ui.interact(edge, id.with(("edge", column)), Sense::CLICK | Sense::DRAG);
    let tokens = tokens(ui);
    let is_active = response.hovered() || response.dragged();
    let line = if is_active { tokens.accent } else { tokens.border };
    ui.painter().vline(x, (cell.top() + 7.0)..=(cell.bottom() - 7.0), (1.0, line));
    if is_active {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.dragged() || response.double_clicked() {
        if state.widths.len() <= column {
            state.widths.resize(column + 1, None);
        }
        let dragged = response.drag_delta().x * if at_left { -1.0 } else { 1.0 };
        let wider = (cell.width() + dragged).clamp(MIN_WIDTH, WIDTHS.1);
        state.widths[column] = (!response.double_clicked()).then_some(wider);
    }
}
