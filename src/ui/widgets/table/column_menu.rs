//! Menu of the columns of a table: shows, hides and moves them.

use eframe::egui;
use egui::{Id, Popup, Rect, Response, Role, Sense, Ui};

use super::arrangement::{self, Arrangement};
use super::content::Table;
use super::layout::ColumnLayout;
use crate::ui::theme::{Icon, icons, tokens};
use crate::ui::widgets::controls;

/// Opens the menu on a right click on a header; `column` is the column under the pointer.
pub(super) fn context_menu(response: &Response, table: &Table<'_>, shown: &ColumnLayout, column: usize) {
    response.context_menu(|ui| menu_ui(ui, table, shown, Some(column)));
}

/// The button for the menu, above the scroll bar.
pub(super) fn button_ui(ui: &mut Ui, id: Id, corner: Rect, table: &Table<'_>, shown: &ColumnLayout) {
    let response = ui.interact(corner, id.with("columns"), Sense::CLICK);
    let name = format!("Columns of {}", table.name);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, &name));
    controls::focus_ring(ui, &response, corner);
    let t = tokens(ui);
    let color = if response.hovered() { t.text } else { t.faint };
    icons::paint(ui.painter(), Icon::Columns, corner, 10.0, color);
    Popup::menu(&response).show(|ui| menu_ui(ui, table, shown, None));
    response.on_hover_text("Show, hide and move columns");
}

fn menu_ui(ui: &mut Ui, table: &Table<'_>, shown: &ColumnLayout, at: Option<usize>) {
    let all = arrangement::all(ui.ctx());
    let arrangement = all.get(table.name);
    let change = |ui: &Ui, change: &mut dyn FnMut(&mut Arrangement)| arrangement::change(ui.ctx(), table.name, change);
    controls::caption(ui, "Columns");
    for &i in &shown.order {
        let column = &table.columns[i];
        if column.absent {
            continue;
        }
        let is_hidden = arrangement.is_some_and(|arrangement| arrangement.hides(column));
        let mut is_set = !is_hidden;
        let has_room = is_hidden || shown.spans[i].is_some();
        let title = if has_room { column.title.to_owned() } else { format!("{} (no room)", column.title) };
        let entry = ui.add_enabled(!column.fills, egui::Checkbox::new(&mut is_set, title));
        if entry.on_hover_text(column.about).clicked() {
            // A column without room is shown at the cost of others.
            let is_shown = is_hidden || !has_room;
            change(ui, &mut |arrangement| arrangement.show(column, is_shown));
        }
    }
    let filling = table.columns.iter().position(|column| column.fills).unwrap_or(0);
    if let Some(at) = at.filter(|&at| at > filling) {
        ui.separator();
        let seen: Vec<usize> =
            shown.order.iter().copied().filter(|&i| i > filling && shown.spans[i].is_some()).collect();
        let area = seen.iter().position(|&i| i == at).unwrap_or(0);
        let left = area.checked_sub(1).map(|left| seen[left]);
        if ui.add_enabled(left.is_some(), egui::Button::new("Move column left")).clicked() {
            change(ui, &mut |arrangement| arrangement.put_before(table.columns, at, left));
        }
        let is_last = area + 1 >= seen.len();
        if ui.add_enabled(!is_last, egui::Button::new("Move column right")).clicked() {
            let before = seen.get(area + 2).copied();
            change(ui, &mut |arrangement| arrangement.put_before(table.columns, at, before));
        }
    }
    ui.separator();
    if ui.add_enabled(arrangement.is_some(), egui::Button::new("Reset columns")).clicked() {
        change(ui, &mut |arrangement| *arrangement = Arrangement::default());
        ui.close();
    }
}
