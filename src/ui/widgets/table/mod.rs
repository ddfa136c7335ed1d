//! Virtual table: draws only the visible rows, so a billion rows cost as much as thirty.
//!
//! egui scrolls in 32-bit floats, which cannot distinguish rows beyond a few million. Here the scroll position is a row
//! number in 64-bit floats ([`TableState`]), every row is drawn relative to it, and the scroll bar is custom.

mod arrangement;
mod column_menu;
mod columns;
mod content;
mod header;
mod keys;
mod layout;
mod records;
mod row;
mod scroll;
mod state;

pub use crate::ui::widgets::fitting::elided;
pub use arrangement::{Arrangements, all as arrangements, set_all as set_arrangements};
pub use columns::{Align, Column, order_after_click};
pub use content::{Table, TableOutput};
pub use records::{RecordColumn, Records};
pub use row::{ColumnName, Row, line_at_right_ui, line_ui, two_lines_ui};
pub use state::TableState;

use eframe::egui;
use egui::accesskit::Action;
use egui::{Id, Rect, Sense, Ui, pos2, vec2};

use crate::ui::theme::{sizes, tokens};
use crate::ui::widgets::object_menu;

impl Table<'_> {
    /// Draws the table, filling the available space. `draw` is called for each visible row.
    pub fn show(self, ui: &mut Ui, state: &mut TableState, mut draw: impl FnMut(&mut Row<'_>)) -> TableOutput {
        let mut output = TableOutput::default();
        let id = Id::unique(("table", self.name));
        let area = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(area);
        let header_height = if self.header { sizes::HEADER } else { 0.0 };
        let body = Rect::from_min_max(pos2(area.left(), area.top() + header_height), area.max);
        if body.height() < 1.0 || body.width() < 1.0 {
            return output;
        }
        state.fit(self.rows, f64::from(body.height() / self.row_height));
        let arrangements = arrangement::all(ui.ctx());
        let default = arrangement::Arrangement::default();
        let arrangement = arrangements.get(self.name).unwrap_or(&default);
        let shown = layout::lay_out(self.columns, self.sort, arrangement, area.width() - scroll::WIDTH);
        if self.header {
            let header = Rect::from_min_size(area.min, vec2(area.width(), header_height));
            header::header_ui(ui, id, header, &shown, &self, &mut output);
        }
        if self.active {
            keys::take(ui, &self, state, &mut output);
        }
        scroll::wheel(ui, body, self.row_height, state);
        scroll::bar_ui(ui, id, self.name, body, self.rows, state);
        self.rows_ui(ui, id, body, &shown, state, &mut output, &mut draw);
        output
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one frame, used nowhere else")]
    fn rows_ui(
        &self,
        ui: &mut Ui,
        id: Id,
        body: Rect,
        shown: &layout::ColumnLayout,
        state: &mut TableState,
        output: &mut TableOutput,
        draw: &mut dyn FnMut(&mut Row<'_>),
    ) {
        let tokens = tokens(ui);
        let first = state.top().floor() as u64;
        let last = ((state.top() + state.view()).ceil() as u64).min(self.rows);
        output.visible = first..last;
        let clip = ui.clip_rect().intersect(body);
        let pixels = ui.pixels_per_point();
        let mut child = ui.new_child(egui::UiBuilder::new().id_salt(id).max_rect(body));
        child.set_clip_rect(clip);
        for index in first..last {
            let y = body.top() + ((index as f64 - state.top()) * f64::from(self.row_height)) as f32;
            let y = (y * pixels).round() / pixels;
            let rect = Rect::from_min_size(pos2(body.left(), y), vec2(body.width() - scroll::WIDTH, self.row_height));
            let response = child.interact(rect.intersect(clip), id.with(("row", index - first)), Sense::CLICK);
            let selected = state.is_selected(index);
            if selected {
                child.painter().rect_filled(rect, 0.0, tokens.selected);
                if state.cursor() == Some(index) {
                    let mark = Rect::from_min_size(rect.min, vec2(2.5, rect.height()));
                    child.painter().rect_filled(mark, 0.0, tokens.accent);
                }
            } else if response.hovered() {
                child.painter().rect_filled(rect, 0.0, tokens.hover);
            }
            let mut row = Row::new(&mut child, index, rect, shown, selected, response.hovered());
            draw(&mut row);
            let info = row.info();
            let name = info.full_name();
            let row::RowInfo { role, hover, menu, branch, toggled, .. } = info;
            let response = if hover.is_empty() { response } else { response.on_hover_text_at_pointer(hover) };
            response.widget_info(|| egui::WidgetInfo::selected(role, true, selected, &name));
            let requested = branch.is_some_and(|(depth, open)| branch_ui(&child, &response, depth, open));
            if toggled || requested {
                output.toggled = Some(index);
            }
            let is_menu_click = response.secondary_clicked() || response.middle_clicked();
            if is_menu_click && !selected {
                state.put_cursor(index, false);
                output.clicked = Some(index);
            }
            match menu {
                Some(row::RowMenu::Object(object)) => object_menu::of(&response, object),
                Some(row::RowMenu::Class(class)) => object_menu::of_class(&response, class),
                Some(row::RowMenu::Items(items)) => {
                    response.context_menu(|ui| {
                        object_menu::scrolling_ui(ui, |ui| object_menu::items_ui(ui, items));
                    });
                }
                None => {}
            }
            if response.clicked() {
                let modifiers = child.input(|i| i.modifiers);
                if modifiers.command && state.picks_rows() {
                    state.pick(index);
                } else {
                    state.put_cursor(index, modifiers.shift);
                }
                output.clicked = Some(index);
                child.memory_mut(egui::Memory::stop_text_input);
            }
            if response.double_clicked() {
                output.activated = Some(index);
            }
        }
    }
}

/// Reports level and state of a tree row to screen readers; true if one requests to expand or collapse it.
fn branch_ui(ui: &Ui, response: &egui::Response, depth: usize, open: Option<bool>) -> bool {
    let action = open.map(|open| if open { Action::Collapse } else { Action::Expand });
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_level(depth + 1);
        if let (Some(open), Some(action)) = (open, action) {
            node.set_expanded(open);
            node.add_action(action);
        }
    });
    action.is_some_and(|action| ui.input(|i| i.has_accesskit_action_request(response.id, action)))
}

#[cfg(test)]
mod tests;
