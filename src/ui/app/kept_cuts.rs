//! Cuts kept with their dump: saved as they change, restored in the background when the dump is opened again.
//! Comparisons neither change nor restore them.

use eframe::egui::Context;

use super::App;
use crate::ui::DumpKey;
use heaplens_analysis::Cut;
use heaplens_base::Count;
use heaplens_session::open_dump::restored_cuts::RestoredCuts;
use heaplens_session::{Cuts, Jobs, OpenDump};
use heaplens_tables::export::printable::one_line;

impl App {
    /// Changes what is cut in a dump, and keeps it.
    pub(super) fn change_cuts(&mut self, of: Option<DumpKey>, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        let jobs = self.jobs.clone();
        if let Some(tab) = of.and_then(|of| self.tab_mut(of)) {
            tab.cut(&jobs, change);
            let key = tab.key;
            self.keep_cuts(key);
        }
    }

    /// Adds cuts to a dump as one step, or removes them if all of them exist.
    pub(super) fn toggle_cuts(&mut self, of: DumpKey, cuts: Vec<Cut>) {
        self.change_cuts(Some(of), |all, dump, jobs| all.toggle_all(cuts, dump, jobs));
    }

    fn keep_cuts(&mut self, key: DumpKey) {
        // Until the earlier cuts are restored, those of the tab are not all.
        let Some(tab) = self.tab(key).filter(|tab| tab.comparing().is_none() && !tab.restoring.is_running()) else {
            return;
        };
        let Some(dump) = tab.open_dump() else { return };
        let (identity, steps) = (dump.identity.clone(), tab.cuts.steps_with_ids(&dump.heap));
        self.saved.cuts.set(&identity, steps);
    }

    /// Searches for the kept cuts of dumps that are open now, and restores those that were found.
    pub(super) fn restore_cuts(&mut self, ctx: &Context) {
        let mut changed = Vec::new();
        for tab in self.tabs.iter_mut().filter(|tab| tab.comparing().is_none()) {
            let Some(dump) = tab.open_dump().cloned() else { continue };
            if std::mem::take(&mut tab.awaits_cuts) {
                let (of, steps) = (dump.clone(), self.saved.cuts.of(&dump.identity).to_vec());
                if !steps.is_empty() {
                    tab.restoring.ask(&self.jobs, "kept cuts", move |task| Ok(of.restored_cuts(&steps, task)?));
                }
            }
            match tab.restoring.take_ended() {
                Some(Ok(RestoredCuts { steps, missing })) => {
                    if !tab.cuts.is_empty() {
                        changed.push(tab.key);
                    }
                    tab.cuts.restore(steps, &dump, &self.jobs);
                    if let Some(first) = missing.first() {
                        let (cuts, name) = (Count(missing.len() as u64).of("cut", "cuts"), tab.name());
                        self.toasts.hint(ctx, format!("{cuts} of {name} cannot be restored: {}", one_line(first)));
                    }
                }
                Some(Err(why)) => self.toasts.warn(ctx, format!("Cannot restore the cuts of {}: {why}", tab.name())),
                None => {}
            }
        }
        // Cuts made meanwhile are kept too. Without a change the texts stay as they are: other names may find them.
        changed.into_iter().for_each(|key| self.keep_cuts(key));
    }
}
