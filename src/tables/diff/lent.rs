//! Two compared heaps, as their tables ask for them.

use crate::analysis::diff::Pair;
use crate::analysis::naming::Namer;
use crate::session::comparison::Comparison;

/// Two compared heaps.
#[derive(Clone, Copy)]
pub struct Lent<'a> {
    /// The heaps.
    pub pair: Pair<'a>,
    /// Which object is which, and what came of it.
    pub comparison: &'a Comparison,
    /// Names of the newer heap: owners are in both.
    pub namer: Namer<'a>,
}

/// Who has them: the command line until it has printed a table, the window as long as it shows one.
pub trait Lender: Send + Sync {
    /// Lends them, as long as they are there.
    fn lend(&self) -> Option<Lent<'_>>;
}

impl Lender for Lent<'_> {
    fn lend(&self) -> Option<Lent<'_>> {
        Some(*self)
    }
}
