//! Message strip above the view about changes of the file of an open dump.

use eframe::egui;
use egui::{Align, Layout, RichText, Ui, vec2};

use crate::ui::theme::{Icon, icons, tokens};
use crate::ui::widgets::controls;
use crate::ui::{Command, DumpKey};

const HEIGHT: f32 = 32.0;

/// Draws the strip for the dump `key`.
pub fn ui(ui: &mut Ui, key: DumpKey, message: &str, commands: &mut Vec<Command>) {
    let t = tokens(ui);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), HEIGHT), Layout::right_to_left(Align::Center), |ui| {
        if controls::icon_button(ui, Icon::Cross, "Hide this message", true).clicked() {
            commands.push(Command::HideBanner(key));
        }
        if ui.button("Reopen").on_hover_text("Read the current file at this path").clicked() {
            commands.push(Command::Reopen(key));
        }
        ui.add_space(8.0);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let (mark, _) = ui.allocate_exact_size(vec2(18.0, 18.0), egui::Sense::HOVER);
            icons::paint(ui.painter(), Icon::Warning, mark, 14.0, t.warn);
            ui.add(egui::Label::new(RichText::new(message).color(t.text)).truncate()).on_hover_text(message);
        });
    });
}
