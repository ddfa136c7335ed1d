//! Removals of the user: changed, and kept with their dump.

use eframe::egui::Context;

use super::App;
use super::navigation::cutting::ChosenCut;
use super::undo_steps::Step;
use crate::ui::clipboard::Content;
use crate::ui::cuts::as_ticket;
use crate::ui::tab::Tab;
use crate::ui::{Command, DumpKey};
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{SMALLEST_LIMIT, SmallestCut};
use heaplens_heap::ObjectId;
use heaplens_session::{Cuts, Jobs, OpenDump};

impl App {
    /// Removes the reference that the focus determines; with `in_all` its field in all instances.
    pub(super) fn cut_chosen(&mut self, ctx: &Context, in_all: bool) {
        match (self.navigation.dump(), self.navigation.chosen_cut(&mut self.tabs, in_all)) {
            (Some(dump), Ok(Some(ChosenCut::Cut(cut)))) => self.toggle_cuts(dump, vec![cut]),
            (Some(dump), Ok(Some(ChosenCut::Named(name)))) => self.resolve_cut(dump, name),
            (_, Err(why)) => self.toasts.hint(ctx, why.to_owned()),
            _ => {}
        }
    }

    /// Changes what is removed from a dump, keeps it, and remembers the change for undo.
    pub(super) fn change_cuts(&mut self, of: Option<DumpKey>, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        let changes = |app: &Self| of.and_then(|of| app.tabs.get(of)).map(|tab| tab.cuts.changes());
        let before = changes(self);
        self.put_cuts(of, change);
        if changes(self) != before {
            of.into_iter().for_each(|of| self.undo.push(Step::Removals(of)));
        }
    }

    /// The same without undo.
    pub(super) fn put_cuts(&mut self, of: Option<DumpKey>, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        if let Some((identity, list)) = of.and_then(|of| self.tabs.cut(of, &self.jobs, change)) {
            self.session.settings.cuts.set(&identity, list);
        }
    }

    /// Removes references of a dump as one step, or puts them back if all of them are removed.
    pub(super) fn toggle_cuts(&mut self, of: DumpKey, cuts: Vec<Cut>) {
        self.change_cuts(Some(of), |all, dump, jobs| all.toggle_all(cuts, dump, jobs));
    }

    /// Keeps the removals of a dump.
    pub(super) fn keep_cuts(&mut self, of: DumpKey) {
        if let Some((identity, list)) = self.tabs.kept_cuts(of) {
            self.session.settings.cuts.set(&identity, list);
        }
    }

    /// Removes what a name means, once it is resolved.
    pub(super) fn resolve_cut(&mut self, of: DumpKey, name: String) {
        if let Some(tab) = self.tabs.get_mut(of) {
            tab.resolve_cut(&self.jobs, name);
        }
    }

    /// Removes what a name means, if it has been resolved.
    pub(super) fn take_resolved(&mut self, commands: &mut Vec<Command>) {
        let Some(dump) = self.navigation.dump() else { return };
        let Some(answer) = self.tabs.get_mut(dump).and_then(Tab::take_resolved) else { return };
        commands.push(match answer {
            Ok(cut) => Command::Cut(dump, vec![cut]),
            Err(why) => Command::Warn(format!("Cannot remove it: {why}")),
        });
    }

    /// Searches for the smallest set of references that frees an object of the current dump.
    pub(super) fn search_smallest(&mut self, object: ObjectId) {
        if let Some(tab) = self.navigation.dump().and_then(|dump| self.tabs.get_mut(dump)) {
            tab.search_smallest(&self.jobs, object);
        }
    }

    /// Removes the smallest set of references that frees an object, once it is found.
    pub(super) fn take_smallest(&mut self, commands: &mut Vec<Command>) {
        let Some(dump) = self.navigation.dump() else { return };
        let Some(answer) = self.tabs.get_mut(dump).and_then(Tab::take_smallest) else { return };
        commands.push(match answer {
            Ok(SmallestCut::References(cuts)) if cuts.is_empty() => {
                Command::Hint("The object is unreachable: there is no reference to remove".to_owned())
            }
            Ok(SmallestCut::References(cuts)) => Command::Cut(dump, cuts),
            Ok(SmallestCut::AlwaysAlive) => {
                Command::Hint("The object is a GC root or a class: no removal of references frees it".to_owned())
            }
            Ok(SmallestCut::HeldByEngine) => Command::Hint(
                "The engine holds the object, too: no removal of references of the program frees it".to_owned(),
            ),
            Ok(SmallestCut::TooMany) => Command::Hint(format!(
                "No set of {SMALLEST_LIMIT} references or less frees the object, or the search for it is too large"
            )),
            Err(why) => Command::Warn(format!("Cannot find the references: {why}")),
        });
    }

    /// Copies the removals of the current dump for a ticket.
    pub(super) fn copy_cuts(&mut self, ctx: &Context) {
        let text = self.tab_now().and_then(|tab| Some(as_ticket(&tab.cuts, tab.open_dump()?)));
        if let Some(text) = text {
            self.put_on_clipboard(ctx, Content::Text(text), "the removals".to_owned());
        }
    }

    /// Shows the heap after the removals, or the dump.
    pub(super) fn show_after(&mut self, of: Option<DumpKey>, is_wanted: bool) {
        if let Some(tab) = of.and_then(|of| self.tabs.get_mut(of)) {
            tab.show_after(is_wanted, &self.jobs);
        }
    }
}
