//! A tree of ways: summed up from its ends, and laid out with the children of each node side by side.

use std::cmp::Reverse;

use super::Ways;
use crate::graph::NONE;
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// A node of the tree.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The object; of several the first.
    object: u32,
    /// The object that holds it on the way; [`NONE`] for roots.
    before: u32,
    name: u32,
    first_child: u32,
    children: u32,
    /// Objects that are this one node: a run of a list, or all of a class that are held alike.
    pub steps: u32,
    /// Objects asked for that lie behind it, itself included.
    pub objects: u32,
    /// What these take by themselves.
    pub shallow: Bytes,
    /// What these keep alive, each byte once, as far as single ones of them do.
    pub retained: Bytes,
}

impl Node {
    /// The object; of several the first.
    pub fn object(&self) -> Option<ObjectId> {
        ObjectId::from_raw(self.object)
    }

    /// The object that holds it on the way; `None` for roots.
    pub fn before(&self) -> Option<ObjectId> {
        ObjectId::from_raw(self.before)
    }

    /// How many nodes hang directly below it.
    pub fn children(&self) -> u64 {
        u64::from(self.children)
    }
}

/// Ways to many objects, merged.
#[derive(Debug, Default)]
pub struct Merged {
    /// The node above all roots, then every node before those below it.
    nodes: Vec<Node>,
    /// Names of references, where nodes are told apart by them.
    names: Vec<Box<str>>,
    /// Objects asked for that no way leads to.
    pub unreached: u64,
}

/// The node above all roots.
pub const TOP: usize = 0;

impl Merged {
    /// A node.
    pub fn node(&self, node: usize) -> Option<&Node> {
        self.nodes.get(node)
    }

    /// How many nodes there are, that above all roots included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no way at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// The `index`-th node below another: what keeps most alive comes first.
    pub fn child(&self, node: usize, index: u64) -> Option<usize> {
        let above = self.nodes.get(node)?;
        (index < above.children()).then(|| above.first_child as usize + index as usize)
    }

    /// The field by which what is above holds the objects of a node, where nodes are told apart by it.
    pub fn name(&self, node: usize) -> Option<&str> {
        self.names.get(self.nodes.get(node)?.name as usize).map(|name| &**name)
    }
}

/// A tree whose nodes stand in any order.
#[derive(Default)]
pub(super) struct Raw {
    /// By node, the one above; [`NONE`] at the top.
    pub(super) above: Vec<u32>,
    /// By node, the first of its objects.
    pub(super) object: Vec<ObjectId>,
    /// By node, how many objects it is; empty where all are one.
    pub(super) steps: Vec<u32>,
    /// By node, the number of its name; empty where none has one.
    pub(super) name: Vec<u32>,
    pub(super) names: Vec<Box<str>>,
    /// The node of each object asked for; empty where they are the first nodes.
    pub(super) node_of: Vec<u32>,
}

/// The children of all nodes: those of node `n` behind those of `n - 1`, those of the top first.
pub(super) struct Children {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Children {
    pub(super) fn of(above: &[u32]) -> Self {
        // That of the top has place 0; NONE wraps round to it.
        let place = |above: u32| above.wrapping_add(1) as usize;
        let mut starts = vec![0_u32; above.len() + 2];
        for &above in above {
            starts[place(above) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut all = vec![0; above.len()];
        for (node, &above) in (0..).zip(above) {
            let next = &mut next[place(above)];
            all[*next as usize] = node;
            *next += 1;
        }
        Self { starts, all }
    }

    pub(super) fn row(&self, above: u32) -> &[u32] {
        let place = above.wrapping_add(1) as usize;
        &self.all[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

impl Raw {
    pub(super) fn of_objects(ways: &Ways) -> Self {
        Self { above: ways.before.clone(), object: ways.objects.clone(), ..Self::default() }
    }

    /// Sums up what lies behind each node. `nearest` says which of the objects asked for dominates each of them: what
    /// that one keeps alive is not counted again where both lie behind a node.
    pub(super) fn summed(
        self,
        heap: &Heap,
        analyzed: &Analyzed,
        asked: &[ObjectId],
        nearest: &[u32],
        fold: bool,
        task: &Task,
    ) -> Result<Merged, Cancelled> {
        let nodes = self.above.len();
        let children = Children::of(&self.above);
        let mut objects = vec![0_u32; nodes];
        let mut shallow = vec![0_u64; nodes];
        let mut retained = vec![0_u64; nodes];
        let node_of = |at: usize| self.node_of.get(at).map_or(at, |&node| node as usize);
        for (at, &object) in asked.iter().enumerate() {
            if at.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            objects[node_of(at)] += 1;
            shallow[node_of(at)] += heap.shallow(object).0;
            let bytes = analyzed.retained(object).0;
            retained[node_of(at)] = retained[node_of(at)].wrapping_add(bytes);
            if nearest[at] != NONE {
                // Every way to an object passes what dominates it: that one is further up.
                let dominator = node_of(nearest[at] as usize);
                retained[dominator] = retained[dominator].wrapping_sub(bytes);
            }
        }
        let mut order = children.row(NONE).to_vec();
        let mut at = 0;
        while at < order.len() {
            if at.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
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
        self.laid_out(heap, &children, &Sums { objects, shallow, retained }, fold, task)
    }

    fn laid_out(
        self,
        heap: &Heap,
        children: &Children,
        sums: &Sums,
        fold: bool,
        task: &Task,
    ) -> Result<Merged, Cancelled> {
        let all = |numbers: &[u64]| children.row(NONE).iter().map(|&node| numbers[node as usize]).sum();
        let top = Node {
            object: NONE,
            before: NONE,
            name: NONE,
            first_child: 0,
            children: 0,
            steps: 0,
            objects: children.row(NONE).iter().map(|&node| sums.objects[node as usize]).sum(),
            shallow: Bytes(all(&sums.shallow)),
            retained: Bytes(all(&sums.retained)),
        };
        // With every node the last of its run: what hangs below that hangs below the node.
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
                // A class is more than one of many classes, also where one leads to the other.
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
                    first_child: 0,
                    children: 0,
                    steps,
                    objects: sums.objects[node],
                    shallow: Bytes(sums.shallow[node]),
                    retained: Bytes(sums.retained[node]),
                });
                ends.push(end);
            }
            at += 1;
        }
        Ok(Merged { nodes, names: self.names, unreached: 0 })
    }
}

/// What lies behind each node.
struct Sums {
    objects: Vec<u32>,
    shallow: Vec<u64>,
    retained: Vec<u64>,
}
