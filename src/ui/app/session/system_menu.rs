//! Menus in the menu bar of the system, where it has one.

use crossbeam_channel::Receiver;
use eframe::egui::Context;

use crate::ui::Verb;
use crate::ui::shell::system_menu::menus;
use crate::ui::verb::TABLE;
use heaplens_platform::menu_bar::{ActionState, MenuBar};

/// The menus, and what was chosen in them.
pub(crate) struct SystemMenu {
    bar: MenuBar,
    chosen: Receiver<Verb>,
}

impl SystemMenu {
    /// Puts the menus into the menu bar of the system; `None` without one. To be called on the main thread, by the event
    /// loop.
    pub(crate) fn install(ctx: &Context) -> Option<Self> {
        let ((sender, chosen), waker) = (crossbeam_channel::unbounded(), ctx.clone());
        let choose = move |id: usize| {
            // The window may be closing; then the receiver is gone.
            let _unwanted = TABLE.get(id).map(|entry| sender.send(entry.verb));
            waker.request_repaint();
        };
        let bar = MenuBar::install(("heaplens", env!("CARGO_PKG_VERSION")), &menus(), choose);
        bar.map(|bar| Self { bar, chosen })
    }

    /// Actions that were chosen.
    pub(super) fn chosen(&self) -> impl Iterator<Item = Verb> {
        self.chosen.try_iter()
    }

    /// Enables and marks the items.
    pub(crate) fn update(&self, is_enabled: &dyn Fn(Verb) -> bool, is_set: &dyn Fn(Verb) -> Option<bool>) {
        self.bar.update(|id| {
            TABLE.get(id).map_or(ActionState { is_enabled: false, is_checked: false }, |entry| ActionState {
                is_enabled: is_enabled(entry.verb),
                is_checked: is_set(entry.verb) == Some(true),
            })
        });
    }
}
