//! Where the reader is: one value. Titles and panes are functions of it, and
//! back and forward walk over the places seen before.

use std::collections::BTreeMap;

use crate::heap::ids::{ClassId, ObjectId};

/// One open dump, by a number that is never used again.
pub type DumpKey = u64;

/// A way to look at a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// What the dump is, and what stands out in it.
    Overview,
    /// What leaks, who holds it, which reference to cut.
    Leaks,
    /// What holds the memory.
    Dominators,
    /// Objects and bytes by class.
    Histogram,
    /// The objects of one class.
    Objects,
    /// The paths to all objects of a class, or to chosen ones, as one tree.
    Paths,
    /// Threads, their stacks, and what these hold.
    Threads,
    /// Texts that stand in the heap more than once.
    Strings,
    /// Collections by class, and how full they are.
    Collections,
    /// Where memory goes for nothing.
    Waste,
    /// Class loaders.
    Loaders,
    /// Objects whose finalizer is still to run.
    Finalizers,
    /// GC roots by kind.
    Roots,
    /// Objects with a star or a note.
    Stars,
    /// What could not be read as it should have been.
    Notes,
    /// What grew since the dump before, and who holds it; of comparisons alone.
    Growth,
    /// Bitmaps of a dump of Android; of dumps that have any.
    Bitmaps,
    /// What the root of a snapshot leads to, and what that leads to.
    Containment,
    /// Functions of JavaScript with what they capture.
    Closures,
    /// What detached nodes, contexts, the console and event handlers keep.
    KeptBy,
    /// Nodes of a page that are in no document.
    Detached,
    /// Whose objects are whose, by global scope.
    NativeContexts,
    /// When what is there was allocated.
    Timeline,
    /// Roots that are found, and who owns what below them.
    Ownership,
    /// Holes between objects.
    Gaps,
    /// The shortest way from one object to another.
    Route,
}

impl View {
    /// All views, in the order of their keys.
    pub const ALL: [Self; 26] = [
        Self::Overview,
        Self::Leaks,
        Self::Histogram,
        Self::Dominators,
        Self::Containment,
        Self::Objects,
        Self::Paths,
        Self::Threads,
        Self::Waste,
        Self::Strings,
        Self::Growth,
        Self::Bitmaps,
        Self::Closures,
        Self::KeptBy,
        Self::Detached,
        Self::NativeContexts,
        Self::Timeline,
        Self::Collections,
        Self::Loaders,
        Self::Roots,
        Self::Ownership,
        Self::Gaps,
        Self::Route,
        Self::Finalizers,
        Self::Stars,
        Self::Notes,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Leaks => "Leaks",
            Self::Dominators => "Dominator tree",
            Self::Histogram => "Histogram",
            Self::Objects => "Objects",
            Self::Paths => "Merged paths",
            Self::Threads => "Threads",
            Self::Strings => "Strings",
            Self::Collections => "Collections",
            Self::Waste => "Waste",
            Self::Loaders => "Loaders",
            Self::Finalizers => "Finalizers",
            Self::Roots => "GC roots",
            Self::Stars => "Stars",
            Self::Notes => "Notes",
            Self::Growth => "Growth",
            Self::Bitmaps => "Bitmaps",
            Self::Containment => "Containment",
            Self::Closures => "Closures",
            Self::KeptBy => "Kept by",
            Self::Detached => "Detached nodes",
            Self::NativeContexts => "Native contexts",
            Self::Timeline => "Timeline",
            Self::Ownership => "Roots & owners",
            Self::Gaps => "Gaps",
            Self::Route => "Route",
        }
    }

    /// Whether it is about single objects, so that the side panes belong to it.
    pub fn is_about_objects(self) -> bool {
        !matches!(self, Self::Overview | Self::Histogram | Self::Notes | Self::Gaps)
    }
}

/// Where the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// In which dump.
    pub dump: DumpKey,
    /// How it is looked at.
    pub view: View,
    /// The chosen class: the row of the histogram, the objects that are listed.
    pub class: Option<ClassId>,
    /// The chosen object.
    pub object: Option<ObjectId>,
}

/// A place in a dump that is not open yet, by what is the same when it is opened again.
#[derive(Debug, Clone, Default)]
pub struct NamedPlace {
    /// How the dump is looked at.
    pub view: Option<View>,
    /// The id of an object.
    pub object: Option<String>,
    /// The name of a class.
    pub class: Option<String>,
}

/// How a view stood when it was left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stance {
    /// What was typed into its filter.
    pub filter: String,
    /// The column it was sorted by, and whether biggest first.
    pub sort: Option<(usize, bool)>,
    /// The row at the upper edge.
    pub top: f64,
    /// Which of its groups were folded, by number.
    pub folded: Vec<u8>,
    /// The selected rows, of views whose rows are numbered alike after coming back.
    pub selected: Option<SelectedRows>,
}

/// Selected rows of a table, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelectedRows {
    /// The row that keys move.
    pub cursor: u64,
    /// The other end of a selection of several rows.
    pub anchor: Option<u64>,
    /// Rows of the whole table: of a table with another number of rows these rows are others.
    pub of: u64,
}

/// The places seen, and where among them the reader is.
#[derive(Debug, Default)]
pub struct History {
    places: Vec<Place>,
    /// How the views of some places stood when they were left, by number of the place.
    stances: BTreeMap<usize, Stance>,
    at: usize,
    /// The present place was passed by keys: the next such step takes its seat.
    passing: bool,
}

