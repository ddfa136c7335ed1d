//! Actions on something that a row, a link or a text names, independent of the selection: an object, a class, a leak
//! finding, a tab.

use eframe::egui::Context;

use super::App;
use super::sets::is_question;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, SelectedBy, Target, Verb, View};
use heaplens_analysis::Cut;
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::Comparing;
use heaplens_tables::RowTarget;

impl App {
    /// Runs an action on its target. An action on something else than the selection is dropped if its dump or tab is
    /// gone or another dump is current by now, such as after the key for the next tab in the same frame.
    pub(super) fn run(&mut self, ctx: &Context, verb: Verb, on: Target) {
        if on != Target::Selection && !self.is_available(verb, &on) {
            return;
        }
        match on {
            Target::Selection => self.run_on_selection(ctx, verb),
            Target::Row(_, RowTarget::Object(object)) => self.run_on_object(ctx, object, verb),
            Target::Row(_, RowTarget::Class(class)) => self.run_on_class(ctx, class, verb),
            Target::Row(_, RowTarget::BaselineObject(object)) => {
                self.show_before(View::Dominators, Some(object), None);
            }
            Target::Row(_, RowTarget::BaselineClass(class)) => self.show_before(View::Objects, None, Some(class)),
            Target::Row(_, RowTarget::Group(_) | RowTarget::None) => {}
            Target::Finding(_, object, fingerprint) if verb == Verb::CopyLink => {
                self.copy_link_of_finding(object, fingerprint);
            }
            Target::Finding(_, object, fingerprint) => self.show_leak(object, Some(fingerprint)),
            Target::Tab(key) => self.run_on_tab(key, verb),
            Target::Page(kind) => self.pages.close(kind),
        }
    }

    /// Actions that need no other view are done in place; otherwise the object is selected first.
    fn run_on_object(&mut self, ctx: &Context, object: ObjectId, verb: Verb) {
        let location = self.history.now();
        match verb {
            Verb::Verdict => self.set_verdict_of_object(object, false),
            Verb::CutReference => self.cut_holder_of(object, false),
            Verb::CutField => self.cut_holder_of(object, true),
            Verb::ShowInTree => self.reveal(object),
            Verb::Show(View::Leaks) => self.show_leak(Some(object), None),
            Verb::Star => {
                if let Some(location) = location {
                    self.mark(location.dump, object, |mark| mark.star ^= true);
                }
            }
            Verb::CopyId => self.copy_id(ctx, object),
            Verb::CopyLink => self.copy_link_of(object),
            // The selection is that of the frame drawn last; the object may be another one, such as a step of a path.
            verb if is_question(verb) && !self.is_selected(object) => self.ask_of_object(verb, object),
            verb => {
                if location.and_then(|location| location.object) != Some(object) {
                    self.select_object(object);
                }
                self.run_on_selection(ctx, verb);
            }
        }
    }

    fn run_on_class(&mut self, ctx: &Context, class: ClassId, verb: Verb) {
        let Some(location) = self.history.now() else { return };
        match verb {
            Verb::ObjectsOfClass => self.list_objects_of(class),
            Verb::CutReference => self.toggle_cuts(location.dump, vec![Cut::Class(class)]),
            Verb::CopyName => self.copy_class_name(ctx, class),
            Verb::OpenInNewTab => {
                self.open_in_new_tab();
                self.list_objects_of(class);
            }
            verb if is_question(verb) => self.ask_of_set(verb, PathTargets::Class(class)),
            verb => {
                if location.class != Some(class) || location.object.is_some() {
                    self.go(|location| Location { class: Some(class), object: None, ..location });
                }
                self.run_on_selection(ctx, verb);
            }
        }
    }

    pub(super) fn run_on_tab(&mut self, key: DumpKey, verb: Verb) {
        match verb {
            Verb::CloseTab => self.close(key),
            Verb::Compare => self.swap(key),
            Verb::StopOpening => {
                if let Some(tab) = self.tab_mut(key) {
                    tab.dump.cancel();
                    tab.comparing_mut().into_iter().for_each(Comparing::cancel);
                }
            }
            _ => {}
        }
    }

    /// Selects what a row of the dump `of` names. If another dump is current by now, only the selection of objects that
    /// the view has made already is stored.
    pub(super) fn select(&mut self, of: DumpKey, target: RowTarget, by: SelectedBy) {
        // The dump may be closed or reloading: then row numbers are invalid.
        let Some(dump) = self.tab(of).and_then(Tab::open_dump).cloned() else { return };
        let at = |location: Location| match target {
            RowTarget::Object(object) => {
                Location { object: Some(object), class: Some(dump.heap.class_id(object)), ..location }
            }
            RowTarget::Class(class) | RowTarget::Group(class) => {
                Location { class: Some(class), object: None, ..location }
            }
            // A row without an object or class of this dump leaves the panes empty.
            RowTarget::BaselineObject(_) | RowTarget::BaselineClass(_) | RowTarget::None => {
                Location { object: None, ..location }
            }
        };
        let is_current = self.dump_now() == Some(of);
        match (target, by) {
            (RowTarget::Object(_), SelectedBy::View) => self.history.correct_last_in(of, at),
            // The view has moved its cursor already and reports it once.
            (RowTarget::Object(_), SelectedBy::Cursor) if !is_current => self.history.correct_last_in(of, at),
            _ if !is_current => {}
            (RowTarget::Object(object), SelectedBy::Click) => self.select_object(object),
            (RowTarget::Class(_), SelectedBy::Click) => self.go(at),
            _ => self.pass(at),
        }
    }

    /// Selects an object of the current dump in the current view if that can show it, else in the dominator tree.
    pub(super) fn select_object(&mut self, object: ObjectId) {
        let Some(class) = self.class_of(object) else { return };
        self.go(|location| {
            // The list of a class can only show its own objects.
            let stays = location.view != View::Objects || location.class == Some(class);
            let view = if location.view.is_about_objects() && stays { location.view } else { View::Dominators };
            Location { view, class: Some(class), object: Some(object), ..location }
        });
    }

    /// Shows an object of the current dump in the dominator tree.
    pub(super) fn reveal(&mut self, object: ObjectId) {
        if let Some(class) = self.class_of(object) {
            self.go(|location| Location {
                view: View::Dominators,
                class: Some(class),
                object: Some(object),
                ..location
            });
        }
    }

    /// Lists the objects of a class of the current dump, of the Android heap that the histogram shows.
    pub(super) fn list_objects_of(&mut self, class: ClassId) {
        if let Some(location) = self.location().filter(|location| location.view != View::Objects)
            && let Some(tab) = self.tab_mut(location.dump)
        {
            tab.views.filter_objects_like_histogram(location.view == View::Histogram);
        }
        self.go(|location| {
            let is_listed = location.class == Some(class) && location.view.is_about_objects();
            Location {
                view: View::Objects,
                class: Some(class),
                object: location.object.filter(|_| is_listed),
                ..location
            }
        });
    }

    /// Class of an object of the current dump.
    fn class_of(&self, object: ObjectId) -> Option<ClassId> {
        Some(self.tab_now()?.open_dump()?.heap.class_id(object))
    }
}
