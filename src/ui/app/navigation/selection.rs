//! Selecting objects, classes and findings, and going where they are shown.

use super::super::tabs::Tabs;
use super::Navigation;
use crate::ui::{DumpKey, Location, SelectedBy, View};
use heaplens_analysis::dominator_tree::PartitionBy;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::Jobs;
use heaplens_tables::RowTarget;

impl Navigation {
    /// Selects what a row of the dump `of` names. If another dump is current by now, only the selection of objects that
    /// the view has made already is stored.
    pub(crate) fn select(&mut self, tabs: &mut Tabs, of: DumpKey, target: RowTarget, by: SelectedBy) {
        // The dump may be closed or reloading: then row numbers are invalid.
        let Some(dump) = tabs.open_dump(of).cloned() else { return };
        let at = |location: Location| match target {
            RowTarget::Object(object) => {
                location.with(class_beside(location, dump.heap.class_id(object)), Some(object))
            }
            RowTarget::Class(class) => location.with(Some(class), None),
            RowTarget::Group(group) => {
                let class = group.part.only.and_then(|(by, class)| (by == PartitionBy::Class).then_some(class));
                Location { group: Some(group), ..location.with(class.or(location.class), None) }
            }
            // A row without an object or class of this dump leaves the panes empty.
            RowTarget::BaselineObject(_) | RowTarget::BaselineClass(_) | RowTarget::None => {
                location.with(location.class, None)
            }
        };
        let is_current = self.dump() == Some(of);
        match (target, by) {
            (RowTarget::Object(_), SelectedBy::View) => self.history.correct_last_in(of, at),
            // The view has moved its cursor already and reports it once.
            (RowTarget::Object(_), SelectedBy::Cursor) if !is_current => self.history.correct_last_in(of, at),
            _ if !is_current => {}
            (_, SelectedBy::View) => self.history.correct_last_in(of, at),
            (RowTarget::Object(object), SelectedBy::Click) => self.select_object(tabs, object),
            (RowTarget::Class(_) | RowTarget::Group(_), SelectedBy::Click) => self.go(tabs, at),
            _ => self.pass(at),
        }
    }

    /// Selects an object of the current dump in the current view if that can show it, else in the dominator tree.
    pub(crate) fn select_object(&mut self, tabs: &mut Tabs, object: ObjectId) {
        let Some(class) = self.class_of(tabs, object) else { return };
        self.go(tabs, |location| {
            // The list of a class can only show its own objects.
            let of = class_beside(location, class);
            let stays = location.view != View::Objects || location.class == of;
            let view = if location.view.is_about_objects() && stays { location.view } else { View::Dominators };
            let of = if view == location.view { of } else { Some(class) };
            Location { view, ..location.with(of, Some(object)) }
        });
    }

    /// Shows an object of the current dump in the dominator tree.
    pub(crate) fn reveal(&mut self, tabs: &mut Tabs, object: ObjectId) {
        let Some(class) = self.class_of(tabs, object) else { return };
        let view = View::Dominators;
        self.go(tabs, |location| Location { view, ..location.with(Some(class), Some(object)) });
    }

    /// Lists the objects of a class of the current dump, as the view is filtered from which it is asked.
    pub(crate) fn list_objects_of(&mut self, tabs: &mut Tabs, class: ClassId) {
        if let Some(location) = self.location().filter(|location| location.view != View::Objects)
            && let Some(tab) = tabs.get_mut(location.dump)
        {
            tab.views.filter_objects_like(location.view);
        }
        self.go(tabs, |location| {
            let is_listed = location.class == Some(class) && location.view.is_about_objects();
            let object = location.object.filter(|_| is_listed);
            Location { view: View::Objects, ..location.with(Some(class), object) }
        });
    }

    /// Class of an object of the current dump.
    pub(crate) fn class_of(&self, tabs: &Tabs, object: ObjectId) -> Option<ClassId> {
        Some(tabs.open_dump(self.dump()?)?.heap.class_id(object))
    }

    /// Shows Leaks with the finding of a fingerprint, or with the leak of `object`.
    pub(crate) fn show_leak(&mut self, tabs: &mut Tabs, object: Option<ObjectId>, fingerprint: Option<String>) {
        let Some(tab) = self.tab_mut(tabs) else { return };
        match (fingerprint, object) {
            (Some(fingerprint), _) => tab.views.leaks.look_for_finding(fingerprint),
            (None, Some(object)) => tab.views.leaks.look_for(object),
            (None, None) => {}
        }
        let class = object.and_then(|object| self.class_of(tabs, object));
        self.go(tabs, |location| Location { view: View::Leaks, ..location.with(class, object) });
    }

    /// Searches the next or previous object of the class. In Leaks, steps go through the traces of a leak or the objects
    /// of the selected finding.
    ///
    /// # Errors
    /// A hint if there is no further trace.
    pub(crate) fn step_object(&mut self, tabs: &mut Tabs, jobs: &Jobs, forwards: bool) -> Result<(), &'static str> {
        let Some(location) = self.now() else { return Ok(()) };
        let (Some(tab), Some(object)) = (tabs.get_mut(location.dump), location.object) else { return Ok(()) };
        let in_leaks = location.view == View::Leaks;
        if in_leaks && let Some(stepped) = tab.views.leaks.step_trace(forwards) {
            let object = stepped.ok_or("No further leak trace with this fingerprint")?;
            self.select_object(tabs, object);
        } else if !in_leaks || !tab.step_in_finding(jobs, object, forwards) {
            tab.step_of_class(jobs, object, forwards);
        }
        Ok(())
    }

    /// Searches the path between two objects once both are set.
    ///
    /// # Errors
    /// A hint that asks for the missing one.
    pub(crate) fn route(
        &mut self,
        tabs: &mut Tabs,
        from: Option<ObjectId>,
        to: Option<ObjectId>,
    ) -> Result<(), &'static str> {
        let Some(tab) = self.tab_mut(tabs) else { return Ok(()) };
        let route = &mut tab.views.route;
        from.into_iter().for_each(|object| route.begin(object));
        to.into_iter().for_each(|object| route.end(object));
        if !route.has_ends() {
            return Err(match from {
                Some(_) => "Now choose “End path here” in the menu of the other object",
                None => "Now choose “Start path here” in the menu of the other object",
            });
        }
        self.switch_to(tabs, View::Route);
        Ok(())
    }
}

/// Class of the location when an object of `class` is selected: the list of all objects stays one of all classes.
fn class_beside(location: Location, class: ClassId) -> Option<ClassId> {
    let lists_all = location.view == View::Objects && location.class.is_none();
    (!lists_all).then_some(class)
}
