//! Paths of fields from an object: `segments[].table`.

use super::super::counters::count;
use super::super::peek::{Fields, Peek};
use heaplens_heap::collection_list::{FieldPath, PathChoice, PathStep};
use heaplens_heap::{ObjectId, Value};

/// Maximum number of objects at the ends of a path: Guava creates no more segments, and Netty no more wheel buckets.
const MOST: usize = 1 << 16;

/// Value at the end of the first path whose fields exist.
pub(super) fn value(fields: Fields<'_>, choice: &[FieldPath]) -> Option<Value> {
    choice.iter().find_map(|path| {
        let (last, before) = path.split_last()?;
        end_of(fields, before)?.get(&last.field)
    })
}

/// Same for a node; the path `.` is the node itself.
pub(super) fn node_value(node: ObjectId, fields: Fields<'_>, choice: &[FieldPath]) -> Option<Value> {
    match choice {
        [path] if path.is_empty() => Some(Value::Object(node)),
        _ => value(fields, choice),
    }
}

fn end_of<'a>(fields: Fields<'a>, steps: &[PathStep]) -> Option<Fields<'a>> {
    steps.iter().try_fold(fields, |at, step| at.peek.fields(at.object(&[&step.field])?, ""))
}

/// Objects at the ends of paths, one path after another; of the choices for each, the first whose fields exist.
pub(super) fn objects(fields: Fields<'_>, paths: &[PathChoice]) -> Vec<ObjectId> {
    let mut objects = Vec::new();
    for choice in paths {
        objects.extend(choice.iter().find_map(|path| expanded(fields, path)).unwrap_or_default());
    }
    objects.truncate(MOST);
    objects
}

/// Objects at the ends of a path; `None` if its first field does not exist.
fn expanded(fields: Fields<'_>, path: &[PathStep]) -> Option<Vec<ObjectId>> {
    let (first, rest) = path.split_first()?;
    let peek = fields.peek;
    let mut at = vec![fields.get(&first.field)?].into_iter().filter_map(Value::object).collect();
    at = elements(peek, at, first.depth);
    for step in rest {
        let next = at.iter().filter_map(|&object| peek.fields(object, "")?.object(&[&step.field]));
        at = elements(peek, next.collect(), step.depth);
    }
    Some(at)
}

/// Replaces arrays by their elements, `depth` times.
fn elements(peek: Peek<'_>, mut objects: Vec<ObjectId>, depth: u8) -> Vec<ObjectId> {
    for _ in 0..depth {
        let inside = objects.iter().filter_map(|&object| peek.array(object)).flat_map(|array| {
            (0..peek.recorded_length(&array)).filter_map(move |at| peek.element(&array, at)?.object())
        });
        objects = inside.take(MOST).collect();
    }
    objects
}

/// Sum of the numbers at the ends of paths; `None` if there are none.
pub(super) fn counted(fields: Fields<'_>, paths: &[PathChoice]) -> Option<u64> {
    let choice = paths.first()?;
    choice.iter().find_map(|path| {
        let (last, before) = path.split_last()?;
        if before.iter().all(|step| step.depth == 0) {
            return count(fields.peek, end_of(fields, before)?.get(&last.field)?);
        }
        let ends = expanded(fields, before)?;
        let numbers = ends.iter().filter_map(|&end| count(fields.peek, fields.peek.fields(end, "")?.get(&last.field)?));
        Some(numbers.fold(0, u64::saturating_add))
    })
}
