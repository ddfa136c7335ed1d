//! Searches for what to remove: by its name, or for the smallest set that frees an object.

use super::Tab;
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{SmallestCut, smallest_cut};
use heaplens_analysis::naming::Unresolved;
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, Jobs};

impl Tab {
    /// Resolves the name of a cut of the dump.
    pub fn resolve_cut(&mut self, jobs: &Jobs, name: String) {
        let Some(dump) = self.open_dump().cloned() else { return };
        self.resolving.ask(jobs, "what to remove", move |task| {
            heaplens_sql::resolve_cut(&dump.dump, &name, task).map_err(|unresolved| match unresolved {
                Unresolved::Cancelled => JobError::Cancelled,
                why => JobError::Failed(why.to_string()),
            })
        });
    }

    /// The cut that the name means, returned once.
    pub fn take_resolved(&mut self) -> Option<Result<Cut, String>> {
        self.resolving.take_ended()
    }

    /// Searches for the smallest set of references that frees an object of the heap on screen.
    pub fn search_smallest(&mut self, jobs: &Jobs, object: ObjectId) {
        let Some(dump) = self.shown_dump().cloned() else { return };
        self.smallest.ask(jobs, "smallest set of references", move |task| Ok(smallest_cut(dump.data(), object, task)?));
    }

    /// Result of that search, returned once.
    pub fn take_smallest(&mut self) -> Option<Result<SmallestCut, String>> {
        self.smallest.take_ended()
    }
}
