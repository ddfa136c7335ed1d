//! Several ways to look, side by side; those that do not fit stand in a menu
//! at the end. The chosen one always fits.

use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Button, RichText, Ui};

use super::controls;
use crate::ui::theme::{fonts, tokens};

/// Room for the menu of those that do not fit.
const MORE: f32 = 66.0;

/// One way to look.
pub struct Tab {
    /// What people call it.
    pub name: &'static str,
    /// How much is there, if that is said.
    pub count: Option<String>,
}

/// Draws them in `room` points; returns the one that was clicked.
pub fn tabs_ui(ui: &mut Ui, tabs: &[Tab], chosen: Option<usize>, room: f32) -> Option<usize> {
    let shown = fitting(ui, tabs, chosen, room);
    let mut clicked = None;
    ui.spacing_mut().item_spacing.x = 0.0;
    for (at, tab) in tabs.iter().enumerate().filter(|&(at, _)| shown[at]) {
        if controls::tab(ui, chosen == Some(at), tab.name, tab.count.clone()).clicked() {
            clicked = Some(at);
        }
    }
    if shown.contains(&false) {
        let title = RichText::new("More…").font(fonts::medium()).color(tokens(ui).muted);
        let button = MenuButton::from_button(Button::new(title).frame(false).min_size(egui::vec2(MORE, 32.0)));
        button.ui(ui, |ui| {
            for (at, tab) in tabs.iter().enumerate().filter(|&(at, _)| !shown[at]) {
                let count = tab.count.as_ref().map(|count| format!("  {count}")).unwrap_or_default();
                if ui.button(format!("{}{count}", tab.name)).clicked() {
                    clicked = Some(at);
                    ui.close();
                }
            }
        });
    }
    clicked
}

/// Which of them fit. Those at the end go first.
fn fitting(ui: &Ui, tabs: &[Tab], chosen: Option<usize>, room: f32) -> Vec<bool> {
    let width = |tab: &Tab| controls::tab_width(ui, tab.name, tab.count.as_deref());
    let widths: Vec<f32> = tabs.iter().map(width).collect();
    if widths.iter().sum::<f32>() <= room {
        return vec![true; tabs.len()];
    }
    let mut left = room - MORE - chosen.map_or(0.0, |at| widths[at]);
    let mut full = false;
    let fits = |(at, width): (usize, f32)| {
        if chosen == Some(at) {
            return true;
        }
        full |= left < width;
        if !full {
            left -= width;
        }
        !full
    };
    widths.into_iter().enumerate().map(fits).collect()
}
