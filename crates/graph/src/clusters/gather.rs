//! Gathers the members of clusters, those of a block of heads together: level by level, so that the rows of many nodes
//! are known in advance and can be prefetched.

use std::ops::Range;

use rayon::prelude::*;

use super::exits::MANY;
use super::targets::Targets;
use crate::{Digraph, NONE, csr::running_sums, marks::Mark};
use heaplens_base::storage::prefetch;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Nodes ahead of the current one for which starts of rows, and rows, are prefetched.
const STARTS_AHEAD: usize = 24;
const ROWS_AHEAD: usize = 12;

/// Number of waiting members that all cores visit together.
pub(super) const WIDE: usize = 1 << 15;

/// Parts of [`WIDE`] members that one core visits at a time.
const PIECES: usize = 8;

/// What gathering reads.
pub(super) struct Gathering<'a> {
    pub(super) graph: &'a Digraph<'a>,
    pub(super) targets: &'a Targets,
    /// Cluster of the hub of each group.
    pub(super) hubs: &'a [u32],
    /// Number of waiting members that all cores visit together, usually [`WIDE`].
    pub(super) wide: usize,
    pub(super) task: &'a Task,
}

/// Clusters of a block.
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(super) struct Gathered {
    /// Number of members, and of exits, of each cluster.
    pub(super) sizes: Vec<u32>,
    pub(super) degrees: Vec<u32>,
    pub(super) nodes: Vec<u32>,
    /// Position of the parent of each member.
    pub(super) parents: Vec<u32>,
    pub(super) exits: Vec<u32>,
    /// Number of exits of each member, [`MANY`] at most; and, for members with so many, their position and the number.
    pub(super) leaving: Vec<u8>,
    pub(super) many: Vec<(u32, u32)>,
}

/// A node on the way.
#[derive(Clone, Copy)]
struct Member {
    node: u32,
    /// Position of its parent in the list.
    parent: u32,
    /// Cluster, counted from the first of the block.
    cluster: u32,
    /// Group by which it has an edge to a hub that counts, or [`NONE`].
    group: u32,
}

/// What a block of heads leads to.
#[derive(Default)]
struct FoundMembers {
    /// Members with edges, and those without.
    inner: Vec<Member>,
    leaves: Vec<Member>,
    /// Targets of exits, by inner member.
    exits: Vec<u32>,
    /// Number of exits of each inner member, [`MANY`] at most; and, for members with so many, their position and the
    /// number.
    counts: Vec<u8>,
    many: Vec<(u32, u32)>,
}

impl FoundMembers {
    fn members(&self) -> impl Iterator<Item = &Member> {
        self.inner.iter().chain(&self.leaves)
    }

    /// Positions of inner members with exits, each with the range of these.
    fn leaving(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let (mut end, mut many) = (0, self.many.iter());
        let counts = self.counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        counts.map(move |(at, &count)| {
            let count = if count < MANY { usize::from(count) } else { many.next().map_or(0, |&(_, n)| n as usize) };
            end += count;
            (at, end - count..end)
        })
    }
}

