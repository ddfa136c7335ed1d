//! Navigation state: the current location (dump, view, class, object) and the history of locations. Titles and panes
//! are derived from the location; *Go back* and *Go forward* move through the history.

use std::collections::BTreeMap;

pub use crate::view::View;
use heaplens_analysis::dominator_tree::GroupId;
use heaplens_heap::{ClassId, ObjectId};

/// Number of an open dump, never reused.
pub type DumpKey = u64;

/// Current location of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Dump that is shown.
    pub dump: DumpKey,
    /// View that is shown.
    pub view: View,
    /// Selected class: the row of the histogram, or the class whose objects are listed.
    pub class: Option<ClassId>,
    /// Selected object.
    pub object: Option<ObjectId>,
    /// Selected group of the dominator tree, which its table and its charts share; then no object is selected.
    pub group: Option<GroupId>,
}

impl Location {
    /// First location in a dump: the overview.
    pub fn start(dump: DumpKey) -> Self {
        Self { dump, view: View::Overview, class: None, object: None, group: None }
    }

    /// The location with another selection, of one object or class.
    #[must_use]
    pub fn with(self, class: Option<ClassId>, object: Option<ObjectId>) -> Self {
        Self { class, object, group: None, ..self }
    }
}

/// Location in a dump that is not open yet, by names that stay the same when the dump is opened again.
#[derive(Debug, Clone, Default)]
pub struct NamedLocation {
    /// View to show.
    pub view: Option<View>,
    /// Id of the selected object.
    pub object: Option<String>,
    /// Name of the selected class.
    pub class: Option<String>,
}

/// State of a view when the user left it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ViewState {
    /// Text of its filter.
    pub filter: String,
    /// Sort column, and true for descending order.
    pub sort: Option<(usize, bool)>,
    /// Scroll position: the row at the upper edge.
    pub top: f64,
    /// Numbers of the collapsed groups.
    pub folded: Vec<u8>,
    /// Selected rows, for views whose rows keep their numbers.
    pub selected: Option<SelectedRows>,
}

/// Selected rows of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelectedRows {
    /// Row with the keyboard cursor.
    pub cursor: u64,
    /// The other end of a selection of several rows.
    pub anchor: Option<u64>,
    /// Number of rows of the table; with another number of rows the row numbers are no longer valid.
    pub of: u64,
}

/// Visited locations and the position of the current one.
#[derive(Debug, Default)]
pub struct History {
    locations: Vec<Location>,
    /// View states by index of the location.
    view_states: BTreeMap<usize, ViewState>,
    at: usize,
    /// True if the current location was reached by keyboard steps: the next step replaces it.
    is_stepping: bool,
}

/// Maximum number of remembered locations.
const LIMIT: usize = 500;

impl History {
    /// Current location.
    pub fn now(&self) -> Option<Location> {
        self.locations.get(self.at).copied()
    }

    /// Adds a location and moves to it; locations after the current one are dropped.
    pub fn go(&mut self, location: Location) {
        if self.now() == Some(location) {
            return;
        }
        self.locations.truncate(self.at + 1);
        self.view_states.retain(|&at, _| at <= self.at);
        self.locations.push(location);
        if self.locations.len() > LIMIT {
            self.locations.remove(0);
            self.view_states = std::mem::take(&mut self.view_states)
                .into_iter()
                .filter_map(|(n, s)| Some((n.checked_sub(1)?, s)))
                .collect();
        }
        self.at = self.locations.len() - 1;
        self.is_stepping = false;
    }

    /// Like [`History::go`], but consecutive steps are remembered as one location.
    pub fn pass(&mut self, location: Location) {
        if self.now() == Some(location) {
            return;
        }
        if self.is_stepping && self.at + 1 == self.locations.len() {
            self.locations[self.at] = location;
        } else {
            self.go(location);
            self.is_stepping = true;
        }
    }

    /// Replaces the current location without adding one to the history.
    pub fn correct(&mut self, location: Location) {
        match self.locations.get_mut(self.at) {
            Some(now) => *now = location,
            None => self.go(location),
        }
    }

