//! Roots of the virtual machine. ART reports every object of the zygote and the boot image as a root, so no object of
//! the application retains any of them. With these roots ignored, each counts only if nothing else leads to it.

use super::{Heap, ObjectId, RegionKind, Root, RootKind, Rules, roots::Roots};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::reach::{ReachedNodes, reach};
use heaplens_graph::{Bits, Digraph, Rows};

/// Roots of a heap without ignored ones. Of objects reachable only from ignored roots, those without incoming
/// references remain roots first; then, in address order, one of each remaining cycle.
pub(super) fn counting(heap: &Heap, references: Rows<'_>, rules: Rules, task: &Task) -> Result<Roots, Cancelled> {
    let Some(regions) = heap.regions() else { return Ok(heap.roots.clone()) };
    let ignored = |root: &Root| root.kind == RootKind::VmInternal && regions.kind(root.object) != RegionKind::App;
    let firm = Roots::new(heap.roots.all().iter().copied().filter(|root| !ignored(root)).collect());
    let mut held: Vec<ObjectId> = heap.roots.all().iter().filter(|root| ignored(root)).map(|r| r.object).collect();
    let skip = heap.referents_beyond(rules.min_strength);
    let graph = heap.graph(references, skip.as_ref());
    let follow = |row: u32, visited: &mut ReachedNodes<'_>| graph.successors(row).for_each(|to| visited.meet(to));
    let reached = reach(heap.len(), firm.objects(), follow, task)?;
    held.retain(|object| !reached.contains(object.raw()));
    let held_rows: Vec<u32> = held.iter().map(|object| object.raw()).collect();
    // Objects reachable only from these roots: other references to them, from garbage for example, do not matter.
    let below = reach(heap.len(), &held_rows, follow, task)?;
    let mut referred = Bits::new(heap.len());
    for (at, row) in below.iter().enumerate() {
        task.checkpoint_at(at)?;
        if !reached.contains(row) {
            referred.extend(graph.successors(row).filter(|&to| to != row));
        }
    }
    let unreferred = held.iter().filter(|object| !referred.contains(object.raw()));
    let outer = |objects: &mut dyn Iterator<Item = ObjectId>| uncovered(&graph, &reached, objects, task);
    let left = outer(&mut unreferred.chain(&held).copied())?;
    // Objects added early may be reachable from later ones: going backwards, keep those that no other reaches.
    let left = outer(&mut left.into_iter().rev())?;
    let left = left.into_iter().map(|object| Root { object, kind: RootKind::VmInternal });
    Ok(Roots::new(firm.all().iter().copied().chain(left).collect()))
}

/// Objects that no earlier one in the list leads to, apart from objects reachable anyway.
fn uncovered(
    graph: &Digraph<'_>,
    reached: &Bits,
    objects: &mut dyn Iterator<Item = ObjectId>,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let (mut covered, mut stack, mut left) = (Bits::new(graph.len()), Vec::new(), Vec::new());
    for object in objects {
        if !covered.insert(object.raw()) {
            continue;
        }
        left.push(object);
        task.checkpoint()?;
        stack.push(object.raw());
        while let Some(from) = stack.pop() {
            stack.extend(graph.successors(from).filter(|&to| !reached.contains(to) && covered.insert(to)));
        }
    }
    Ok(left)
}
