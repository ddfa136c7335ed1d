//! Toolbar above a table: tools at the left, a muted summary at the right.

use eframe::egui;
use egui::{Area, Id, Rect, RichText, Ui, vec2};

use crate::ui::theme::{fonts, sizes, tokens};

/// Least width of a warning below its tool, in points.
const LEAST_WARNING: f32 = 320.0;

/// Reserves space at the right end of the next toolbar, for views embedded in others.
pub fn keep_free(ui: &Ui, width: f32) {
    ui.data_mut(|data| data.insert_temp(kept_free(), width));
}

fn kept_free() -> Id {
    Id::unique("kept free in the next row of tools")
}

fn warning_id() -> Id {
    Id::unique("warning in the row of tools")
}

/// A warning about a tool.
#[derive(Clone)]
struct Warning {
    text: String,
    /// Area of the tool.
    of: Rect,
}

/// Shows a warning about the tool in the area `of` instead of the muted text at the right end of the toolbar that is
/// being drawn, or below the tool if there is not enough space.
pub fn warn(ui: &Ui, text: String, of: Rect) {
    ui.data_mut(|data| data.insert_temp(warning_id(), Warning { text, of }));
}

fn take_warning(ui: &Ui) -> Option<Warning> {
    ui.data_mut(|data| {
        let warning = data.get_temp(warning_id());
        data.remove::<Warning>(warning_id());
        warning
    })
}

fn warning_ui(ui: &mut Ui, Warning { text, of }: &Warning) {
    let color = tokens(ui).error;
    let width = ui.painter().layout_no_wrap(text.clone(), fonts::small(), color).size().x;
    if width <= ui.available_width() {
        return text_ui(ui, text, color);
    }
    let area = Area::new(warning_id()).fixed_pos(of.left_bottom() + vec2(0.0, 4.0)).interactable(false);
    area.order(egui::Order::Middle).constrain(true).show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).inner_margin(6.0).show(ui, |ui| {
            ui.set_max_width(of.width().max(LEAST_WARNING));
            let label = egui::Label::new(RichText::new(text).font(fonts::small()).color(color)).wrap();
            ui.add(label).widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
        });
    });
}

/// Draws the toolbar above a table.
pub fn tools<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), sizes::TOOLS), egui::Sense::HOVER);
    let mut inner = rect.shrink2(vec2(sizes::PAD, 0.0));
    inner.max.x -= ui.data_mut(|data| data.remove_temp::<f32>(kept_free())).unwrap_or(0.0);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let add_and_warn = |ui: &mut Ui| {
        let answer = add(ui);
        // A toolbar without muted text.
        if let Some(warning) = take_warning(ui) {
            warning_ui(ui, &warning);
        }
        answer
    };
    ui.scope_builder(egui::UiBuilder::new().max_rect(inner).layout(layout), add_and_warn).inner
}

/// Muted text at the right end of a toolbar. In a narrow toolbar its last parts are omitted; the tooltip and screen
/// readers get all of it.
pub fn hint(ui: &mut Ui, text: &str) {
    match take_warning(ui) {
        Some(warning) => warning_ui(ui, &warning),
        None => text_ui(ui, text, tokens(ui).faint),
    }
}

fn text_ui(ui: &mut Ui, text: &str, color: egui::Color32) {
    const BETWEEN: &str = " · ";
    const LEAST: f32 = 48.0;
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let area = ui.available_width();
        let fits = |part: &str| ui.painter().layout_no_wrap(part.to_owned(), fonts::small(), color).size().x <= area;
        let mut shown = text;
        while !fits(shown) {
            let Some(end) = shown.rfind(BETWEEN) else { break };
            shown = &shown[..end];
        }
        // A few characters would be useless.
        if area < LEAST && !fits(shown) {
            shown = "";
        }
        let response = ui.add(egui::Label::new(RichText::new(shown).font(fonts::small()).color(color)).truncate());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
        if shown.len() < text.len() {
            response.on_hover_text(text);
        }
    });
}
