//! Ways to free objects: the references into each that must be cut.

use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::reach::{Holder, holders};
use heaplens_heap::{ExcludedReferences, ObjectId, Totals};

/// Maximum number of references cut to free one object.
pub(super) const SEVERAL: usize = 8;

/// A way to free an object: all references into it that must be cut.
pub(super) struct CutOption {
    pub(super) from: Vec<ObjectId>,
    pub(super) to: ObjectId,
}

/// Cuts that free a location.
#[derive(Default)]
pub(super) struct CutOptions {
    pub(super) listed: Vec<CutOption>,
    /// Number of further objects that the listed ones represent.
    pub(super) alike: u64,
    /// What all of them free.
    pub(super) frees: Totals,
}

/// Holders of an object outside its retained set; `None` if there are too many.
pub(super) fn outside(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
    let nothing = ExcludedReferences::default();
    let mut objects: Vec<ObjectId> = Vec::new();
    for holder in holders(namer.heap, namer.contents, namer.analysis, object, &nothing) {
        task.checkpoint()?;
        // Callers handle GC roots: no cut frees those.
        let Holder::Object(from) = holder else { continue };
        if objects.len() == SEVERAL {
            return Ok(None);
        }
        objects.push(from);
    }
    Ok(Some(objects))
}
