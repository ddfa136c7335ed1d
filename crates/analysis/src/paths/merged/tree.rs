//! Tree of merged paths: summed up from its leaves, and laid out with the children of each node side by side.

use std::cmp::Reverse;

use super::path_forest::PathForest;
use crate::answers::DumpData;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::{Heap, ObjectId};

/// A node of the tree.
#[derive(Debug, Clone, Copy, Default)]
pub struct Node {
    /// The object; the first if there are several.
    object: u32,
    /// Predecessor on the path; [`NONE`] for roots.
    before: u32,
    name: u32,
    first_child: u32,
    children: u32,
    /// Number of objects merged into this node: a chain, or objects of a class held in the same way.
    pub steps: u32,
    /// Number of requested objects below it, itself included.
    pub objects: u32,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Bytes dominated by single ones of them; each byte counts once.
    pub retained: Bytes,
}

impl Node {
    /// The object; the first if there are several.
    pub fn object(&self) -> Option<ObjectId> {
        ObjectId::from_raw(self.object)
    }

    /// Predecessor on the path; `None` for roots.
    pub fn before(&self) -> Option<ObjectId> {
        ObjectId::from_raw(self.before)
    }

    /// Number of children.
    pub fn children(&self) -> u64 {
        u64::from(self.children)
    }
}

/// Merged paths to many objects.
#[derive(Debug, Default)]
pub struct MergedTree {
    /// The virtual root, then every node before its descendants.
    nodes: Vec<Node>,
    /// Names of references, if nodes are distinguished by them.
    names: Vec<Box<str>>,
    /// Number of requested objects without a path.
    pub unreached: u64,
}

/// Index of the virtual root.
pub const TOP: usize = 0;

impl MergedTree {
    /// A node.
    pub fn node(&self, node: usize) -> Option<&Node> {
        self.nodes.get(node)
    }

    /// Number of nodes, including the virtual root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there is no path.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// The `index`-th child of a node: largest retained size first.
    pub fn child(&self, node: usize, index: u64) -> Option<usize> {
        let above = self.nodes.get(node)?;
        (index < above.children()).then(|| above.first_child as usize + index as usize)
    }

    /// Field through which the parent holds the objects of a node, if nodes are distinguished by it.
    pub fn name(&self, node: usize) -> Option<&str> {
        self.names.get(self.nodes.get(node)?.name as usize).map(|name| &**name)
    }
}

/// An unordered tree.
#[derive(Default)]
pub(super) struct UnorderedTree {
    /// By node, its parent; [`NONE`] at the top.
    pub(super) above: Vec<u32>,
    /// By node, its first object.
    pub(super) object: Vec<ObjectId>,
    /// By node, its number of objects; empty if all have one.
    pub(super) steps: Vec<u32>,
    /// By node, the index of its name; empty if none has a name.
    pub(super) name: Vec<u32>,
    pub(super) names: Vec<Box<str>>,
    /// Node of each requested object; empty if they are the first nodes.
    pub(super) node_of: Vec<u32>,
}

