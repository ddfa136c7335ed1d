//! Parts of a graph that need no search: *clusters*.
//!
//! A node with exactly one incoming edge is dominated by the source of that edge. So such nodes form trees, each below
//! a node with several incoming edges, with none, or at which the search begins: the *head* of the cluster. In heaps of
//! Java programs, two thirds to nine tenths of all objects are no heads.
//!
//! Clusters are found in parallel, and only the graph of their heads is searched: an edge from any member of one
//! cluster to the head of another, an *exit*, is an edge between the two. Its dominators say in which cluster the
//! immediate dominator of a head is; [`attach`] finds the member.
//!
//! The implicit edges from nodes to the hubs of their groups are exits too. A cluster has one for each hub, whichever
//! members have it.

mod ancestors;
pub mod attach;
mod detours;
mod exits;
mod gather;
mod placing;
mod targets;
mod trees;

use std::ops::Range;

use rayon::prelude::*;

use self::exits::Leaving;
use self::gather::{Gathered, Gathering, WIDE};
use self::targets::Targets;
use super::{Bits, Csr, Digraph, Marks, NONE, Rows};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{Cancelled, Task};

/// Clusters gathered by one thread at a time.
const BLOCK: usize = 1 << 10;
/// Blocks that a thread takes at a time; they share a list of the hubs that were met.
const TURN: usize = 4;
/// Blocks gathered together before they are appended.
const BATCH: usize = 64;

/// Clusters of a graph, and the edges between them. A *position* is the index of a member in its cluster; that of the
/// head is 0.
pub struct Clusters {
    members: Members,
    /// Heads of clusters that an edge leads to, by cluster. They may repeat.
    exits: Csr,
    leaving: Leaving,
    /// Cluster that the hub of each group heads; [`NONE`] without a hub.
    hubs: Vec<u32>,
}

/// Nodes of clusters, and their trees.
pub struct Members {
    /// Members of all clusters, parents before their children.
    nodes: Buffer<u32>,
    /// Position of the parent of each member; 0 for heads.
    parents: Buffer<u32>,
    /// First member of each cluster, and the number of all members.
    starts: Vec<u32>,
}

impl Clusters {
    /// Clusters of the graph, those of unreachable heads too; and the numbers of those that the nodes in `roots` head.
    /// `single` are the nodes with exactly one incoming edge, as [`super::transpose::transpose_into`] finds them,
    /// `marks` those of the graph and the roots. Progress counts nodes.
    pub fn find(
        graph: &Digraph<'_>,
        roots: &[u32],
        single: &Bits,
        marks: &Marks,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<(Self, Vec<u32>), Cancelled> {
        let mut single = single.clone();
        let hubs = graph.hubs.iter().filter(|&&hub| hub != NONE);
        roots.iter().chain(hubs).for_each(|&node| single.remove(node));
        let heads: Vec<u32> = single.absent(graph.len()).collect();
        let targets = Targets::new(graph.len(), &single, marks);
        let most_exits = graph.edges.edges() - single.count() + marks.with_hub() + roots.len();
        let mut all = Growing {
            nodes: budget.scratch(graph.len()),
            parents: budget.scratch(graph.len()),
            starts: Vec::with_capacity(heads.len() + 1),
            degrees: budget.scratch(heads.len() + 1),
            exits: budget.scratch(most_exits),
            leaving: Leaving::new(graph.len(), budget),
            members: 0,
            edges: 0,
        };
        let cluster = |node: u32| targets.of(node).0;
        let hubs: Vec<u32> = graph.hubs.iter().map(|&hub| if hub == NONE { NONE } else { cluster(hub) }).collect();
        let gathering = Gathering { graph, targets: &targets, hubs: &hubs, wide: WIDE, task };
        let mut ready = Vec::new();
        for (batch, heads) in heads.chunks(BLOCK * BATCH).enumerate() {
            let first = batch * BLOCK * BATCH;
            let last = || vec![NONE; hubs.len()];
            let gather = |last: &mut Vec<u32>, (block, heads): (usize, &[u32])| {
                gathering.block((first + block * BLOCK) as u32, heads, last)
            };
            let ((), gathered) = rayon::join(
                || ready.drain(..).for_each(|block| all.append(&block)),
                || {
                    let blocks = heads.par_chunks(BLOCK).with_max_len(TURN).enumerate().map_init(last, gather);
                    blocks.collect::<Result<Vec<Gathered>, Cancelled>>()
                },
            );
            ready = gathered?;
        }
        ready.drain(..).for_each(|block| all.append(&block));
        let roots = roots.iter().map(|&root| cluster(root)).collect();
        Ok((all.finish(hubs, budget), roots))
    }

    /// By cluster, the clusters that its exits lead to; none is headed by a root.
    pub fn exits(&self) -> Rows<'_> {
        self.exits.view()
    }

    /// Members of a cluster, the head first.
    pub fn members(&self, cluster: u32) -> &[u32] {
        self.members.of(cluster)
    }
}

impl Members {
    fn range(&self, cluster: u32) -> Range<usize> {
        self.starts[cluster as usize] as usize..self.starts[cluster as usize + 1] as usize
    }

    /// Members of a cluster, by position.
    fn of(&self, cluster: u32) -> &[u32] {
        &self.nodes[self.range(cluster)]
    }

    /// Tree of a cluster: by position, the position of the parent, which comes before it.
    fn parents(&self, cluster: u32) -> &[u32] {
        &self.parents[self.range(cluster)]
    }
}

/// Clusters while they are appended.
struct Growing {
    nodes: Buffer<u32>,
    parents: Buffer<u32>,
    starts: Vec<u32>,
    degrees: Buffer<u32>,
    exits: Buffer<u32>,
    leaving: Leaving,
    members: usize,
    edges: usize,
}

impl Growing {
    fn append(&mut self, block: &Gathered) {
        let members = self.members..self.members + block.nodes.len();
        let edges = self.edges..self.edges + block.exits.len();
        self.leaving.append(members.start, &block.leaving, &block.many);
        self.nodes[members.clone()].copy_from_slice(&block.nodes);
        self.parents[members].copy_from_slice(&block.parents);
        self.exits[edges.clone()].copy_from_slice(&block.exits);
        for (&size, &degree) in block.sizes.iter().zip(&block.degrees) {
            self.degrees[self.starts.len()] = degree;
            self.starts.push(self.members as u32);
            self.members += size as usize;
        }
        self.edges = edges.end;
    }

    fn finish(mut self, hubs: Vec<u32>, budget: &MemoryBudget) -> Clusters {
        self.degrees[self.starts.len()] = 0;
        self.starts.push(self.members as u32);
        self.nodes.set_len(self.members);
        self.parents.set_len(self.members);
        self.exits.set_len(self.edges);
        self.leaving.set_len(self.members);
        let exits = Csr::layout_in_place(self.degrees, budget).with(self.exits);
        let members = Members { nodes: self.nodes, parents: self.parents, starts: self.starts };
        Clusters { members, exits, leaving: self.leaving, hubs }
    }
}
