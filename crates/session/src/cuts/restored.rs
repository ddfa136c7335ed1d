//! Cuts of an open dump by their saved texts. Only for jobs, because names are looked up in an index of the dump.

use super::OpenDump;
use heaplens_analysis::Cut;
use heaplens_analysis::naming::Unresolved;
use heaplens_base::{Cancelled, Task};

/// Cuts found by their saved texts.
#[derive(Debug, Default)]
pub struct RestoredCuts {
    /// The cuts by step, oldest first.
    pub steps: Vec<Vec<Cut>>,
    /// Messages about texts that name nothing in the dump.
    pub missing: Vec<String>,
}

impl OpenDump {
    /// Finds cuts by texts of [`Cuts::steps_with_ids`](crate::Cuts::steps_with_ids).
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn restored_cuts(&self, steps: &[Vec<String>], task: &Task) -> Result<RestoredCuts, Cancelled> {
        let (namer, mut restored) = (self.namer(task)?, RestoredCuts::default());
        for step in steps {
            let mut cuts = Vec::with_capacity(step.len());
            for text in step {
                match namer.resolve_cut(text, task) {
                    Ok(cut) => cuts.push(cut),
                    Err(Unresolved::Cancelled) => return Err(Cancelled),
                    Err(why) => restored.missing.push(format!("{text}: {why}")),
                }
            }
            restored.steps.push(cuts);
        }
        Ok(restored)
    }
}
