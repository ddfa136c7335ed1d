//! Plain JavaScript objects are called by the shapes that many of them have, and in another snapshot other shapes may be
//! common. As DevTools does, those of the newer heap count in both: an object of the older one that fits another of
//! them than it is called by is of that kind.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::Pair;
use crate::heap::contents::CommonShape;
use crate::heap::ids::{ClassId, ObjectId};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// What plain objects of no common shape are called.
const PLAIN: &str = "Object";

/// Objects of the older heap that fit another shape than they are called by: row, name of that, and own class;
/// ascending.
pub(super) fn moved(pair: Pair<'_>, task: &Task) -> Result<Vec<(u32, String, ClassId)>, Cancelled> {
    let (before, after) = (pair.before, pair.after);
    if before.heap.snapshot().is_none() || after.heap.snapshot().is_none() {
        return Ok(Vec::new());
    }
    let shapes = after.contents.common_shapes();
    let by_property = by_property(&shapes);
    let may_be_plain = |name: &str| name == PLAIN || name.starts_with('{');
    let is_plain: Vec<bool> = before.heap.classes.all().iter().map(|class| may_be_plain(&class.name)).collect();
    let fitting = |object: ObjectId| {
        let class = before.heap.class_id(object);
        is_plain.get(class.index()).filter(|&&is| is)?;
        let properties = before.contents.plain_properties(before.heap, object)?;
        let name = best(&shapes, &by_property, &properties).unwrap_or(PLAIN);
        (name != &*before.heap.classes.get(class).name).then(|| (object.raw(), name.to_owned(), class))
    };
    let blocks = (0..before.heap.len().div_ceil(CHECKPOINT_EVERY)).into_par_iter().map(|block| {
        task.checkpoint()?;
        let rows = block * CHECKPOINT_EVERY..((block + 1) * CHECKPOINT_EVERY).min(before.heap.len());
        Ok(rows.filter_map(ObjectId::new).filter_map(fitting).collect())
    });
    Ok(blocks.collect::<Result<Vec<Vec<_>>, Cancelled>>()?.concat())
}

/// By property the shapes that are looked for by it: one of the rarest of theirs.
fn by_property(shapes: &[CommonShape]) -> BTreeMap<&str, Vec<usize>> {
    let mut usage: BTreeMap<&str, usize> = BTreeMap::new();
    for property in shapes.iter().flat_map(|shape| &shape.properties) {
        *usage.entry(property).or_default() += 1;
    }
    let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, shape) in shapes.iter().enumerate() {
        let rarest = shape.properties.iter().min_by_key(|property| usage.get(property.as_str()));
        rarest.into_iter().for_each(|property| found.entry(property).or_default().push(number));
    }
    found
}

/// The shape with the most properties of those that an object has all of; of equals the commonest.
fn best<'a>(
    shapes: &'a [CommonShape],
    by_property: &BTreeMap<&str, Vec<usize>>,
    properties: &[String],
) -> Option<&'a str> {
    let has: BTreeSet<&str> = properties.iter().map(String::as_str).collect();
    let possible = properties.iter().filter_map(|property| by_property.get(property.as_str())).flatten();
    let fits = |number: &&usize| shapes[**number].properties.iter().all(|property| has.contains(property.as_str()));
    let most = possible.filter(fits).min_by_key(|&&number| (Reverse(shapes[number].properties.len()), number));
    most.map(|&number| shapes[number].name.as_str())
}
