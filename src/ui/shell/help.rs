//! All commands with their keys, read from the table of verbs, and which heaplens this is.

use eframe::egui;
use egui::{Context, Grid, Modal, RichText, ScrollArea};

use crate::export::version;
use crate::ui::theme::{fonts, tokens};
use crate::ui::verb::{Menu, TABLE, written};
use crate::ui::widgets::controls;

const IN_TABLES: [(&str, &str); 9] = [
    ("Up, Down", "Move by a row; with Shift select several"),
    ("Page up, Page down", "Move by a screen"),
    ("Home, End", "To the first and the last row"),
    ("Right, Left", "Unfold and fold, to the first row below and the row above"),
    ("Enter", "Unfold; list the objects of a class; show an object in the dominator tree"),
    ("Ctrl+A", "Select all rows"),
    ("S, Shift+S", "Sort by the next column; the other way round"),
    ("Middle click", "Open in a new tab"),
    ("Double click on an edge", "Give a column its first width back"),
];

/// Width of the column of keys, and of that of words.
const KEYS: f32 = 200.0;
const ABOUT: f32 = 400.0;

/// Draws the window; false once it is closed.
pub fn ui(ctx: &Context) -> bool {
    let room = ctx.content_rect().size();
    let modal = Modal::new(egui::Id::unique("help")).show(ctx, |ui| {
        let t = tokens(ui);
        ui.set_width(640.0_f32.min(room.x - 60.0));
        ui.horizontal(|ui| {
            ui.label(RichText::new("Keys and commands").font(fonts::heading()));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let close = controls::icon_button(ui, crate::ui::theme::icons::Icon::Cross, "Close the help", true);
                if close.clicked() {
                    ui.close();
                }
            });
        });
        ui.add_space(4.0);
        ScrollArea::vertical()
            .max_height(room.y - 150.0)
            .min_scrolled_height(room.y - 150.0)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                let row = |ui: &mut egui::Ui, keys: &str, name: &str, about: &str| {
                    ui.label(RichText::new(keys).font(fonts::mono()).color(t.accent));
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        ui.set_min_width(ABOUT.min(room.x - 290.0));
                        if !name.is_empty() {
                            ui.label(RichText::new(name).font(fonts::medium()));
                        }
                        ui.add(egui::Label::new(RichText::new(about).color(t.muted)).wrap());
                    });
                    ui.end_row();
                };
                for menu in Menu::ALL {
                    ui.add_space(8.0);
                    controls::caption(ui, menu.name());
                    Grid::new(menu.name()).spacing([20.0, 8.0]).min_col_width(KEYS).show(ui, |ui| {
                        for entry in TABLE.iter().filter(|e| e.menu == menu) {
                            let keys = entry.keys.iter().map(|k| written(ui.ctx(), k));
                            let keys = keys.take(2).collect::<Vec<_>>().join("  ");
                            row(ui, &keys, entry.name, entry.about);
                        }
                    });
                }
                ui.add_space(8.0);
                controls::caption(ui, "In tables");
                Grid::new("in tables").spacing([20.0, 8.0]).min_col_width(KEYS).show(ui, |ui| {
                    for (keys, about) in IN_TABLES {
                        row(ui, keys, "", about);
                    }
                });
                ui.add_space(8.0);
                controls::caption(ui, version::SHORT);
                Grid::new("version").spacing([20.0, 8.0]).min_col_width(KEYS).show(ui, |ui| {
                    for (name, value) in version::facts() {
                        row(ui, name, "", value);
                    }
                });
            });
    });
    !modal.should_close()
}
