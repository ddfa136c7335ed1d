//! What a window leaves for the next one: files opened, theme, panes, limits, stars and notes.

use std::path::{Path, PathBuf};

use eframe::egui::ThemePreference;
use serde::{Deserialize, Serialize};

use crate::export::copy::Form;
use crate::ui::layout::Layout;
use crate::ui::marks::Marks;
use crate::ui::panes::Docks;

/// Files remembered at most.
const RECENT: usize = 12;

/// The theme that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum Theme {
    /// As the desktop is.
    #[default]
    System,
    Dark,
    Light,
}

impl Theme {
    pub(super) fn preference(self) -> ThemePreference {
        match self {
            Self::System => ThemePreference::System,
            Self::Dark => ThemePreference::Dark,
            Self::Light => ThemePreference::Light,
        }
    }
}

impl From<ThemePreference> for Theme {
    fn from(theme: ThemePreference) -> Self {
        match theme {
            ThemePreference::System => Self::System,
            ThemePreference::Dark => Self::Dark,
            ThemePreference::Light => Self::Light,
        }
    }
}

/// All that is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Saved {
    pub(super) recent: Vec<PathBuf>,
    pub(super) theme: Theme,
    pub(super) docks: Docks,
    /// Sizes with all digits instead of `2.4 MB`.
    pub(super) exact_sizes: bool,
    /// Stars and notes, by dump.
    pub(super) marks: Marks,
    /// Bytes of memory for opening a dump.
    pub(super) memory: Option<u64>,
    /// The form in which something was copied last.
    pub(super) form: Form,
    /// How the views of a new tab are arranged.
    pub(super) layout: Layout,
    /// How much bigger than usual everything is drawn.
    pub(super) zoom: f32,
}

impl Default for Saved {
    fn default() -> Self {
        Self {
            recent: Vec::new(),
            theme: Theme::default(),
            memory: None,
            docks: Docks::default(),
            exact_sizes: false,
            marks: Marks::default(),
            form: Form::default(),
            layout: Layout::default(),
            zoom: 1.0,
        }
    }
}

impl Saved {
    /// Puts a file at the head of the list.
    pub(super) fn remember(&mut self, path: &Path) {
        self.recent.retain(|p| p != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(RECENT);
    }
}
