//! Menu bar, read from the table of verbs, and the row of views with the buttons *Back* and *Forward*.

use eframe::egui;
use egui::{Button, MenuBar, Rect, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::verb::{Entry, Menu, TABLE, keys_text, written};
use crate::ui::widgets::controls;
use crate::ui::widgets::tabs::{Tab, tabs_ui};
use crate::ui::{Command, Pane, Verb, View};

/// Width of the check mark beside an active item, in points.
const MARK: f32 = 18.0;

/// Points between the end of a menu and the edge of the window: margin and line of its frame, and a gap.
const EDGE: f32 = 20.0;

/// Draws the menu bar. Active items have a check mark.
pub fn bar_ui(
    ui: &mut Ui,
    usable: &dyn Fn(Verb) -> bool,
    is_set: &dyn Fn(Verb) -> Option<bool>,
    commands: &mut Vec<Command>,
) {
    MenuBar::new().ui(ui, |ui| {
        let below_bar = ui.max_rect().top() + ui.spacing().interact_size.y;
        let mut item =
            |ui: &mut Ui, entry: &Entry| item_ui(ui, entry, usable(entry.verb), is_set(entry.verb), commands);
        for menu in Menu::ALL {
            let title = RichText::new(menu.name()).color(tokens(ui).muted);
            ui.menu_button(title, |ui| scrolling_ui(ui, below_bar, |ui| menu_ui(ui, menu, below_bar, &mut item)));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let entry = Verb::Palette.entry();
            let keys = entry.keys.first().map(|k| written(ui.ctx(), k)).unwrap_or_default();
            let t = tokens(ui);
            let text = RichText::new(format!("{}   {keys}", entry.name)).font(fonts::small()).color(t.faint);
            let button = Button::new(text).fill(t.surface).stroke((1.0, t.border)).corner_radius(6.0);
            ui.spacing_mut().button_padding = egui::vec2(12.0, 4.0);
            if ui.add(button).on_hover_text(entry.about).clicked() {
                commands.push(Command::Do(Verb::Palette));
            }
        });
    });
}

/// Items of a menu, with its submenus.
fn menu_ui(ui: &mut Ui, menu: Menu, below_bar: f32, item: &mut dyn FnMut(&mut Ui, &Entry)) {
    let entries: Vec<&Entry> = TABLE.iter().filter(|e| e.menu == menu).collect();
    let is_together = |a: &&Entry, b: &&Entry| a.submenu.is_some() && a.submenu == b.submenu;
    for (at, together) in entries.chunk_by(is_together).enumerate() {
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
    let keys = entry.keys.first().map(|keys| written(ui.ctx(), keys));
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
        commands.push(Command::Do(entry.verb));
        ui.close();
    }
}

/// Data of the row of views.
pub struct Row<'a> {
    /// Current view.
    pub now: View,
    /// True if the tab compares; then the growth view comes first.
    pub compares: bool,
    /// Number of parse warnings.
    pub notes: usize,
    /// Names of the previous locations, nearest first.
    pub before: Vec<String>,
    /// Names of the next locations, nearest first.
    pub after: Vec<String>,
    /// True for verbs that are enabled.
    pub usable: &'a dyn Fn(Verb) -> bool,
}

/// Draws the row of views of an open dump.
pub fn views_ui(ui: &mut Ui, row: &Row<'_>, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for (verb, icon, places) in [(Verb::Back, Icon::Back, &row.before), (Verb::Forward, Icon::Forward, &row.after)] {
        let hint = format!("{}{}; right-click to list locations", verb.entry().name, keys_text(ui.ctx(), verb));
        let button = controls::icon_button(ui, icon, &hint, (row.usable)(verb));
        button.context_menu(|ui| {
            for (at, name) in places.iter().enumerate() {
                if ui.button(name).clicked() {
                    commands.push(if verb == Verb::Back { Command::Back(at + 1) } else { Command::Forward(at + 1) });
                    ui.close();
                }
            }
        });
        if button.clicked() {
            commands.push(Command::Do(verb));
        }
    }
    ui.add_space(6.0);
    let reserved = if row.now.is_about_objects() { 68.0 } else { 0.0 };
    let count = |view| (view == View::Notes && row.notes > 0).then(|| row.notes.to_string());
    let first = row.compares.then_some(View::Growth);
    let of_dump = View::ALL.into_iter().filter(|&view| view != View::Growth && (row.usable)(Verb::Show(view)));
    let views_in_order: Vec<View> = first.into_iter().chain(of_dump).collect();
    let views: Vec<Tab> = views_in_order.iter().map(|&view| Tab { name: view.name(), count: count(view) }).collect();
    let now = views_in_order.iter().position(|&view| view == row.now);
    let width = ui.available_width() - reserved;
    if let Some(at) = tabs_ui(ui, &views, now, width) {
        commands.push(Command::Show(views_in_order[at]));
    }
    if row.now.is_about_objects() {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let panes =
                [(Verb::InspectorPane, Icon::PaneRight, Pane::Inspector), (Verb::PathPane, Icon::PaneLeft, Pane::Path)];
            for (verb, icon, pane) in panes {
                let name = format!("{}{}", verb.entry().name, keys_text(ui.ctx(), verb));
                if controls::icon_button(ui, icon, &name, true).clicked() {
                    commands.push(Command::Toggle(pane));
                }
            }
        });
    }
}
