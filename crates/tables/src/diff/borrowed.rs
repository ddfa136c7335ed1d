//! Borrowed access to two compared heaps for their tables.

use heaplens_analysis::diff::Pair;
use heaplens_analysis::naming::Namer;
use heaplens_session::comparison::Comparison;

/// Two compared heaps.
#[derive(Clone, Copy)]
pub struct BorrowedHeaps<'a> {
    /// The heaps.
    pub pair: Pair<'a>,
    /// Matches and growth.
    pub comparison: &'a Comparison,
    /// Namer of the target: owners are in both heaps.
    pub namer: Namer<'a>,
}

/// Owner of the heaps: the command line until it has printed a table, the window as long as it shows one.
pub trait HeapLender: Send + Sync {
    /// Lends the heaps; `None` if they were closed.
    fn lend(&self) -> Option<BorrowedHeaps<'_>>;
}

impl HeapLender for BorrowedHeaps<'_> {
    fn lend(&self) -> Option<BorrowedHeaps<'_>> {
        Some(*self)
    }
}
