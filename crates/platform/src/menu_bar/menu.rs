//! Menus of a program, whatever the system.

/// A menu of the bar, or a submenu.
pub struct Menu {
    /// Title, without an ampersand: some systems underline the letter after it.
    pub title: &'static str,
    /// True for the menu that the system extends with a search.
    pub is_help: bool,
    /// Items from top to bottom.
    pub items: Vec<Item>,
}

/// Item of a menu.
pub enum Item {
    /// A separator.
    Line,
    /// A menu of its own.
    Submenu(Menu),
    /// An action of the program.
    Action {
        /// Number of the action, by which it is reported and updated.
        id: usize,
        /// Label, without an ampersand.
        name: &'static str,
        /// Keyboard shortcut. The bar takes its keys before the window sees them.
        keys: Option<Keys>,
    },
}

/// A keyboard shortcut.
pub struct Keys {
    /// Keys that are held.
    pub held: Vec<Modifier>,
    /// Key that is pressed: its character in lower case, or its name in the W3C's "UI Events KeyboardEvent key Values".
    pub key: String,
}

/// Key that is held while another is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named by what is printed on the key")]
pub enum Modifier {
    Command,
    Control,
    Option,
    Shift,
}

/// State of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionState {
    /// True if it can be chosen.
    pub is_enabled: bool,
    /// True if it has a check mark.
    pub is_checked: bool,
}
