//! Where the list of views has a view: eight at most stand in it, one for each question that people open a dump with;
//! the others are under *More*. A view that begins with a selection is reached from that, and from the palette.

use super::View;

/// Views of the list, from top to bottom, as far as the dump has them.
const QUESTIONS: [View; 10] = [
    View::Overview,
    View::Leaks,
    View::Growth,
    View::Dominators,
    View::Histogram,
    View::Threads,
    View::Detached,
    View::Waste,
    View::Strings,
    View::Query,
];

/// Place of a view in the list of views.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// In the list itself.
    Question,
    /// Under *More*.
    More,
    /// In menus and in the palette only.
    Unlisted,
}

/// What a dump is, as far as its list of views depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedDump {
    /// True if it is compared with another one: growth has a table of the leaks.
    pub is_compared: bool,
    /// True if its file records no GC roots, so that inferred ones are all there is.
    pub infers_roots: bool,
}

impl ListedDump {
    /// Place of a view in the list of views of this dump.
    pub fn listing(self, view: View) -> Listing {
        match view {
            View::Leaks if self.is_compared => Listing::More,
            // They begin with a selection; gaps of a collector with regions are its free space, no finding.
            View::Route | View::Related | View::Gaps => Listing::Unlisted,
            View::Ownership if !self.infers_roots => Listing::Unlisted,
            view if QUESTIONS.contains(&view) => Listing::Question,
            _ => Listing::More,
        }
    }

    /// Views of the list itself, from top to bottom.
    pub fn questions(self) -> impl Iterator<Item = View> {
        QUESTIONS.into_iter().filter(move |&view| self.listing(view) == Listing::Question)
    }
}
