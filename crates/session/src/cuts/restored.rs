//! Removals of an open dump by their saved texts. Only for jobs, because names are looked up in an index of the dump.

use super::saved::SavedList;
use super::saved_cut::SavedCut;
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
    /// Name of the fix that they form; empty if it has none.
    pub name: String,
    /// The removals by step, oldest first.
    pub steps: Vec<Vec<SavedCut<Cut>>>,
    /// Messages about texts that name nothing in the dump.
    pub missing: Vec<String>,
    /// Removals of an applied fix that did not exist in the dump.
    pub missing_of_fix: Vec<SavedCut>,
}

impl OpenDump {
    /// Finds removals by texts of [`Cuts::saved`](crate::Cuts::saved).
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn restored_cuts(&self, list: SavedList, resolve: CutResolver, task: &Task) -> Result<RestoredCuts, Cancelled> {
        let SavedList { name, steps, missing: missing_of_fix } = list;
        let mut restored = RestoredCuts { name, missing_of_fix, ..RestoredCuts::default() };
        for step in &steps {
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
