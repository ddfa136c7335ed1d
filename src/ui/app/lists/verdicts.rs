//! Verdicts of the user: read at start, saved at once, applied to all dumps.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use crate::ui::shell::toasts::Toasts;
use crate::ui::shell::verdict::Editor;
use crate::ui::shell::verdicts as list;
use crate::ui::tab::Tab;
use crate::ui::{Command, DumpKey};
use heaplens_analysis::leaks::Group;
use heaplens_session::leaks::{KnownLeaks, read_known_leaks};
use heaplens_session::{JobError, Jobs, LeakRules, OpenOptions, Slot, UserVerdict, VerdictTargets, verdicts};

/// Rules in force, verdicts being saved, and the open dialogs.
#[derive(Default)]
pub(crate) struct Verdicts {
    pub(crate) rules: Arc<LeakRules>,
    /// File of the verdicts; `None` to keep them only while the window is open.
    file: Option<PathBuf>,
    /// Known leaks of libraries, read at start.
    known_leaks: Arc<KnownLeaks>,
    /// Verdicts of this session that are stored nowhere, newest first.
    unkept: Vec<UserVerdict>,
    keeping: Slot<(Arc<LeakRules>, String)>,
    /// Verdicts waiting to be saved, in order.
    waiting: VecDeque<UserVerdict>,
    /// True if the verdict that is being saved is one of the user, not one that undo restores.
    pub(crate) offers_undo: bool,
    /// Open dialog and the dump whose objects it names.
    editor: Option<(Option<DumpKey>, Editor)>,
    is_listing: bool,
}

impl Verdicts {
    /// Reads the user's known leaks and the stored verdicts.
    pub(crate) fn read(ctx: &Context, options: &OpenOptions, toasts: &mut Toasts) -> Self {
        let known_leaks = read_known_leaks(options.known_leaks_file.as_deref(), &[]).unwrap_or_else(|why| {
            toasts.warn(ctx, format!("Cannot read your known leaks: {why}"));
            Arc::default()
        });
        let rules = verdicts::read(options.verdicts_file.as_deref()).unwrap_or_else(|why| {
            toasts.warn(ctx, format!("Cannot read your verdicts: {why}"));
            LeakRules::default()
        });
        let rules = Arc::new(rules.with_known(Arc::clone(&known_leaks)));
        Self { rules, known_leaks, file: options.verdicts_file.clone(), ..Self::default() }
    }

    /// True while a verdict is being saved.
    pub(crate) fn is_running(&self) -> bool {
        self.keeping.is_running() || !self.waiting.is_empty()
    }

    /// True while a dialog is open and takes the keys.
    pub(crate) fn is_open(&self) -> bool {
        self.editor.is_some() || self.is_listing
    }

    /// Closes the dialog about objects of a dump that was reloaded.
    pub(crate) fn forget(&mut self, dump: DumpKey) {
        self.editor = self.editor.take().filter(|(of, _)| *of != Some(dump));
    }

    /// Opens the dialog for a verdict on one of the targets; `dump` is that of their objects.
    pub(crate) fn ask(&mut self, dump: Option<DumpKey>, targets: VerdictTargets) {
        self.editor = Editor::new(targets).map(|editor| (dump, editor));
    }

    /// Shows or hides the list of verdicts.
    pub(crate) fn toggle_list(&mut self) {
        self.is_listing ^= true;
    }

    /// Draws the open dialogs. `tabs` are asked for names of objects.
    pub(crate) fn ui(&mut self, ctx: &Context, tabs: &mut [Tab], commands: &mut Vec<Command>) {
        if self.is_listing {
            self.is_listing = list::ui(ctx, &self.rules, self.file.as_deref(), commands);
        }
        let Some((key, mut editor)) = self.editor.take() else { return };
        let mut tab = tabs.iter_mut().find(|tab| Some(tab.key) == key);
        if key.is_some() && tab.is_none() {
            // The dump was closed meanwhile.
            return;
        }
        let mut name = |object| Some(tab.as_mut()?.object_name(object)?.to_owned());
        let stays = editor.ui(ctx, &self.rules, &mut name, commands);
        self.editor = stays.then_some((key, editor));
    }

    /// Saves a verdict; returns the one that it replaces.
    pub(crate) fn add(&mut self, verdict: UserVerdict, jobs: &Jobs) -> UserVerdict {
        let waiting = self.waiting.iter().rfind(|waiting| waiting.pattern == verdict.pattern);
        let before = waiting.cloned().unwrap_or_else(|| {
            let before = self.rules.of_pattern(&verdict.pattern);
            let (group, reason) = before.map(|before| (before.group, before.reason.clone())).unzip();
            UserVerdict { pattern: verdict.pattern.clone(), group, reason: reason.unwrap_or_default() }
        });
        self.keep(verdict, jobs);
        before
    }

    /// Saves verdicts one after the other: each reads the file written by the one before.
    fn keep(&mut self, verdict: UserVerdict, jobs: &Jobs) {
        self.waiting.push_back(verdict);
        if !self.keeping.is_running() {
            self.keep_next(jobs);
        }
    }

    fn keep_next(&mut self, jobs: &Jobs) {
        let Some(verdict) = self.waiting.pop_front() else { return };
        let done = match verdict.group {
            Some(Group::Leak) => format!("{} marked as leaking", verdict.pattern),
            Some(group) => format!("{} marked as {}", verdict.pattern, group.key()),
            None => format!("Verdict on {} deleted", verdict.pattern),
        };
        let file = self.file.clone();
        if file.is_none() {
            self.unkept.retain(|before| before.pattern != verdict.pattern);
            self.unkept.push(verdict.clone());
        }
        let (unkept, known) = (self.unkept.clone(), Arc::clone(&self.known_leaks));
        self.keeping.ask(jobs, "save a verdict", move |_| {
            let rules = match &file {
                Some(file) => verdicts::keep(file, &verdict),
                None => verdicts::rules_of(&unkept),
            };
            let saved = file.map_or_else(
                || "until this window is closed".to_owned(),
                |file| format!("saved in {}", file.display()),
            );
            let rules = rules.map_err(JobError::Failed)?.with_known(known);
            Ok((Arc::new(rules), format!("{done}, {saved}")))
        });
    }

    /// Applies saved verdicts.
    pub(super) fn poll(&mut self, ctx: &Context, jobs: &Jobs, toasts: &mut Toasts) {
        match self.keeping.take_ended() {
            Some(Ok((rules, message))) => {
                self.rules = rules;
                if self.offers_undo { toasts.done_undoable(ctx, message) } else { toasts.done(ctx, message) }
            }
            Some(Err(error)) => toasts.warn(ctx, format!("Cannot save the verdict: {error}")),
            None => return,
        }
        self.keep_next(jobs);
    }
}
