//! Breadth-first distances.
//!
//! Level by level, nodes of a level on any thread: two threads may reach a node at once, but both assign the same
//! distance, so results do not depend on their number. Only distances are stored, four bytes per node; the predecessor
//! on a shortest path is any retainer with a distance lower by one. A level is a list of nodes while it is short; a
//! long one is found again by its distance, so waiting nodes never take much memory.
//!
//! Exclusive leaves get the distance of the next level when their parent is visited, and are queued only if they have a
//! hub to lead to.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::{Bits, Digraph, Marks, NONE, marks::Mark};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Number of nodes of a level that justifies a separate task.
const PIECE: usize = 1 << 11;

/// A level of more nodes than this part of all, and more than [`ALWAYS_LISTED`], is not listed.
const LISTED: usize = 16;

/// Number of nodes up to which a level is always listed. The list takes four megabytes.
const ALWAYS_LISTED: usize = 1 << 20;

struct Levels<'a> {
    graph: &'a Digraph<'a>,
    marks: &'a Marks,
    distance: &'a [AtomicU32],
    /// Maximum number of nodes in the list of a level.
    room: usize,
    /// Nodes found for the next level.
    listed: AtomicUsize,
}

/// Number of edges from the nearest root for every node, [`NONE`] if unreachable.
pub fn distances(
    graph: &Digraph<'_>,
    roots: &[u32],
    marks: &Marks,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Buffer<u32>, Cancelled> {
    let room = (graph.len() / LISTED).max(ALWAYS_LISTED);
    distances_within(room, graph, roots, marks, budget, task)
}

/// [`distances`] with lists of at most `room` nodes. The result does not depend on it.
pub fn distances_within(
    room: usize,
    graph: &Digraph<'_>,
    roots: &[u32],
    marks: &Marks,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Buffer<u32>, Cancelled> {
    let nodes = graph.len();
    let mut of_all = budget.scratch::<u32>(nodes);
    of_all.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).for_each(|block| block.fill(NONE));
    let levels = Levels { graph, marks, distance: of_all.shared(), room, listed: AtomicUsize::new(0) };
    let start = || roots.iter().for_each(|&root| levels.distance[root as usize].store(0, Ordering::Relaxed));
    start();
    let mut level = roots.to_vec();
    let mut next = Vec::new();
    let mut since_checkpoint = 0;
    for depth in 0.. {
        let listed = levels.listed.swap(0, Ordering::Relaxed) <= levels.room;
        if listed && level.is_empty() {
            break;
        }
        if listed && level.len() <= PIECE {
            since_checkpoint += 1 + levels.follow_all(&level, depth, &mut next);
            if since_checkpoint >= CHECKPOINT_EVERY {
                task.checkpoint()?;
                since_checkpoint = 0;
            }
        } else if listed {
            next = levels.gather(level.par_chunks(PIECE).with_max_len(1).map(|piece| {
                task.checkpoint()?;
                let mut next = Vec::new();
                levels.follow_all(piece, depth, &mut next);
                Ok(next)
            }))?;
        } else {
            next = levels.gather(task.par_blocks(nodes).map(|block| {
                let (mut next, mut counted) = (Vec::new(), 0);
                for node in block? {
                    if levels.distance[node].load(Ordering::Relaxed) != depth {
                        continue;
                    }
                    // A root with an incoming edge shows up again, and was already visited.
                    if depth == 0 || marks.of(node as u32) != Mark::Settled {
                        levels.follow(node as u32, depth, &mut next);
                        levels.count(&mut next, &mut counted, PIECE);
                    }
                }
                levels.count(&mut next, &mut counted, 0);
                Ok(next)
            }))?;
        }
        level.clear();
        std::mem::swap(&mut level, &mut next);
    }
    // A root has the same mark as a leaf, and may have been given a distance as if it were one.
    start();
    Ok(of_all)
}

impl Levels<'_> {
    fn gather(&self, lists: impl ParallelIterator<Item = Result<Vec<u32>, Cancelled>>) -> Result<Vec<u32>, Cancelled> {
        let lists: Vec<Vec<u32>> = lists.collect::<Result<_, _>>()?;
        // Too many are not listed; they are found by their distance.
        let complete = self.listed.load(Ordering::Relaxed) <= self.room;
        Ok(if complete { lists.concat() } else { Vec::new() })
    }

    /// Visits the successors of each node, and lists them in `next`, which is empty; returns the number of edges.
    fn follow_all(&self, nodes: &[u32], depth: u32, next: &mut Vec<u32>) -> usize {
        let edges = nodes.iter().map(|&node| self.follow(node, depth, next)).sum();
        self.count(next, &mut 0, 0);
        edges
    }

    /// Adds the nodes of `next` from `counted` on to those of the level, if they are more than `few`; drops all if the
    /// level has too many to list. Threads share the count: to touch it for each node would take longer than to visit
    /// it.
    #[inline]
    fn count(&self, next: &mut Vec<u32>, counted: &mut usize, few: usize) {
        let more = next.len() - *counted;
        if more > few {
            if self.listed.fetch_add(more, Ordering::Relaxed) + more > self.room {
                next.clear();
            }
            *counted = next.len();
        }
    }

    #[inline]
    fn follow(&self, node: u32, depth: u32, next: &mut Vec<u32>) -> usize {
        // The mark of a root does not tell if its hub counts.
        if depth == 0 || matches!(self.marks.of(node), Mark::WithHub | Mark::LeafWithHub) {
            let hub = self.graph.hub(node);
            if hub != NONE {
                self.find(hub, depth + 1, next);
            }
        }
        let range = self.graph.edge_range(node);
        let edges = range.len();
        for &to in &self.graph.edges.targets()[range] {
            match self.marks.of(to) {
                Mark::Plain | Mark::WithHub => self.find(to, depth + 1, next),
                Mark::Settled => self.distance[to as usize].store(depth + 1, Ordering::Relaxed),
                Mark::LeafWithHub => {
                    self.distance[to as usize].store(depth + 1, Ordering::Relaxed);
                    if self.distance[self.graph.hub(to) as usize].load(Ordering::Relaxed) == NONE {
                        next.push(to);
                    }
                }
            }
        }
        edges
    }

    #[inline]
    fn find(&self, to: u32, distance: u32, next: &mut Vec<u32>) {
        let of_node = &self.distance[to as usize];
        if of_node.load(Ordering::Relaxed) == NONE {
            of_node.store(distance, Ordering::Relaxed);
            next.push(to);
        }
    }
}

