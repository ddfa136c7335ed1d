//! Nearest matched dominator of objects.

use rustc_hash::FxHashMap;

use super::matches::{ALONE, Columns};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::{Bits, NONE, TreeStep};
use heaplens_heap::ObjectId;

/// Ratio of queried objects above which all objects are processed.
const FEW: usize = 16;

/// Objects whose owners were computed.
pub(super) enum Owners {
    /// All objects.
    All(OwnerColumns),
    /// Some objects.
    Some(FxHashMap<u32, OwnerAbove>),
}

/// Owners of all objects.
pub(super) struct OwnerColumns {
    /// By row, the row of the nearest matched dominator; of an unmatched object below an unmatched one, the row of the
    /// topmost of these, which has the same owner.
    nearest: Vec<u32>,
    /// Unmatched objects directly below an unmatched one.
    inner: Bits,
    doomed: Bits,
}

/// Owner of one object.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnerAbove {
    owner: u32,
    doomed: bool,
}

/// Unreachable objects.
const NOTHING: OwnerAbove = OwnerAbove { owner: NONE, doomed: false };

impl Columns<'_> {
    /// Owner of the children of an object whose own owner is `above`.
    fn below(self, row: u32, above: OwnerAbove) -> OwnerAbove {
        if self.is_matched(row) {
            return OwnerAbove { owner: row, doomed: false };
        }
        let alone = self.methods.get(row as usize) == Some(&ALONE);
        OwnerAbove { owner: above.owner, doomed: above.doomed || alone }
    }
}

impl Owners {
    /// Owners of some objects of one heap, or of more.
    pub(super) fn of(columns: Columns<'_>, rows: &[u32], task: &Task) -> Result<Self, Cancelled> {
        if rows.len() > columns.matched.len() / FEW {
            return Self::of_all(columns, task);
        }
        let mut below: FxHashMap<u32, OwnerAbove> = FxHashMap::default();
        let mut of = FxHashMap::default();
        let mut chain = Vec::new();
        for &row in rows {
            task.checkpoint()?;
            let dominator = |row| columns.analysis.immediate_dominator(ObjectId::from_raw(row)?).map(ObjectId::raw);
            let mut at = dominator(row);
            // Up to a known or matched object or the root; then down again.
            let mut above = loop {
                match at {
                    None => break NOTHING,
                    Some(here) if columns.is_matched(here) => break OwnerAbove { owner: here, doomed: false },
                    Some(here) => match below.get(&here) {
                        Some(&known) => break known,
                        None => chain.push(here),
                    },
                }
                at = at.and_then(dominator);
            };
            while let Some(passed) = chain.pop() {
                above = columns.below(passed, above);
                below.insert(passed, above);
            }
            of.insert(row, above);
        }
        Ok(Self::Some(of))
    }

    /// Owners of all objects of one heap.
    pub(super) fn of_all(columns: Columns<'_>, task: &Task) -> Result<Self, Cancelled> {
        let mut nearest = vec![NONE; columns.matched.len()];
        let (mut inner, mut doomed) = (Bits::new(columns.matched.len()), Bits::new(columns.matched.len()));
        // Owner of the children, and the topmost of the unmatched objects just above them.
        let mut line: Vec<(OwnerAbove, u32)> = Vec::new();
        for (at, step) in columns.analysis.tree_steps().enumerate() {
            task.checkpoint_at(at)?;
            let TreeStep::Into(row) = step else {
                line.pop();
                continue;
            };
            let (above, top) = line.last().copied().unwrap_or((NOTHING, NONE));
            let Some(slot) = nearest.get_mut(row as usize) else {
                line.push((above, top));
                continue;
            };
            let is_inner = top != NONE && !columns.is_matched(row);
            *slot = if is_inner { top } else { above.owner };
            if is_inner {
                inner.insert(row);
            }
            let below = columns.below(row, above);
            if below.doomed {
                doomed.insert(row);
            }
            let top_below = if columns.is_matched(row) {
                NONE
            } else if is_inner {
                top
            } else {
                row
            };
            line.push((below, top_below));
        }
        Ok(Self::All(OwnerColumns { nearest, inner, doomed }))
    }

    /// Row of the nearest matched dominator of a queried object, itself excluded; [`NONE`] if there is none.
    pub(super) fn nearest(&self, row: u32) -> u32 {
        match self {
            Self::All(all) => all.nearest.get(all.root(row) as usize).copied().unwrap_or(NONE),
            Self::Some(of) => of.get(&row).map_or(NONE, |above| above.owner),
        }
    }

    /// Topmost of an unmatched object and the unmatched dominators just above it: the root of an added or removed
    /// subtree. Itself, unless all were queried.
    pub(super) fn root(&self, row: u32) -> u32 {
        if let Self::All(all) = self { all.root(row) } else { row }
    }

    /// True if a queried unmatched object is in this heap only because its holder is:
    /// no matched object is in between. Unspecified for objects known by themselves to be in one heap only.
    pub(super) fn is_doomed(&self, row: u32) -> bool {
        match self {
            Self::All(all) => all.doomed.contains(row),
            Self::Some(of) => of.get(&row).is_some_and(|above| above.doomed),
        }
    }
}

impl OwnerColumns {
    fn root(&self, row: u32) -> u32 {
        if self.inner.contains(row) { self.nearest.get(row as usize).copied().unwrap_or(row) } else { row }
    }
}
