//! Menus in the menu bar of the system, where it has one.

use eframe::egui;
use egui::Context;

use super::App;
use super::system_menu_state::SystemMenu;
use crate::ui::shell::system_menu::menus;
use crate::ui::verb::TABLE;
use crate::ui::{Command, Target, Verb};
use heaplens_platform::menu_bar::{ActionState, MenuBar};

impl App {
    /// Puts the menus into the menu bar of the system; without one the window keeps its own. To be called on the main
    /// thread, by the event loop.
    pub fn use_system_menu(&mut self, ctx: &Context) {
        let ((sender, chosen), waker) = (crossbeam_channel::unbounded(), ctx.clone());
        let choose = move |id: usize| {
            // The window may be closing; then the receiver is gone.
            let _unwanted = TABLE.get(id).map(|entry| sender.send(entry.verb));
            waker.request_repaint();
        };
        let bar = MenuBar::install(("heaplens", env!("CARGO_PKG_VERSION")), &menus(), choose);
        self.system_menu = bar.map(|bar| SystemMenu { bar, chosen });
    }

    /// Actions chosen in the menu bar that are enabled.
    pub(super) fn take_menu(&self, commands: &mut Vec<Command>) {
        let chosen = self.system_menu.iter().flat_map(|menu| menu.chosen.try_iter());
        commands.extend(chosen.filter(|verb| self.is_in_menu(*verb)).map(Command::from));
    }

    /// Enables and marks the items of the menu bar.
    pub(super) fn update_menu(&self) {
        let Some(menu) = &self.system_menu else { return };
        menu.bar.update(|id| {
            TABLE.get(id).map_or(ActionState { is_enabled: false, is_checked: false }, |entry| ActionState {
                is_enabled: self.is_in_menu(entry.verb),
                is_checked: self.is_set(entry.verb) == Some(true),
            })
        });
    }

    /// True if an action of the menu bar is enabled: its shortcuts work only while those of the window do.
    fn is_in_menu(&self, verb: Verb) -> bool {
        self.is_available(verb, &Target::Selection) && !self.is_covered()
    }
}
