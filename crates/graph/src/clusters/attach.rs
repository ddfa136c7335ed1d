//! Immediate dominators of heads, from those of the clusters.
//!
//! The immediate dominator of a head is a member of the cluster that immediately dominates its own: the nearest common
//! ancestor, in the tree of that cluster, of all members from which a path leads to the head outside the cluster. Such a
//! path is an exit to the head, or it passes other heads with the same dominating cluster: a *detour*.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::trees::Trees;
use super::{Clusters, Members};
use crate::{Bits, Csr, Digraph, NONE, components::components, search::Search};
use heaplens_base::storage::{Buffer, MemoryBudget, prefetch};
use heaplens_base::{Cancelled, Task};

/// Number of times that all detours are followed before they are sorted.
const ROUNDS: usize = 32;

/// Clusters or detours that a thread handles at a time.
const PIECE: usize = 1 << 14;
/// Number of entries for which memory is fetched together.
const AT_ONCE: usize = 128;

/// Clusters with their immediate dominators.
pub struct Dominated {
    pub(super) members: Members,
    /// Cluster of each number of their search.
    pub(super) order: Buffer<u32>,
    /// Number of the cluster that immediately dominates each number; 0 for the virtual root.
    pub(super) above: Buffer<u32>,
    /// Place of the immediate dominator of each head in that cluster.
    pub(super) places: Buffer<u32>,
}

impl Dominated {
    /// Finds the immediate dominators of all heads. `searched` is the search of the clusters, `above` has the immediate
    /// dominator of each of its numbers. `graph` is that of the nodes; only its groups are used.
    pub fn find(
        clusters: Clusters,
        searched: Search,
        above: Buffer<u32>,
        graph: &Digraph<'_>,
        space: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let mut places = space.scratch::<u32>(above.len());
        places.fill(NONE);
        Attaching::new(&clusters, &searched, &above, space).places(places.shared(), graph, ROUNDS, task)?;
        Ok(Self { members: clusters.members, order: searched.order, above, places })
    }

