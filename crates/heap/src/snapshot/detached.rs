//! Detachedness of native nodes: the states recorded in the file spread to connected nodes, attached first.

use super::edges::Edges;
use super::flags::{kind, node};
use heaplens_base::{Cancelled, Task};

/// States of a node in the file; 0 means unknown.
pub(super) const ATTACHED: u8 = 1;
pub(super) const DETACHED: u8 = 2;

/// Spreads recorded states along edges that are neither hidden nor weak, from native node to native node: "attached"
/// first, since it wins. Returns the detached nodes, ascending; of other kinds than native, those recorded as detached.
pub(super) fn spread(edges: &Edges, flags: &[u8], states: &mut [u8], task: &Task) -> Result<Vec<u32>, Cancelled> {
    let mut search = Search { flags, states, seen: vec![false; flags.len()], waiting: [Vec::new(), Vec::new()] };
    for block in task.blocks(flags.len()) {
        for row in block? {
            match search.states.get(row).copied() {
                None | Some(0) => {}
                Some(state) => search.meet(row as u32, state),
            }
        }
    }
    let mut steps = 0_usize;
    for state in [ATTACHED, DETACHED] {
        while let Some(row) = search.waiting[usize::from(state == DETACHED)].pop() {
            steps += 1;
            task.checkpoint_at(steps)?;
            let onward = edges.of(row).filter(|&(_, kind)| kind & (kind::HIDDEN | kind::WEAK) == 0);
            onward.for_each(|(to, _)| search.meet(to, state));
        }
    }
    let detached = (0_u32..).zip(search.states.iter()).filter(|&(_, &state)| state == DETACHED);
    Ok(detached.map(|(row, _)| row).collect())
}

struct Search<'a> {
    flags: &'a [u8],
    states: &'a mut [u8],
    /// Each node is visited once.
    seen: Vec<bool>,
    /// Attached nodes whose state has not been passed on yet, and detached ones.
    waiting: [Vec<u32>; 2],
}

impl Search<'_> {
    fn meet(&mut self, row: u32, state: u8) {
        let at = row as usize;
        let Some(seen) = self.seen.get_mut(at) else { return };
        if std::mem::replace(seen, true) || self.flags[at] & node::NATIVE == 0 {
            return;
        }
        self.states[at] = state;
        match state {
            ATTACHED => self.waiting[0].push(row),
            DETACHED => self.waiting[1].push(row),
            _ => {}
        }
    }
}
