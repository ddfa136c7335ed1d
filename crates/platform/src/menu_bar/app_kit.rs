//! macOS: the main menu of the application, in the order of Apple's Human Interface Guidelines ("The menu bar").

use muda::accelerator::{Key, KeyAccelerator, Modifiers};
use muda::{AboutMetadata, CheckMenuItem, IsMenuItem, MenuEvent, PredefinedMenuItem, Submenu};

use super::menu::{ActionState, Item, Keys, Menu, Modifier};

/// Actions of the main menu, by their number.
pub(super) struct Bar(Vec<(usize, CheckMenuItem)>);

pub(super) fn install(
    (program, version): (&str, &str),
    menus: &[Menu],
    chosen: impl Fn(usize) + Send + Sync + 'static,
) -> Option<Bar> {
    let (main, mut actions, mut help) = (muda::Menu::new(), Vec::new(), None);
    main.append(&application_menu(program, version).ok()?).ok()?;
    let windows = windows_menu().ok()?;
    for menu in menus {
        let shown = submenu(menu, &mut actions).ok()?;
        if menu.is_help {
            // The menu of windows is the last one before it.
            main.append(&windows).ok()?;
            help = Some(shown.clone());
        }
        main.append(&shown).ok()?;
    }
    main.init_for_nsapp();
    if let Some(help) = help {
        windows.set_as_windows_menu_for_nsapp();
        help.set_as_help_menu_for_nsapp();
    }
    // An item that is no action is handled by the system and not reported.
    let report = move |event: MenuEvent| event.id.0.parse().into_iter().for_each(&chosen);
    MenuEvent::set_event_handler(Some(report));
    // Never freed: *Quit* ends the event loop, and with it the window, from within the action of an item.
    std::mem::forget(main);
    Some(Bar(actions))
}

/// The menu with the name of the application: the system shows it in bold type.
fn application_menu(program: &str, version: &str) -> muda::Result<Submenu> {
    let about =
        AboutMetadata { name: Some(program.to_owned()), version: Some(version.to_owned()), ..AboutMetadata::default() };
    let items: [&dyn IsMenuItem; 9] = [
        &PredefinedMenuItem::about(Some(&format!("About {program}")), Some(about)),
        &PredefinedMenuItem::separator(),
        &PredefinedMenuItem::services(None),
        &PredefinedMenuItem::separator(),
        &PredefinedMenuItem::hide(Some(&format!("Hide {program}"))),
        &PredefinedMenuItem::hide_others(None),
        &PredefinedMenuItem::show_all(None),
        &PredefinedMenuItem::separator(),
        &PredefinedMenuItem::quit(Some(&format!("Quit {program}"))),
    ];
    Submenu::with_items(program, true, &items)
}

/// The menu of windows, to which the system adds the open ones.
fn windows_menu() -> muda::Result<Submenu> {
    let items: [&dyn IsMenuItem; 5] = [
        &PredefinedMenuItem::minimize(None),
        &PredefinedMenuItem::maximize(None),
        &PredefinedMenuItem::fullscreen(None),
        &PredefinedMenuItem::separator(),
        &PredefinedMenuItem::bring_all_to_front(None),
    ];
    Submenu::with_items("Window", true, &items)
}

fn submenu(menu: &Menu, actions: &mut Vec<(usize, CheckMenuItem)>) -> muda::Result<Submenu> {
    let shown = Submenu::new(menu.title, true);
    for item in &menu.items {
        match item {
            Item::Line => shown.append(&PredefinedMenuItem::separator())?,
            Item::Submenu(menu) => shown.append(&submenu(menu, actions)?)?,
            Item::Action { id, name, keys } => {
                // Without a mark it looks like any other item.
                let action = CheckMenuItem::with_id(id.to_string(), name, true, false, None);
                action.set_key_accelerator(keys.as_ref().and_then(accelerator))?;
                shown.append(&action)?;
                actions.push((*id, action));
            }
        }
    }
    Ok(shown)
}

fn accelerator(keys: &Keys) -> Option<KeyAccelerator> {
    let held = keys.held.iter().map(|modifier| match modifier {
        Modifier::Command => Modifiers::META,
        Modifier::Control => Modifiers::CONTROL,
        Modifier::Option => Modifiers::ALT,
        Modifier::Shift => Modifiers::SHIFT,
    });
    Some(KeyAccelerator::new(held.collect(), keys.key.parse::<Key>().ok()?))
}

impl Bar {
    pub(super) fn update(&self, state: impl Fn(usize) -> ActionState) {
        for (id, action) in &self.0 {
            let ActionState { is_enabled, is_checked } = state(*id);
            if action.is_enabled() != is_enabled {
                action.set_enabled(is_enabled);
            }
            // muda turns the mark of an item that is chosen; what it means is known here.
            if action.is_checked() != is_checked {
                action.set_checked(is_checked);
            }
        }
    }
}
