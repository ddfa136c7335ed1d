//! What the user says of leaks: read when the window starts, kept as soon as it
//! is said, in force for every dump at once.

use std::collections::VecDeque;
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use crate::analysis::leaks::Group;
use crate::heap::ids::ObjectId;
use crate::session::jobs::JobError;
use crate::session::leaks::LeakRules;
use crate::session::slot::Slot;
use crate::session::verdicts::{self, Said};
use crate::ui::command::Command;
use crate::ui::location::{DumpKey, View};
use crate::ui::panes::Pane;
use crate::ui::shell::verdict::Editor;
use crate::ui::shell::verdicts as list;
use crate::ui::verdict_target::About;
use crate::ui::views::leaks::about_leak;

/// The rules that hold, what is being added to them, and what is asked.
#[derive(Default)]
pub(super) struct Verdicts {
    rules: Arc<LeakRules>,
    /// What was said since the window started and is kept nowhere; the last first.
    unkept: Vec<Said>,
    keeping: Slot<(Arc<LeakRules>, String)>,
    /// What is to be kept after that, one after the other.
    waiting: VecDeque<Said>,
    /// What held before each thing that was said since the window was opened.
    before: Vec<Said>,
    /// What is asked, and while which dump was looked at: its objects have their names there.
    editor: Option<(Option<DumpKey>, Editor)>,
    is_listing: bool,
}

impl Verdicts {
    /// The rules that hold.
    pub(super) fn rules(&self) -> &Arc<LeakRules> {
        &self.rules
    }

    /// Whether something is being kept.
    pub(super) fn is_running(&self) -> bool {
        self.keeping.is_running() || !self.waiting.is_empty()
    }

    /// Whether something is being asked: keys are meant for that.
    pub(super) fn is_open(&self) -> bool {
        self.editor.is_some() || self.is_listing
    }

    /// Whether something was said that can be taken back.
    pub(super) fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Asks no more about objects of a dump, which are others by now.
    pub(super) fn forget(&mut self, dump: DumpKey) {
        self.editor = self.editor.take().filter(|(of, _)| *of != Some(dump));
    }

    /// Shows everything that was said, or hides it.
    pub(super) fn list(&mut self) {
        self.is_listing ^= true;
    }
}

impl App {
    /// Reads what was said in windows before.
    pub(super) fn read_verdicts(&mut self, ctx: &Context) {
        match verdicts::read(self.options.verdicts_file.as_deref()) {
            Ok(rules) => self.verdicts.rules = Arc::new(rules),
            Err(why) => self.toasts.warn(ctx, format!("Cannot read your verdicts: {why}")),
        }
    }

    /// Asks what there is to say of what the reader is at: the finding, the object with its class and the field that
    /// holds it, or the class.
    pub(super) fn say_of_focus(&mut self) {
        let Some(place) = self.history.now() else { return };
        let Some(tab) = self.tab(place.dump) else { return };
        let in_leaks = place.view == View::Leaks && self.focus == Pane::Main;
        if let Some(leak) = tab.views.leaks.chosen_leak().filter(|_| in_leaks) {
            let about = about_leak(leak);
            return self.say_of(about);
        }
        let finding = tab.views.leaks.chosen().filter(|_| in_leaks);
        if let Some(finding) = finding {
            let about = About::finding(finding, None);
            return self.say_of(about);
        }
        let Some(answers) = tab.answers() else { return };
        match (place.object.filter(|_| place.view.is_about_objects()), place.class) {
            (Some(object), _) => self.say_of_object(object, self.focus == Pane::HeldBy),
            (None, Some(class)) => {
                let about = About::class(&answers.heap, class);
                self.say_of(about);
            }
            (None, None) => {}
        }
    }

    /// The same of an object; of the selected step of its path, if `in_path`.
    pub(super) fn say_of_object(&mut self, object: ObjectId, in_path: bool) {
        let Some(tab) = self.history.now().and_then(|place| self.tab(place.dump)) else { return };
        let Some(answers) = tab.answers() else { return };
        let heap = &answers.heap;
        let step = tab.views.paths.step(object, in_path);
        let (object, field) = step.unwrap_or((object, None));
        let mut about = About::object(heap, object, answers.analyzed.is_reachable(object));
        if let Some((from, field)) = field.filter(|(_, field)| !field.starts_with(['[', '<'])) {
            let class = heap.classes.of_object(from).unwrap_or_else(|| heap.class_id(from));
            about = about.with("Field that holds it", &format!("{}.{field}", heap.classes.get(class).name));
        }
        self.say_of(about);
    }

    /// Asks what there is to say of something.
    pub(super) fn say_of(&mut self, about: About) {
        let dump = self.history.now().map(|place| place.dump);
        self.verdicts.editor = Editor::new(about).map(|editor| (dump, editor));
    }

    /// Draws what is being asked.
    pub(super) fn verdicts_ui(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        if self.verdicts.is_listing {
            let file = self.options.verdicts_file.as_deref();
            self.verdicts.is_listing = list::ui(ctx, &self.verdicts.rules, file, commands);
        }
        let Some((key, mut editor)) = self.verdicts.editor.take() else { return };
        let rules = Arc::clone(&self.verdicts.rules);
        let mut tab = self.tabs.iter_mut().find(|tab| Some(tab.key) == key);
        if key.is_some() && tab.is_none() {
            // Of a dump that was closed meanwhile there is nothing to say.
            return;
        }
        let mut name = |object| Some(tab.as_mut()?.object_name(object)?.to_owned());
        let stays = editor.ui(ctx, &rules, &mut name, commands);
        self.verdicts.editor = stays.then_some((key, editor));
    }

    /// Keeps what is said.
    pub(super) fn judge(&mut self, said: Said) {
        let before = self.verdicts.rules.of_pattern(&said.pattern);
        let (group, reason) = before.map(|before| (before.group, before.reason.clone())).unzip();
        let reason = reason.unwrap_or_default();
        self.verdicts.before.push(Said { pattern: said.pattern.clone(), group, reason });
        self.keep(said);
    }

    /// Takes back what was said last: what held before holds again.
    pub(super) fn undo_verdict(&mut self) {
        let before = self.verdicts.before.pop();
        before.into_iter().for_each(|before| self.keep(before));
    }

    /// Writes one after the other: each reads what the one before has written.
    fn keep(&mut self, said: Said) {
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
        let unkept = unkept.clone();
        self.verdicts.keeping.ask(&self.jobs, "save a verdict", move |_| {
            let rules = match &file {
                Some(file) => verdicts::keep(file, &said),
                None => verdicts::rules_of(&unkept),
            };
            let kept = file.map_or_else(
                || "until this window is closed".to_owned(),
                |file| format!("saved in {}", file.display()),
            );
            Ok((Arc::new(rules.map_err(JobError::Failed)?), format!("{done}, {kept}")))
        });
    }

    /// Has what was kept hold.
    pub(super) fn take_verdicts(&mut self, ctx: &Context) {
        if !self.verdicts.keeping.is_running() {
            return;
        }
        if self.verdicts.keeping.poll()
            && let Some((rules, said)) = self.verdicts.keeping.take()
        {
            self.verdicts.rules = rules;
            self.toasts.done(ctx, said);
            self.keep_next();
        } else if let Some(error) = self.verdicts.keeping.error() {
            self.toasts.warn(ctx, format!("Cannot save the verdict: {error}"));
            self.verdicts.keeping = Slot::default();
            self.keep_next();
        }
    }
}
