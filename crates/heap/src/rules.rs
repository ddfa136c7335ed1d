//! Rules of an analysis: which references and roots count. Every number of an analysis depends on them.

use serde::{Deserialize, Serialize};

use super::Strength;
use heaplens_base::named;

/// Rules about which references and objects count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Weakest reference strength to follow for reachability and dominators.
    #[serde(rename = "weakest")]
    pub min_strength: Strength,
    /// Include unreachable objects.
    pub keep_unreachable: bool,
    /// Treatment of the roots of the virtual machine.
    pub vm_roots: VmRoots,
}

impl Default for Rules {
    /// Follows all references and excludes unreachable objects, as Eclipse MAT does.
    fn default() -> Self {
        Self { min_strength: Strength::Phantom, keep_unreachable: false, vm_roots: VmRoots::Count }
    }
}

/// Treatment of roots held by the virtual machine outside the app heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VmRoots {
    /// Treat them as roots, as in the file and in ahat.
    #[default]
    Count,
    /// Treat them as roots only if nothing else leads to them.
    Ignore,
}

named!(VmRoots {
    Count = "count", "Always GC roots, as recorded in the file";
    Ignore = "ignore", "GC roots only for objects that no other root reaches";
});
