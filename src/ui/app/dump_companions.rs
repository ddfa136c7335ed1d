//! Companion files of the current dump: ProGuard or R8 mappings and source maps, applied and removed, texts about its
//! process, and KOOM reports, whose objects
//! are starred. The location stays.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use super::lists::finished::{MappedDump, RecordedDump, ReportedObjects};
use crate::ui::{Command, DumpKey, Verb, View};
use heaplens_dump::facts::Facts;
use heaplens_heap::ObjectId;
use heaplens_session::OpenOptions;

impl App {
    /// Reads a mapping and applies it to the current dump.
    pub(super) fn use_mapping(&mut self, ctx: &Context, path: PathBuf) {
        if let Some((key, facts)) = self.dump_to_rename(ctx) {
            self.lists.read_mapping(key, facts, path, &self.jobs);
        }
    }

    /// Removes the mapping of the current dump.
    pub(super) fn forget_mapping(&mut self, ctx: &Context) {
        if let Some((key, facts)) = self.dump_to_rename(ctx)
            && self.put_renamed(key, facts.unmapped())
        {
            self.toasts.done(ctx, "Mapping removed".to_owned());
        }
    }

    /// Shows a dump with other names. Owner rules name classes: a dump opened by them is opened again.
    fn put_renamed(&mut self, key: DumpKey, facts: Facts) -> bool {
        let by_owners = self.tabs.get(key).is_some_and(|tab| tab.opened().owner_rules);
        let Some(options) = self.tabs.options_of(key, &self.options).filter(|_| by_owners) else {
            return self.put_facts(key, facts);
        };
        let mappings = facts.mapped.iter().map(|mapped| mapped.file.clone()).collect();
        self.open_anew(key, OpenOptions { mappings, ..options });
        true
    }

    /// Current dump if a mapping can be applied to it; otherwise shows why not.
    fn dump_to_rename(&mut self, ctx: &Context) -> Option<(DumpKey, Facts)> {
        let tab = self.tab_now().filter(|tab| tab.open_dump().is_some());
        let why = match tab {
            None => "No dump is open: open the dump, then apply the mapping",
            Some(tab) if tab.comparing().is_some() => {
                "A mapping cannot be applied to a comparison: apply it to both dumps, then compare again"
            }
            Some(tab) => return Some((tab.key, tab.dump.facts()?.clone())),
        };
        self.toasts.hint(ctx, why.to_owned());
        None
    }

    /// Applies the mapping that was read.
    pub(super) fn put_mapped(&mut self, ctx: &Context, MappedDump { key, mapping, of, renamed }: MappedDump) {
        let Some(now) = self.tabs.get(key).and_then(|tab| tab.dump.facts()) else { return };
        if !now.is_same(&of) {
            // The dump was redacted or reloaded, or its file vanished meanwhile: apply the mapping to its present state.
            self.lists.apply_mapping(key, now.clone(), move || Ok(mapping), &self.jobs);
            return;
        }
        let message = renamed.mapped.as_ref().map(|mapped| mapped.summary());
        if self.put_renamed(key, renamed) {
            self.toasts.done(ctx, message.unwrap_or_default());
        }
    }

    /// Reads a text about the process of the current dump.
    pub(super) fn read_record(&mut self, ctx: &Context, path: PathBuf) {
        let tab = self.tab_now().filter(|tab| tab.open_dump().is_some());
        match tab.map(|tab| (tab.key, tab.comparing().is_some())) {
            Some((key, false)) => self.lists.read_record(key, path, &self.jobs),
            Some(_) => self.toasts.hint(ctx, "Add it to each dump, then compare again".to_owned()),
            None => self.toasts.hint(ctx, "No dump is open: open the dump of the process first".to_owned()),
        }
    }

    /// Adds what was read to the dump, and shows its process.
    pub(super) fn put_recorded(&mut self, ctx: &Context, RecordedDump { key, name, record }: RecordedDump) {
        let Some(facts) = self.tabs.get(key).and_then(|tab| tab.dump.facts()) else { return };
        let facts = facts.with_record(&record);
        if self.put_facts(key, facts) {
            self.toasts.done(ctx, format!("{name} is read with the dump"));
            self.apply(ctx, Command::from(Verb::Show(View::Process)));
        }
    }

    /// Reads a KOOM report and finds its objects in the current dump.
    pub(super) fn read_report(&mut self, ctx: &Context, path: PathBuf) {
        let tab = self.tab_now().filter(|tab| tab.open_dump().is_some());
        let Some((key, facts)) = tab.and_then(|tab| Some((tab.key, tab.dump.facts()?.clone()))) else {
            let why = "No dump is open: open the dump that the KOOM report describes, then import the report";
            return self.toasts.hint(ctx, why.to_owned());
        };
        self.lists.read_report(key, facts, path, &self.jobs);
    }

    /// Stars the objects of a report, with the reason as a note, and shows them.
    pub(super) fn put_reported(&mut self, ctx: &Context, ReportedObjects { key, of, matched }: ReportedObjects) {
        // Object numbers are invalid if the dump was reloaded meanwhile.
        let now = self.tabs.get(key).and_then(|tab| tab.dump.facts());
        if now.is_none_or(|now| !Arc::ptr_eq(&now.heap, &of.heap)) {
            let why = "KOOM report not imported: its dump was closed, reopened or renamed meanwhile. Import it again";
            return self.toasts.warn(ctx, why.to_owned());
        }
        if matched.objects.is_empty() {
            self.toasts.warn(ctx, matched.summary());
        } else {
            self.toasts.done(ctx, matched.summary());
        }
        self.star(ctx, key, matched.objects);
    }

    fn star(&mut self, ctx: &Context, key: DumpKey, objects: Vec<(ObjectId, String)>) {
        let Some(dump) = self.tabs.open_dump(key) else { return };
        let any = !objects.is_empty();
        for (object, why) in objects {
            self.session.mark(dump, object, |mark| {
                mark.star = true;
                // A note of the user is kept.
                if mark.note.is_empty() {
                    mark.note = format!("KOOM: {why}");
                }
            });
        }
        if any && self.navigation.now().is_some_and(|location| location.dump == key) {
            self.apply(ctx, Command::from(Verb::Show(View::Stars)));
        }
    }
}