/// Children of all nodes: those of node `n` after those of `n - 1`, those of the top first.
pub(super) struct Children {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Children {
    pub(super) fn of(above: &[u32]) -> Self {
        // The top has index 0; NONE wraps around to it.
        let slot = |above: u32| above.wrapping_add(1) as usize;
        let mut starts = vec![0_u32; above.len() + 2];
        for &above in above {
            starts[slot(above) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut all = vec![0; above.len()];
        for (node, &above) in (0..).zip(above) {
            let next = &mut next[slot(above)];
            all[*next as usize] = node;
            *next += 1;
        }
        Self { starts, all }
    }

    pub(super) fn row(&self, above: u32) -> &[u32] {
        let slot = above.wrapping_add(1) as usize;
        &self.all[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

impl UnorderedTree {
    pub(super) fn of_objects(forest: &PathForest) -> Self {
        Self { above: forest.before.clone(), object: forest.objects.clone(), ..Self::default() }
    }

    /// Sums up the requested objects below each node. `nearest` contains the requested object that dominates each of
    /// them: its retained bytes are not counted twice if both are below a node.
    pub(super) fn summed(
        self,
        dump: DumpData<'_>,
        targets: &[ObjectId],
        nearest: &[u32],
        fold: bool,
        task: &Task,
    ) -> Result<MergedTree, Cancelled> {
        let nodes = self.above.len();
        let children = Children::of(&self.above);
        let mut objects = vec![0_u32; nodes];
        let mut shallow = vec![0_u64; nodes];
        let mut retained = vec![0_u64; nodes];
        let node_of = |at: usize| self.node_of.get(at).map_or(at, |&node| node as usize);
        for (at, &object) in targets.iter().enumerate() {
            task.checkpoint_at(at)?;
            objects[node_of(at)] += 1;
            shallow[node_of(at)] += dump.heap.shallow(object).0;
            let bytes = dump.analysis.retained(object).0;
            retained[node_of(at)] = retained[node_of(at)].wrapping_add(bytes);
            if nearest[at] != NONE {
                // Every path to an object passes its dominators, which are further up.
                let dominator = node_of(nearest[at] as usize);
                retained[dominator] = retained[dominator].wrapping_sub(bytes);
            }
        }
        let mut order = children.row(NONE).to_vec();
        let mut at = 0;
        while at < order.len() {
            task.checkpoint_at(at)?;
            order.extend_from_slice(children.row(order[at]));
            at += 1;
        }
        for block in order.rchunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            for &node in block.iter().rev() {
                let (node, above) = (node as usize, self.above[node as usize] as usize);
                if above < nodes {
                    objects[above] += objects[node];
                    shallow[above] += shallow[node];
                    retained[above] = retained[above].wrapping_add(retained[node]);
                }
            }
        }
        drop(order);
        self.laid_out(dump.heap, &children, &Sums { objects, shallow, retained }, fold, task)
    }

    fn laid_out(
        self,
        heap: &Heap,
        children: &Children,
        sums: &Sums,
        fold: bool,
        task: &Task,
    ) -> Result<MergedTree, Cancelled> {
        let all = |numbers: &[u64]| children.row(NONE).iter().map(|&node| numbers[node as usize]).sum();
        let top = Node {
            object: NONE,
            before: NONE,
            name: NONE,
            objects: children.row(NONE).iter().map(|&node| sums.objects[node as usize]).sum(),
            shallow: Bytes(all(&sums.shallow)),
            retained: Bytes(all(&sums.retained)),
            ..Node::default()
        };
        // With every node the last of its chain: children of that are children of the node.
        let (mut nodes, mut ends) = (vec![top], vec![NONE]);
        let mut row = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            if at.is_multiple_of(CHECKPOINT_EVERY >> 4) {
                task.advance_checked((CHECKPOINT_EVERY >> 4) as u64)?;
            }
            row.clear();
            row.extend_from_slice(children.row(ends[at]));
            let key = |&node: &u32| {
                let at = node as usize;
                (Reverse(sums.retained[at]), Reverse(sums.objects[at]), self.object[at], node)
            };
            row.sort_unstable_by_key(key);
            nodes[at].first_child = nodes.len() as u32;
            nodes[at].children = row.len() as u32;
            for &node in &row {
                let (mut end, mut steps) = (node, self.steps.get(node as usize).copied().unwrap_or(1));
                // A class is counted separately even if one leads to another.
                let fold = fold && heap.classes.of_object(self.object[node as usize]).is_none();
                while fold
                    && let &[only] = children.row(end)
                    && heap.class_id(self.object[only as usize]) == heap.class_id(self.object[node as usize])
                {
                    (end, steps) = (only, steps + 1);
                }
                let (node, above) = (node as usize, self.above[node as usize]);
                nodes.push(Node {
                    object: self.object[node].raw(),
                    before: self.object.get(above as usize).map_or(NONE, |before| before.raw()),
                    name: self.name.get(node).copied().unwrap_or(NONE),
                    steps,
                    objects: sums.objects[node],
                    shallow: Bytes(sums.shallow[node]),
                    retained: Bytes(sums.retained[node]),
                    ..Node::default()
                });
                ends.push(end);
            }
            at += 1;
        }
        Ok(MergedTree { nodes, names: self.names, unreached: 0 })
    }
}

/// Sums below each node.
struct Sums {
    objects: Vec<u32>,
    shallow: Vec<u64>,
    retained: Vec<u64>,
}
