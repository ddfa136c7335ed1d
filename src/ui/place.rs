//! Where the reader is: one value. Titles and panes are functions of it, and
//! back and forward walk over the places seen before.

use crate::heap::ids::{ClassId, ObjectId};

/// One open dump, by a number that is never used again.
pub type DumpKey = u64;

/// A way to look at a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// What holds the memory.
    Dominators,
    /// Objects and bytes by class.
    Histogram,
    /// The objects of one class.
    Objects,
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
    /// What could not be read as it should have been.
    Notes,
}

impl View {
    /// All views, in the order of their keys.
    pub const ALL: [Self; 11] = [
        Self::Dominators,
        Self::Histogram,
        Self::Objects,
        Self::Threads,
        Self::Strings,
        Self::Collections,
        Self::Waste,
        Self::Loaders,
        Self::Finalizers,
        Self::Roots,
        Self::Notes,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dominators => "Dominator tree",
            Self::Histogram => "Histogram",
            Self::Objects => "Objects",
            Self::Threads => "Threads",
            Self::Strings => "Strings",
            Self::Collections => "Collections",
            Self::Waste => "Waste",
            Self::Loaders => "Loaders",
            Self::Finalizers => "Finalizers",
            Self::Roots => "GC roots",
            Self::Notes => "Notes",
        }
    }

    /// Whether it is about single objects, so that the side panes belong to it.
    pub fn is_about_objects(self) -> bool {
        !matches!(self, Self::Histogram | Self::Notes)
    }

    /// Whether it stands in the row of views also while another is shown: there is no room for all.
    pub fn is_always_offered(self) -> bool {
        !matches!(self, Self::Finalizers)
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

/// The places seen, and where among them the reader is.
#[derive(Debug, Default)]
pub struct History {
    places: Vec<Place>,
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
        self.places.push(place);
        if self.places.len() > LIMIT {
            self.places.remove(0);
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

    /// To the place before.
    pub fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
        self.passing = false;
    }

    /// To the place after.
    pub fn forward(&mut self) {
        if self.can_go_forward() {
            self.at += 1;
        }
        self.passing = false;
    }

    /// The place last seen in a dump.
    pub fn last_in(&self, dump: DumpKey) -> Option<Place> {
        let seen = self.places.iter().take(self.at + 1).rev();
        seen.chain(&self.places).find(|p| p.dump == dump).copied()
    }

    /// Forgets a dump that was closed.
    pub fn forget(&mut self, dump: DumpKey) {
        let before = self.places.iter().take(self.at + 1).filter(|p| p.dump != dump).count();
        self.places.retain(|p| p.dump != dump);
        self.places.dedup();
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
        history.back();
        assert_eq!(history.now(), Some(place(1, 99)));
        history.back();
        assert_eq!(history.now(), Some(place(1, 0)));
        history.forward();
        assert_eq!(history.now(), Some(place(1, 99)));
        history.go(place(2, 5));
        assert!(!history.can_go_forward());
        history.forget(1);
        assert_eq!(history.now(), Some(place(2, 5)));
        assert!(!history.can_go_back());
    }
}
