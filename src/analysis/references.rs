//! Incoming and outgoing references of one object, with the names they have.

use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, ReferenceName};
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task};
use crate::units::Bytes;

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Who refers to the object: its retainers.
    Incoming,
    /// What the object refers to.
    Outgoing,
}

/// One reference.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceRow {
    /// The name by which one refers to the other.
    pub name: ReferenceName,
    /// The object at the other end.
    pub object: ObjectId,
    /// Its class name.
    pub class: String,
    /// Its label.
    pub label: Option<String>,
    /// Bytes it takes by itself.
    pub shallow: Bytes,
    /// Bytes it keeps alive.
    pub retained: Bytes,
}

/// References of an object, and how many there are altogether.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct References {
    /// The first rows: outgoing in the order of the object (its class first), incoming by address.
    pub rows: Vec<ReferenceRow>,
    /// Objects at the other end, each once.
    pub objects: u64,
}

/// Reads at most `limit` references of `object`. A class object's incoming
/// references include those of its instances.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn references(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    object: ObjectId,
    direction: Direction,
    limit: usize,
    task: &Task,
) -> Result<References, Cancelled> {
    let neighbours = match direction {
        Direction::Outgoing => outgoing(heap, object),
        Direction::Incoming => incoming(heap, analyzed, object),
    };
    let mut answer = References { rows: Vec::new(), objects: neighbours.len() as u64 };
    for &other in &neighbours {
        let wanted = limit - answer.rows.len();
        if wanted == 0 {
            break;
        }
        task.checkpoint()?;
        let (from, to) = match direction {
            Direction::Outgoing => (object, other),
            Direction::Incoming => (other, object),
        };
        let names = contents.reference_names(heap, from, to, wanted);
        let label = if names.is_empty() { None } else { contents.label(heap, other) };
        for name in names {
            answer.rows.push(ReferenceRow {
                name,
                object: other,
                class: heap.class(other).name.to_string(),
                label: label.clone(),
                shallow: heap.shallow(other),
                retained: analyzed.retained(other),
            });
        }
    }
    Ok(answer)
}

fn outgoing(heap: &Heap, object: ObjectId) -> Vec<ObjectId> {
    let mut rows: Vec<ObjectId> = heap.class(object).object.into_iter().collect();
    let mut rest: Vec<ObjectId> = heap.references(object).iter().filter_map(|&r| ObjectId::from_raw(r)).collect();
    // Each neighbour once, where it is first named; the names say how often.
    let mut seen: std::collections::BTreeSet<ObjectId> = rows.iter().copied().collect();
    rest.retain(|&o| seen.insert(o));
    rows.append(&mut rest);
    rows
}

fn incoming(heap: &Heap, analyzed: &Analyzed, object: ObjectId) -> Vec<ObjectId> {
    let mut rows: Vec<ObjectId> = analyzed.retainers(object).iter().filter_map(|&r| ObjectId::from_raw(r)).collect();
    if let Some(class) = heap.classes.of_object(object) {
        let column = heap.class_column();
        rows.extend(heap.objects().filter(|o| column.get(o.index()) == Some(class.raw())));
        rows.sort_unstable();
    }
    rows.dedup();
    rows
}
