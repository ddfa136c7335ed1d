//! Plain JavaScript objects are named by common shapes, and in another snapshot other shapes may be
//! common. As in DevTools, those of the target count in both: an object of the baseline that fits another of
//! them belongs to that kind.

use rayon::iter::ParallelIterator;

use super::Pair;
use crate::rows::joined;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, best_fit::BestFit};

/// Class name of plain objects without a common shape.
const PLAIN: &str = "Object";

/// Objects of the baseline that fit another shape than their class name: row, shape name, and own class; ascending.
pub(super) fn moved(pair: Pair<'_>, task: &Task) -> Result<Vec<(u32, String, ClassId)>, Cancelled> {
    let (before, after) = (pair.before, pair.after);
    if before.heap.snapshot().is_none() || after.heap.snapshot().is_none() {
        return Ok(Vec::new());
    }
    let shapes = after.contents.common_shapes();
    let fits = BestFit::new(shapes.iter().map(|shape| shape.properties.clone()).collect());
    let may_be_plain = |name: &str| name == PLAIN || name.starts_with('{');
    let is_plain: Vec<bool> = before.heap.classes.all().iter().map(|class| may_be_plain(&class.name)).collect();
    let fitting = |object: ObjectId| {
        let class = before.heap.class_id(object);
        is_plain.get(class.index()).filter(|&&is| is)?;
        let properties = before.contents.plain_properties(before.heap, object)?;
        let name = fits.of(&properties).map_or(PLAIN, |number| shapes[number].name.as_str());
        (name != &*before.heap.classes.get(class).name).then(|| (object.raw(), name.to_owned(), class))
    };
    joined(
        task.par_blocks(before.heap.len())
            .map(|rows| Ok(rows?.filter_map(ObjectId::new).filter_map(fitting).collect())),
    )
}
