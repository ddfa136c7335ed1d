//! Reopening a dump in its tab, unchanged or with other analysis options.

use eframe::egui::Context;

use super::App;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location};
use heaplens_heap::Rules;
use heaplens_session::OpenOptions;

impl App {
    /// Reopens the dump of a tab, for instance after it was cancelled or its file was replaced.
    pub(super) fn reopen(&mut self, ctx: &Context, key: DumpKey) {
        if self.may_be_opened_again(ctx, key)
            && let Some(options) = self.tabs.options_of(key, &self.options)
        {
            self.open_anew(key, options);
        }
    }

    /// Analysis options of the current dump; those for the next dump if none is open.
    pub(super) fn rules(&self) -> Rules {
        self.tab_now().map_or(self.options.rules, |tab| tab.opened().rules)
    }

    /// Reopens the current dump with changed analysis options, which later dumps use as well.
    pub(super) fn change_rules(&mut self, ctx: &Context, change: fn(&mut Rules)) {
        let Some(key) = self.navigation.dump() else { return change(&mut self.options.rules) };
        if !self.may_be_opened_again(ctx, key) {
            return;
        }
        let (before, mut rules) = (self.rules(), self.rules());
        change(&mut rules);
        if rules.keep_unreachable != before.keep_unreachable {
            self.options.rules.keep_unreachable = rules.keep_unreachable;
        }
        if rules.vm_roots != before.vm_roots {
            self.options.rules.vm_roots = rules.vm_roots;
        }
        if let Some(options) = self.tabs.options_of(key, &self.options) {
            self.open_anew(key, OpenOptions { rules, ..options });
        }
    }

    /// Reopens the current dump with only owning references to views and activities, or with all. Later dumps are opened
    /// with all: the rules change what refers to an object.
    pub(super) fn toggle_owner_rules(&mut self, ctx: &Context) {
        if let Some(key) = self.navigation.dump().filter(|&key| self.may_be_opened_again(ctx, key))
            && let Some(options) = self.tabs.options_of(key, &self.options)
        {
            let owner_rules = !options.owner_rules;
            self.open_anew(key, OpenOptions { owner_rules, ..options });
        }
    }

    /// Drops results in the palette and in exports that were computed from outdated data of a tab, and the tab as it was.
    pub(super) fn forget_results(&mut self, key: DumpKey, before: Tab) {
        self.navigation.palette.forget(key);
        before.open_dump().into_iter().for_each(|dump| self.output.exporting.forget(dump));
        self.jobs.discard(before);
    }

    fn may_be_opened_again(&mut self, ctx: &Context, key: DumpKey) -> bool {
        let compares = self.tabs.get(key).is_some_and(|tab| tab.comparing().is_some());
        if compares {
            self.toasts.hint(
                ctx,
                "Options of a comparison cannot be changed: change them for both dumps, then compare again".to_owned(),
            );
        }
        !compares
    }

    /// Starts to reopen the dump of a tab. The current location is restored afterwards; the history is dropped, since
    /// another file has other rows.
    pub(super) fn open_anew(&mut self, key: DumpKey, options: OpenOptions) {
        let Some(awaited) = self.tabs.get(key).map(|tab| self.named_location(tab)) else { return };
        let prepare = |tab: &mut Tab| tab.awaited = Some(awaited);
        let Some(before) = self.tabs.reopen(key, options, &self.jobs, prepare) else { return };
        self.forget_results(key, before);
        self.lists.verdicts.forget(key);
        let is_shown = self.navigation.now().is_some_and(|location| location.dump == key);
        self.navigation.history.forget(key);
        if is_shown {
            self.navigation.history.go(Location::start(key));
        }
    }
}
