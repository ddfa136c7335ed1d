//! Where the user is and what lies over the views: locations, pages of their own, keyboard focus, palette and help.

pub(super) mod cutting;
pub(crate) mod page_tabs;
mod selection;
pub(crate) mod sets;
mod verdict_targets;

use self::page_tabs::PageTabs;
use super::side_panes::SidePanes;
use super::tabs::Tabs;
use crate::ui::location::History;
use crate::ui::shell::crumbs::Visited;
use crate::ui::shell::help::Help;
use crate::ui::shell::palette::Palette;
use crate::ui::shell::tour::Tour;
use crate::ui::tab::Tab;
use crate::ui::tooltips::Tooltips;
use crate::ui::view_request::ViewRequests;
use crate::ui::views::welcome::Welcome;
use crate::ui::{DumpKey, Location, Pane, View};
use heaplens_heap::split_class;

/// Locations listed in the menus of the back and forward buttons.
const LISTED: usize = 15;

/// Where the user is.
#[derive(Default)]
pub(super) struct Navigation {
    pub(super) history: History,
    pub(super) pages: PageTabs,
    /// Pane with the keyboard focus.
    pub(super) focus: Pane,
    pub(super) side_panes: SidePanes,
    /// Requests to the view in the next frame.
    pub(super) requests: ViewRequests,
    pub(super) palette: Palette,
    pub(super) help: Help,
    pub(super) welcome: Welcome,
    pub(super) tooltips: Tooltips,
    /// The tour, and the tab of its dump.
    pub(super) tour: Option<(Tour, DumpKey)>,
    /// True if the list of views shows names.
    pub(super) names_views: bool,
    /// Keeps the progress page when the dump is open (for screenshots).
    pub(super) keeps_opening_page: bool,
}

impl Navigation {
    /// Location in a dump, which may be behind a page of its own.
    pub(super) fn now(&self) -> Option<Location> {
        self.history.now()
    }

    /// Current location; `None` while a page of its own is shown.
    pub(super) fn location(&self) -> Option<Location> {
        self.history.now().filter(|_| self.pages.shown().is_none())
    }

    /// Dump of the current location.
    pub(super) fn dump(&self) -> Option<DumpKey> {
        self.location().map(|location| location.dump)
    }

