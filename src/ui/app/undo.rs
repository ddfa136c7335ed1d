//! Undo and redo of everything that is kept: removals, verdicts, stars, notes and closed tabs.

use eframe::egui::Context;

use super::App;
use super::session::open_tabs::SavedTab;
use super::tabs::pending::ComparisonReason;
use super::undo_steps::{ClosedDump, ClosedTab, Step};
use crate::ui::DumpKey;
use crate::ui::tab::Tab;
use heaplens_heap::ObjectId;
use heaplens_session::Cuts;
use heaplens_session::marks::Mark;

impl App {
    /// Undoes the last change, or redoes the one undone last. The removals of an earlier session can be undone, too.
    pub(super) fn undo(&mut self, ctx: &Context, is_redo: bool) {
        let word = if is_redo { "Redone" } else { "Undone" };
        while let Some(step) = self.undo.take(is_redo) {
            let (what, reverse) = match step {
                // Its tab may be closed, with its history.
                Step::Removals(of) if self.tabs.get(of).is_some_and(Tab::awaits_removals) => {
                    self.undo.put(Step::Removals(of), is_redo);
                    let text = "The removals of the reopened dump are not restored yet. Try again in a moment";
                    return self.toasts.hint(ctx, text.to_owned());
                }
                Step::Removals(of) if !self.can_step_removals(of, is_redo) => continue,
                Step::Removals(of) => {
                    self.step_removals(of, is_redo);
                    if self.navigation.dump() != Some(of) {
                        self.navigation.show_tab(&self.tabs, of);
                    }
                    ("removal", Some(Step::Removals(of)))
                }
                Step::Verdict(verdict) => {
                    let reverse = self.lists.verdicts.add(*verdict, &self.jobs);
                    self.lists.verdicts.offers_undo = false;
                    ("verdict", Some(Step::Verdict(Box::new(reverse))))
                }
                Step::Mark(earlier) => {
                    let now = self.session.put_mark(&earlier);
                    (now.difference(&earlier), Some(Step::Mark(Box::new(now))))
                }
                Step::Tab(tab) => {
                    self.reopen_closed(ctx, *tab);
                    ("closing of a tab", None)
                }
            };
            reverse.into_iter().for_each(|reverse| self.undo.put(reverse, !is_redo));
            self.toasts.done(ctx, format!("{word}: {what}"));
            return;
        }
        if let Some(of) = self.navigation.dump().filter(|&of| self.can_step_removals(of, is_redo)) {
            self.step_removals(of, is_redo);
            self.toasts.done(ctx, format!("{word}: removal"));
        }
    }

    /// Undoes or redoes the last change of the list of removals of a dump.
    pub(super) fn undo_removals(&mut self, of: DumpKey, is_redo: bool) {
        if self.can_step_removals(of, is_redo) {
            self.undo.take_removals(of, is_redo);
            self.undo.put(Step::Removals(of), !is_redo);
            self.step_removals(of, is_redo);
        }
    }

    fn can_step_removals(&self, of: DumpKey, is_redo: bool) -> bool {
        let can = |cuts: &Cuts| if is_redo { cuts.can_redo() } else { cuts.can_undo() };
        self.tabs.get(of).is_some_and(|tab| can(&tab.cuts))
    }

    fn step_removals(&mut self, of: DumpKey, is_redo: bool) {
        self.put_cuts(Some(of), if is_redo { Cuts::redo } else { Cuts::undo });
    }

    /// Changes the star or note of an object of a dump.
    pub(super) fn mark(&mut self, of: DumpKey, object: ObjectId, change: impl FnOnce(&mut Mark)) {
        if let Some(dump) = self.tabs.open_dump(of) {
            let step = self.session.mark(dump, object, change);
            step.into_iter().for_each(|step| self.undo.push(Step::Mark(Box::new(step))));
        }
    }

    /// Changes the note of an object of a dump.
    pub(super) fn write_note(&mut self, of: DumpKey, object: ObjectId, note: String) {
        if let Some(dump) = self.tabs.open_dump(of) {
            let step = self.session.mark(dump, object, |mark| mark.note = note);
            step.into_iter().for_each(|step| self.undo.push_note(step));
        }
    }

    /// The tab of a dump or a comparison as it can be reopened.
    pub(super) fn closed_tab(&self, index: usize, tab: &Tab) -> ClosedTab {
        if let Some(comparison) = self.saved_comparison(index, tab) {
            return ClosedTab::Comparison(comparison);
        }
        let cuts = self.tabs.kept_cuts(tab.key).map(|(_, list)| list);
        ClosedTab::Dump(ClosedDump {
            saved: self.saved_tab(tab),
            key: tab.key,
            index,
            cuts,
            views: tab.views.view_states(),
        })
    }

    /// Reopens the tab that was closed last.
    pub(super) fn reopen_last_closed(&mut self, ctx: &Context) {
        self.undo.take_closed_tab().into_iter().for_each(|tab| self.reopen_closed(ctx, tab));
    }

    fn reopen_closed(&mut self, ctx: &Context, tab: ClosedTab) {
        match tab {
            ClosedTab::Dump(closed) => {
                let Some(key) = self.open_saved(ctx, &closed.saved) else { return };
                if let Some(tab) = self.tabs.get_mut(key) {
                    tab.own_cuts = closed.cuts;
                    tab.views.restore_all(&closed.views);
                }
                self.tabs.put_at(key, closed.index);
                self.undo.follow_dump(closed.key, key);
                self.navigation.show_tab(&self.tabs, key);
            }
            ClosedTab::Comparison(comparison) => {
                // The comparison comes between the tabs that it was between.
                let index = |at: usize| if at < comparison.index { at } else { at + 1 };
                self.tabs.restored =
                    self.tabs.list().iter().enumerate().map(|(at, tab)| (index(at), tab.key)).collect();
                let saved = |tab: &Tab| (self.saved_tab(tab), tab.key);
                let mut open: Vec<(SavedTab, DumpKey)> =
                    self.tabs.list().iter().filter(|tab| tab.comparing().is_none()).map(saved).collect();
                let ends = [&comparison.before, &comparison.after].map(|end| self.open_end(ctx, end, &mut open));
                if let [Some(before), Some(after)] = ends {
                    self.tabs.expect_comparison(vec![before, after], ComparisonReason::Restored(comparison));
                }
            }
        }
    }
}