    /// Puts the clusters that only the virtual root dominates below the head of the first one.
    pub fn below_the_first(&mut self) {
        for number in 2..self.above.len() {
            if self.above[number] == 0 {
                (self.above[number], self.places[number]) = (1, 0);
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
    /// Number of the cluster that it leaves, and place of the member there; [`NONE`] if it leads to a hub.
    number: u32,
    source: u32,
    /// Cluster that it leads to, then its number.
    to: u32,
}

/// Entries of some clusters, and what follows from those that were handled.
#[derive(Default)]
struct Entering {
    waiting: Vec<Entry>,
    /// Heads that are passed and those reached, in numbers.
    detours: Vec<(u32, u32)>,
    /// Number of the last cluster whose exits to hubs were handled.
    of_hub: u32,
}

struct Attaching<'a> {
    clusters: &'a Clusters,
    searched: &'a Search,
    dominators: &'a [u32],
    /// Trees of the clusters that dominate others, and the tree that dominates each number.
    trees: Trees<'a>,
    tree_of: Buffer<u32>,
    /// Tree of the clusters, by number.
    of_clusters: Trees<'a>,
    /// Clusters that another one dominates.
    dominated: Bits,
}

impl<'a> Attaching<'a> {
    fn new(clusters: &'a Clusters, searched: &'a Search, dominators: &'a [u32], space: &MemoryBudget) -> Self {
        let (mut tree_at, mut tree_of) = (space.scratch::<u32>(dominators.len()), space.scratch(dominators.len()));
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
        let mut dominated = Bits::new(searched.number.len());
        let below = searched.order.iter().zip(dominators).filter(|&(_, &above)| above != 0);
        dominated.extend(below.map(|(&cluster, _)| cluster));
        Self {
            dominated,
            clusters,
            searched,
            dominators,
            trees: Trees::new(parents),
            tree_of,
            of_clusters: Trees::new(vec![dominators]),
        }
    }

    /// Sets, by number, the place of the immediate dominator of a head in the cluster of its dominator; leaves it as
    /// [`NONE`] if that is the virtual root.
    fn places(&self, places: &[AtomicU32], graph: &Digraph<'_>, rounds: usize, task: &Task) -> Result<(), Cancelled> {
        let detours = self.entries(graph, places, task)?;
        // Numbers whose place moved in the last round: a detour matters again only if that of the head it passes did.
        let mut moved: Option<Bits> = None;
        // What is met does not depend on the order, nor on the number of threads.
        for _ in 0..rounds {
            let met = detours.par_iter().map(|detours| {
                task.checkpoint()?;
                let matter = detours.iter().filter(|&&(by, _)| moved.as_ref().is_none_or(|moved| moved.contains(by)));
                let met = matter.filter(|&&(by, to)| self.meet(places, to, places[by as usize].load(Relaxed)));
                Ok(met.map(|&(_, to)| to).collect())
            });
            let met = met.collect::<Result<Vec<Vec<u32>>, Cancelled>>()?;
            if met.iter().all(Vec::is_empty) {
                return Ok(());
            }
            let mut now = Bits::new(places.len());
            met.into_iter().for_each(|met| now.extend(met));
            moved = Some(now);
        }
        self.follow_sorted(&detours.concat(), places, task)
    }

    /// Moves the place of a number up to the nearest common ancestor with another one; true if it was not there.
    #[inline]
    fn meet(&self, places: &[AtomicU32], number: u32, other: u32) -> bool {
        let place = &places[number as usize];
        let mut known = place.load(Relaxed);
        loop {
            let met = self.common(number, known, other);
            if met == known {
                return false;
            }
            match place.compare_exchange_weak(known, met, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(newer) => known = newer,
            }
        }
    }

    /// Nearest common ancestor of two places in the cluster that dominates `number`.
    #[inline]
    fn common(&self, number: u32, one: u32, other: u32) -> u32 {
        match (one, other) {
            (NONE, place) | (place, NONE) => place,
            _ if one == other => one,
            _ => self.trees.nearest_common(self.tree_of[number as usize], one, other),
        }
    }

    /// Sets the places for exits that lead from the dominating cluster itself; returns the detours: the head that is
    /// passed and the one that is reached, in numbers.
    fn entries(
        &self,
        graph: &Digraph<'_>,
        places: &[AtomicU32],
        task: &Task,
    ) -> Result<Vec<Vec<(u32, u32)>>, Cancelled> {
        let pieces = self.searched.order[1..].par_chunks(PIECE).enumerate();
        let found = pieces.map(|(piece, clusters)| {
            task.checkpoint()?;
            let mut entering = Entering::default();
            for (number, &cluster) in (piece * PIECE + 1..).zip(clusters) {
                self.entries_from(number as u32, cluster, (graph, places), &mut entering);
            }
            self.enter((graph, places), &mut entering);
            Ok(entering.detours)
        });
        found.collect()
    }

    /// Adds the exits of a cluster that lead to dominated ones; handles those that wait if they are enough.
    fn entries_from(&self, number: u32, cluster: u32, of_all: (&Digraph<'_>, &[AtomicU32]), entering: &mut Entering) {
        let mut sources = self.clusters.leaving.sources(self.clusters.members.range(cluster));
        for (at, &to) in self.clusters.exits.view().row(cluster).iter().enumerate() {
            if !self.dominated.contains(to) {
                continue;
            }
            prefetch(&self.searched.number, to as usize);
            entering.waiting.push(Entry { number, source: sources.of(at).unwrap_or(NONE), to });
            if entering.waiting.len() == AT_ONCE {
                self.enter(of_all, entering);
            }
        }
    }

    /// Handles the entries that wait, step by step, so that what is needed of one is fetched while others are handled.
    fn enter(&self, (graph, places): (&Digraph<'_>, &[AtomicU32]), entering: &mut Entering) {
        let Entering { waiting, detours, of_hub } = entering;
        for entry in &mut *waiting {
            entry.to = self.searched.number[entry.to as usize];
            prefetch(self.dominators, entry.to as usize);
            prefetch(&self.tree_of, entry.to as usize);
            prefetch(places, entry.to as usize);
        }
        for entry in &*waiting {
            self.trees.prefetch(self.tree_of[entry.to as usize]);
        }
        for Entry { number, source, to } in waiting.drain(..) {
            let above = self.dominators[to as usize];
            if above != number {
                let by = self.of_clusters.child_towards(0, above, number);
                if by != to && detours.last() != Some(&(by, to)) {
                    detours.push((by, to));
                }
            } else if source != NONE {
                self.meet(places, to, source);
            } else if std::mem::replace(of_hub, number) != number {
                self.enter_hubs(number, graph, places);
            }
        }
    }

    /// Handles the exits of a cluster to hubs that it dominates.
    fn enter_hubs(&self, number: u32, graph: &Digraph<'_>, places: &[AtomicU32]) {
        let members = self.clusters.members.of(self.searched.order[number as usize]);
        for (place, &node) in (0_u32..).zip(members) {
            let group = graph.group_of.get(node as usize).unwrap_or(NONE);
            let hub = self.clusters.hubs.get(group as usize).copied().unwrap_or(NONE);
            let to = self.searched.number.get(hub as usize).copied().unwrap_or(0);
            if to != number && self.dominators[to as usize] == number {
                self.meet(places, to, place);
            }
        }
    }

    /// Follows all detours, those that others lead to last.
    fn follow_sorted(&self, detours: &[(u32, u32)], places: &[AtomicU32], task: &Task) -> Result<(), Cancelled> {
        let turned: Vec<(u32, u32)> = detours.iter().map(|&(by, to)| (to, by)).collect();
        let before = Csr::from_edges(places.len(), &turned);
        let edge = |number: u32, n: usize| before.row(number).get(n).copied();
        let place = |number: u32| places[number as usize].load(Relaxed);
        let meet_all = |together: &[u32]| {
            let ways = together.iter().flat_map(|&to| before.row(to).iter().map(move |&by| (to, by)));
            let own = together.iter().map(|&to| (to, to));
            let met = own.chain(ways).fold(NONE, |met, (to, by)| self.common(to, met, place(by)));
            together.iter().for_each(|&to| places[to as usize].store(met, Relaxed));
            Ok(())
        };
        components(places.len() as u32, edge, meet_all, task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, dominators::immediate_dominators, search::search, transpose::transpose};
    use heaplens_testkit::shapes::RandomGraph;

    /// However often detours are followed before they are sorted, the places are the same.
    #[test]
    fn sorted_detours_lead_to_the_same_places() {
        let (space, task) = (MemoryBudget::default(), Task::new());
        let mut sorted = 0;
        for seed in 0..if cfg!(miri) { 40 } else { 4_000 } {
            let shape = RandomGraph::random(seed, 5 + seed as u32 % 40);
            let edges = Csr::from_edges(shape.nodes as usize, &shape.edges);
            let graph = Digraph::plain(&edges);
            let (_, single) = transpose(graph.edges, &task).expect("nobody cancels");
            let marks = Marks::new(&graph, &shape.roots, &Bits::default(), &task).expect("nobody cancels");
            let (clusters, heads) =
                Clusters::find(&graph, &shape.roots, &single, &marks, &space, &task).expect("nobody cancels");
            let mut found = search(clusters.exits(), &heads, &space, &task).expect("nobody cancels");
            let above = immediate_dominators(&mut found, &space, &task).expect("nobody cancels");
            let attaching = Attaching::new(&clusters, &found, &above, &space);
            let of_rounds = |rounds| {
                let places: Vec<AtomicU32> = above.iter().map(|_| AtomicU32::new(NONE)).collect();
                attaching.places(&places, &graph, rounds, &task).expect("nobody cancels");
                places.into_iter().map(AtomicU32::into_inner).collect::<Vec<u32>>()
            };
            let followed = of_rounds(usize::MAX);
            sorted += usize::from(followed.iter().any(|&place| place != NONE && place != 0));
            for rounds in [0, 1, 2] {
                assert_eq!(of_rounds(rounds), followed, "seed {seed}, {rounds} rounds");
            }
        }
        assert!(sorted > 20, "{sorted} graphs with heads below other members");
    }
}
