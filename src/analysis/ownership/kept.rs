//! What an object alone keeps alive. Where the dump says what its GC roots are
//! that is its retained set; where roots are found, it is what no root leads to
//! any more without it.

use crate::analysis::ownership::Ownership;
use crate::graph::bits::Bits;
use crate::graph::forest::{Edges, Forest};
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::recorded::Recorded;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// Which roots count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootsOf {
    /// The GC roots of the file.
    File,
    /// Those that were found.
    Found,
}

impl RootsOf {
    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Found => "found",
        }
    }

    /// Those of the file where the format names any and they lead to the object, else those that are found.
    pub fn usual(heap: &Heap, analyzed: &Analyzed, object: ObjectId) -> Self {
        if heap.origin.names_roots() && analyzed.is_reachable(object) { Self::File } else { Self::Found }
    }
}

/// What is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// The objects, ascending; the one that keeps them is one of them.
    pub objects: Vec<ObjectId>,
    /// Bytes of these.
    pub bytes: Bytes,
}

impl Kept {
    fn of(heap: &Heap, objects: Vec<ObjectId>) -> Self {
        let bytes = objects.iter().map(|&object| heap.shallow(object)).sum();
        Self { objects, bytes }
    }

    /// What an object keeps from the GC roots of the file: itself and all it dominates. Nothing if it is unreachable.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn from_file(heap: &Heap, analyzed: &Analyzed, object: ObjectId, task: &Task) -> Result<Self, Cancelled> {
        let (places, inside) = (analyzed.places(), analyzed.subtree(object).unwrap_or_default());
        let is_inside = |of: &ObjectId| places.get(of.index()).is_some_and(|place| inside.contains(place));
        let mut objects = Vec::new();
        for block in task.blocks(heap.len()) {
            objects.extend(block?.filter_map(ObjectId::new).filter(is_inside));
        }
        Ok(Self::of(heap, objects))
    }

    /// What an object keeps from the roots that were found.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn from_found(heap: &Heap, ownership: &Ownership, object: ObjectId, task: &Task) -> Result<Self, Cancelled> {
        let recorded = Recorded::new(heap, ownership.soft, task)?;
        let rows = kept_by(&recorded, &ownership.forest, object.raw(), task)?;
        Ok(Self::of(heap, rows.into_iter().filter_map(ObjectId::from_raw).collect()))
    }
}

/// The nodes that no root leads to without `node`, itself included, ascending.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn kept_by(edges: &impl Edges, forest: &Forest, node: u32, task: &Task) -> Result<Vec<u32>, Cancelled> {
    if node as usize >= edges.nodes() {
        return Ok(Vec::new());
    }
    let all = spread(edges, std::iter::once(node), |_| true, task)?;
    // What it does not lead to, it does not keep: the rest holds on to what it holds. So only what leads in from
    // outside is asked for, and roots among what it leads to.
    let mut begin = Bits::new(edges.nodes());
    for block in task.blocks(edges.nodes()) {
        for other in block?.map(|other| other as u32) {
            if !all.contains(other) {
                for to in edges.counting(other).filter(|&to| to != node && all.contains(to)) {
                    begin.insert(to);
                }
            } else if other != node && forest.of(other).is_some_and(|of| of.owner == other) {
                begin.insert(other);
            }
        }
    }
    let left = spread(edges, begin.iter(), |to| to != node && all.contains(to), task)?;
    Ok(all.without(&left).iter().collect())
}

/// What some nodes lead to, themselves included, going through nothing else than `inside`.
fn spread(
    edges: &impl Edges,
    begin: impl Iterator<Item = u32>,
    inside: impl Fn(u32) -> bool,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let mut found = Bits::new(edges.nodes());
    let mut waiting: Vec<u32> = begin.filter(|&node| found.insert(node)).collect();
    let mut steps = 0_usize;
    while let Some(node) = waiting.pop() {
        steps += 1;
        if steps.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        waiting.extend(edges.counting(node).filter(|&to| inside(to) && found.insert(to)));
    }
    Ok(found)
}
