//! Shortest ways from the GC roots: the distance of each object, and the object
//! before it on the way.

use super::analyzed::Rules;
use super::classes::Strength;
use super::facts::Heap;
use super::sections;
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::graph::csr::Rows;
use crate::graph::distances::{Distances, distances, extend_loosely};
use crate::storage::column::Column;
use crate::storage::numbers::Numbers;
use crate::storage::space::Space;
use crate::storage::stored::Stored;
use crate::task::{Cancelled, Task};

/// Shortest ways from the roots: along strong references, and from there along weaker ones that count.
pub(super) struct Ways {
    /// Distance of each object and one; 0 where no root reaches.
    distance: Numbers,
    before: Column<u32>,
    /// Objects that strong references alone do not reach, ascending.
    only_loosely: Column<u32>,
}

/// Ways that are found but not yet kept.
pub(super) struct Found {
    found: Distances,
    only_loosely: Bits,
}

impl Found {
    pub(super) fn find(
        heap: &Heap,
        references: Rows<'_>,
        rules: Rules,
        roots: &[u32],
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let loose = heap.referents_beyond(Strength::Strong).unwrap_or_default();
        let graph = heap.graph(references, Some(&loose));
        let mut found = distances(&graph, roots, task)?;
        let counting = match heap.referents_beyond(rules.weakest) {
            Some(beyond) => loose.without(&beyond),
            None => loose.clone(),
        };
        let only_loosely = extend_loosely(&graph, &counting, &mut found, task)?;
        Ok(Self { found, only_loosely })
    }

    pub(super) fn keep(self, space: &Space) -> Ways {
        let Distances { mut distance, before } = self.found;
        distance.iter_mut().for_each(|d| *d = d.wrapping_add(1));
        Ways {
            distance: space.keep_numbers(sections::DISTANCE, distance),
            before: space.keep(sections::BEFORE, before),
            only_loosely: space.keep(sections::ONLY_LOOSELY, self.only_loosely.iter().collect::<Vec<u32>>()),
        }
    }
}

impl Ways {
    /// What was kept.
    pub(super) fn stored(stored: &Stored) -> Option<Self> {
        Some(Self {
            distance: Numbers::find(stored, sections::DISTANCE)?,
            before: stored.column(sections::BEFORE)?,
            only_loosely: stored.column(sections::ONLY_LOOSELY)?,
        })
    }

    pub(super) fn distance(&self, row: u32) -> Option<u32> {
        self.distance.get(row as usize)?.checked_sub(1)
    }

    pub(super) fn before(&self, row: u32) -> Option<u32> {
        self.before.get(row as usize).filter(|&before| before != NONE)
    }

    pub(super) fn only_loosely(&self, row: u32) -> bool {
        self.only_loosely.all().binary_search(&row).is_ok()
    }
}
