//! Immediate dominators by semi-NCA.
//!
//! The method is SEMI-NCA of L. Georgiadis and R. E. Tarjan ("Finding
//! Dominators Revisited", 2004; also Georgiadis, Werneck, Tarjan, Triantafyllis
//! and August, "Finding Dominators in Practice", ESA 2004). Its first half is
//! that of Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a
//! Flowgraph", TOPLAS 1979): nodes are taken in reverse preorder, *link* joins a
//! node to the forest of those done, and *eval* finds the smallest
//! semidominator on the forest path above a node, compressing the path. The
//! second half needs no buckets: in preorder, the immediate dominator is the
//! nearest ancestor, along the dominators already known, whose number is not
//! above the semidominator, that is, the nearest common ancestor of the tree
//! parent and the semidominator.
//!
//! Linking is implicit: a node counts as linked once its number is above the current one. The data that *eval* needs of
//! a linked node is one record of 8 bytes, so following a path costs one cache miss per node.
//!
//! A node reached from a later tree (*detached*) has the virtual root as its semidominator and needs no evaluation. Nor
//! do further predecessors once the semidominator is as low as possible in this tree.

use bytemuck::{Pod, Zeroable};

use super::{
    Bits,
    crossings::{BUCKET, BucketSources},
    search::Search,
};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// State of a linked number.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct Link {
    /// Compressed path: an ancestor in the forest.
    ancestor: u32,
    /// Smallest semidominator between here and `ancestor`, excluding the latter.
    label: u32,
}

/// The immediate dominator of each number of the search; 0 is the virtual root.
/// Consumes the crossings and parents of `search`. Progress counts nodes, twice.
pub fn immediate_dominators(search: &mut Search, budget: &MemoryBudget, task: &Task) -> Result<Buffer<u32>, Cancelled> {
    let mut tree_parents = std::mem::replace(&mut search.parent, budget.buffer(0));
    let semis = semidominators(&tree_parents, search, budget, task)?;
    let (semis, parent) = (&semis[..], &mut tree_parents[..]);
    for n in 1..parent.len() {
        if n.is_multiple_of(CHECKPOINT_EVERY) {
            task.advance_checked(CHECKPOINT_EVERY as u64)?;
        }
        let (semi, mut idom) = (semis[n], parent[n]);
        // Nearly always there is nothing in between.
        if semi == 0 {
            idom = 0;
        }
        while idom > semi {
            // All numbers before n are done: these are final immediate dominators.
            idom = parent[idom as usize];
        }
        parent[n] = idom;
    }
    Ok(tree_parents)
}

fn semidominators(
    parent: &[u32],
    search: &mut Search,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Buffer<u32>, Cancelled> {
    let count = parent.len();
    let (mut of_all, mut linked) = (budget.scratch::<u32>(count), budget.scratch::<Link>(count));
    let Search { crossings, detached, trees, .. } = search;
    let mut evaluation = Evaluation {
        parent,
        detached,
        trees,
        semis: &mut of_all,
        links: &mut linked,
        path: Vec::new(),
        tree: u32::MAX,
        lowest: 0,
    };
    let buckets = count.div_ceil(BUCKET);
    let mut rows = crossings.take(buckets - 1, detached, BucketSources::default());
    let mut spare = BucketSources::default();
    for bucket in (0..buckets).rev() {
        // The next bucket is arranged by another thread, if one is free.
        let (evaluated, next) = rayon::join(
            || evaluation.bucket(bucket, &rows, task),
            || bucket.checked_sub(1).map(|next| crossings.take(next, detached, spare)),
        );
        evaluated?;
        spare = std::mem::replace(&mut rows, next.unwrap_or_default());
    }
    Ok(of_all)
}

/// Semidominators of the numbers down to some bucket.
struct Evaluation<'a> {
    parent: &'a [u32],
    detached: &'a Bits,
    /// Roots of trees, ascending.
    trees: &'a [u32],
    semis: &'a mut [u32],
    links: &'a mut [Link],
    /// Room for paths.
    path: Vec<u32>,
    /// Root of the current tree, and the lowest semidominator that its remaining numbers can have.
    tree: u32,
    lowest: u32,
}

impl Evaluation<'_> {
    /// Finds the semidominators of a bucket, given its crossings.
    fn bucket(&mut self, bucket: usize, rows: &BucketSources, task: &Task) -> Result<(), Cancelled> {
        let count = self.parent.len();
        let mut prefetch = LinkPrefetch { from: rows.sources().len() };
        let first = bucket * BUCKET;
        let mut since_checkpoint = 0;
        for n in (first.max(1)..(first + BUCKET).min(count)).rev() {
            let (own, n) = (n, n as u32);
            let mut semi = self.parent[own];
            if n < self.tree {
                // Highest number of a tree not met yet.
                self.tree = self.trees[self.trees.partition_point(|&t| t <= n) - 1];
                self.lowest = self.tree;
            }
            if self.detached.contains(n) {
                (semi, self.lowest) = (0, 0);
            }
            let mut row = rows.of(n);
            while let Some(at) = row.next_back() {
                // Nothing can be smaller, so skip the rest.
                if semi <= self.lowest {
                    break;
                }
                since_checkpoint += 1;
                if since_checkpoint >= CHECKPOINT_EVERY {
                    task.checkpoint()?;
                    since_checkpoint = 0;
                }
                prefetch.reach(at, rows.sources(), self.links);
                semi = semi.min(eval(self.links, rows.sources()[at], n, &mut self.path));
            }
            self.semis[own] = semi;
            self.links[own] = Link { ancestor: self.parent[own], label: semi };
        }
        task.advance_checked((first + BUCKET).min(count) as u64 - first as u64)
    }
}

/// Prefetch for links, which are accessed at random: each access is a cache miss that blocks the next. Touching those
/// of the next sources together makes the misses overlap.
struct LinkPrefetch {
    /// Links of sources from here on were prefetched.
    from: usize,
}

impl LinkPrefetch {
    const AHEAD: usize = 64;

    /// Prefetches down to the source at a position.
    #[inline]
    fn reach(&mut self, at: usize, sources: &[u32], links: &[Link]) {
        if at >= self.from {
            return;
        }
        self.from = (at + 1).saturating_sub(Self::AHEAD);
        let touched = sources[self.from..=at].iter().fold(0, |all, &from| all ^ links[from as usize].ancestor);
        std::hint::black_box(touched);
    }
}

/// Smallest semidominator on the forest path from `from` up to, not including,
/// the first node that is not linked yet (number at most `current`). A node
/// that is itself not linked answers with its own number.
#[inline]
fn eval(links: &mut [Link], from: u32, current: u32, path: &mut Vec<u32>) -> u32 {
    if from <= current {
        return from;
    }
    let Link { mut ancestor, label } = links[from as usize];
    if ancestor <= current || label == 0 {
        return label;
    }
    // Up to the highest linked node, then down again, passing on the smallest label and the top. A label of 0 is final:
    // nodes above need not be visited again.
    path.clear();
    let mut at = from;
    while ancestor > current && links[at as usize].label != 0 {
        path.push(at);
        at = ancestor;
        ancestor = links[at as usize].ancestor;
    }
    let top = ancestor;
    let mut label = links[at as usize].label;
    for &below in path.iter().rev() {
        let link = &mut links[below as usize];
        label = label.min(link.label);
        *link = Link { ancestor: top, label };
    }
    label
}
