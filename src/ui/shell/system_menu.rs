//! The menus for the menu bar of a system, read from the table of verbs as those of the window are.

use eframe::egui;
use egui::{Key, KeyboardShortcut, Modifiers};

use super::menu::groups;
use crate::ui::Verb;
use crate::ui::key_names::sign;
use crate::ui::verb::{Entry, Menu, TABLE};
use heaplens_platform::menu_bar::{self, Item, Keys, Modifier};

/// All menus. The number of an action is its row in [`TABLE`].
pub fn menus() -> Vec<menu_bar::Menu> {
    let menu = |menu: Menu| menu_bar::Menu {
        title: menu.name(),
        is_help: menu == Menu::Help,
        items: lined(groups(menu).into_iter().filter_map(|group| {
            let first = *group.first()?;
            let item = match first.submenu {
                None => action(first)?,
                Some(title) => Item::Submenu(menu_bar::Menu {
                    title,
                    is_help: false,
                    items: lined(group.into_iter().filter_map(|entry| Some((entry.line_above, action(entry)?)))),
                }),
            };
            Some((first.line_above, item))
        })),
    };
    Menu::ALL.into_iter().map(menu).collect()
}

/// Items with separators above those that have one, but not above the first.
fn lined(items: impl Iterator<Item = (bool, Item)>) -> Vec<Item> {
    let with_line = |(at, (has_line, item))| [(at > 0 && has_line).then_some(Item::Line), Some(item)];
    items.enumerate().flat_map(with_line).flatten().collect()
}

/// `None` for *Quit*, which the menu of the system has.
fn action(entry: &Entry) -> Option<Item> {
    let id = TABLE.iter().position(|row| row.verb == entry.verb && row.verb != Verb::Quit)?;
    Some(Item::Action {
        id,
        name: entry.name,
        keys: entry.keys.iter().copied().find(|keys| is_for_bar(*keys)).map(keys),
    })
}

/// True for shortcuts that the bar may take from the window: they mean nothing in a text field.
fn is_for_bar(keys: KeyboardShortcut) -> bool {
    let is_function_key = matches!(keys.logical_key, Key::F1 | Key::F2 | Key::F3 | Key::F4);
    let is_for_text = matches!(keys.logical_key, Key::A | Key::C | Key::V | Key::X | Key::Z)
        || keys.modifiers == Modifiers::SHIFT
        || keys.conflicts_with_text_editing();
    is_function_key || !is_for_text
}

fn keys(keys: KeyboardShortcut) -> Keys {
    let Modifiers { command, ctrl, alt, shift, .. } = keys.modifiers;
    let held =
        [(command, Modifier::Command), (ctrl, Modifier::Control), (alt, Modifier::Option), (shift, Modifier::Shift)];
    let name = keys.logical_key.name();
    // Characters are in lower case: a capital would mean Shift.
    let key = if name.chars().count() == 1 { name.to_lowercase() } else { name.to_owned() };
    Keys {
        held: held.into_iter().filter_map(|(is_held, modifier)| is_held.then_some(modifier)).collect(),
        key: sign(keys.logical_key).map_or(key, str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items below `menu`: titles of submenus and numbers and keys of actions.
    fn flat(menu: &menu_bar::Menu, into: &mut Vec<(usize, String)>) {
        assert!(!matches!(menu.items.first(), None | Some(Item::Line)), "{}", menu.title);
        assert!(!menu.title.contains('&'));
        for item in &menu.items {
            match item {
                Item::Line => {}
                Item::Submenu(menu) => flat(menu, into),
                Item::Action { id, name, keys } => {
                    assert_eq!((TABLE[*id].name, name.contains('&')), (*name, false));
                    let keys = keys.iter().map(|keys| format!("{:?} {}", keys.held, keys.key));
                    into.push((*id, keys.collect()));
                }
            }
        }
    }

    #[test]
    fn the_bar_has_every_action_once() {
        let (menus, mut items) = (menus(), Vec::new());
        menus.iter().for_each(|menu| flat(menu, &mut items));
        assert_eq!(menus.iter().filter(|menu| menu.is_help).count(), 1);
        let mut ids: Vec<usize> = items.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        let all = (0..TABLE.len()).filter(|id| TABLE[*id].verb != Verb::Quit);
        assert_eq!(ids, all.collect::<Vec<_>>());
    }

    #[test]
    fn the_bar_takes_no_keys_from_text_fields() {
        let mut items = Vec::new();
        menus().iter().for_each(|menu| flat(menu, &mut items));
        let keys = |verb: Verb| {
            let item = items.iter().find(|(id, _)| TABLE[*id].verb == verb);
            item.map_or("", |(_, keys)| keys.as_str())
        };
        assert_eq!(keys(Verb::Open), "[Command] o");
        assert_eq!(keys(Verb::ZoomIn), "[Command] +");
        assert_eq!(keys(Verb::ZoomReset), "[Command] 0");
        assert_eq!(keys(Verb::NextTab), "[Control] Tab");
        assert_eq!(keys(Verb::PreviousTab), "[Control, Shift] Tab");
        assert_eq!(keys(Verb::Filter), "[Command] f");
        assert_eq!(keys(Verb::Manual), "[] F1");
        for verb in [Verb::CopyRows, Verb::Undo, Verb::Star, Verb::CopyLink, Verb::Back, Verb::StopOpening] {
            assert_eq!(keys(verb), "", "{verb:?}");
        }
    }
}