    /// Stores the view state of the current location.
    pub fn leave(&mut self, view_state: Option<ViewState>) {
        match view_state {
            Some(view_state) => self.view_states.insert(self.at, view_state),
            None => self.view_states.remove(&self.at),
        };
    }

    /// Stored view state of the current location.
    pub fn view_state(&self) -> Option<&ViewState> {
        self.view_states.get(&self.at)
    }

    /// The current and the previous locations, newest first.
    pub fn seen(&self) -> impl Iterator<Item = Location> {
        self.locations.iter().take(self.at + 1).rev().copied()
    }

    /// True if there is a previous location.
    pub fn can_go_back(&self) -> bool {
        self.at > 0
    }

    /// True if there is a next location.
    pub fn can_go_forward(&self) -> bool {
        self.at + 1 < self.locations.len()
    }

    /// Previous locations, nearest first.
    pub fn before(&self) -> impl Iterator<Item = Location> + '_ {
        self.locations.iter().take(self.at).rev().copied()
    }

    /// Next locations, nearest first.
    pub fn after(&self) -> impl Iterator<Item = Location> + '_ {
        self.locations.iter().skip(self.at + 1).copied()
    }

    /// Moves back by `steps` locations, at most to the first.
    pub fn back_by(&mut self, steps: usize) {
        self.at = self.at.saturating_sub(steps);
        self.is_stepping = false;
    }

    /// Moves forward by `steps` locations, at most to the last.
    pub fn forward_by(&mut self, steps: usize) {
        self.at = (self.at + steps).min(self.locations.len().saturating_sub(1));
        self.is_stepping = false;
    }

    /// Last visited location in a dump.
    pub fn last_in(&self, dump: DumpKey) -> Option<Location> {
        let seen = self.locations.iter().take(self.at + 1).rev();
        seen.chain(&self.locations).find(|p| p.dump == dump).copied()
    }

    /// Replaces the last visited location in a dump, even if another dump is shown.
    pub fn correct_last_in(&mut self, dump: DumpKey, change: impl FnOnce(Location) -> Location) {
        let until = self.locations.len().min(self.at + 1);
        if let Some(location) = self.locations[..until].iter_mut().rev().find(|location| location.dump == dump) {
            *location = change(*location);
        }
    }

    /// Removes all locations of a closed dump.
    pub fn forget(&mut self, dump: DumpKey) {
        let mut before: Vec<Location> =
            self.locations.iter().take(self.at + 1).filter(|p| p.dump != dump).copied().collect();
        before.dedup();
        let before = before.len();
        self.locations.retain(|p| p.dump != dump);
        self.locations.dedup();
        // Indices have changed, so stored view states no longer match.
        self.view_states.clear();
        self.at = before.saturating_sub(1).min(self.locations.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(dump: DumpKey, object: u32) -> Location {
        Location { view: View::Dominators, object: ObjectId::from_raw(object), ..Location::start(dump) }
    }

    #[test]
    fn back_skips_key_presses_but_no_location() {
        let mut history = History::default();
        assert!(history.now().is_none() && !history.can_go_back());
        history.go(location(1, 0));
        for n in 1..100 {
            history.pass(location(1, n));
        }
        history.go(location(1, 200));
        history.back_by(1);
        assert_eq!(history.now(), Some(location(1, 99)));
        history.back_by(1);
        assert_eq!(history.now(), Some(location(1, 0)));
        history.forward_by(1);
        assert_eq!(history.now(), Some(location(1, 99)));
        history.go(location(2, 5));
        assert!(!history.can_go_forward());
        history.forget(1);
        assert_eq!(history.now(), Some(location(2, 5)));
        assert!(!history.can_go_back());
        // The dump between two visits of one location is closed: the location stays current.
        for one in [location(3, 1), location(2, 5), location(4, 1)] {
            history.go(one);
        }
        history.back_by(1);
        history.forget(3);
        assert_eq!(history.now(), Some(location(2, 5)));
        assert!(history.can_go_forward());
    }
}
