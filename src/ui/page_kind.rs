//! Pages beside those of dumps.

/// A page with a tab of its own, before the tabs of dumps; at most one of each kind is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// Leaks of many dumps, from their digests.
    Fleet,
    /// Running processes, of which dumps are taken.
    Processes,
}

impl PageKind {
    /// All kinds, in the order of their tabs.
    pub const ALL: [Self; 2] = [Self::Fleet, Self::Processes];
}

/// Tab of a page, as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTab {
    /// The page.
    pub kind: PageKind,
    /// Name on the tab.
    pub name: String,
    /// True if the page is shown.
    pub is_shown: bool,
}
