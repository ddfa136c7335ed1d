//! Findings, then waste, which reads the contents of every object; and the verdicts on both, which are computed again
//! when the rules change. The dump runs both searches once and shares the results with the overview.

use std::sync::Arc;

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::{judge, rank};
use heaplens_base::Progress;
use heaplens_session::{Jobs, LeakRules, OpenDump, Slot};

/// Number of objects above which waste is searched for on demand only.
pub const AT_ONCE: usize = 4_000_000;

/// Findings so far.
#[derive(Default)]
pub struct LeakFindings {
    /// The findings, ranked.
    pub findings: Vec<LeakFinding>,
    /// True once the search is complete.
    pub is_there: bool,
    /// True if waste is among them.
    pub has_waste: bool,
    /// Rules by which the groups were determined.
    rules: Arc<LeakRules>,
}

/// Running job.
#[derive(Default)]
pub struct LeakSearch {
    slot: Slot<LeakFindings>,
    /// Rules of the last request.
    requested_by: Option<Arc<LeakRules>>,
    wants_waste: bool,
    is_stopped: bool,
    /// True if results have arrived since the last call.
    has_changed: bool,
}

impl LeakSearch {
    /// Restarts the search.
    pub fn look_again(&mut self) {
        (self.requested_by, self.is_stopped) = (None, false);
    }

    /// Searches for waste, however long it takes.
    pub fn want_waste(&mut self) {
        (self.wants_waste, self.is_stopped) = (true, false);
    }

    /// Searches further for a finding that is not in `there`: for waste too, which large dumps are searched for on
    /// demand only. True once there is nothing more to wait for: the search is complete, failed or was cancelled.
    pub fn is_exhausted(&mut self, there: &LeakFindings) -> bool {
        let is_asked = self.requested_by.is_some() || self.is_stopped;
        if !there.is_there || !is_asked || self.slot.is_running() {
            return false;
        }
        let has_ended = there.has_waste || self.is_stopped || self.slot.error().is_some();
        self.wants_waste |= !has_ended;
        has_ended
    }

    /// Cancels the search.
    pub fn stop(&mut self) {
        self.slot.cancel();
        self.is_stopped = true;
    }

    /// True if the search was cancelled.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// True while a job is running, or results were not used yet.
    pub fn is_running(&self) -> bool {
        let is_asked = self.requested_by.is_some() || self.is_stopped;
        !is_asked || self.slot.is_running() || self.has_changed
    }

    /// Progress of the job.
    pub fn progress(&self) -> Option<Progress> {
        self.slot.progress()
    }

    /// Error message, if the search failed.
    pub fn error(&self) -> Option<&str> {
        self.slot.error()
    }

    /// True if a result can be taken.
    pub fn poll(&mut self) -> bool {
        let came = self.slot.poll();
        self.has_changed |= came;
        came
    }

    /// The result, once.
    pub fn take(&mut self) -> Option<LeakFindings> {
        self.slot.take()
    }

    /// Starts the next missing search; true if there are new results.
    pub fn ask(&mut self, (dump, jobs): (&OpenDump, &Jobs), rules: &Arc<LeakRules>, there: &Arc<LeakFindings>) -> bool {
        let has_changed = std::mem::take(&mut self.has_changed);
        let is_asked_by_them = self.requested_by.as_ref().is_some_and(|requested| Arc::ptr_eq(requested, rules));
        let (dump, rules, there) = (dump.clone(), Arc::clone(rules), Arc::clone(there));
        if self.is_stopped && (!there.is_there || is_asked_by_them) {
            return has_changed;
        }
        if self.requested_by.is_none() || !there.is_there && !is_asked_by_them {
            self.requested_by = Some(Arc::clone(&rules));
            self.slot.ask(jobs, "leaks", move |task| {
                let findings = dump.leak_findings(&rules, task)?;
                Ok(LeakFindings { findings, is_there: true, has_waste: false, rules })
            });
        } else if there.is_there && !is_asked_by_them {
            // A new verdict cancels the search for waste for now.
            self.requested_by = Some(Arc::clone(&rules));
            self.slot.ask(jobs, "verdicts on leaks", move |_| {
                let mut findings = there.findings.clone();
                judge(&dump.analysis, &rules, &mut findings);
                rank(&mut findings);
                Ok(LeakFindings { findings, is_there: true, has_waste: there.has_waste, rules })
            });
        } else if there.is_there
            && !there.has_waste
            && !self.slot.is_running()
            && self.slot.error().is_none()
            && Arc::ptr_eq(&there.rules, &rules)
            && (self.wants_waste || dump.heap.len() <= AT_ONCE)
        {
            self.slot.ask(jobs, "waste", move |task| {
                let mut findings = there.findings.clone();
                dump.add_waste(&rules, &mut findings, task)?;
                Ok(LeakFindings { findings, is_there: true, has_waste: true, rules })
            });
        }
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_session::JobError;

    #[test]
    fn a_missing_finding_is_searched_for_in_waste_before_it_is_given_up() {
        let search = || LeakSearch { requested_by: Some(Arc::default()), ..LeakSearch::default() };
        let leaks = LeakFindings { is_there: true, ..LeakFindings::default() };
        let all = LeakFindings { is_there: true, has_waste: true, ..LeakFindings::default() };
        let mut started = search();
        assert!(!started.is_exhausted(&LeakFindings::default()) && !started.wants_waste, "leaks come first");
        assert!(!started.is_exhausted(&leaks) && started.wants_waste);
        assert!(!started.is_exhausted(&leaks), "waste is not there yet");
        assert!(started.is_exhausted(&all));
        assert!(!LeakSearch::default().is_exhausted(&all), "it starts again");
        let mut stopped = search();
        stopped.stop();
        assert!(stopped.is_exhausted(&leaks) && !stopped.wants_waste);
        // A new request searches again.
        stopped.want_waste();
        assert!(!stopped.is_exhausted(&leaks));
        let (mut failed, jobs) = (search(), Jobs::new(Arc::new(|| {})));
        failed.slot.ask(&jobs, "waste", |_| Err(JobError::Failed("the file is gone".to_owned())));
        while failed.slot.is_running() {
            assert!(!failed.is_exhausted(&leaks));
            failed.poll();
            std::thread::yield_now();
        }
        assert!(failed.is_exhausted(&leaks));
    }
}