    /// Tab of the current location.
    pub(super) fn tab<'a>(&self, tabs: &'a Tabs) -> Option<&'a Tab> {
        tabs.get(self.dump()?)
    }

    /// The same, to change.
    pub(super) fn tab_mut<'a>(&self, tabs: &'a mut Tabs) -> Option<&'a mut Tab> {
        tabs.get_mut(self.dump()?)
    }

    /// Current view.
    pub(super) fn view(&self) -> View {
        self.location().map_or(View::Overview, |location| location.view)
    }

    /// Goes to another location in the dumps.
    pub(super) fn go(&mut self, tabs: &mut Tabs, change: impl FnOnce(Location) -> Location) {
        if let Some(location) = self.now() {
            self.leave(tabs);
            self.history.go(change(location));
        }
    }

    /// Moves the cursor to a location: cursor movements in a row are one entry of the history.
    fn pass(&mut self, change: impl FnOnce(Location) -> Location) {
        if let Some(location) = self.location() {
            self.history.pass(change(location));
        }
    }

    /// Stores the state of the current view in the history, and its selection.
    fn leave(&mut self, tabs: &mut Tabs) {
        let view_state = self.now().and_then(|now| tabs.get(now.dump)?.views.view_state(now.view));
        self.history.leave(view_state);
        self.remember_selection(tabs);
    }

    /// Stores the selection of the current view.
    fn remember_selection(&self, tabs: &mut Tabs) {
        if let Some(now) = self.now()
            && let Some(tab) = tabs.get_mut(now.dump).filter(|tab: &&mut Tab| tab.open_dump().is_some())
        {
            tab.selections.leave(now);
        }
    }

    /// Moves through the history and restores the state of the view there.
    pub(super) fn travel(&mut self, tabs: &mut Tabs, step: impl FnOnce(&mut History)) {
        self.leave(tabs);
        step(&mut self.history);
        let (Some(location), Some(view_state)) = (self.now(), self.history.view_state()) else { return };
        if let Some(tab) = tabs.get_mut(location.dump) {
            tab.views.restore(location.view, view_state);
        }
    }

    /// Switches to a view, which restores the selection that the view had (see [`crate::ui::view_selection`]).
    pub(super) fn switch_to(&mut self, tabs: &mut Tabs, view: View) {
        let to = self.location_in(tabs, view);
        self.go(tabs, |location| to.unwrap_or(location));
    }

    /// Switches to a view; the history gets no entry.
    pub(super) fn replace_view(&mut self, tabs: &mut Tabs, view: View) {
        if let Some(to) = self.location_in(tabs, view) {
            self.remember_selection(tabs);
            self.history.correct(to);
        }
    }

    /// Location that results from switching to `view`; `None` without a dump.
    fn location_in(&self, tabs: &Tabs, view: View) -> Option<Location> {
        let now = self.now()?;
        let tab = tabs.get(now.dump)?;
        // A dump that is not open yet has no selection.
        let Some(dump) = tab.open_dump() else { return Some(Location { view, ..now }) };
        Some(tab.selections.switch(now, view, |object| dump.heap.class_id(object)))
    }

    /// Shows the tab of a dump where the user left it.
    pub(super) fn show_tab(&mut self, tabs: &Tabs, key: DumpKey) {
        self.pages.hide();
        let start = || {
            let compares = tabs.get(key).is_some_and(|tab| tab.comparing().is_some());
            Location { view: if compares { View::Growth } else { View::Overview }, ..Location::start(key) }
        };
        self.history.go(self.history.last_in(key).unwrap_or_else(start));
    }

    /// Shows the tab that is so many tabs further; those of pages are before those of dumps.
    pub(super) fn step_tab(&mut self, tabs: &Tabs, by: isize) {
        let pages = self.pages.open();
        let all = (tabs.list().len() + pages.len()) as isize;
        let now = match self.dump().and_then(|key| tabs.index_of(key)) {
            Some(index) => index + pages.len(),
            None => match self.pages.shown().and_then(|shown| pages.iter().position(|&kind| kind == shown)) {
                Some(index) => index,
                None => return,
            },
        };
        let to = (now as isize + by).rem_euclid(all) as usize;
        match (pages.get(to), to.checked_sub(pages.len()).and_then(|index| tabs.list().get(index))) {
            (None, Some(tab)) => self.show_tab(tabs, tab.key),
            (page, _) => page.into_iter().for_each(|&kind| self.pages.show(kind)),
        }
    }

    /// Dump to compare the current one with: the other dump shown most recently.
    pub(super) fn other_dump(&self, tabs: &Tabs) -> Option<DumpKey> {
        let now = tabs.get(self.now()?.dump)?;
        let can = |tab: &&Tab| tab.can_be_compared_with(now);
        let seen = self.history.seen().find_map(|location| tabs.get(location.dump).filter(can));
        seen.or_else(|| tabs.list().iter().find(can)).map(|tab| tab.key)
    }

    /// Names of the locations that *Back* and *Forward* lead to.
    pub(super) fn visited(&self, tabs: &Tabs) -> Visited {
        Visited {
            now: self.location().map(|location| name_of(tabs, location)).unwrap_or_default(),
            before: self.history.before().take(LISTED).map(|location| name_of(tabs, location)).collect(),
            after: self.history.after().take(LISTED).map(|location| name_of(tabs, location)).collect(),
        }
    }
}

/// Short description of a location.
fn name_of(tabs: &Tabs, location: Location) -> String {
    let Some(tab) = tabs.get(location.dump) else { return String::new() };
    let view = location.view.name();
    let Some(dump) = tab.open_dump() else { return tab.name() };
    let heap = &dump.heap;
    let at = match (location.object.filter(|_| location.view.is_about_objects()), location.class) {
        (Some(object), _) => format!("  {} {}", split_class(&heap.class(object).name).1, heap.id_text(object)),
        (None, Some(class)) => format!("  {}", split_class(&heap.classes.get(class).name).1),
        (None, None) => String::new(),
    };
    if tabs.list().len() > 1 { format!("{}: {view}{at}", tab.name()) } else { format!("{view}{at}") }
}
