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

use super::{crossings::BUCKET, search::Search};
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
pub fn immediate_dominators(search: &mut Search, space: &MemoryBudget, task: &Task) -> Result<Buffer<u32>, Cancelled> {
    let mut tree_parents = std::mem::replace(&mut search.parent, space.buffer(0));
    let semis = semidominators(&tree_parents, search, space, task)?;
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
    space: &MemoryBudget,
    task: &Task,
) -> Result<Buffer<u32>, Cancelled> {
    let count = parent.len();
    let (mut of_all, mut linked) = (space.scratch::<u32>(count), space.scratch::<Link>(count));
    let (semis, links) = (&mut of_all[..], &mut linked[..]);
    let mut path = Vec::new();
    let (mut tree, mut lowest) = (u32::MAX, 0);
    for bucket in (0..count.div_ceil(BUCKET)).rev() {
        let rows = search.crossings.take(bucket);
        let mut prefetch = LinkPrefetch { from: rows.sources().len() };
        let first = bucket * BUCKET;
        let mut since_checkpoint = 0;
        for n in (first.max(1)..(first + BUCKET).min(count)).rev() {
            let (own, n) = (n, n as u32);
            let mut semi = parent[own];
            if n < tree {
                // Highest number of a tree not met yet.
                tree = search.trees[search.trees.partition_point(|&t| t <= n) - 1];
                lowest = tree;
            }
            if search.detached.contains(n) {
                (semi, lowest) = (0, 0);
            }
            let mut row = rows.of(n);
            while let Some(at) = row.next_back() {
                // Nothing can be smaller, so skip the rest.
                if semi <= lowest {
                    break;
                }
                since_checkpoint += 1;
                if since_checkpoint >= CHECKPOINT_EVERY {
                    task.checkpoint()?;
                    since_checkpoint = 0;
                }
                prefetch.reach(at, rows.sources(), links);
                semi = semi.min(eval(links, rows.sources()[at], n, &mut path));
            }
            semis[own] = semi;
            links[own] = Link { ancestor: parent[own], label: semi };
        }
        task.advance_checked((first + BUCKET).min(count) as u64 - first as u64)?;
    }
    Ok(of_all)
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
