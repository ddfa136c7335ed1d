//! The shortest path between two objects: along the references that the file records in objects, and only if these do
//! not lead there also along those from objects to their classes.

use crate::answers::DumpData;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::{Edges, NONE};
use heaplens_heap::{FileReferences, Heap, ObjectId, SoftLinks, Strength};

/// One object on the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteStep {
    /// The object.
    pub object: ObjectId,
    /// Name of the reference from the previous step; `None` for the first.
    pub reference: Option<String>,
}

/// The shortest path between two objects along references no weaker than `weakest` (`None`: all), both
/// ends included. Among several, the one whose references come first. `None` if there is no path.
pub fn route(
    heap: &Heap,
    (from, to): (ObjectId, ObjectId),
    weakest: Option<Strength>,
    task: &Task,
) -> Result<Option<Vec<ObjectId>>, Cancelled> {
    let recorded = match weakest {
        Some(weakest) => FileReferences::up_to(heap, weakest, task)?,
        None => FileReferences::new(heap, SoftLinks::Follow, task)?,
    };
    task.step("Finding a path between the objects", Unit::Objects, heap.len() as u64);
    let class_of = |node: u32| ObjectId::from_raw(node).and_then(|object| heap.class(object).object);
    let route = shortest(&recorded, (from, to), |_| None, task)?;
    let route = match route {
        // In JavaScript snapshots objects do not reference their class.
        None if heap.classes.all().iter().any(|class| class.object.is_some()) => {
            shortest(&recorded, (from, to), class_of, task)?
        }
        other => other,
    };
    Ok(route)
}

/// Steps of a path with reference names.
pub fn named(dump: DumpData<'_>, route: &[ObjectId], task: &Task) -> Result<Vec<RouteStep>, Cancelled> {
    let mut steps = Vec::with_capacity(route.len());
    for (at, &object) in route.iter().enumerate() {
        task.checkpoint()?;
        let before = at.checked_sub(1).and_then(|before| route.get(before));
        let name = |&before: &ObjectId| {
            let name = dump.contents.reference_names(dump.heap, before, object, 1).pop();
            name.map_or_else(|| "<unknown>".to_owned(), |name| name.text)
        };
        steps.push(RouteStep { object, reference: before.map(name) });
    }
    Ok(steps)
}

/// Breadth-first search; `beside` is an additional last edge of a node.
fn shortest(
    edges: &impl Edges,
    (from, to): (ObjectId, ObjectId),
    beside: impl Fn(u32) -> Option<ObjectId>,
    task: &Task,
) -> Result<Option<Vec<ObjectId>>, Cancelled> {
    let nodes = edges.nodes();
    if from.index() >= nodes || to.index() >= nodes {
        return Ok(None);
    }
    // Predecessor of each visited node; the first is its own.
    let mut before = vec![NONE; nodes];
    before[from.index()] = from.raw();
    let (mut level, mut next) = (vec![from.raw()], Vec::new());
    while before[to.index()] == NONE && !level.is_empty() {
        for (at, &node) in level.iter().enumerate() {
            if at.is_multiple_of(CHECKPOINT_EVERY) {
                task.advance_checked(level.len().min(CHECKPOINT_EVERY) as u64)?;
            }
            let further = beside(node).map(ObjectId::raw).filter(|&node| (node as usize) < nodes);
            for other in edges.counting(node).chain(further) {
                if before[other as usize] == NONE {
                    before[other as usize] = node;
                    next.push(other);
                }
            }
        }
        level.clear();
        std::mem::swap(&mut level, &mut next);
    }
    if before[to.index()] == NONE {
        return Ok(None);
    }
    let mut route = vec![to];
    let mut at = to.raw();
    while at != from.raw() {
        at = before[at as usize];
        route.extend(ObjectId::from_raw(at));
    }
    route.reverse();
    Ok(Some(route))
}
