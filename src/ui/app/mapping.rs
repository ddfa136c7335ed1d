//! The names of the sources, put into a dump that is open and taken away again:
//! it stays as it is, and so does the place where the reader is.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use super::beside::MAPPINGS;
use crate::export::command_line::OpenedAs;
use crate::session::dump::{Facts, OpenOptions};
use crate::session::mapping::MappingFile;
use crate::ui::command::Command;
use crate::ui::place::DumpKey;
use crate::ui::tab::Tab;

impl App {
    /// How the dump of a tab is opened again, to be as it is.
    pub(super) fn options_of(&self, tab: &Tab) -> OpenOptions {
        let OpenedAs { rules, redacted: redact, .. } = *tab.opened();
        let mapped = tab.dump.facts().and_then(|facts| facts.mapped.as_ref());
        let mappings = match tab.dump.facts() {
            Some(_) => mapped.map(|mapped| mapped.file.clone()).into_iter().collect(),
            None => self.options.mappings.clone(),
        };
        OpenOptions { rules, redact, mappings, ..self.options.clone() }
    }

    /// Asks for a mapping.
    pub(super) fn pick_mapping(&mut self, ctx: &Context) {
        self.pick_beside(ctx, "Use a mapping of ProGuard or R8", ("Mappings", &MAPPINGS), Command::UseMapping);
    }

    /// Reads a mapping and puts its names into the dump that is looked at.
    pub(super) fn use_mapping(&mut self, ctx: &Context, path: PathBuf) {
        let Some(key) = self.key_of_names(ctx) else { return };
        let Some(facts) = self.tab(key).and_then(|tab| tab.dump.facts().cloned()) else { return };
        self.mapping.ask(&self.jobs, "read the mapping", move |_| {
            use crate::session::jobs::JobError;
            let mapping = Arc::new(MappingFile::read(&path).map_err(JobError::Failed)?);
            Ok((key, mapping.put(&facts)))
        });
    }

    /// Gives the dump that is looked at its own names again.
    pub(super) fn forget_mapping(&mut self, ctx: &Context) {
        let Some(key) = self.key_of_names(ctx) else { return };
        if let Some(facts) = self.tab(key).and_then(|tab| tab.dump.facts()).map(Facts::unmapped) {
            self.put_facts(key, facts);
            self.toasts.say(ctx, "Names are those of the dump".to_owned(), true);
        }
    }

    /// The dump that is looked at, if it can have other names.
    fn key_of_names(&mut self, ctx: &Context) -> Option<DumpKey> {
        let tab = self.history.now().and_then(|place| self.tab(place.dump)).filter(|tab| tab.answers().is_some());
        let why = match tab {
            None => "Open a dump first: a mapping gives names to its classes",
            Some(tab) if tab.comparing().is_some() => "Put names into both dumps, and compare them again",
            Some(tab) => return Some(tab.key),
        };
        self.toasts.say(ctx, why.to_owned(), false);
        None
    }

    /// Takes in names that were read.
    pub(super) fn take_mapping(&mut self, ctx: &Context) {
        if !self.mapping.is_running() {
            return;
        }
        if self.mapping.poll()
            && let Some((key, facts)) = self.mapping.take()
        {
            let said = facts.mapped.as_ref().map(|mapped| mapped.said());
            self.put_facts(key, facts);
            self.toasts.say(ctx, said.unwrap_or_default(), true);
        } else if let Some(error) = self.mapping.error() {
            self.toasts.say(ctx, error.to_owned(), false);
        }
    }
}
