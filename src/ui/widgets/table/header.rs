//! Header of a table: sorts by columns, resizes and moves them, and lists them in a menu.

use eframe::egui;
use egui::{CursorIcon, Id, Rect, Response, Role, Sense, Ui, pos2, vec2};

use super::arrangement::{self, MAX_WIDTH, MIN_WIDTH};
use super::column_menu;
use super::columns::Align;
use super::content::{Table, TableOutput};
use super::layout::{ColumnLayout, PAD};
use super::scroll;
use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::widgets::{controls, definition};

pub(super) fn header_ui(
    ui: &mut Ui,
    id: Id,
    rect: Rect,
    shown: &ColumnLayout,
    table: &Table<'_>,
    output: &mut TableOutput,
) {
    let t = tokens(ui);
    ui.painter().rect_filled(rect, 0.0, t.panel);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, (1.0, t.border));
    for (i, column) in table.columns.iter().enumerate() {
        let Some((x, width)) = shown.spans[i] else { continue };
        let cell = Rect::from_min_size(pos2(rect.left() + x, rect.top()), vec2(width, rect.height()));
        // A column that does not sort has a menu and moves all the same.
        let response = ui.interact(cell, id.with(("header", i)), Sense::click_and_drag());
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
        title_ui(ui, cell, (table, i), sorted, &response);
        if column.sorts && response.clicked() {
            output.sort = Some(i);
        }
        column_menu::context_menu(&response, table, shown, i);
        move_ui(ui, rect, shown, table, i, &response);
        definition::tooltip(response, column.title, column.about);
        if !column.fills {
            let from_left = table.columns[..i].iter().any(|c| c.fills);
            resize_ui(ui, id, cell, (table, i), from_left);
        }
    }
    if table.columns.len() > 1 {
        let corner = Rect::from_min_max(pos2(rect.right() - scroll::WIDTH - 4.0, rect.top()), rect.max);
        column_menu::button_ui(ui, id, corner, table, shown);
    }
}

/// Title of a column, with an arrow if the table is sorted by it.
fn title_ui(ui: &Ui, cell: Rect, (table, i): (&Table<'_>, usize), sorted: Option<bool>, response: &Response) {
    let (t, column) = (tokens(ui), &table.columns[i]);
    let color = if sorted.is_some() || (column.sorts && response.hovered()) { t.text } else { t.muted };
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
        icons::paint(ui.painter(), icon, icon_rect, 8.0, t.accent);
    }
}

/// Moves a column that is dragged to where it is dropped; a line marks the place.
fn move_ui(ui: &Ui, header: Rect, shown: &ColumnLayout, table: &Table<'_>, moved: usize, response: &Response) {
    let is_dropped = response.drag_stopped();
    let Some(pointer) = response.interact_pointer_pos().filter(|_| is_dropped || response.dragged()) else { return };
    let Some((left, width)) = shown.spans[moved] else { return };
    // A click with a shaky hand moves nothing.
    let is_inside = (left..left + width).contains(&(pointer.x - header.left()));
    if table.columns[moved].fills || is_inside {
        return;
    }
    let filling = table.columns.iter().position(|column| column.fills).unwrap_or(0);
    let movable = || shown.order.iter().copied().filter(move |&i| i > filling && i != moved);
    let spans = || movable().filter_map(|i| Some((i, shown.spans[i]?)));
    let next = spans().find(|(_, (x, width))| pointer.x - header.left() < x + width / 2.0);
    let line = match next {
        Some((_, (x, _))) => x,
        None => spans().next_back().map_or(0.0, |(_, (x, width))| x + width),
    };
    if is_dropped {
        let before = next.map(|(i, _)| i);
        arrangement::change(ui.ctx(), table.name, |all| all.put_before(table.columns, moved, before));
    } else {
        ui.painter().vline(header.left() + line, header.y_range(), (2.0, tokens(ui).accent));
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
}

/// The draggable edge of a column towards the filling column; a double click resets the width.
fn resize_ui(ui: &Ui, id: Id, cell: Rect, (table, i): (&Table<'_>, usize), at_left: bool) {
    let x = if at_left { cell.left() } else { cell.right() };
    let edge = Rect::from_center_size(pos2(x, cell.center().y), vec2(7.0, cell.height()));
    let response = ui.interact(edge, id.with(("edge", i)), Sense::CLICK | Sense::DRAG);
    let t = tokens(ui);
    let is_active = response.hovered() || response.dragged();
    let line = if is_active { t.accent } else { t.border };
    ui.painter().vline(x, (cell.top() + 7.0)..=(cell.bottom() - 7.0), (1.0, line));
    if is_active {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.dragged() || response.double_clicked() {
        let dragged = response.drag_delta().x * if at_left { -1.0 } else { 1.0 };
        let wider = (cell.width() + dragged).clamp(MIN_WIDTH, MAX_WIDTH);
        let width = (!response.double_clicked()).then_some(wider);
        arrangement::change(ui.ctx(), table.name, |all| all.set_width(&table.columns[i], width));
    }
}
