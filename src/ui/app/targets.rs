//! Actions on something that a row, a link or a text names, independent of the selection: an object, a class, a leak
//! finding, a tab.

use eframe::egui::Context;

use super::App;
use super::navigation::sets::is_question;
use crate::ui::{DumpKey, Target, Verb, View};
use heaplens_analysis::Cut;
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::VerdictTargets;
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
                if let Some(location) = self.navigation.now() {
                    let location = location.with(location.class, object);
                    self.output.links.copy_finding(&self.tabs, location, fingerprint, &self.jobs);
                }
            }
            Target::Finding(_, object, fingerprint) => {
                self.navigation.show_leak(&mut self.tabs, object, Some(fingerprint));
            }
            Target::Tab(key) => self.run_on_tab(ctx, key, verb),
            Target::Page(kind) => self.navigation.pages.close(kind),
        }
    }

    /// Actions that need no other view are done in place; otherwise the object is selected first.
    fn run_on_object(&mut self, ctx: &Context, object: ObjectId, verb: Verb) {
        let location = self.navigation.now();
        match verb {
            Verb::Verdict => self.ask_verdict(self.navigation.verdict_targets_of(&self.tabs, object, false)),
            Verb::CutReference => self.navigation.cut_holder_of(&mut self.tabs, object, false),
            Verb::CutField => self.navigation.cut_holder_of(&mut self.tabs, object, true),
            Verb::CutSmallest => self.search_smallest(object),
            Verb::ShowInTree => self.navigation.reveal(&mut self.tabs, object),
            Verb::Show(View::Leaks) => self.navigation.show_leak(&mut self.tabs, Some(object), None),
            Verb::Star => {
                if let Some(location) = location {
                    self.mark(location.dump, object, |mark| mark.star ^= true);
                }
            }
            Verb::CopyId => self.copy_id(ctx, object),
            Verb::CopyLink => {
                if let Some(location) = location {
                    self.output.links.copy_object(&self.tabs, location, object, &self.jobs);
                }
            }
            // The selection is that of the frame drawn last; the object may be another one, such as a step of a path.
            verb if is_question(verb) && !self.navigation.is_selected(&self.tabs, object) => {
                self.navigation.ask_of_object(&mut self.tabs, verb, object);
            }
            verb => {
                if location.and_then(|location| location.object) != Some(object) {
                    self.navigation.select_object(&mut self.tabs, object);
                }
                self.run_on_selection(ctx, verb);
            }
        }
    }

    fn run_on_class(&mut self, ctx: &Context, class: ClassId, verb: Verb) {
        let Some(location) = self.navigation.now() else { return };
        match verb {
            Verb::ObjectsOfClass => self.navigation.list_objects_of(&mut self.tabs, class),
            Verb::CutReference => self.toggle_cuts(location.dump, vec![Cut::Class(class)]),
            Verb::CopyName => self.copy_class_name(ctx, class),
            Verb::OpenInNewTab => {
                self.open_in_new_tab();
                self.navigation.list_objects_of(&mut self.tabs, class);
            }
            verb if is_question(verb) => self.navigation.ask_of_set(&mut self.tabs, verb, PathTargets::Class(class)),
            verb => {
                if location.class != Some(class) || location.object.is_some() {
                    self.navigation.go(&mut self.tabs, |location| location.with(Some(class), None));
                }
                self.run_on_selection(ctx, verb);
            }
        }
    }

    pub(super) fn run_on_tab(&mut self, ctx: &Context, key: DumpKey, verb: Verb) {
        match verb {
            Verb::CloseTab => self.close_by_user(ctx, key),
            Verb::Compare => self.swap(key),
            Verb::StopOpening => self.tabs.stop(key),
            _ => {}
        }
    }

    /// Opens the verdict dialog, if there are targets.
    pub(super) fn ask_verdict(&mut self, targets: Option<VerdictTargets>) {
        targets.into_iter().for_each(|targets| self.lists.verdicts.ask(self.navigation.dump(), targets));
    }

    /// Shows the hint of an action that could not be run.
    pub(super) fn hint_if(&mut self, ctx: &Context, result: Result<(), &'static str>) {
        if let Err(hint) = result {
            self.toasts.hint(ctx, hint.to_owned());
        }
    }
}
