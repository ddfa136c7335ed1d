//! Menu bar, read from the table of verbs.

use std::path::PathBuf;

use eframe::egui;
use egui::{Button, MenuBar, Rect, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::verb::{Entry, Menu, TABLE};
use crate::ui::{Command, Verb};
use heaplens_session::files::file_name;
use heaplens_tables::export::printable::one_line;

/// Width of the check mark beside an active item, in points.
const MARK: f32 = 18.0;

/// Points between the end of a menu and the edge of the window: margin and line of its frame, and a gap.
const EDGE: f32 = 20.0;

/// Draws the menu bar. Active items have a check mark; *File* lists the recent files.
pub fn bar_ui(
    ui: &mut Ui,
    recent: &[PathBuf],
    usable: &dyn Fn(Verb) -> bool,
    is_set: &dyn Fn(Verb) -> Option<bool>,
    commands: &mut Vec<Command>,
) {
    MenuBar::new().ui(ui, |ui| {
        let below_bar = ui.max_rect().top() + ui.spacing().interact_size.y;
        let mut opened = None;
        let mut item =
            |ui: &mut Ui, entry: &Entry| item_ui(ui, entry, usable(entry.verb), is_set(entry.verb), commands);
        for menu in Menu::ALL {
            let title = RichText::new(menu.name()).color(tokens(ui).muted);
            ui.menu_button(title, |ui| {
                scrolling_ui(ui, below_bar, |ui| {
                    let chosen = if menu == Menu::File { recent_ui(ui, recent) } else { None };
                    opened = opened.take().or(chosen);
                    menu_ui(ui, menu, below_bar, &mut item);
                });
            });
        }
        commands.extend(opened.map(|file| Command::Open(vec![file])));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let entry = Verb::Palette.entry();
            let keys = entry.key_label(ui.ctx()).unwrap_or_default();
            let t = tokens(ui);
            let text = RichText::new(format!("{}   {keys}", entry.name)).font(fonts::small()).color(t.faint);
            let button = Button::new(text).fill(t.surface).stroke((1.0, t.border)).corner_radius(6.0);
            ui.spacing_mut().button_padding = egui::vec2(12.0, 4.0);
            if ui.add(button).on_hover_text(entry.about).clicked() {
                commands.push(Command::from(Verb::Palette));
            }
        });
    });
}

/// The submenu of recent files; returns the one that is clicked.
fn recent_ui(ui: &mut Ui, recent: &[PathBuf]) -> Option<PathBuf> {
    let mut chosen = None;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            for file in recent {
                let item = ui.button(one_line(&file_name(file))).on_hover_text(file.display().to_string());
                if item.clicked() {
                    chosen = Some(file.clone());
                    ui.close();
                }
            }
        });
    });
    chosen
}

/// Actions of a menu, those of a submenu together.
pub(super) fn groups(menu: Menu) -> Vec<Vec<&'static Entry>> {
    let entries: Vec<&Entry> = TABLE.iter().filter(|e| e.menu == menu).collect();
    let is_together = |a: &&Entry, b: &&Entry| a.submenu.is_some() && a.submenu == b.submenu;
    entries.chunk_by(is_together).map(<[_]>::to_vec).collect()
}

/// Items of a menu, with its submenus.
fn menu_ui(ui: &mut Ui, menu: Menu, below_bar: f32, item: &mut dyn FnMut(&mut Ui, &Entry)) {
    for (at, together) in groups(menu).iter().enumerate() {
        let Some(first) = together.first() else { continue };
        if at > 0 && first.line_above {
            ui.separator();
        }
        let Some(name) = first.submenu else {
            item(ui, first);
            continue;
        };
        ui.menu_button(name, |ui| {
            scrolling_ui(ui, below_bar, |ui| {
                for (at, entry) in together.iter().enumerate() {
                    if at > 0 && entry.line_above {
                        ui.separator();
                    }
                    item(ui, entry);
                }
            });
        });
    }
}

/// A menu that scrolls if it does not fit into the window below the menu bar.
fn scrolling_ui(ui: &mut Ui, below_bar: f32, add: impl FnOnce(&mut Ui)) {
    let max_height = (ui.ctx().content_rect().bottom() - below_bar - EDGE).max(3.0 * ui.spacing().interact_size.y);
    // The area remembers its height, which would otherwise limit the height for more items.
    ScrollArea::vertical().max_height(max_height).min_scrolled_height(max_height).show(ui, add);
}

/// An item of a menu.
fn item_ui(ui: &mut Ui, entry: &Entry, usable: bool, set: Option<bool>, commands: &mut Vec<Command>) {
    let mut button = Button::new(entry.name);
    let keys = entry.key_label(ui.ctx());
    let padding = if set.is_some() { "      " } else { "" };
    if keys.is_some() || set.is_some() {
        button = button.shortcut_text(keys.unwrap_or_default() + padding);
    }
    let shown = ui.add_enabled(usable, button).on_hover_text(entry.about);
    if set == Some(true) {
        let mark = Rect::from_min_max(shown.rect.right_top() - vec2(MARK, 0.0), shown.rect.max);
        icons::paint(ui.painter(), Icon::Check, mark, 9.0, tokens(ui).accent);
    }
    shown.widget_info(|| match set {
        None => WidgetInfo::labeled(Role::MenuItem, usable, entry.name),
        Some(set) => WidgetInfo::selected(Role::MenuItemRadio, usable, set, entry.name),
    });
    if shown.clicked() {
        commands.push(Command::from(entry.verb));
        ui.close();
    }
}