impl Gathering<'_> {
    /// Clusters of `heads`, which are numbered from `first`.
    /// `last` has the last cluster in which a hub was met, by group.
    pub(super) fn block(&self, first: u32, heads: &[u32], last: &mut [u32]) -> Result<Gathered, Cancelled> {
        let inner = (0..).zip(heads).map(|(cluster, &node)| Member { node, parent: cluster, cluster, group: NONE });
        let mut members = FoundMembers { inner: inner.collect(), ..FoundMembers::default() };
        self.spread(first, &mut members)?;
        self.task.advance((members.inner.len() + members.leaves.len()) as u64);
        let mut sizes = vec![0_u32; heads.len()];
        members.members().for_each(|member| sizes[member.cluster as usize] += 1);
        Ok(self.sorted(first, sizes, &members, last))
    }

    /// Adds all members of the clusters of the inner ones, and their exits.
    fn spread(&self, first: u32, members: &mut FoundMembers) -> Result<(), Cancelled> {
        let (mut next, mut since_checkpoint) = (0, 0);
        while let Some(&member) = members.inner.get(next) {
            if members.inner.len() - next >= self.wide {
                next = self.spread_wide(first, next, members)?;
                continue;
            }
            self.prefetch_after(&members.inner, next);
            members.inner[next].group = self.group(member.node);
            since_checkpoint += 1 + self.visit(first, next as u32, member, members);
            if since_checkpoint >= CHECKPOINT_EVERY {
                self.task.checkpoint()?;
                since_checkpoint = 0;
            }
            next += 1;
        }
        Ok(())
    }

    /// Visits the inner members from `begin` on, on all cores: a collection of millions of objects is one cluster. What
    /// they lead to is added in their order, as if they were visited one by one; returns the position after the last.
    fn spread_wide(&self, first: u32, begin: usize, gathered: &mut FoundMembers) -> Result<usize, Cancelled> {
        let piece_length = (self.wide / PIECES).max(1);
        let visited =
            gathered.inner[begin..].par_chunks_mut(piece_length).with_max_len(1).enumerate().map(|(piece, members)| {
                self.task.checkpoint()?;
                let mut of_piece = FoundMembers::default();
                for at in 0..members.len() {
                    self.prefetch_after(members, at);
                    members[at].group = self.group(members[at].node);
                    self.visit(first, (begin + piece * piece_length + at) as u32, members[at], &mut of_piece);
                }
                Ok(of_piece)
            });
        let visited = visited.collect::<Result<Vec<FoundMembers>, Cancelled>>()?;
        let end = gathered.inner.len();
        for mut of_piece in visited {
            gathered.inner.append(&mut of_piece.inner);
            gathered.leaves.append(&mut of_piece.leaves);
            gathered.exits.append(&mut of_piece.exits);
            gathered.counts.append(&mut of_piece.counts);
            gathered.many.append(&mut of_piece.many);
        }
        Ok(end)
    }

    /// Loads what members after the one at a position need, in the background.
    #[inline]
    fn prefetch_after(&self, members: &[Member], at: usize) {
        let edges = self.graph.edges;
        if let Some(soon) = members.get(at + STARTS_AHEAD) {
            edges.prefetch_start(soon.node);
            self.graph.group_of.prefetch(soon.node as usize);
        }
        if let Some(soon) = members.get(at + ROWS_AHEAD) {
            prefetch(edges.targets(), edges.begin(soon.node as usize));
        }
    }

    /// Adds what the inner member at a position leads to; returns the number of its edges.
    #[inline]
    fn visit(&self, first: u32, at: u32, member: Member, members: &mut FoundMembers) -> usize {
        let (Member { node, cluster, .. }, before) = (member, members.exits.len());
        let range = self.graph.edge_range(node);
        let edges = range.len();
        for &to in &self.graph.edges.targets()[range] {
            let (head_of, mark) = self.targets.of(to);
            if head_of == NONE {
                let member = Member { node: to, parent: at, cluster, group: NONE };
                match mark {
                    Mark::Settled => members.leaves.push(member),
                    Mark::LeafWithHub => members.leaves.push(Member { group: self.group(to), ..member }),
                    Mark::Plain | Mark::WithHub => members.inner.push(member),
                }
            // An edge to the own head adds no path.
            } else if mark != Mark::Settled && head_of != first + cluster {
                members.exits.push(head_of);
            }
        }
        let count = members.exits.len() - before;
        members.counts.push(u8::try_from(count).unwrap_or(MANY));
        if count >= usize::from(MANY) {
            members.many.push((at, count as u32));
        }
        edges
    }

    /// Group of the edge of a node to a hub, if it has one that counts.
    #[inline]
    fn group(&self, node: u32) -> u32 {
        if self.targets.mark(node) == Mark::Plain {
            return NONE;
        }
        // The mark of a root does not tell.
        let hub = self.graph.hub(node);
        if hub == NONE || self.targets.mark(hub) == Mark::Settled {
            return NONE;
        }
        self.graph.group_of.get(node as usize).unwrap_or(NONE)
    }

    /// Members and exits, cluster by cluster.
    fn sorted(&self, first: u32, sizes: Vec<u32>, members: &FoundMembers, last: &mut [u32]) -> Gathered {
        let starts: Vec<u32> = running_sums(&sizes);
        let mut next = starts.clone();
        let count = members.inner.len() + members.leaves.len();
        let (mut nodes, mut parents, mut groups) = (vec![0; count], vec![0; count], vec![NONE; count]);
        // Position of each inner member in its cluster.
        let mut positions = vec![0_u32; members.inner.len()];
        for (at, member) in members.members().enumerate() {
            let next = &mut next[member.cluster as usize];
            let position = *next - starts[member.cluster as usize];
            if let Some(of_inner) = positions.get_mut(at) {
                *of_inner = position;
            }
            // That of a head is its own.
            parents[*next as usize] = positions[member.parent as usize];
            (nodes[*next as usize], groups[*next as usize]) = (member.node, member.group);
            *next += 1;
        }
        let mut degrees = vec![0_u32; sizes.len()];
        let cluster = |at: usize| members.inner[at].cluster as usize;
        members.leaving().for_each(|(at, exits)| degrees[cluster(at)] += exits.len() as u32);
        let hubs = self.hub_exits(first, &starts, &groups, last);
        hubs.iter().for_each(|&(cluster, _)| degrees[cluster as usize] += 1);
        let mut next: Vec<u64> = running_sums(&degrees);
        let mut exits = vec![0; members.exits.len() + hubs.len()];
        let (mut leaving, mut many) = (vec![0; count], Vec::new());
        // Members of a cluster are in the order of their positions here too.
        for (at, range) in members.leaving() {
            let member = starts[cluster(at)] + positions[at];
            leaving[member as usize] = members.counts[at];
            if members.counts[at] == MANY {
                many.push((member, range.len() as u32));
            }
            let next = &mut next[cluster(at)];
            let begin = *next as usize;
            *next += range.len() as u64;
            exits[begin..*next as usize].copy_from_slice(&members.exits[range]);
        }
        many.sort_unstable();
        for (cluster, hub) in hubs {
            let at = &mut next[cluster as usize];
            exits[*at as usize] = hub;
            *at += 1;
        }
        Gathered { sizes, degrees, nodes, parents, exits, leaving, many }
    }

    /// Clusters, and heads of the hubs that their members lead to: each hub once.
    fn hub_exits(&self, first: u32, starts: &[u32], groups: &[u32], last: &mut [u32]) -> Vec<(u32, u32)> {
        let mut exits = Vec::new();
        for (cluster, members) in (0_u32..).zip(starts.windows(2)) {
            let members = members[0] as usize..members[1] as usize;
            for &group in groups[members].iter().filter(|&&group| group != NONE) {
                if std::mem::replace(&mut last[group as usize], first + cluster) == first + cluster {
                    continue;
                }
                let hub = self.hubs[group as usize];
                if hub != first + cluster {
                    exits.push((cluster, hub));
                }
            }
        }
        exits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, Csr, Marks, transpose::transpose};
    use heaplens_testkit::shapes::RandomGraph;

    /// However many members are visited together, a block is the same.
    #[test]
    fn members_visited_together_are_as_visited_one_by_one() {
        let task = Task::new();
        for seed in 0..if cfg!(miri) { 20 } else { 2_000 } {
            let shape = RandomGraph::random(seed, 5 + seed as u32 % 60);
            let edges = Csr::from_edges(shape.nodes as usize, &shape.edges);
            let graph = Digraph::plain(&edges);
            let (_, mut single) = transpose(graph.edges, &task).expect("nobody cancels");
            shape.roots.iter().for_each(|&root| single.remove(root));
            let marks = Marks::new(&graph, &shape.roots, &Bits::default(), &task).expect("nobody cancels");
            let heads: Vec<u32> = single.absent(graph.len()).collect();
            let targets = Targets::new(graph.len(), &single, &marks);
            let gathered = |wide| {
                let gathering = Gathering { graph: &graph, targets: &targets, hubs: &[], wide, task: &task };
                gathering.block(0, &heads, &mut []).expect("nobody cancels")
            };
            let one_by_one = gathered(usize::MAX);
            for wide in [1, 2, 3, 20] {
                assert_eq!(gathered(wide), one_by_one, "seed {seed}, {wide} together");
            }
        }
    }
}