/// Places remembered at most.
const LIMIT: usize = 500;

impl History {
    /// The present place.
    pub fn now(&self) -> Option<Place> {
        self.places.get(self.at).copied()
    }

    /// Goes on to a place; what lay ahead is forgotten.
    pub fn go(&mut self, place: Place) {
        if self.now() == Some(place) {
            return;
        }
        self.places.truncate(self.at + 1);
        self.stances.retain(|&at, _| at <= self.at);
        self.places.push(place);
        if self.places.len() > LIMIT {
            self.places.remove(0);
            self.stances = std::mem::take(&mut self.stances)
                .into_iter()
                .filter_map(|(n, s)| Some((n.checked_sub(1)?, s)))
                .collect();
        }
        self.at = self.places.len() - 1;
        self.passing = false;
    }

    /// Like [`History::go`], but a run of such steps leaves one place behind, not all.
    pub fn pass(&mut self, place: Place) {
        if self.now() == Some(place) {
            return;
        }
        if self.passing && self.at + 1 == self.places.len() {
            self.places[self.at] = place;
        } else {
            self.go(place);
            self.passing = true;
        }
    }

    /// Puts another value in the present seat: nobody went anywhere.
    pub fn correct(&mut self, place: Place) {
        match self.places.get_mut(self.at) {
            Some(now) => *now = place,
            None => self.go(place),
        }
    }

    /// Keeps how the view of the present place stands.
    pub fn leave(&mut self, stance: Option<Stance>) {
        match stance {
            Some(stance) => self.stances.insert(self.at, stance),
            None => self.stances.remove(&self.at),
        };
    }

    /// How the view of the present place stood when it was left last.
    pub fn stance(&self) -> Option<&Stance> {
        self.stances.get(&self.at)
    }

    /// This place and those before it, the last first.
    pub fn seen(&self) -> impl Iterator<Item = Place> {
        self.places.iter().take(self.at + 1).rev().copied()
    }

    /// Whether there is a place before.
    pub fn can_go_back(&self) -> bool {
        self.at > 0
    }

    /// Whether there is a place after.
    pub fn can_go_forward(&self) -> bool {
        self.at + 1 < self.places.len()
    }

    /// The places before the present one, the nearest first.
    pub fn before(&self) -> impl Iterator<Item = Place> + '_ {
        self.places.iter().take(self.at).rev().copied()
    }

    /// The places after the present one, the nearest first.
    pub fn after(&self) -> impl Iterator<Item = Place> + '_ {
        self.places.iter().skip(self.at + 1).copied()
    }

    /// So many places back.
    pub fn back_by(&mut self, places: usize) {
        self.at = self.at.saturating_sub(places);
        self.passing = false;
    }

    /// So many places forward.
    pub fn forward_by(&mut self, places: usize) {
        self.at = (self.at + places).min(self.places.len().saturating_sub(1));
        self.passing = false;
    }

    /// The place last seen in a dump.
    pub fn last_in(&self, dump: DumpKey) -> Option<Place> {
        let seen = self.places.iter().take(self.at + 1).rev();
        seen.chain(&self.places).find(|p| p.dump == dump).copied()
    }

    /// Puts another value in the seat of the place last seen in a dump, wherever the reader is by now.
    pub fn correct_last_in(&mut self, dump: DumpKey, change: impl FnOnce(Place) -> Place) {
        let until = self.places.len().min(self.at + 1);
        if let Some(place) = self.places[..until].iter_mut().rev().find(|place| place.dump == dump) {
            *place = change(*place);
        }
    }

    /// Forgets a dump that was closed.
    pub fn forget(&mut self, dump: DumpKey) {
        let mut before: Vec<Place> = self.places.iter().take(self.at + 1).filter(|p| p.dump != dump).copied().collect();
        before.dedup();
        let before = before.len();
        self.places.retain(|p| p.dump != dump);
        self.places.dedup();
        // Numbers of places have changed: views stand as they do.
        self.stances.clear();
        self.at = before.saturating_sub(1).min(self.places.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(dump: DumpKey, object: u32) -> Place {
        Place { dump, view: View::Dominators, class: None, object: ObjectId::from_raw(object) }
    }

    #[test]
    fn back_leads_over_every_place_but_not_over_every_key_press() {
        let mut history = History::default();
        assert!(history.now().is_none() && !history.can_go_back());
        history.go(place(1, 0));
        for n in 1..100 {
            history.pass(place(1, n));
        }
        history.go(place(1, 200));
        history.back_by(1);
        assert_eq!(history.now(), Some(place(1, 99)));
        history.back_by(1);
        assert_eq!(history.now(), Some(place(1, 0)));
        history.forward_by(1);
        assert_eq!(history.now(), Some(place(1, 99)));
        history.go(place(2, 5));
        assert!(!history.can_go_forward());
        history.forget(1);
        assert_eq!(history.now(), Some(place(2, 5)));
        assert!(!history.can_go_back());
        // What stood between two visits of one place is closed: the reader stays there.
        for one in [place(3, 1), place(2, 5), place(4, 1)] {
            history.go(one);
        }
        history.back_by(1);
        history.forget(3);
        assert_eq!(history.now(), Some(place(2, 5)));
        assert!(history.can_go_forward());
    }
}
