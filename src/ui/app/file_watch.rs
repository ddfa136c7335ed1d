//! Reactions to changed files of open dumps: damaged stored analyses, and dumps that were truncated, overwritten,
//! replaced or deleted. The window keeps running and shows what is still valid.

use eframe::egui::Context;

use super::App;
use crate::ui::DumpKey;
use crate::ui::tab::Tab;
use heaplens_dump::facts::Facts;
use heaplens_session::files::file_name;
use heaplens_session::watch::Change;
use heaplens_session::{DumpHandle, OpenSettings};

/// Message for a comparison that was closed because one of its files is gone.
pub(super) const WENT_AWAY: &str =
    "Comparison closed: the file of a dump has changed or is gone. Open it again to compare";

impl App {
    /// Checks the files of open dumps and handles changes.
    pub(super) fn keep_up(&mut self, ctx: &Context) {
        self.reopen_damaged(ctx);
        self.let_go_of_lost(ctx);
        self.take_changes(ctx);
    }

    /// Rereads dumps whose stored analysis was found damaged.
    fn reopen_damaged(&mut self, ctx: &Context) {
        self.close_damaged_comparisons(ctx);
        let damaged: Vec<DumpKey> = self.tabs.iter().filter(|tab| tab.dump.is_damaged()).map(|tab| tab.key).collect();
        for key in damaged {
            let Some(options) = self.tab(key).map(|tab| self.options_of(tab)) else { continue };
            self.open_anew(key, options);
            let Some(tab) = self.tab_mut(key) else { continue };
            if tab.dump.is_stored_analysis() {
                tab.dump.fail("the file is damaged: copy it again");
            } else {
                self.toasts.warn(ctx, "Stored analysis is damaged: reading the dump again".to_owned());
            }
        }
    }

    /// Detaches dumps whose file can no longer be read.
    fn let_go_of_lost(&mut self, ctx: &Context) {
        let lost = |tab: &Tab| Some((tab.key, tab.open_dump().and(tab.dump.facts())?.lost()?));
        let lost: Vec<(DumpKey, String)> = self.tabs.iter().filter_map(lost).collect();
        for (key, why) in lost {
            self.go_on_without_file(ctx, key, &why);
        }
        // The baseline may have no tab of its own.
        self.close_comparisons(ctx, |_, before| before.facts().is_some_and(|facts| facts.lost().is_some()), WENT_AWAY);
    }

    /// Results derived from references remain; values are marked as unavailable, and those read recently are dropped,
    /// since they may be wrong.
    fn go_on_without_file(&mut self, ctx: &Context, key: DumpKey, why: &str) {
        let Some(facts) = self.tab(key).and_then(|tab| tab.dump.facts()) else { return };
        match facts.without_file() {
            Ok(facts) => {
                self.put_facts(key, facts);
            }
            Err(why) => {
                if let Some(tab) = self.tab_mut(key) {
                    tab.dump.fail(&why);
                }
            }
        }
        self.close_comparisons_of(ctx, key);
        if let Some(tab) = self.tab_mut(key) {
            tab.banner = Some(format!(
                "{}: {why}. Field values, strings and array contents are no longer available.",
                name(tab)
            ));
        }
    }

    /// Replaces the data of a tab by another version of the same dump (other names, no file). Cached results are
    /// dropped, the location stays. Returns false if the dump is not open.
    pub(super) fn put_facts(&mut self, key: DumpKey, facts: Facts) -> bool {
        let Some(tab) = self.tabs.iter_mut().find(|tab| tab.key == key) else { return false };
        let mapping = facts.mapped.as_ref().map(|mapped| mapped.file.path.clone());
        let redacted = facts.is_redacted();
        let Some(dump) = tab.dump.with_facts(facts) else { return false };
        let (opened, layout) = (OpenSettings { mapping, redacted, ..tab.opened().clone() }, tab.views.layout());
        let mut before = std::mem::replace(tab, Tab::new(key, dump, opened));
        tab.views.lay_out(&layout);
        tab.copy = before.copy;
        tab.banner = before.banner.take();
        self.forget_results(key, &before);
        self.jobs.discard(before);
        true
    }

    /// Redacts the values of the current dump, or shows them again.
    pub(super) fn turn_redacted(&mut self, ctx: &Context) {
        let Some(tab) = self.tab_now().filter(|tab| tab.comparing().is_none()) else {
            let said = "Values of a comparison cannot be redacted: redact both dumps, then compare again";
            return self.toasts.hint(ctx, said.to_owned());
        };
        let (key, Some(facts)) = (tab.key, tab.dump.facts()) else { return };
        let hides = facts.is_redacted();
        let facts = if hides { facts.unredacted() } else { facts.redacted() };
        if !self.put_facts(key, facts) {
            return;
        }
        let said = if hides {
            "Values are shown again"
        } else {
            "Values redacted: strings, numbers, keys and thread names are hidden"
        };
        self.toasts.done(ctx, said.to_owned());
    }

    fn take_changes(&mut self, ctx: &Context) {
        for (path, change) in self.watch.changes() {
            if change == Change::WrittenOver {
                let is_read = |dump: &DumpHandle| dump.path() == path && dump.facts().is_some_and(reads_file);
                self.close_comparisons(ctx, |_, before| is_read(before), WENT_AWAY);
            }
            let keys: Vec<DumpKey> =
                self.tabs.iter().filter(|tab| tab.dump.path() == path).map(|tab| tab.key).collect();
            for key in keys {
                self.say_change(ctx, key, change);
            }
        }
    }

    fn say_change(&mut self, ctx: &Context, key: DumpKey, change: Change) {
        let Some(tab) = self.tab(key) else { return };
        let reads_it = tab.dump.facts().is_some_and(reads_file);
        let name = name(tab);
        let said = match change {
            Change::Deleted => format!("{name} was deleted or moved. It stays readable here until you close it."),
            Change::Replaced => {
                format!("{name} was replaced by another file. This tab still shows the file that was opened.")
            }
            Change::Longer => {
                format!("{name} has grown since it was opened. Open it again once it is completely written.")
            }
            Change::WrittenOver => format!("{name} was overwritten or truncated. This tab shows its previous content."),
        };
        if change == Change::WrittenOver && reads_it && tab.open_dump().is_some() {
            self.go_on_without_file(ctx, key, "the file was overwritten or truncated");
        } else if let Some(tab) = self.tab_mut(key) {
            // A banner about unavailable values is more important and stays.
            let known = tab.banner.take().filter(|_| change == Change::WrittenOver);
            tab.banner = Some(known.unwrap_or(said));
        }
    }
}

/// True if values are read from the file itself, not from an unpacked copy.
fn reads_file(facts: &Facts) -> bool {
    facts.source.as_ref().is_some_and(|source| !source.is_copy())
}

fn name(tab: &Tab) -> String {
    file_name(tab.dump.path())
}
