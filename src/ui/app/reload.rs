//! Reopening a dump in its tab, unchanged or with other analysis options.

use eframe::egui::Context;

use super::{App, opened_as};
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location};
use heaplens_heap::Rules;
use heaplens_session::{DumpHandle, OpenOptions, OpenSettings};

impl App {
    /// Options that reopen the dump of a tab in its present state. Memory limit, folders and lists are the current ones
    /// of the window.
    pub(super) fn options_of(&self, tab: &Tab) -> OpenOptions {
        let OpenSettings { rules, owner_rules, redacted: redact, .. } = *tab.opened();
        let opened = tab.dump.options();
        let mappings = match tab.dump.facts() {
            Some(facts) => facts.mapped.iter().map(|mapped| mapped.file.clone()).collect(),
            None => opened.mappings.clone(),
        };
        OpenOptions { read: opened.read.clone(), rules, owner_rules, redact, mappings, ..self.options.clone() }
    }

    /// Reopens the dump of a tab, for instance after it was cancelled or its file was replaced.
    pub(super) fn reopen(&mut self, ctx: &Context, key: DumpKey) {
        if self.may_be_opened_again(ctx, key)
            && let Some(options) = self.tab(key).map(|tab| self.options_of(tab))
        {
            self.open_anew(key, options);
        }
    }

    /// Analysis options of the current dump; those for the next dump if none is open.
    pub(super) fn rules(&self) -> Rules {
        self.tab_now().map_or(self.options.rules, |tab| tab.opened().rules)
    }

    /// Reopens the current dump with changed analysis options, which later dumps use as well.
    pub(super) fn turn_rule(&mut self, ctx: &Context, turn: fn(&mut Rules)) {
        let Some(key) = self.dump_now() else { return turn(&mut self.options.rules) };
        if !self.may_be_opened_again(ctx, key) {
            return;
        }
        let (before, mut rules) = (self.rules(), self.rules());
        turn(&mut rules);
        if rules.keep_unreachable != before.keep_unreachable {
            self.options.rules.keep_unreachable = rules.keep_unreachable;
        }
        if rules.vm_roots != before.vm_roots {
            self.options.rules.vm_roots = rules.vm_roots;
        }
        if let Some(options) = self.tab(key).map(|tab| OpenOptions { rules, ..self.options_of(tab) }) {
            self.open_anew(key, options);
        }
    }

    /// Reopens the current dump with only owning references to views and activities, or with all. Later dumps are opened
    /// with all: the rules change what refers to an object.
    pub(super) fn turn_owner_rules(&mut self, ctx: &Context) {
        let Some(key) = self.dump_now().filter(|&key| self.may_be_opened_again(ctx, key)) else { return };
        if let Some(tab) = self.tab(key) {
            let options = OpenOptions { owner_rules: !tab.opened().owner_rules, ..self.options_of(tab) };
            self.open_anew(key, options);
        }
    }

    /// Drops results in the palette and in exports that were computed from outdated data of a tab.
    pub(super) fn forget_results(&mut self, key: DumpKey, of: &Tab) {
        self.palette.forget(key);
        self.copying.naming.take_if(|(dump, _)| *dump == key);
        of.open_dump().into_iter().for_each(|dump| self.exporting.forget(dump));
    }

    fn may_be_opened_again(&mut self, ctx: &Context, key: DumpKey) -> bool {
        let compares = self.tab(key).is_some_and(|tab| tab.comparing().is_some());
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
        let Some(at) = self.tabs.iter().position(|tab| tab.key == key) else { return };
        let awaited = self.named_location(&self.tabs[at]);
        let shown = self.history.now().is_some_and(|location| location.dump == key);
        let tab = &mut self.tabs[at];
        let (path, opened) = (tab.dump.path().to_owned(), opened_as(&tab.opened().file, &options));
        let mut anew = Tab::new(key, DumpHandle::open(&path, options, &self.jobs), opened);
        anew.views.lay_out(&tab.views.layout());
        (anew.copy, anew.awaited) = (tab.copy, Some(awaited));
        let before = std::mem::replace(tab, anew);
        self.forget_results(key, &before);
        self.verdicts.forget(key);
        self.jobs.discard(before);
        self.watch.begin(&path);
        self.history.forget(key);
        if shown {
            self.history.go(Location::start(key));
        }
    }
}
