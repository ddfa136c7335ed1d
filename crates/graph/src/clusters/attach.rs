//! Immediate dominators of heads, from those of the clusters.
//!
//! The immediate dominator of a head is a member of the cluster that immediately dominates its own: the nearest common
//! ancestor, in the tree of that cluster, of all members from which a path leads to the head outside the cluster. Such
//! a path is an exit to the head, or it passes other heads with the same dominating cluster: a *detour*.

use std::sync::atomic::AtomicU32;

use rayon::prelude::*;

use super::detours::{Detour, DominatorPositions};
use super::trees::Trees;
use super::{Clusters, Members};
use crate::{Bits, Digraph, NONE, search::Search};
use heaplens_base::storage::{Buffer, MemoryBudget, prefetch};
use heaplens_base::{Cancelled, Task};

/// Number of times that all detours are looked at before they are sorted.
const ROUNDS: usize = 32;

/// Clusters that a thread handles at a time.
const PIECE: usize = 1 << 14;
/// Clusters ahead of the current one for which starts of rows, and rows, are prefetched.
const STARTS_AHEAD: usize = 16;
const ROWS_AHEAD: usize = 8;
/// Number of entries for which memory is fetched together.
const AT_ONCE: usize = 128;

/// Clusters with their immediate dominators.
pub struct Dominated {
    pub(super) members: Members,
    /// Cluster of each number of their search.
    pub(super) order: Buffer<u32>,
    /// Number of the cluster that immediately dominates each number; 0 for the virtual root.
    pub(super) above: Buffer<u32>,
    /// Position of the immediate dominator of each head in that cluster.
    pub(super) positions: Buffer<u32>,
}

impl Dominated {
    /// Finds the immediate dominators of all heads. `searched` is the search of the clusters, `above` has the immediate
    /// dominator of each of its numbers. `graph` is that of the nodes; only its groups are used.
    pub fn find(
        clusters: Clusters,
        searched: Search,
        above: Buffer<u32>,
        graph: &Digraph<'_>,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let mut positions = budget.scratch::<u32>(above.len());
        positions.fill(NONE);
        let attaching = Attaching::new(&clusters, &searched, &above, positions.shared(), graph, budget);
        let detours = attaching.entries(PIECE, task)?;
        attaching.positions.settle(&detours, ROUNDS, task)?;
        Ok(Self { members: clusters.members, order: searched.order, above, positions })
    }

    /// Puts the clusters that only the virtual root dominates below the head of the first one.
    pub fn below_the_first(&mut self) {
        for number in 2..self.above.len() {
            if self.above[number] == 0 {
                (self.above[number], self.positions[number]) = (1, 0);
            }
        }
    }

    /// The node at which the search began; `None` if there are no roots.
    pub fn first(&self) -> Option<u32> {
        self.order.get(1).map(|&cluster| self.members.of(cluster)[0])
    }
}

/// An exit that leads to a dominated cluster.
struct Entry {
    /// Number of the cluster that it leaves, and position of the member there; [`NONE`] if it leads to a hub.
    number: u32,
    source: u32,
    /// Cluster that it leads to, then its number.
    to: u32,
}

/// Entries of some clusters, and what follows from those that were handled.
#[derive(Default)]
struct Entering {
    waiting: Vec<Entry>,
    detours: Vec<Detour>,
    /// Number of the last cluster whose exits to hubs were handled.
    of_hub: u32,
}

struct Attaching<'a> {
    clusters: &'a Clusters,
    searched: &'a Search,
    /// Only its groups are used.
    graph: &'a Digraph<'a>,
    dominators: &'a [u32],
    positions: DominatorPositions<'a>,
    /// Tree of the clusters, by number.
    of_clusters: Trees<'a>,
    /// Clusters that another one dominates.
    dominated: Bits,
}

