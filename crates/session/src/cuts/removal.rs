//! A reference that the user removed to see what the heap would be without it, and the list of them.

use std::sync::Arc;

use super::saved_cut::SavedCut;
use heaplens_analysis::Cut;

/// A removal: a cut that can be switched off, with a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// What is removed.
    pub cut: Cut,
    /// False while it is switched off: it stays in the list, and removes nothing.
    pub is_on: bool,
    /// Note of the user; empty if there is none.
    pub note: String,
    /// Number of the step that added it: what was added at once is one step.
    pub(super) step: u32,
}

impl Removal {
    /// The removal as it is saved.
    pub(super) fn saved(&self) -> SavedCut<Cut> {
        SavedCut { cut: self.cut.clone(), is_off: !self.is_on, note: self.note.clone() }
    }
}

/// All removals of a dump, which form a fix if they have a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RemovalList {
    /// Name of the fix; empty if it has none.
    pub(super) name: Arc<str>,
    /// The removals, oldest first.
    pub(super) removals: Arc<[Removal]>,
    /// Removals of an applied fix that do not exist in the dump.
    pub(super) missing: Arc<[SavedCut]>,
}
