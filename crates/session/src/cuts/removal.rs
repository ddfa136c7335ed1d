//! A reference that the user removed to see what the heap would be without it.

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
