//! References to cut for the selected finding. A finding names only some of very many; the others are searched for in
//! the background.

use crate::ui::command::RowCommand;
use crate::ui::view_context::ViewContext;
use heaplens_analysis::cuts::Cut;
use heaplens_analysis::leaks::{LeakFinding, all_cuts};
use heaplens_session::slot::Slot;

/// State of the search.
#[derive(Default)]
pub(super) struct CutSearch {
    /// Result, with the fingerprint of its finding.
    slot: Slot<(String, Vec<Cut>)>,
    asked: Option<String>,
    /// True if it is to be cut once it is found.
    is_wanted: bool,
}

impl CutSearch {
    /// Cuts the references of the selected finding once they are known.
    pub(super) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Searches for the references to cut, and cuts them if requested.
    pub(super) fn tick(&mut self, context: &mut ViewContext<'_>, chosen: Option<&LeakFinding>) {
        self.slot.poll();
        let Some(finding) = chosen else { return };
        if self.asked.as_ref() != Some(&finding.fingerprint) {
            self.asked = Some(finding.fingerprint.clone());
            self.is_wanted = false;
            let (dump, finding) = (context.dump.clone(), finding.clone());
            self.slot.ask(context.jobs, "references to cut", move |task| {
                let cuts = all_cuts(dump.namer(task)?, &finding, task)?;
                Ok((finding.fingerprint, cuts))
            });
        }
        let Some(cuts) = self.known(finding).filter(|_| self.is_wanted).map(<[Cut]>::to_vec) else { return };
        self.is_wanted = false;
        if !cuts.is_empty() {
            context.push_row(RowCommand::CutTogether(cuts));
        }
    }

    /// References to cut for a finding, once known.
    pub(super) fn known(&self, finding: &LeakFinding) -> Option<&[Cut]> {
        let (of, cuts) = self.slot.get()?;
        (*of == finding.fingerprint).then_some(cuts)
    }

    pub(super) fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}
