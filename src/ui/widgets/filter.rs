//! Filter field of a table: words, or a regular expression between slashes.

use eframe::egui;
use egui::{Id, Key, Modifiers, Rect, Sense, TextEdit, Ui, vec2};

use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::widgets::{controls, toolbar};
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
    // As from the field of a browser, the arrow leads to the rows.
    if focused && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::ArrowDown)) {
        ui.memory_mut(|memory| memory.surrender_focus(id));
    }
    let edit = TextEdit::singleline(&mut text)
        .id(id)
        .frame(egui::Frame::NONE)
        .hint_text(egui::RichText::new(name).color(tokens.faint))
        .font(fonts::text())
        .margin(egui::Margin::symmetric(4, 0))
        .desired_width(inner.width());
    // Before the field is drawn, which takes what was typed in this frame only with the focus.
    if focus {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let response = ui.put(inner, edit);
    // Widgets beside the field must not move when the cross appears.
    ui.advance_cursor_after_rect(rect);
    if focus {
        response.request_focus();
    }
    ui.ctx().accesskit_node_builder(id, |node| node.set_label(name));
    // Enter leads to the rows; it does not open the selected one at once.
    if response.lost_focus() {
        ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Enter));
    }
    let mut changed = response.changed();
    // Esc has taken the focus away already.
    if response.lost_focus() && !text.is_empty() && ui.input(|i| i.key_pressed(Key::Escape)) {
        text.clear();
        changed = true;
    }
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
            // What is typed next is a filter, not keys.
            response.request_focus();
        }
    }
    if changed {
        filter.set(&text);
    }
    match warning(filter) {
        Some(warning) => {
            response.on_hover_text(&warning);
            toolbar::warn(ui, warning, rect);
        }
        None => drop(response.on_hover_text(HELP)),
    }
    changed
}

/// What is wrong with the typed text, and which rows are shown meanwhile.
fn warning(filter: &TypedFilter) -> Option<String> {
    // The library of expressions names its errors as such.
    let error = filter.error()?.replace(": error: ", ": ");
    let last = filter.understood();
    Some(match &*last {
        // A condition on a number of no column, which is left out.
        _ if last == filter.text().trim() => format!("Not applied: {error}"),
        "" => format!("Not applied: {error} · all rows are shown"),
        last => format!("Not applied: {error} · rows shown are those of {last}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_filter_that_is_applied() {
        let mut filter = TypedFilter::default();
        let mut warning_of = |text: &str| {
            filter.set(text);
            warning(&filter)
        };
        assert_eq!(warning_of("shop"), None);
        let unclosed =
            "Not applied: invalid regular expression: unclosed character class · rows shown are those of shop";
        assert_eq!(warning_of("/shop.*[/").as_deref(), Some(unclosed));
        assert_eq!(warning_of(""), None);
        let warning = warning_of("/(/").expect("an error");
        assert!(warning.ends_with(" · all rows are shown"), "{warning}");
    }
}
