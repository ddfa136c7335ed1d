//! Values of thread locals: the values of one thread local in many threads make one finding.

use crate::answers::DumpData;
use std::collections::BTreeMap;

use super::accumulation_point::{self, AccumulationPoint, Shape};
use super::query::LeakQuery;
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, Value};

/// Maximum number of entries examined per thread.
const ENTRIES: u64 = 4_096;
/// Fields of a thread that hold its thread locals.
const MAPS: [&str; 2] = ["threadLocals", "inheritableThreadLocals"];

/// The thread local, or the class of its values if it was collected.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Local {
    Key(ObjectId),
    Gone(u32),
}

/// Adds a location per thread local that retains enough in all threads together, and removes the locations within it.
pub(super) fn put_together(
    question: LeakQuery<'_>,
    points: &mut Vec<AccumulationPoint>,
    task: &Task,
) -> Result<(), Cancelled> {
    let DumpData { heap, contents, analysis, .. } = question.namer.dump;
    let is_thread = heap.classes.all_below(heap.classes.named("java.lang.Thread").as_slice());
    let mut values: BTreeMap<Local, Vec<ObjectId>> = BTreeMap::new();
    for thread in shown_of(question.namer.dump, |class| is_thread.get(class.index()) == Some(&true), task)? {
        task.checkpoint()?;
        let fields = contents.fields(heap, thread).unwrap_or_default();
        let maps = fields.iter().filter(|field| MAPS.contains(&field.name.as_str()));
        for map in maps.filter_map(|field| field.value.object()) {
            let entries =
                contents.logical(heap, map, 0..ENTRIES).map(|map_entries| map_entries.entries).unwrap_or_default();
            for entry in entries {
                let Value::Object(value) = entry.value else { continue };
                // Objects with other holders do not belong to the thread local.
                if !analysis.dominates(map, value) {
                    continue;
                }
                let local = match entry.key.and_then(Value::object) {
                    Some(key) => Local::Key(key),
                    None => Local::Gone(heap.class_id(value).raw()),
                };
                values.entry(local).or_default().push(value);
            }
        }
    }
    let groups = values.into_iter().map(|(local, mut members)| {
        members.sort_unstable();
        members.dedup();
        let owners = match local {
            Local::Key(key) => vec![key],
            Local::Gone(_) => Vec::new(),
        };
        (members, owners)
    });
    accumulation_point::put_together(Shape::ThreadLocals, groups, question, points, task)
}
