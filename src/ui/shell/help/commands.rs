//! Section with all commands and their keys, read from the table of verbs, and the version of the program.

use eframe::egui;
use egui::{Grid, RichText, ScrollArea, Ui};

use super::search::{matches, nothing_ui};
use crate::ui::key_names::{in_text, written};
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::verb::{Entry, Menu, TABLE};
use crate::ui::widgets::controls;
use crate::version;
use heaplens_tables::export::identity::HEAPLENS;

/// Keys in tables and trees, which are no commands.
const IN_TABLES: [(&str, &str); 9] = [
    ("Up, Down", "Move by one row; with Shift select several"),
    ("Page up, Page down", "Move by one screen"),
    ("Home, End", "Go to the first or the last row"),
    ("Right, Left", "Expand and collapse; go to the first row below or to the parent"),
    ("Enter", "Expand; list the objects of a class; show an object in the dominator tree"),
    ("Ctrl+A", "Select all rows"),
    ("S, Shift+S", "Sort by the next column; reverse the order"),
    ("Middle click", "Open in a new tab"),
    ("Double click on a column edge", "Reset the width of the column"),
];

/// Width of the column of keys, in points.
const KEYS: f32 = 200.0;

/// Number of commands and keys that match.
pub(super) fn count(search: &str) -> usize {
    TABLE.iter().filter(|entry| is_found(entry, search)).count() + in_tables(search).count()
}

fn is_found(entry: &Entry, search: &str) -> bool {
    let submenu = entry.submenu.unwrap_or_default();
    matches(search, &format!("{} {} {} {submenu}", entry.name, entry.about, entry.menu.name()))
}

fn in_tables(search: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    IN_TABLES.into_iter().filter(move |(keys, about)| matches(search, &format!("{keys} {about} in tables")))
}

/// Draws the commands that match.
pub(super) fn ui(ui: &mut Ui, search: &str) {
    if count(search) == 0 {
        return nothing_ui(ui, search);
    }
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        for menu in Menu::ALL {
            let entries: Vec<&Entry> = TABLE.iter().filter(|e| e.menu == menu && is_found(e, search)).collect();
            part_ui(ui, menu.name(), &entries, |ui, entry| {
                let keys = entry.keys.iter().map(|keys| written(ui.ctx(), keys)).take(2).collect::<Vec<_>>();
                row_ui(ui, &keys.join("  "), entry.name, entry.about);
            });
        }
        let rows: Vec<_> = in_tables(search).collect();
        part_ui(ui, "In tables and trees", &rows, |ui, (keys, about)| {
            row_ui(ui, &in_text(ui.ctx(), keys), "", about);
        });
        if search.trim().is_empty() {
            let facts: Vec<_> = version::facts().collect();
            part_ui(ui, HEAPLENS, &facts, |ui, (name, value)| row_ui(ui, name, "", value));
        }
    });
}

fn part_ui<Row>(ui: &mut Ui, title: &str, rows: &[Row], mut draw: impl FnMut(&mut Ui, &Row)) {
    if rows.is_empty() {
        return;
    }
    ui.add_space(8.0);
    controls::caption(ui, title);
    Grid::new(title).spacing([20.0, 8.0]).min_col_width(KEYS).show(ui, |ui| {
        for row in rows {
            draw(ui, row);
            ui.end_row();
        }
    });
}

fn row_ui(ui: &mut Ui, keys: &str, name: &str, about: &str) {
    let t = tokens(ui);
    ui.label(RichText::new(keys).font(fonts::mono()).color(t.accent));
    let width = ui.ctx().content_rect().width().min(sizes::HELP) - KEYS - 110.0;
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.set_min_width(width);
        if !name.is_empty() {
            ui.label(RichText::new(name).font(fonts::medium()));
        }
        ui.add(egui::Label::new(RichText::new(about).color(t.muted)).wrap());
    });
}
