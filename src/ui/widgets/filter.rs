//! Filter field of a table: words, or a regular expression between slashes.

use eframe::egui;
use egui::{Id, Rect, Sense, TextEdit, Ui, vec2};

use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::widgets::controls;
use heaplens_tables::TypedFilter;

/// Tooltip of the field.
const HELP: &str =
    "Words (case-insensitive) or a /regular expression/; conditions on numbers: retained>1MB, objects=10..50, >5%";

/// Draws the field; true if the pattern may have changed.
pub fn filter_ui(filter: &mut TypedFilter, ui: &mut Ui, id: Id, name: &str, width: f32, focus: bool) -> bool {
    let tokens = tokens(ui);
    let mut text = filter.text().to_owned();
    let (rect, _) = ui.allocate_exact_size(vec2(width, 28.0), Sense::HOVER);
    let focused = ui.memory(|m| m.has_focus(id));
    let line = match (filter.error(), focused) {
        (Some(_), _) => tokens.error,
        (None, true) => tokens.accent,
        (None, false) => tokens.edge,
    };
    ui.painter().rect(rect, 6.0, tokens.surface, (1.0, line), egui::StrokeKind::Inside);
    let icon = Rect::from_min_size(rect.min, vec2(28.0, 28.0));
    icons::paint(ui.painter(), Icon::Search, icon, 11.0, tokens.faint);
    let line_height = ui.fonts_mut(|f| f.row_height(&fonts::text()));
    let mut inner = rect.shrink2(vec2(4.0, ((rect.height() - line_height) / 2.0).max(0.0)));
    inner.min.x += 22.0;
    if !text.is_empty() {
        inner.max.x -= 24.0;
    }
    let edit = TextEdit::singleline(&mut text)
        .id(id)
        .frame(egui::Frame::NONE)
        .hint_text(egui::RichText::new(name).color(tokens.faint))
        .font(fonts::text())
        .margin(egui::Margin::symmetric(4, 0))
        .desired_width(inner.width());
    let response = ui.put(inner, edit);
    // Widgets beside the field must not move when the cross appears.
    ui.advance_cursor_after_rect(rect);
    if focus {
        response.request_focus();
    }
    ui.ctx().accesskit_node_builder(id, |node| node.set_label(name));
    let mut changed = response.changed();
    if !text.is_empty() {
        let cross = Rect::from_min_size(rect.right_top() - vec2(26.0, 0.0), vec2(26.0, 28.0));
        let clear = ui.interact(cross, id.with("clear"), Sense::click());
        clear.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Clear the filter"));
        let color = if clear.hovered() { tokens.text } else { tokens.faint };
        controls::focus_ring(ui, &clear, cross.shrink(3.0));
        icons::paint(ui.painter(), Icon::Cross, cross, 8.0, color);
        if clear.clicked() {
            text.clear();
            changed = true;
        }
    }
    if changed {
        filter.set(&text);
    }
    match filter.error() {
        Some(error) => response.on_hover_text(error),
        None => response.on_hover_text(HELP),
    };
    changed
}
