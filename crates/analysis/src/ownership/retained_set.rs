//! Retained set of objects: by the dump's GC roots, or by inferred roots.

use crate::answers::DumpData;
use crate::ownership::Ownership;
use heaplens_base::{Bytes, Cancelled, Task, named};
use heaplens_graph::{Bits, Edges, Forest};
use heaplens_heap::{FileReferences, Heap, ObjectId};

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
    /// GC roots of the file if the format has any and they reach one of the objects, else inferred roots.
    pub fn default_for(dump: DumpData<'_>, objects: &[ObjectId]) -> Self {
        let is_reached = objects.iter().any(|&object| dump.analysis.is_reachable(object));
        if dump.heap.origin.format.names_roots() && is_reached { Self::File } else { Self::Inferred }
    }
}

/// A retained set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetainedObjects {
    /// The objects, ascending, the retaining ones included.
    pub objects: Vec<ObjectId>,
    /// Their bytes.
    pub bytes: Bytes,
}

impl RetainedObjects {
    /// A set of objects that were found.
    pub fn new(heap: &Heap, objects: Vec<ObjectId>) -> Self {
        let bytes = objects.iter().map(|&object| heap.shallow(object)).sum();
        Self { objects, bytes }
    }

    /// Retained set by the GC roots of the file: the object and all it dominates. Empty if it is unreachable.
    pub fn from_file(dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<Self, Cancelled> {
        let (preorders, inside) = (dump.analysis.preorders(), dump.analysis.subtree(object).unwrap_or_default());
        let is_inside = |of: &ObjectId| preorders.get(of.index()).is_some_and(|preorder| inside.contains(preorder));
        let mut objects = Vec::new();
        for block in task.blocks(dump.heap.len()) {
            objects.extend(block?.filter_map(ObjectId::new).filter(is_inside));
        }
        Ok(Self::new(dump.heap, objects))
    }

    /// Retained set of several objects together by inferred roots.
    pub fn from_inferred(
        heap: &Heap,
        ownership: &Ownership,
        objects: &[ObjectId],
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let recorded = FileReferences::new(heap, ownership.soft, task)?;
        let nodes: Vec<u32> = objects.iter().map(|object| object.raw()).collect();
        let rows = retained_by(&recorded, &ownership.forest, &nodes, task)?;
        Ok(Self::new(heap, rows.into_iter().filter_map(ObjectId::from_raw).collect()))
    }
}

/// Nodes that are unreachable without `nodes`, these included, ascending.
pub fn retained_by(edges: &impl Edges, forest: &Forest, nodes: &[u32], task: &Task) -> Result<Vec<u32>, Cancelled> {
    let mut set = Bits::new(edges.nodes());
    set.extend(nodes.iter().copied().filter(|&node| (node as usize) < edges.nodes()));
    let all = spread(edges, set.iter(), |_| true, task)?;
    // Only objects reachable from the nodes can be in their retained set, so the search looks for references into that
    // set from outside, and for roots in it.
    let mut begin = Bits::new(edges.nodes());
    for block in task.blocks(edges.nodes()) {
        for other in block?.map(|other| other as u32) {
            if !all.contains(other) {
                for to in edges.counting(other).filter(|&to| !set.contains(to) && all.contains(to)) {
                    begin.insert(to);
                }
            } else if !set.contains(other) && forest.of(other).is_some_and(|of| of.owner == other) {
                begin.insert(other);
            }
        }
    }
    let left = spread(edges, begin.iter(), |to| !set.contains(to) && all.contains(to), task)?;
    Ok(all.without(&left).iter().collect())
}

/// Nodes reachable from some nodes within `inside`, themselves included.
fn spread(
    edges: &impl Edges,
    begin: impl Iterator<Item = u32>,
    inside: impl Fn(u32) -> bool,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let mut reached = Bits::new(edges.nodes());
    let mut waiting: Vec<u32> = begin.filter(|&node| reached.insert(node)).collect();
    while let Some(node) = waiting.pop() {
        task.checkpoint()?;
        waiting.extend(edges.counting(node).filter(|&to| inside(to) && reached.insert(to)));
    }
    Ok(reached)
}
