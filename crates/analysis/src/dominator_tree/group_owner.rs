//! The owner of a group: siblings of a class have one dominator, which may be the root of the tree, and then say nothing of
//! what holds them.

use super::grouped::GroupedTree;
use super::parts::LevelPart;
use crate::answers::DumpData;
use crate::structure::ShortName;
use heaplens_base::{Cancelled, Task};

/// Maximum number of objects of a group whose owners are compared.
const COMPARED: usize = 64;

/// Short name of what owns the objects of a group, if it is one for all; of a large group, for objects at equal
/// distances. `None` if they have several owners, or only the runtime holds them.
///
/// # Errors
/// When `task` is cancelled.
pub fn group_owner(dump: DumpData<'_>, part: LevelPart, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let namer = dump.namer(task)?;
    let members = GroupedTree::new(dump, task)?.members(part, task)?;
    let every = members.len().div_ceil(COMPARED).max(1);
    let mut owner: Option<ShortName> = None;
    for &member in members.iter().step_by(every) {
        task.checkpoint()?;
        let Some(name) = namer.short_name(member, task)?.and_then(ShortName::owner) else { return Ok(None) };
        if owner.as_ref().is_some_and(|owner| owner.qualified_text() != name.qualified_text()) {
            return Ok(None);
        }
        owner = Some(name);
    }
    Ok(owner)
}
