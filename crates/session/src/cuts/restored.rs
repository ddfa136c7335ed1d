//! Removals of an open dump by their saved texts. Only for jobs, because names are looked up in an index of the dump.

use super::saved::SavedCut;
use crate::OpenDump;
use heaplens_analysis::Cut;
use heaplens_analysis::naming::Unresolved;
use heaplens_base::{Cancelled, Task};
use heaplens_dump::Dump;

/// Resolves the text of a cut in a dump. Queries are run in a crate above this one.
pub type CutResolver = fn(&Dump, &str, &Task) -> Result<Cut, Unresolved>;

/// Removals found by their saved texts.
#[derive(Debug, Default)]
pub struct RestoredCuts {
    /// The removals by step, oldest first.
    pub steps: Vec<Vec<SavedCut<Cut>>>,
    /// Messages about texts that name nothing in the dump.
    pub missing: Vec<String>,
}

impl OpenDump {
    /// Finds removals by texts of [`Cuts::steps_with_ids`](crate::Cuts::steps_with_ids).
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn restored_cuts(
        &self,
        steps: &[Vec<SavedCut>],
        resolve: CutResolver,
        task: &Task,
    ) -> Result<RestoredCuts, Cancelled> {
        let mut restored = RestoredCuts::default();
        for step in steps {
            let mut cuts = Vec::with_capacity(step.len());
            for saved in step {
                let text = &saved.cut;
                match resolve(&self.dump, text, task) {
                    Ok(cut) => cuts.push(saved.clone().map(|_| cut)),
                    Err(Unresolved::Cancelled) => return Err(Cancelled),
                    Err(why) => restored.missing.push(format!("{text}: {why}")),
                }
            }
            restored.steps.push(cuts);
        }
        Ok(restored)
    }
}
