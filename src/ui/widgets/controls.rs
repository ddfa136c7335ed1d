//! Buttons, tabs and pills in the style of the window.

use std::fmt::Debug;
use std::hash::Hash;

use eframe::egui;
use egui::{Button, Color32, ComboBox, Rect, Response, RichText, Role, Sense, Ui, WidgetText, vec2};

use super::definition;
use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};

/// A square icon button; `name` is its tooltip and its name for screen readers.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str, enabled: bool) -> Response {
    let tokens = tokens(ui);
    let sense = if enabled { Sense::click() } else { Sense::HOVER };
    let (rect, response) = ui.allocate_exact_size(vec2(28.0, 28.0), sense);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, enabled, name));
    if enabled && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, 6.0, if tokens.dark { tokens.raised } else { tokens.border });
    }
    focus_ring(ui, &response, rect);
    let color = match (enabled, response.hovered()) {
        (false, _) => tokens.edge.lerp_to_gamma(tokens.faint, 0.5),
        (true, true) => tokens.text,
        (true, false) => tokens.muted,
    };
    icons::paint(ui.painter(), icon, rect, 12.0, color);
    response.on_hover_text(name)
}

/// A combo box with all values of a choice by name; `label` gives its name for screen readers.
pub fn choice_ui<T: Copy + PartialEq, N: Into<WidgetText>>(
    ui: &mut Ui,
    combo: ComboBox,
    label: impl Fn(T) -> String,
    chosen: &mut T,
    all: impl IntoIterator<Item = T>,
    name: impl Fn(T) -> N,
) -> Response {
    let shown = combo.selected_text(name(*chosen)).show_ui(ui, |ui| {
        for value in all {
            ui.selectable_value(chosen, value, name(value));
        }
    });
    // After the list: the choice may be new.
    let label = label(*chosen);
    shown.response.widget_info(|| egui::WidgetInfo::labeled(Role::ComboBox, true, &label));
    shown.response
}

/// A part of a view, without space between its rows and clipped to `rect`.
pub fn part_ui(ui: &mut Ui, rect: Rect, id: impl Hash + Debug) -> Ui {
    let mut part = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(id));
    part.set_clip_rect(rect.intersect(ui.clip_rect()));
    part.spacing_mut().item_spacing.y = 0.0;
    part
}

/// Draws the background of a row that is selected or under the pointer.
pub fn row_background(ui: &Ui, rect: Rect, is_selected: bool, is_hovered: bool) {
    let t = tokens(ui);
    if is_selected || is_hovered {
        ui.painter().rect_filled(rect, f32::from(sizes::CORNER), if is_selected { t.selected } else { t.hover });
    }
}

/// Draws an outline around `rect` if `response` has the keyboard focus.
pub fn focus_ring(ui: &Ui, response: &Response, rect: Rect) {
    if response.has_focus() {
        ui.painter().rect_stroke(rect, f32::from(sizes::CORNER), (1.5, tokens(ui).accent), egui::StrokeKind::Inside);
    }
}

/// A button with an icon before its name.
pub fn labelled_button(ui: &mut Ui, icon: Icon, name: &str) -> Response {
    let response = ui.add(Button::new(format!("      {name}")).min_size(vec2(0.0, 28.0)));
    let area = Rect::from_min_size(response.rect.min + vec2(4.0, 0.0), vec2(24.0, response.rect.height()));
    icons::paint(ui.painter(), icon, area, 12.0, tokens(ui).muted);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, name));
    response
}

/// Primary button of a page.
pub fn primary_button(ui: &mut Ui, text: &str) -> Response {
    let tokens = tokens(ui);
    let text = RichText::new(text).font(fonts::medium()).color(tokens.on_accent);
    let button = Button::new(text).fill(tokens.accent).stroke(egui::Stroke::NONE).min_size(vec2(0.0, 34.0));
    ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = 16.0;
        ui.add(button)
    })
    .inner
}

/// Width of [`tab`] in points.
pub fn tab_width(ui: &Ui, text: &str, count: Option<&str>) -> f32 {
    let color = tokens(ui).text;
    let width = |text: &str, font| ui.painter().layout_no_wrap(text.to_owned(), font, color).size().x;
    width(text, fonts::medium()) + count.map_or(0.0, |count| width(count, fonts::small()) + 6.0) + 20.0
}

/// A tab; the selected one is underlined.
pub fn tab(ui: &mut Ui, is_selected: bool, text: &str, count: Option<String>) -> Response {
    let tokens = tokens(ui);
    let color = if is_selected { tokens.text } else { tokens.muted };
    let galley = ui.painter().layout_no_wrap(text.to_owned(), fonts::medium(), color);
    let count = count.map(|c| ui.painter().layout_no_wrap(c, fonts::small(), tokens.faint));
    let more = count.as_ref().map_or(0.0, |c| c.size().x + 6.0);
    let size = vec2(galley.size().x + more + 20.0, 32.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, is_selected, text));
    let color = if response.hovered() { tokens.text } else { color };
    let at = egui::pos2(rect.left() + 10.0, rect.center().y - galley.size().y / 2.0);
    let end = at.x + galley.size().x;
    ui.painter().galley_with_override_text_color(at, galley, color);
    if let Some(count) = count {
        let at = egui::pos2(end + 6.0, rect.center().y - count.size().y / 2.0 + 0.5);
        ui.painter().galley(at, count, tokens.faint);
    }
    focus_ring(ui, &response, rect);
    if is_selected {
        let line = Rect::from_min_max(
            egui::pos2(rect.left() + 8.0, rect.bottom() - 2.0),
            rect.right_bottom() - vec2(8.0, 0.0),
        );
        ui.painter().rect_filled(line, 1.0, tokens.accent);
    }
    response
}

/// A short text with an outline, in the colour of its kind; `about` and the glossary explain it in the tooltip.
pub fn pill(ui: &mut Ui, text: &str, color: Color32, about: &str) {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), fonts::small_medium(), color);
    let size = vec2(galley.size().x + 14.0, 20.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, text));
    ui.painter().rect(
        rect,
        10.0,
        color.gamma_multiply(0.10),
        (1.0, color.gamma_multiply(0.45)),
        egui::StrokeKind::Inside,
    );
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, color);
    definition::tooltip(response, text, about);
}

/// Draws a key as a key of a keyboard at the right end of `rect`; returns where it begins.
pub fn key_cap(ui: &Ui, rect: Rect, key: &str) -> f32 {
    let t = tokens(ui);
    let galley = ui.painter().layout_no_wrap(key.to_owned(), fonts::small(), t.faint);
    let size = vec2((galley.size().x + 8.0).max(17.0), 17.0);
    let cap = Rect::from_center_size(egui::pos2(rect.right() - 6.0 - size.x / 2.0, rect.center().y), size);
    ui.painter().rect_stroke(cap, 4.0, (1.0, t.border), egui::StrokeKind::Inside);
    // The lower edge of a key is thicker.
    let edge = [cap.left_bottom() + vec2(3.0, -1.5), cap.right_bottom() + vec2(-3.0, -1.5)];
    ui.painter().line_segment(edge, (1.0, t.border));
    ui.painter().galley(cap.center() - galley.size() / 2.0 - vec2(0.0, 0.5), galley, t.faint);
    cap.left()
}

/// A small heading above a part of a pane.
pub fn caption(ui: &mut Ui, text: &str) -> Response {
    let color = tokens(ui).faint;
    ui.label(RichText::new(text).font(fonts::small_medium()).color(color))
}
