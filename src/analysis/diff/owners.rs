//! For every object the nearest object that dominates it and is in both heaps.

use super::matches::ALONE;
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::graph::tree::TreeStep;
use crate::heap::analyzed::Analyzed;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// What stands above the objects of one heap.
pub(super) struct Owners {
    /// By row, the row of the nearest matched object that dominates it, itself excluded; [`NONE`] where none does.
    pub(super) nearest: Vec<u32>,
    /// What is in this heap alone because all that holds it is: it is dominated by something that surely is, and
    /// nothing matched stands between.
    pub(super) doomed: Bits,
    /// Of what no matched object dominates: its row, and that of the topmost object of the tree above it.
    pub(super) tops: Vec<(u32, u32)>,
}

/// One object on the way down.
struct Above {
    /// The nearest matched one, itself included.
    owner: u32,
    /// The topmost object of the tree that it is below, or it itself.
    top: u32,
    doomed: bool,
}

impl Owners {
    /// Of one heap; `matched` and `how` are its columns of the matches.
    pub(super) fn find(analyzed: &Analyzed, matched: &[u32], how: &[u8], task: &Task) -> Result<Self, Cancelled> {
        let mut nearest = vec![NONE; matched.len()];
        let mut doomed = Bits::new(matched.len());
        let mut above: Vec<Above> = Vec::new();
        let mut tops = Vec::new();
        let mut seen = 0_usize;
        for step in analyzed.tree_steps() {
            let TreeStep::Into(row) = step else {
                above.pop();
                continue;
            };
            seen += 1;
            if seen.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            let (owner, top, under) =
                above.last().map_or((NONE, row, false), |above| (above.owner, above.top, above.doomed));
            let at = row as usize;
            let mut here = Above { owner, top, doomed: false };
            if let (Some(slot), Some(&other), Some(&how)) = (nearest.get_mut(at), matched.get(at), how.get(at)) {
                *slot = owner;
                if other != NONE {
                    here.owner = row;
                } else if under || how == ALONE {
                    here.doomed = true;
                    doomed.insert(row);
                }
            }
            if owner == NONE {
                tops.push((row, top));
            }
            above.push(here);
        }
        Ok(Self { nearest, doomed, tops })
    }
}
