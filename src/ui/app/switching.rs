//! Switching between the views of a tab: each has a selection of its own, see [`crate::ui::view_selection`].

use super::App;
use crate::ui::tab::Tab;
use crate::ui::{Location, View};

impl App {
    /// Switches to a view, which restores the selection that the view had.
    pub(super) fn switch_to(&mut self, view: View) {
        let to = self.location_in(view);
        self.go(|location| to.unwrap_or(location));
    }

    /// Shows a view of the dump of the first tab; the history gets no entry.
    pub fn show(&mut self, view: View) {
        if let Some(to) = self.location_in(view) {
            self.remember_selection();
            self.history.correct(to);
        }
    }

    /// Location that results from switching to `view`; `None` without a dump.
    fn location_in(&self, view: View) -> Option<Location> {
        let now = self.history.now()?;
        let tab = self.tab(now.dump)?;
        // A dump that is not open yet has no selection.
        let Some(dump) = tab.open_dump() else { return Some(Location { view, ..now }) };
        Some(tab.selections.switch(now, view, |object| dump.heap.class_id(object)))
    }

    /// Stores the selection of the current view.
    pub(super) fn remember_selection(&mut self) {
        if let Some(now) = self.history.now()
            && let Some(tab) = self.tab_mut(now.dump).filter(|tab: &&mut Tab| tab.open_dump().is_some())
        {
            tab.selections.leave(now);
        }
    }
}
