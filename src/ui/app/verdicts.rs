//! Verdicts of the user: read at start, saved at once, applied to all dumps.

use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use crate::ui::shell::verdict::Editor;
use crate::ui::shell::verdicts as list;
use crate::ui::views::leaks::about_leak;
use crate::ui::{Command, Pane, View};
use heaplens_analysis::leaks::Group;
use heaplens_heap::ObjectId;
use heaplens_session::leaks::read_known_leaks;
use heaplens_session::{JobError, LeakRules, UserVerdict, VerdictTargets, verdicts};

impl App {
    /// Reads the user's known leaks and the stored verdicts.
    pub(super) fn read_verdicts(&mut self, ctx: &Context) {
        match read_known_leaks(self.options.known_leaks_file.as_deref(), &[]) {
            Ok(known) => self.verdicts.known_leaks = known,
            Err(why) => self.toasts.warn(ctx, format!("Cannot read your known leaks: {why}")),
        }
        let rules = verdicts::read(self.options.verdicts_file.as_deref()).unwrap_or_else(|why| {
            self.toasts.warn(ctx, format!("Cannot read your verdicts: {why}"));
            LeakRules::default()
        });
        self.verdicts.rules = Arc::new(rules.with_known(Arc::clone(&self.verdicts.known_leaks)));
    }

    /// Opens the verdict dialog for the focused item: the finding, the object with its class and the field that holds
    /// it, or the class.
    pub(super) fn ask_verdict_of_focus(&mut self) {
        let Some(location) = self.history.now() else { return };
        let Some(tab) = self.tab(location.dump) else { return };
        let in_leaks = location.view == View::Leaks && self.focus == Pane::Main;
        if let Some(leak) = tab.views.leaks.chosen_leak().filter(|_| in_leaks) {
            return self.set_verdict_of(about_leak(leak));
        }
        if let Some(finding) = tab.views.leaks.chosen().filter(|_| in_leaks) {
            return self.set_verdict_of(VerdictTargets::finding(finding, None));
        }
        let Some(dump) = tab.open_dump() else { return };
        match (location.object.filter(|_| location.view.is_about_objects()), location.class) {
            (Some(object), _) => self.set_verdict_of_object(object, self.focus == Pane::Path),
            (None, Some(class)) => self.set_verdict_of(VerdictTargets::class(&dump.heap, class)),
            (None, None) => {}
        }
    }

    /// Opens the verdict dialog for an object, or for the selected step of its path if `in_path`.
    pub(super) fn set_verdict_of_object(&mut self, object: ObjectId, in_path: bool) {
        let Some((tab, dump)) = self.tab_now().and_then(|tab| Some((tab, tab.open_dump()?))) else { return };
        let heap = &dump.heap;
        let (object, field) = tab.views.paths.step(object, in_path).unwrap_or((object, None));
        let mut about = VerdictTargets::object(heap, object, dump.analysis.is_reachable(object));
        if let Some((from, field)) = field.filter(|(_, field)| !field.starts_with(['[', '<'])) {
            let class = heap.classes.of_object(from).unwrap_or_else(|| heap.class_id(from));
            about = about.with("Field that holds it", &format!("{}.{field}", heap.classes.get(class).name));
        }
        self.set_verdict_of(about);
    }

    /// Opens the verdict dialog.
    pub(super) fn set_verdict_of(&mut self, about: VerdictTargets) {
        let dump = self.dump_now();
        self.verdicts.editor = Editor::new(about).map(|editor| (dump, editor));
    }

    /// Draws the open dialogs.
    pub(super) fn verdicts_ui(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        if self.verdicts.is_listing {
            let file = self.options.verdicts_file.as_deref();
            self.verdicts.is_listing = list::ui(ctx, &self.verdicts.rules, file, commands);
        }
        let Some((key, mut editor)) = self.verdicts.editor.take() else { return };
        let rules = Arc::clone(&self.verdicts.rules);
        let mut tab = self.tabs.iter_mut().find(|tab| Some(tab.key) == key);
        if key.is_some() && tab.is_none() {
            // The dump was closed meanwhile.
            return;
        }
        let mut name = |object| Some(tab.as_mut()?.object_name(object)?.to_owned());
        let stays = editor.ui(ctx, &rules, &mut name, commands);
        self.verdicts.editor = stays.then_some((key, editor));
    }

    /// Saves a verdict.
    pub(super) fn add_verdict(&mut self, said: UserVerdict) {
        let before = self.verdicts.rules.of_pattern(&said.pattern);
        let (group, reason) = before.map(|before| (before.group, before.reason.clone())).unzip();
        let reason = reason.unwrap_or_default();
        self.verdicts.before.push(UserVerdict { pattern: said.pattern.clone(), group, reason });
        self.keep(said);
    }

    /// Undoes the last verdict: restores the previous one.
    pub(super) fn undo_verdict(&mut self) {
        self.verdicts.before.pop().into_iter().for_each(|before| self.keep(before));
    }

    /// Saves verdicts one after the other: each reads the file written by the one before.
    fn keep(&mut self, said: UserVerdict) {
        self.verdicts.waiting.push_back(said);
        if !self.verdicts.keeping.is_running() {
            self.keep_next();
        }
    }

    fn keep_next(&mut self) {
        let Some(said) = self.verdicts.waiting.pop_front() else { return };
        let done = match said.group {
            Some(Group::Leak) => format!("{} marked as leaking", said.pattern),
            Some(group) => format!("{} marked as {}", said.pattern, group.key()),
            None => format!("Verdict on {} deleted", said.pattern),
        };
        let (file, unkept) = (self.options.verdicts_file.clone(), &mut self.verdicts.unkept);
        if file.is_none() {
            unkept.retain(|before| before.pattern != said.pattern);
            unkept.push(said.clone());
        }
        let (unkept, known) = (unkept.clone(), Arc::clone(&self.verdicts.known_leaks));
        self.verdicts.keeping.ask(&self.jobs, "save a verdict", move |_| {
            let rules = match &file {
                Some(file) => verdicts::keep(file, &said),
                None => verdicts::rules_of(&unkept),
            };
            let kept = file.map_or_else(
                || "until this window is closed".to_owned(),
                |file| format!("saved in {}", file.display()),
            );
            let rules = rules.map_err(JobError::Failed)?.with_known(known);
            Ok((Arc::new(rules), format!("{done}, {kept}")))
        });
    }

    /// Applies saved verdicts.
    pub(super) fn take_verdicts(&mut self, ctx: &Context) {
        match self.verdicts.keeping.take_ended() {
            Some(Ok((rules, said))) => {
                self.verdicts.rules = rules;
                self.toasts.done(ctx, said);
            }
            Some(Err(error)) => self.toasts.warn(ctx, format!("Cannot save the verdict: {error}")),
            None => return,
        }
        self.keep_next();
    }
}
