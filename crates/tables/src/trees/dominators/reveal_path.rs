//! The goal of expanding the dominator tree down to an object.

use std::time::Duration;

use heaplens_analysis::dominator_tree::LevelPart;
use heaplens_heap::ObjectId;
use heaplens_session::{DeferredDrop, Slot};

/// Time for expanding levels per frame; a long path continues in the next frame.
pub(super) const PATIENCE: Duration = Duration::from_millis(1);
/// Path from the top level down to the object to show.
#[derive(Default)]
pub(super) struct RevealPath {
    pub(super) goal: Option<DeferredDrop<Vec<ObjectId>>>,
    /// Ancestors of a very deep object.
    pub(super) request: Slot<DeferredDrop<Vec<ObjectId>>>,
    pub(super) missing: Option<String>,
    /// The goal is the row of this group, not that of the object.
    pub(super) group: Option<LevelPart>,
    /// The user went to the goal, so a filter that hides it is cleared.
    pub(super) filter_yields: bool,
}

impl RevealPath {
    /// True until the goal is reached.
    pub(super) fn is_going(&self) -> bool {
        self.goal.is_some() || self.request.is_running()
    }

    pub(super) fn stop(&mut self) {
        (self.goal, self.group) = (None, None);
        self.request.cancel();
    }
}
