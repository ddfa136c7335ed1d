//! The menus in the menu bar of the system.

use crossbeam_channel::Receiver;

use crate::ui::Verb;
use heaplens_platform::menu_bar::MenuBar;

/// The menus, and what was chosen in them.
pub(super) struct SystemMenu {
    pub(super) bar: MenuBar,
    pub(super) chosen: Receiver<Verb>,
}
