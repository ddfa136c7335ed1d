//! Distances of nodes from user roots, by the rules of DevTools: the edge of a WeakMap entry is followed only if the
//! other one of the pair was met before, and some internal edges never are.
//!
//! The result depends on the order of edges, so this is a single-threaded search.

use super::{edges::Edges, flags::kind};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::{Bits, NONE};

/// Visits of a user root that is reached more than once: enough for every waiting WeakMap entry to meet its other edge,
/// and a limit for malformed files with a million edges to it.
const MOST_TIMES: u32 = 4;

pub(crate) struct Distances {
    /// Distance plus 1, from the start of the search that reached it; 0 if unreached. User roots have 2, the root has
    /// 1.
    pub(crate) distance: Buffer<u32>,
    /// Nodes reachable only from the root, although there are user roots.
    pub(crate) system: Bits,
}

/// Computes distances from the user roots, in the order of the root's edges, then from the root for the remaining
/// nodes. `pairs` are the edges with [`kind::PAIRED`], ascending, with the common key of the two edges of an entry.
pub(super) fn distances(
    edges: &Edges,
    root: u32,
    user_roots: &[u32],
    pairs: &[(u64, u32)],
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Distances, Cancelled> {
    let nodes = edges.rows();
    let most = pairs.iter().map(|&(_, pair)| pair as usize + 1).max().unwrap_or(0);
    let mut search = Search {
        edges,
        pairs,
        pending: Bits::new(most),
        met: Bits::new(nodes),
        distance: budget.buffer(nodes),
        queue: Vec::new(),
    };
    user_roots.iter().for_each(|&user_root| search.meet(user_root, 2));
    // Nodes to which the root has two edges are visited twice: that matters for WeakMap entries.
    search.queue.clear();
    let mut times: std::collections::BTreeMap<u32, u32> = std::collections::BTreeMap::new();
    for &user_root in user_roots.iter().filter(|&&user_root| (user_root as usize) < nodes) {
        let times = times.entry(user_root).or_default();
        *times += 1;
        if *times <= MOST_TIMES {
            search.queue.push(user_root);
        }
    }
    search.run(task)?;
    let mut system = Bits::default();
    let by_users = search.met.clone();
    search.met.remove(root);
    search.meet(root, 1);
    search.run(task)?;
    if !user_roots.is_empty() {
        system = search.met.without(&by_users);
        system.insert(root);
    }
    Ok(Distances { distance: search.distance, system })
}

struct Search<'a> {
    edges: &'a Edges,
    pairs: &'a [(u64, u32)],
    /// WeakMap entries of which one edge was met.
    pending: Bits,
    met: Bits,
    distance: Buffer<u32>,
    queue: Vec<u32>,
}

impl Search<'_> {
    fn meet(&mut self, row: u32, distance: u32) {
        if (row as usize) < self.distance.len() && self.met.insert(row) {
            self.distance[row as usize] = distance;
            self.queue.push(row);
        }
    }

    fn run(&mut self, task: &Task) -> Result<(), Cancelled> {
        let mut at = 0;
        while let Some(&row) = self.queue.get(at) {
            task.checkpoint_at(at)?;
            at += 1;
            let next = self.distance[row as usize].saturating_add(1);
            let (targets, kinds) = self.edges.row(row);
            for ((edge, &to), &kind) in self.edges.range(row).zip(targets).zip(kinds) {
                if to == NONE || kind & kind::WEAK != 0 || self.met.contains(to) {
                    continue;
                }
                if kind & kind::NOT_NEARER != 0 || (kind & kind::PAIRED != 0 && !self.is_second(edge as u64)) {
                    continue;
                }
                self.meet(to, next);
            }
        }
        self.queue.clear();
        Ok(())
    }

    /// True if the other edge of the entry was met before; otherwise marks this one as met.
    fn is_second(&mut self, edge: u64) -> bool {
        let Ok(at) = self.pairs.binary_search_by_key(&edge, |&(edge, _)| edge) else { return true };
        let pair = self.pairs[at].1;
        let is_first = self.pending.insert(pair);
        if !is_first {
            self.pending.remove(pair);
        }
        !is_first
    }
}
