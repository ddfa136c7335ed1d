//! Members of groups as predecessors of their hub.
//!
//! Every member has an edge to its hub, so a hub that is not a root may have millions of predecessors. None of them is
//! recorded while searching. Most hubs are reached from several trees of the search, which settles them; the members of
//! the others are looked up in the group column after the search.

use super::{Csr, Digraph, NONE, search::Search};
use heaplens_base::{Cancelled, Task};

/// Hubs still open after the search, and the numbers of their members.
pub(super) struct Instances {
    /// Numbers of the hubs, ascending.
    hubs: Vec<u32>,
    members: Csr,
}

impl Instances {
    pub(super) fn find(graph: &Digraph<'_>, search: &Search, task: &Task) -> Result<Self, Cancelled> {
        let number = |node: u32| if node == NONE { 0 } else { search.number[node as usize] };
        let is_open = |n: u32| n != 0 && search.parent[n as usize] != 0 && !search.detached.contains(n);
        let mut hubs: Vec<u32> = graph.hubs.iter().map(|&hub| number(hub)).filter(|&n| is_open(n)).collect();
        hubs.sort_unstable();
        hubs.dedup();
        // Row of the hub, by group.
        let row = |&hub: &u32| hubs.binary_search(&number(hub)).map_or(NONE, |row| row as u32);
        let rows: Vec<u32> = graph.hubs.iter().map(row).collect();
        let mut left = vec![0_u32; hubs.len()];
        if hubs.is_empty() {
            return Ok(Self { hubs, members: Csr::default() });
        }
        let member = |node: usize| {
            let row = graph.group_of.get(node).map_or(NONE, |group| rows[group as usize]);
            let number = search.number[node];
            (row != NONE && number != 0).then_some((row as usize, number))
        };
        for block in task.blocks(search.number.len()) {
            for (row, _) in block?.filter_map(member) {
                left[row] += 1;
            }
        }
        let positions = Csr::layout(&left);
        let mut members = vec![0; positions.total()];
        for block in task.blocks(search.number.len()) {
            for (row, number) in block?.filter_map(member) {
                left[row] -= 1;
                members[positions.of(row) + left[row] as usize] = number;
            }
        }
        Ok(Self { hubs, members: positions.with(members) })
    }

    /// Members of the hub with this number, if it is open. Call with descending numbers.
    #[inline]
    pub(super) fn of(&mut self, number: u32) -> &[u32] {
        if self.hubs.last() != Some(&number) {
            return &[];
        }
        self.hubs.pop();
        self.members.row(self.hubs.len() as u32)
    }
}
