//! Shortest ways from the GC roots: the distance of each object, and the object
//! before it on the way.

use super::analyzed::Rules;
use super::classes::Strength;
use super::facts::Heap;
use crate::graph::bits::Bits;
use crate::graph::distances::{Distances, distances, extend_loosely};
use crate::task::{Cancelled, Task};

/// Shortest ways from the roots: along strong references, and from there along weaker ones that count.
pub(super) struct Ways {
    pub(super) found: Distances,
    /// Objects that strong references alone do not reach.
    pub(super) only_loosely: Bits,
}

impl Ways {
    pub(super) fn find(heap: &Heap, rules: Rules, roots: &[u32], task: &Task) -> Result<Self, Cancelled> {
        let loose = heap.referents_beyond(Strength::Strong).unwrap_or_default();
        let graph = heap.graph(Some(&loose));
        let mut found = distances(&graph, roots, task)?;
        let counting = match heap.referents_beyond(rules.weakest) {
            Some(beyond) => loose.without(&beyond),
            None => loose.clone(),
        };
        let only_loosely = extend_loosely(&graph, &counting, &mut found, task)?;
        Ok(Self { found, only_loosely })
    }
}
