//! Lists whose links have objects of other classes between them: a lazy stream, or closures of which each holds the next
//! by a variable of its scope.

use crate::answers::DumpData;
use heaplens_heap::ObjectId;

/// Objects of one class below each other that make a list.
pub(super) const LINKS: u32 = 32;
/// Dominators from a link up to the link before: a closure and its scope are between two.
const STEPS: usize = 4;

/// The first of at least [`LINKS`] links above an object of their class, in the dominator tree; `None` if there are fewer.
pub(super) fn first_link(dump: DumpData<'_>, last: ObjectId) -> Option<ObjectId> {
    let class = dump.heap.class_id(last);
    let dominators = std::iter::successors(Some(last), |&at| dump.analysis.immediate_dominator(at)).skip(1);
    let within = dominators.take(LINKS as usize * STEPS);
    within.filter(|&object| dump.heap.class_id(object) == class).nth(LINKS as usize - 1)
}
