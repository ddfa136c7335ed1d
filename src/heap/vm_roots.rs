//! Roots that the virtual machine holds. ART says of every object that was there
//! before the application, in the zygote and in the boot image, that it is one:
//! then no object of the application retains any of them. Whoever asks what would
//! be freed may have them ignored: each counts only if nothing else leads to it.

use serde::{Deserialize, Serialize};

use super::analyzed::Rules;
use super::facts::Heap;
use super::ids::ObjectId;
use super::regions::RegionKind;
use super::roots::{Root, RootKind, Roots};
use crate::graph::bits::Bits;
use crate::graph::csr::Rows;
use crate::graph::digraph::Digraph;
use crate::graph::reach::{Found, reach};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Treatment of roots held by the virtual machine outside the app heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VmRoots {
    /// They are roots, as the file says and ahat counts.
    #[default]
    Count,
    /// They are roots only where nothing else leads.
    Ignore,
}

impl VmRoots {
    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Ignore => "ignore",
        }
    }
}

/// The roots of a heap without those that are ignored. Of what only such roots lead to, first those stay that
/// nothing refers to, then, in address order, one of each ring that is left.
pub(super) fn counting(heap: &Heap, references: Rows<'_>, rules: Rules, task: &Task) -> Result<Roots, Cancelled> {
    let Some(regions) = heap.regions() else { return Ok(heap.roots.clone()) };
    let ignored = |root: &Root| root.kind == RootKind::VmInternal && regions.kind(root.object) != RegionKind::App;
    let firm = Roots::new(heap.roots.all().iter().copied().filter(|root| !ignored(root)).collect());
    let mut held: Vec<ObjectId> = heap.roots.all().iter().filter(|root| ignored(root)).map(|r| r.object).collect();
    let skip = heap.referents_beyond(rules.weakest);
    let graph = heap.graph(references, skip.as_ref());
    let follow = |row: u32, found: &mut Found<'_>| graph.successors(row).for_each(|to| found.meet(to));
    let reached = reach(heap.len(), firm.objects(), follow, task)?;
    held.retain(|object| !reached.contains(object.raw()));
    let lost: Vec<u32> = held.iter().map(|object| object.raw()).collect();
    // Objects reachable only from these roots: other references to them, from garbage for example, do not matter.
    let below = reach(heap.len(), &lost, follow, task)?;
    let mut referred = Bits::new(heap.len());
    for (at, row) in below.iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        if !reached.contains(row) {
            graph.successors(row).filter(|&to| to != row).for_each(|to| {
                referred.insert(to);
            });
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

/// The objects that none before them in the list leads to, past what is reached anyway.
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