/// Extends `distance` along the edges that `graph` excludes (`skip_first`) of the nodes in `loose`: nodes without a
/// path of the graph's own edges get the length of a shortest path that uses them. Returns the nodes found so.
pub fn extend_loosely(graph: &Digraph<'_>, loose: &Bits, distance: &mut [u32], task: &Task) -> Result<Bits, Cancelled> {
    let mut only_loosely = Bits::new(graph.len());
    let end = |node: u32| graph.edges.row(node).first().copied();
    let mut sources: Vec<u32> = loose.iter().filter(|&n| distance[n as usize] != NONE).collect();
    task.checkpoint()?;
    sources.sort_by_key(|&n| distance[n as usize]);
    // Two queues, each sorted by distance; the nearer head goes first, so nodes are found in order of distance.
    let mut sources = sources.into_iter().peekable();
    let mut queue: VecDeque<u32> = VecDeque::new();
    let mut steps = 0_usize;
    loop {
        let source = sources.peek().map(|&n| distance[n as usize]);
        let queued = queue.front().map(|&n| distance[n as usize]);
        let from = match (source, queued) {
            (Some(s), q) if q.is_none_or(|q| s <= q) => sources.next(),
            _ => queue.pop_front(),
        };
        let Some(from) = from else { return Ok(only_loosely) };
        // A source's own edges were followed before.
        let own = only_loosely.contains(from).then(|| graph.successors(from)).into_iter().flatten();
        for to in own.chain(end(from).filter(|_| loose.contains(from))) {
            if distance[to as usize] == NONE {
                distance[to as usize] = distance[from as usize] + 1;
                only_loosely.insert(to);
                queue.push_back(to);
            }
        }
        steps += 1;
        task.checkpoint_at(steps)?;
    }
}
