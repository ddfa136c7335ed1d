//! Leaking objects: those that LeakCanary watches, and those that a line of the table of inspectors calls leaking.

use super::inspectors::InspectorContext;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::ObjectId;

/// All leaking objects.
pub(super) fn leaking(scene: &InspectorContext<'_>, task: &Task) -> Result<Bits, Cancelled> {
    let heap = scene.phone.heap;
    task.step("Finding leaking objects", Unit::Objects, heap.len() as u64);
    let mut leaking = Bits::new(heap.len());
    let mut watched: Vec<ObjectId> = scene.watched.keys().copied().collect();
    watched.sort_unstable();
    for object in watched {
        leaking.insert(object.raw());
    }
    let (finders, rows) = (scene.finders(), heap.class_rows());
    for block in task.blocks(heap.len()) {
        let block = block?;
        task.advance(block.len() as u64);
        for row in block {
            let lines = rows.get(row as u32).and_then(|class| finders.get(class.index()));
            let Some(lines) = lines.filter(|lines| !lines.is_empty()) else { continue };
            // A check may follow many fields: a crafted file may contain nothing but such objects.
            task.checkpoint()?;
            let Some(object) = ObjectId::new(row).filter(|&object| heap.classes.of_object(object).is_none()) else {
                continue;
            };
            if lines.iter().any(|&line| scene.is_leaking(line, object)) {
                leaking.insert(object.raw());
            }
        }
    }
    Ok(leaking)
}
