//! The menu bar of the system. On macOS the menus of a program are at the top of the screen; elsewhere a window draws its
//! own.

#[cfg(all(feature = "desktop", target_os = "macos"))]
mod app_kit;
mod menu;
#[cfg(not(all(feature = "desktop", target_os = "macos")))]
mod none;

#[cfg(all(feature = "desktop", target_os = "macos"))]
use self::app_kit as system;
#[cfg(not(all(feature = "desktop", target_os = "macos")))]
use self::none as system;

pub use self::menu::{ActionState, Item, Keys, Menu, Modifier};

/// The menus of this program in the bar of the system, where they stay until the program ends.
pub struct MenuBar(system::Bar);

impl MenuBar {
    /// Replaces the menus of this program; `None` on systems without a menu bar. To be called on the main thread, by the
    /// event loop. `chosen` is called with the number of an action, on the same thread. The bar also has the menus that
    /// the system defines: one named `program`, which tells the `version`, hides and quits, and one for windows.
    pub fn install(
        (program, version): (&str, &str),
        menus: &[Menu],
        chosen: impl Fn(usize) + Send + Sync + 'static,
    ) -> Option<Self> {
        system::install((program, version), menus, chosen).map(Self)
    }

    /// Enables and marks the actions as `state` says.
    pub fn update(&self, state: impl Fn(usize) -> ActionState) {
        self.0.update(state);
    }
}
