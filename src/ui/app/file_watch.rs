//! Reactions to changed files of open dumps: damaged stored analyses, and dumps that were truncated, overwritten,
//! replaced or deleted. The window keeps running and shows what is still valid.

use std::path::Path;

use eframe::egui::Context;

use super::App;
use super::tabs::FILE_IS_GONE;
use crate::ui::DumpKey;
use crate::ui::tab::Tab;
use heaplens_dump::facts::Facts;
use heaplens_session::Comparing;
use heaplens_session::files::file_name;
use heaplens_session::watch::Change;

impl App {
    /// Rereads a dump whose stored analysis was found damaged.
    pub(super) fn reopen_damaged(&mut self, ctx: &Context, key: DumpKey) {
        let Some(options) = self.tabs.options_of(key, &self.options) else { return };
        self.open_anew(key, options);
        let Some(tab) = self.tabs.get_mut(key) else { return };
        if tab.dump.is_stored_analysis() {
            tab.dump.fail("the file is damaged: copy it again");
        } else {
            self.toasts.warn(ctx, "Stored analysis is damaged: reading the dump again".to_owned());
        }
    }

    /// Detaches a dump whose file can no longer be read. Results derived from references remain; values are marked as
    /// unavailable, and those read recently are dropped, since they may be wrong.
    pub(super) fn go_on_without_file(&mut self, ctx: &Context, key: DumpKey, why: &str) {
        let Some(facts) = self.tabs.get(key).and_then(|tab| tab.dump.facts()) else { return };
        match facts.without_file() {
            Ok(facts) => {
                self.put_facts(key, facts);
            }
            Err(why) => {
                if let Some(tab) = self.tabs.get_mut(key) {
                    tab.dump.fail(&why);
                }
            }
        }
        if let Some(path) = self.tabs.get(key).map(|tab| tab.dump.path().to_owned()) {
            let has_file =
                |tab: &Tab, comparing: &Comparing| comparing.dump().path() == path || tab.dump.path() == path;
            self.close_comparisons(ctx, has_file, FILE_IS_GONE);
        }
        if let Some(tab) = self.tabs.get_mut(key) {
            tab.banner = Some(format!(
                "{}: {why}. Field values, strings and array contents are no longer available.",
                name(tab)
            ));
        }
    }

    /// Replaces the data of a tab by another version of the same dump (other names, no file). Cached results are
    /// dropped, the location stays. Returns false if the dump is not open.
    pub(super) fn put_facts(&mut self, key: DumpKey, facts: Facts) -> bool {
        let Some(before) = self.tabs.put_facts(key, facts) else { return false };
        self.forget_results(key, before);
        true
    }

    /// Redacts the values of the current dump, or shows them again.
    pub(super) fn toggle_redacted(&mut self, ctx: &Context) {
        let Some(tab) = self.tab_now().filter(|tab| tab.comparing().is_none()) else {
            let hint = "Values of a comparison cannot be redacted: redact both dumps, then compare again";
            return self.toasts.hint(ctx, hint.to_owned());
        };
        let (key, Some(facts)) = (tab.key, tab.dump.facts()) else { return };
        let hides = facts.is_redacted();
        let facts = if hides { facts.unredacted() } else { facts.redacted() };
        if !self.put_facts(key, facts) {
            return;
        }
        let message = if hides {
            "Values are shown again"
        } else {
            "Values redacted: strings, numbers, keys and thread names are hidden"
        };
        self.toasts.done(ctx, message.to_owned());
    }

    /// Shows what has happened to a file.
    pub(super) fn take_change(&mut self, ctx: &Context, path: &Path, change: Change) {
        if change == Change::WrittenOver {
            let is_read = |_: &Tab, comparing: &Comparing| {
                let before = comparing.dump();
                before.path() == path && before.facts().is_some_and(reads_file)
            };
            self.close_comparisons(ctx, is_read, FILE_IS_GONE);
        }
        let of_file = self.tabs.list().iter().filter(|tab| tab.dump.path() == path);
        let keys: Vec<DumpKey> = of_file.map(|tab| tab.key).collect();
        keys.into_iter().for_each(|key| self.show_change(ctx, key, change));
    }

    fn show_change(&mut self, ctx: &Context, key: DumpKey, change: Change) {
        let Some(tab) = self.tabs.get_mut(key) else { return };
        let reads_it = tab.dump.facts().is_some_and(reads_file);
        let name = name(tab);
        let message = match change {
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
        } else {
            // A banner about unavailable values is more important and stays.
            let shown = tab.banner.take().filter(|_| change == Change::WrittenOver);
            tab.banner = Some(shown.unwrap_or(message));
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