impl<'a> Attaching<'a> {
    fn new(
        clusters: &'a Clusters,
        searched: &'a Search,
        dominators: &'a [u32],
        positions: &'a [AtomicU32],
        graph: &'a Digraph<'a>,
        budget: &MemoryBudget,
    ) -> Self {
        let dominated = || {
            let mut dominated = Bits::new(searched.number.len());
            let below = searched.order.iter().zip(dominators).filter(|&(_, &above)| above != 0);
            dominated.extend(below.map(|(&cluster, _)| cluster));
            dominated
        };
        let ((trees, tree_of), (dominated, of_clusters)) = rayon::join(
            || trees_above(clusters, searched, dominators, budget),
            || (dominated(), Trees::new(vec![dominators])),
        );
        let positions = DominatorPositions::new(positions, trees, tree_of);
        Self { clusters, searched, graph, dominators, positions, of_clusters, dominated }
    }

    /// Sets the positions for exits that lead from the dominating cluster itself, and follows the detours; returns
    /// those that may matter again. A thread handles `at_a_time` clusters, usually [`PIECE`].
    fn entries(&self, at_a_time: usize, task: &Task) -> Result<Vec<Vec<Detour>>, Cancelled> {
        // In the order of the search positions become final soon. In that of clusters, in which exits are stored, far
        // more detours would have to be followed.
        let pieces = self.searched.order[1..].par_chunks(at_a_time).with_max_len(1).enumerate();
        let entries = pieces.map(|(piece, clusters)| {
            task.checkpoint()?;
            let mut entering = Entering::default();
            for (number, &cluster) in (piece * at_a_time + 1..).zip(clusters) {
                self.prefetch_after(number);
                self.entries_from(number as u32, cluster, &mut entering);
            }
            self.enter(&mut entering);
            Ok(entering.detours)
        });
        entries.collect()
    }

    /// Loads what the clusters after a number need, in the background.
    #[inline]
    fn prefetch_after(&self, number: usize) {
        let (order, exits, starts) = (&self.searched.order, self.clusters.exits(), &self.clusters.members.starts);
        if let Some(&soon) = order.get(number + STARTS_AHEAD) {
            exits.prefetch_start(soon);
            prefetch(starts, soon as usize);
        }
        if let Some(&soon) = order.get(number + ROWS_AHEAD) {
            prefetch(exits.targets(), exits.begin(soon as usize));
            self.clusters.leaving.prefetch(starts[soon as usize] as usize);
        }
    }

    /// Adds the exits of a cluster that lead to dominated ones; handles those that wait if they are enough.
    fn entries_from(&self, number: u32, cluster: u32, entering: &mut Entering) {
        let mut sources = self.clusters.leaving.sources(self.clusters.members.range(cluster));
        for (at, &to) in self.clusters.exits.view().row(cluster).iter().enumerate() {
            if !self.dominated.contains(to) {
                continue;
            }
            prefetch(&self.searched.number, to as usize);
            entering.waiting.push(Entry { number, source: sources.of(at).unwrap_or(NONE), to });
            if entering.waiting.len() == AT_ONCE {
                self.enter(entering);
            }
        }
    }

    /// Handles the entries that wait, step by step, so that what is needed of one is fetched while others are handled.
    fn enter(&self, entering: &mut Entering) {
        let Entering { waiting, detours, of_hub } = entering;
        for entry in &mut *waiting {
            entry.to = self.searched.number[entry.to as usize];
            prefetch(self.dominators, entry.to as usize);
            self.positions.prefetch(entry.to);
        }
        // Exits to a head whose position is final change nothing.
        waiting.retain(|entry| {
            self.positions.prefetch_tree(entry.to);
            !self.positions.is_final(entry.to)
        });
        for Entry { number, source, to } in waiting.drain(..) {
            let above = self.dominators[to as usize];
            if above != number {
                let by = self.of_clusters.child_towards(0, above, number);
                if by != to && detours.last() != Some(&(by, to)) && self.positions.follow((by, to)) {
                    detours.push((by, to));
                }
            } else if source != NONE {
                self.positions.meet(to, source);
            } else if std::mem::replace(of_hub, number) != number {
                self.enter_hubs(number);
            }
        }
    }

