//! The name of an owner of growth, which is that of a finding about it: class and field in the source.

use crate::diff::Owner;
use crate::naming::Namer;
use crate::structure;
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::ObjectId;

/// Name of an owner of a comparison as findings have it. `None` if there is no single owner. `namer` belongs to the target.
pub fn owner_label(namer: Namer<'_>, owner: &Owner, task: &Task) -> Result<Option<String>, Cancelled> {
    let Owner::Object { after, .. } = *owner else { return Ok(None) };
    structure_label(namer, owner.structure().unwrap_or(after), task)
}

/// Name of an object as findings have it: that of the structure that it is a part of, by class and field in the source, else
/// its own. `None` of an object that cannot be named.
pub fn structure_label(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
    let head = structure::head(namer, object, task)?;
    let above = namer.analysis.immediate_dominator(head);
    let is_class = |object: ObjectId| namer.heap.classes.of_object(object).is_some();
    // Classes and threads have names; constants of a class are in no field.
    let is_constant = || above.filter(|&above| is_class(above)).and_then(|above| namer.field_towards(above, head));
    let is_named =
        is_class(head) || namer.index.is_thread(head) || is_constant().is_some_and(|name| name.starts_with('<'));
    let label = if is_named { None } else { structure::label(namer, head, task)? };
    Ok(match label {
        Some(label) => Some(label.text),
        None => namer.name(object, task)?,
    })
}
