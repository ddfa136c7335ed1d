//! Selection of each view of a tab.
//!
//! A selection belongs to one view of one tab. The side panes and the status bar always show the selection of the
//! current view:
//!
//! 1. **Switching** to a view (its key, its name above the table, the Go menu, the palette) restores the selection the
//!    view had when it was left. A view that was never shown selects its first row, or nothing: then the panes are empty.
//! 2. **Going** somewhere (Show in dominator tree, Enter on a row, a link, Objects of this class, Merged paths) takes the
//!    object or class along and selects it there.
//! 3. Objects and Merged paths need a class: that of the present selection, else the class selected last in any view.
//!    Objects also takes over a selected object that it lists. From both, the histogram takes over their class.
//! 4. **Back and forward** restore view and selection together.
//!
//! Rules 1 and 3 are implemented by [`ViewSelections::switch`], the only place that decides the selection after
//! switching views. Rules 2 and 4 are locations of the history ([`super::location::History`]), which contain object and
//! class.

use std::collections::BTreeMap;

use super::location::{Location, View};
use heaplens_analysis::dominator_tree::GroupId;
use heaplens_heap::{ClassId, ObjectId};

/// Selection of a view.
#[derive(Debug, Clone, Copy, Default)]
struct ViewSelection {
    class: Option<ClassId>,
    object: Option<ObjectId>,
    group: Option<GroupId>,
}

/// Selections of a tab's views at the time the user left each view.
#[derive(Debug, Default)]
pub struct ViewSelections {
    selections: BTreeMap<View, ViewSelection>,
    /// Class that was selected last in any view.
    class: Option<ClassId>,
}

impl ViewSelections {
    /// Stores the selection of the view of `place`, before leaving it.
    pub fn leave(&mut self, location: Location) {
        let Location { class, object, group, .. } = location;
        self.selections.insert(location.view, ViewSelection { class, object, group });
        self.class = location.class.or(self.class);
    }

    /// Location after switching from `now` to `view`.
    pub fn switch(&self, now: Location, view: View, class_of: impl FnOnce(ObjectId) -> ClassId) -> Location {
        if view == now.view {
            return now;
        }
        let left = self.selections.get(&view).copied().unwrap_or_default();
        let (class, object) = match view {
            View::Objects | View::Paths | View::Related => {
                let class = now.class.or(self.class);
                let is_listed = |object: &ObjectId| view == View::Objects && Some(class_of(*object)) == class;
                let listed = now.object.filter(is_listed);
                (class, listed.or(left.object.filter(|_| left.class == class)))
            }
            View::Histogram if matches!(now.view, View::Objects | View::Paths) => (now.class, None),
            _ => (left.class, left.object),
        };
        Location { view, class, object, group: left.group.filter(|_| object.is_none()), ..now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(row: u32) -> Option<ObjectId> {
        ObjectId::from_raw(row)
    }

    fn class(row: u32) -> Option<ClassId> {
        ClassId::from_raw(row)
    }

    fn location(view: View, class: Option<ClassId>, object: Option<ObjectId>) -> Location {
        Location { view, ..Location::start(1).with(class, object) }
    }

    /// Every object is of class 7.
    fn switch(selections: &ViewSelections, now: Location, view: View) -> Location {
        selections.switch(now, view, |_| class(7).expect("a class"))
    }

    #[test]
    fn each_view_keeps_its_own_selection() {
        let mut selections = ViewSelections::default();
        let strings = location(View::Strings, class(7), object(3));
        selections.leave(strings);
        assert_eq!(switch(&selections, strings, View::Dominators), location(View::Dominators, None, None));
        let tree = location(View::Dominators, class(1), object(9));
        selections.leave(tree);
        assert_eq!(switch(&selections, tree, View::Strings), strings);
        assert_eq!(switch(&selections, strings, View::Dominators), tree);
        assert_eq!(switch(&selections, tree, View::Histogram), location(View::Histogram, None, None));
    }

    #[test]
    fn lists_of_a_class_take_the_class_selected_last() {
        let mut selections = ViewSelections::default();
        selections.leave(location(View::Histogram, class(7), None));
        let overview = location(View::Overview, None, None);
        assert_eq!(switch(&selections, overview, View::Paths), location(View::Paths, class(7), None));
        // An object of the class is listed, one of another class is not.
        let tree = location(View::Dominators, class(7), object(3));
        let objects = location(View::Objects, class(7), object(3));
        assert_eq!(switch(&selections, tree, View::Objects), objects);
        selections.leave(objects);
        let group = location(View::Dominators, class(8), object(4));
        assert_eq!(switch(&selections, group, View::Objects), location(View::Objects, class(8), None));
        assert_eq!(switch(&selections, overview, View::Objects), objects);
        // The class of a list is a row of the histogram.
        assert_eq!(switch(&selections, objects, View::Histogram), location(View::Histogram, class(7), None));
    }
}