    /// Handles the exits of a cluster to hubs that it dominates.
    fn enter_hubs(&self, number: u32) {
        let members = self.clusters.members.of(self.searched.order[number as usize]);
        for (position, &node) in (0_u32..).zip(members) {
            let group = self.graph.group_of.get(node as usize).unwrap_or(NONE);
            let hub = self.clusters.hubs.get(group as usize).copied().unwrap_or(NONE);
            let to = self.searched.number.get(hub as usize).copied().unwrap_or(0);
            if to != number && self.dominators[to as usize] == number {
                self.positions.meet(to, position);
            }
        }
    }
}

/// Trees of the clusters that dominate others; and by number, the one that dominates it, or [`NONE`].
fn trees_above<'a>(
    clusters: &'a Clusters,
    searched: &Search,
    dominators: &[u32],
    budget: &MemoryBudget,
) -> (Trees<'a>, Buffer<u32>) {
    let (mut tree_at, mut tree_of) = (budget.scratch::<u32>(dominators.len()), budget.scratch(dominators.len()));
    tree_at.fill(NONE);
    let mut parents = Vec::new();
    for (tree_of, &above) in tree_of.iter_mut().zip(dominators) {
        let tree = &mut tree_at[above as usize];
        if above != 0 && *tree == NONE {
            *tree = parents.len() as u32;
            parents.push(clusters.members.parents(searched.order[above as usize]));
        }
        *tree_of = *tree;
    }
    (Trees::new(parents), tree_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Csr, Marks, dominators::immediate_dominators, search::search, transpose::transpose};
    use heaplens_testkit::shapes::RandomGraph;

    /// However often detours are followed before they are sorted, and by however many threads, the positions are the
    /// same.
    #[test]
    fn sorted_detours_lead_to_the_same_positions() {
        let (budget, task) = (MemoryBudget::default(), Task::new());
        let mut sorted = 0;
        for seed in 0..if cfg!(miri) { 40 } else { 4_000 } {
            let shape = RandomGraph::random(seed, 5 + seed as u32 % 40);
            let edges = Csr::from_edges(shape.nodes as usize, &shape.edges);
            let graph = Digraph::plain(&edges);
            let (_, single) = transpose(graph.edges, &task).expect("nobody cancels");
            let marks = Marks::new(&graph, &shape.roots, &Bits::default(), &task).expect("nobody cancels");
            let (clusters, heads) =
                Clusters::find(&graph, &shape.roots, &single, &marks, &budget, &task).expect("nobody cancels");
            let mut searched = search(clusters.exits(), &heads, &budget, &task).expect("nobody cancels");
            let above = immediate_dominators(&mut searched, &budget, &task).expect("nobody cancels");
            let of_rounds = |rounds, at_a_time| {
                let positions: Vec<AtomicU32> = above.iter().map(|_| AtomicU32::new(NONE)).collect();
                let attaching = Attaching::new(&clusters, &searched, &above, &positions, &graph, &budget);
                let detours = attaching.entries(at_a_time, &task).expect("nobody cancels");
                let shared_positions = attaching.positions;
                match rounds {
                    0 => shared_positions.follow_sorted(&detours.concat(), &task),
                    _ => shared_positions.settle(&detours, rounds, &task),
                }
                .expect("nobody cancels");
                positions.into_iter().map(AtomicU32::into_inner).collect::<Vec<u32>>()
            };
            let followed = of_rounds(usize::MAX, PIECE);
            sorted += usize::from(followed.iter().any(|&position| position != NONE && position != 0));
            for (rounds, at_a_time) in [(0, PIECE), (1, PIECE), (2, 3), (usize::MAX, 1)] {
                let again = of_rounds(rounds, at_a_time);
                assert_eq!(again, followed, "seed {seed}, {rounds} rounds, {at_a_time} at a time");
            }
        }
        assert!(sorted > 20, "{sorted} graphs with heads below other members");
    }
}
