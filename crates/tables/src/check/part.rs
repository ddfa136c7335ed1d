//! What a check compares.

use heaplens_base::named;

/// A part of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckPart {
    /// Leaks and large structures; of Android dumps also leak traces.
    Leaks,
    /// Waste.
    Waste,
    /// Retained size by owner.
    Owners,
}

named!(CheckPart {
    Leaks = "leaks", "Leak findings, as 'heaplens leaks' lists them; on Android also leak traces";
    Waste = "waste", "Wasted memory by kind";
    Owners = "owners", "Retained size by field, thread or class of the application";
});

impl CheckPart {
    /// All parts, in the order of a baseline.
    pub const ALL: [Self; 3] = [Self::Leaks, Self::Waste, Self::Owners];

    /// Noun for one of its findings, and for several.
    pub fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Leaks => ("finding", "findings"),
            Self::Waste => ("kind of waste", "kinds of waste"),
            Self::Owners => ("owner", "owners"),
        }
    }
}
