//! Gathers the members of clusters, those of a block of heads together: level by level, so that the rows of many nodes
//! are known in advance and can be prefetched.

use crate::{Bits, Digraph, Marks, NONE, csr::running_sums, marks::Mark, ranks::Ranks};
use heaplens_base::storage::prefetch::prefetch;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Nodes ahead of the current one for which starts of rows, and rows, are prefetched.
const STARTS_AHEAD: usize = 24;
const ROWS_AHEAD: usize = 12;

/// What gathering reads.
pub(super) struct Gathering<'a> {
    pub(super) graph: &'a Digraph<'a>,
    /// Members of clusters that are no heads.
    pub(super) single: &'a Bits,
    pub(super) marks: &'a Marks,
    /// Heads.
    pub(super) ranks: &'a Ranks,
    /// Cluster of the hub of each group.
    pub(super) hubs: &'a [u32],
    pub(super) task: &'a Task,
}

/// Clusters of a block.
pub(super) struct Gathered {
    /// Number of members, and of exits, of each cluster.
    pub(super) sizes: Vec<u32>,
    pub(super) degrees: Vec<u32>,
    pub(super) nodes: Vec<u32>,
    /// Place of the parent of each member.
    pub(super) parents: Vec<u32>,
    pub(super) exits: Vec<u32>,
    pub(super) sources: Vec<u32>,
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

#[derive(Clone, Copy)]
struct Exit {
    /// Position of its source in the list.
    from: u32,
    cluster: u32,
    to: u32,
}

impl Gathering<'_> {
    /// Clusters of `heads`, which are numbered from `first`.
    /// `last` has the last cluster in which a hub was met, by group.
    pub(super) fn block(&self, first: u32, heads: &[u32], last: &mut [u32]) -> Result<Gathered, Cancelled> {
        let (mut inner, mut leaves, mut exits) = (Vec::new(), Vec::new(), Vec::new());
        for (cluster, &node) in (0..).zip(heads) {
            inner.push(Member { node, parent: cluster, cluster, group: NONE });
        }
        self.spread(first, &mut inner, &mut leaves, &mut exits)?;
        self.task.advance((inner.len() + leaves.len()) as u64);
        let mut sizes = vec![0_u32; heads.len()];
        inner.iter().chain(&leaves).for_each(|member| sizes[member.cluster as usize] += 1);
        Ok(self.sorted(first, sizes, (&inner, &leaves), &exits, last))
    }

    /// Adds all members of the clusters in `inner`: those without edges to `leaves`.
    fn spread(
        &self,
        first: u32,
        inner: &mut Vec<Member>,
        leaves: &mut Vec<Member>,
        exits: &mut Vec<Exit>,
    ) -> Result<(), Cancelled> {
        let (edges, targets) = (self.graph.edges, self.graph.edges.targets());
        let (mut next, mut since_checkpoint) = (0, 0);
        while let Some(&Member { node, cluster, .. }) = inner.get(next) {
            if let Some(soon) = inner.get(next + STARTS_AHEAD) {
                edges.prefetch_start(soon.node);
            }
            if let Some(soon) = inner.get(next + ROWS_AHEAD) {
                prefetch(targets, edges.begin(soon.node as usize));
            }
            inner[next].group = self.group(node);
            let range = self.graph.edge_range(node);
            since_checkpoint += 1 + range.len();
            if since_checkpoint >= CHECKPOINT_EVERY {
                self.task.checkpoint()?;
                since_checkpoint = 0;
            }
            let parent = next as u32;
            for &to in &targets[range] {
                let mark = self.marks.of(to);
                if self.single.contains(to) {
                    let member = Member { node: to, parent, cluster, group: NONE };
                    match mark {
                        Mark::Settled => leaves.push(member),
                        Mark::LeafWithHub => leaves.push(Member { group: self.group(to), ..member }),
                        Mark::Plain | Mark::WithHub => inner.push(member),
                    }
                } else if mark != Mark::Settled {
                    let to = self.ranks.up_to(to) as u32 - 1;
                    // An edge to the own head adds no path.
                    if to != first + cluster {
                        exits.push(Exit { from: parent, cluster, to });
                    }
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// Group of the edge of a node to a hub, if it has one that counts.
    #[inline]
    fn group(&self, node: u32) -> u32 {
        if self.marks.of(node) == Mark::Plain {
            return NONE;
        }
        // The mark of a root does not tell.
        let hub = self.graph.hub(node);
        if hub == NONE || self.marks.of(hub) == Mark::Settled {
            return NONE;
        }
        self.graph.group_of.get(node as usize).unwrap_or(NONE)
    }

    /// Members and exits, cluster by cluster.
    fn sorted(
        &self,
        first: u32,
        sizes: Vec<u32>,
        members: (&[Member], &[Member]),
        exits: &[Exit],
        last: &mut [u32],
    ) -> Gathered {
        let (inner, leaves) = members;
        let starts: Vec<u32> = running_sums(&sizes);
        let mut next = starts.clone();
        let count = inner.len() + leaves.len();
        let (mut nodes, mut parents, mut groups) = (vec![0; count], vec![0; count], vec![NONE; count]);
        // Place of each inner member in its cluster.
        let mut places = vec![0_u32; inner.len()];
        for (at, member) in inner.iter().chain(leaves).enumerate() {
            let next = &mut next[member.cluster as usize];
            let place = *next - starts[member.cluster as usize];
            if let Some(of_inner) = places.get_mut(at) {
                *of_inner = place;
            }
            // That of a head is its own.
            parents[*next as usize] = places[member.parent as usize];
            (nodes[*next as usize], groups[*next as usize]) = (member.node, member.group);
            *next += 1;
        }
        let mut degrees = vec![0_u32; sizes.len()];
        exits.iter().for_each(|exit| degrees[exit.cluster as usize] += 1);
        let hubs = self.hub_exits(first, &starts, &groups, last);
        hubs.iter().for_each(|&(cluster, _)| degrees[cluster as usize] += 1);
        let mut next: Vec<u64> = running_sums(&degrees);
        let count = exits.len() + hubs.len();
        let (mut targets, mut sources) = (vec![0; count], vec![NONE; count]);
        for exit in exits {
            let at = &mut next[exit.cluster as usize];
            (targets[*at as usize], sources[*at as usize]) = (exit.to, places[exit.from as usize]);
            *at += 1;
        }
        for (cluster, hub) in hubs {
            let at = &mut next[cluster as usize];
            targets[*at as usize] = hub;
            *at += 1;
        }
        Gathered { sizes, degrees, nodes, parents, exits: targets, sources }
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
