//! A row of tabs. Those that do not fit are in a menu at the end; the selected one is always visible.

use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Button, RichText, Ui};

use super::controls;
use crate::ui::theme::{fonts, tokens};

/// Width of that menu.
const MORE: f32 = 66.0;

/// A tab.
pub struct Tab {
    /// Name.
    pub name: &'static str,
    /// Number shown after the name.
    pub count: Option<String>,
}

/// Draws the tabs in `available` points; returns the clicked one.
pub fn tabs_ui(ui: &mut Ui, tabs: &[Tab], selected: Option<usize>, available: f32) -> Option<usize> {
    let shown = visible_tabs(ui, tabs, selected, available);
    let mut clicked = None;
    ui.spacing_mut().item_spacing.x = 0.0;
    for (at, tab) in tabs.iter().enumerate().filter(|&(at, _)| shown[at]) {
        if controls::tab(ui, selected == Some(at), tab.name, tab.count.clone()).clicked() {
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

/// True for each tab that fits. Those at the end are hidden first.
fn visible_tabs(ui: &Ui, tabs: &[Tab], selected: Option<usize>, available: f32) -> Vec<bool> {
    let width = |tab: &Tab| controls::tab_width(ui, tab.name, tab.count.as_deref());
    let widths: Vec<f32> = tabs.iter().map(width).collect();
    if widths.iter().sum::<f32>() <= available {
        return vec![true; tabs.len()];
    }
    let mut remaining = available - MORE - selected.map_or(0.0, |at| widths[at]);
    let mut full = false;
    let fits = |(at, width): (usize, f32)| {
        if selected == Some(at) {
            return true;
        }
        full |= remaining < width;
        if !full {
            remaining -= width;
        }
        !full
    };
    widths.into_iter().enumerate().map(fits).collect()
}
