//! What the user says of leaks: read when the window starts, kept as soon as it
//! is said, in force for every dump at once.

use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use crate::session::jobs::JobError;
use crate::session::leaks::LeakRules;
use crate::session::slot::Slot;
use crate::session::verdicts::{self, Said};

/// The rules that hold, and what is being added to them.
#[derive(Default)]
pub(super) struct Verdicts {
    rules: Arc<LeakRules>,
    /// What was said since the window started and is kept nowhere; the last first.
    unkept: Vec<Said>,
    keeping: Slot<(Arc<LeakRules>, String)>,
}

impl Verdicts {
    /// The rules that hold.
    pub(super) fn rules(&self) -> &Arc<LeakRules> {
        &self.rules
    }

    /// Whether something is being kept.
    pub(super) fn is_running(&self) -> bool {
        self.keeping.is_running()
    }
}

impl App {
    /// Reads what was said in windows before.
    pub(super) fn read_verdicts(&mut self, ctx: &Context) {
        match verdicts::read(self.options.verdicts_file.as_deref()) {
            Ok(rules) => self.verdicts.rules = Arc::new(rules),
            Err(why) => self.toasts.say(ctx, format!("Your verdicts of leaks do not hold: {why}"), false),
        }
    }

    /// Keeps what is said of a finding.
    pub(super) fn judge(&mut self, said: Said) {
        let done = match said.group {
            Some(group) => format!("{} is {} from now on", said.pattern, group.key()),
            None => format!("Nothing is said of {} any more", said.pattern),
        };
        let (file, unkept) = (self.options.verdicts_file.clone(), &mut self.verdicts.unkept);
        if file.is_none() {
            unkept.retain(|before| before.pattern != said.pattern);
            unkept.push(said.clone());
        }
        let unkept = unkept.clone();
        self.verdicts.keeping.ask(&self.jobs, "keep a verdict", move |_| {
            let rules = match &file {
                Some(file) => verdicts::keep(file, &said),
                None => verdicts::rules_of(&unkept),
            };
            let kept = file.map_or_else(|| "until this window is closed".to_owned(), |file| file.display().to_string());
            Ok((Arc::new(rules.map_err(JobError::Failed)?), format!("{done}: {kept}")))
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
            self.toasts.say(ctx, said, true);
        } else if let Some(error) = self.verdicts.keeping.error() {
            self.toasts.say(ctx, format!("The verdict is not kept: {error}"), false);
        }
    }
}
