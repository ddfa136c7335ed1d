//! A dump that is opened again: as it was, or by other rules.

use eframe::egui::Context;

use super::App;
use crate::export::command_line::OpenedAs;
use crate::heap::analyzed::Rules;
use crate::session::dump::OpenOptions;
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

    /// Opens the dump of a tab once more: it may have been given up, or its file may be another one by now.
    pub(super) fn reopen(&mut self, ctx: &Context, key: DumpKey) {
        if let Some(options) = self.tab(key).map(|tab| self.options_of(tab)) {
            self.open_again(ctx, key, options);
        }
    }

    /// Opens the dump that is looked at once more, by the rules that were chosen.
    pub(super) fn reopen_by_rules(&mut self, ctx: &Context) {
        let Some(key) = self.history.now().map(|place| place.dump) else { return };
        let rules: Rules = self.options.rules;
        if let Some(options) = self.tab(key).map(|tab| OpenOptions { rules, ..self.options_of(tab) }) {
            self.open_again(ctx, key, options);
        }
    }

    fn open_again(&mut self, ctx: &Context, key: DumpKey, options: OpenOptions) {
        let Some(tab) = self.tab(key) else { return };
        if tab.comparing().is_some() {
            let said = "Open both dumps that way, and compare them again";
            return self.toasts.say(ctx, said.to_owned(), false);
        }
        let path = tab.opened().file.clone();
        self.close(key);
        self.open_as(&path, options);
    }
}
