//! Retained set of an object: by the dump's GC roots, or by inferred roots.

use crate::ownership::Ownership;
use heaplens_base::{Bytes, Cancelled, Task, named};
use heaplens_graph::{Bits, Edges, Forest};
use heaplens_heap::{Analysis, FileReferences, Heap, ObjectId};

/// Roots that retained sets are computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootSource {
    /// The GC roots of the file.
    File,
    /// Inferred roots.
    Inferred,
}

named!(RootSource {
    File = "file", "GC roots recorded in the file";
    Inferred = "found" | "inferred", "Inferred roots (alias: inferred)";
});

impl RootSource {
    /// GC roots of the file if the format has any and they reach the object, else inferred roots.
    pub fn usual(heap: &Heap, analysis: &Analysis, object: ObjectId) -> Self {
        if heap.origin.format.names_roots() && analysis.is_reachable(object) { Self::File } else { Self::Inferred }
    }
}

/// A retained set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetainedObjects {
    /// The objects, ascending, the retaining object included.
    pub objects: Vec<ObjectId>,
    /// Their bytes.
    pub bytes: Bytes,
}

impl RetainedObjects {
    fn of(heap: &Heap, objects: Vec<ObjectId>) -> Self {
        let bytes = objects.iter().map(|&object| heap.shallow(object)).sum();
        Self { objects, bytes }
    }

    /// Retained set by the GC roots of the file: the object and all it dominates. Empty if it is unreachable.
    pub fn from_file(heap: &Heap, analysis: &Analysis, object: ObjectId, task: &Task) -> Result<Self, Cancelled> {
        let (places, inside) = (analysis.places(), analysis.subtree(object).unwrap_or_default());
        let is_inside = |of: &ObjectId| places.get(of.index()).is_some_and(|place| inside.contains(place));
        let mut objects = Vec::new();
        for block in task.blocks(heap.len()) {
            objects.extend(block?.filter_map(ObjectId::new).filter(is_inside));
        }
        Ok(Self::of(heap, objects))
    }

    /// Retained set by inferred roots.
    pub fn from_found(heap: &Heap, ownership: &Ownership, object: ObjectId, task: &Task) -> Result<Self, Cancelled> {
        let recorded = FileReferences::new(heap, ownership.soft, task)?;
        let rows = kept_by(&recorded, &ownership.forest, object.raw(), task)?;
        Ok(Self::of(heap, rows.into_iter().filter_map(ObjectId::from_raw).collect()))
    }
}

/// Nodes that are unreachable without `node`, itself included, ascending.
pub fn kept_by(edges: &impl Edges, forest: &Forest, node: u32, task: &Task) -> Result<Vec<u32>, Cancelled> {
    if node as usize >= edges.nodes() {
        return Ok(Vec::new());
    }
    let all = spread(edges, std::iter::once(node), |_| true, task)?;
    // Only objects reachable from the node can be in its retained set, so the search looks for references into that set
    // from outside, and for roots in it.
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

/// Nodes reachable from some nodes within `inside`, themselves included.
fn spread(
    edges: &impl Edges,
    begin: impl Iterator<Item = u32>,
    inside: impl Fn(u32) -> bool,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let mut found = Bits::new(edges.nodes());
    let mut waiting: Vec<u32> = begin.filter(|&node| found.insert(node)).collect();
    while let Some(node) = waiting.pop() {
        task.checkpoint()?;
        waiting.extend(edges.counting(node).filter(|&to| inside(to) && found.insert(to)));
    }
    Ok(found)
}
