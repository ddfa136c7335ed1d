//! GC roots at which paths to leaking objects begin: all that Shark knows, or KOOM's subset.

use heaplens_base::named;

/// Set of GC roots at which paths begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Roots {
    /// All roots that Shark uses.
    #[default]
    All,
    /// KOOM's subset without local variables and monitors: objects held only by running methods are no leaks.
    Pruned,
}

named!(Roots {
    All = "all", "All root kinds that LeakCanary uses";
    Pruned = "pruned", "All except local variables and monitors, as in KOOM";
});
