//! References to cut for the selected finding. A finding names only some of very many; the others are searched for in
//! the background.

use heaplens_analysis::{Cut, LeakFinding, leaks::all_cuts};
use heaplens_session::{Jobs, OpenDump, Slot};

/// State of the search.
#[derive(Default)]
pub struct CutSearch {
    /// Result, with the fingerprint of its finding.
    slot: Slot<(String, Vec<Cut>)>,
    requested: Option<String>,
    /// True if it is to be cut once it is found.
    is_wanted: bool,
}

impl CutSearch {
    /// Cuts the references of the selected finding once they are known.
    pub fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Searches for the references to cut of a finding; returns them once if they are to be cut.
    pub fn tick(&mut self, dump: &OpenDump, jobs: &Jobs, chosen: Option<&LeakFinding>) -> Option<Vec<Cut>> {
        self.slot.poll();
        let finding = chosen?;
        if self.requested.as_ref() != Some(&finding.fingerprint) {
            self.requested = Some(finding.fingerprint.clone());
            self.is_wanted = false;
            let (dump, finding) = (dump.clone(), finding.clone());
            self.slot.ask(jobs, "references to cut", move |task| {
                let cuts = all_cuts(dump.namer(task)?, &finding, task)?;
                Ok((finding.fingerprint, cuts))
            });
        }
        let cuts = self.known(finding).filter(|_| self.is_wanted).map(<[Cut]>::to_vec)?;
        self.is_wanted = false;
        Some(cuts).filter(|cuts| !cuts.is_empty())
    }

    /// References to cut for a finding, once known.
    pub fn known(&self, finding: &LeakFinding) -> Option<&[Cut]> {
        let (of, cuts) = self.slot.get()?;
        (*of == finding.fingerprint).then_some(cuts)
    }

    /// True while the job is running.
    pub fn is_running(&self) -> bool {
        self.slot.is_running()
    }
}
