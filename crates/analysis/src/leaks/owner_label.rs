//! The name of an owner of growth, which is that of a finding about it: class and field in the source.

use super::accumulation_point::common_dominator;
use super::thread_locals;
use crate::diff::{GrowthOwner, Matches};
use crate::naming::Namer;
use crate::structure::{self, LabelHolder};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::ObjectId;

/// Name of the owners of a row of a comparison as findings have it: that of the first, which grew most; of parts of one
/// structure, such as the branches of a tree, that of the structure. `None` if there is no single owner. `namer` belongs to
/// the target.
pub fn owners_label(namer: Namer<'_>, owners: &[GrowthOwner], task: &Task) -> Result<Option<String>, Cancelled> {
    let Some(first) = owners.first() else { return Ok(None) };
    if owners.len() > 1
        && let Some(label) = whole_structure(namer, owners, task)?
    {
        return Ok(Some(label));
    }
    owner_label(namer, first, task)
}

/// [`owners_label`], else the class of the first owner, or that there is no single one: text for each row of a comparison.
/// Empty without owners. `namer` belongs to the target.
pub fn owners_name(
    namer: Namer<'_>,
    matches: &Matches,
    owners: &[GrowthOwner],
    task: &Task,
) -> Result<String, Cancelled> {
    Ok(match owners.first() {
        Some(GrowthOwner::Object { after, .. }) => {
            let name = owners_label(namer, owners, task)?;
            name.unwrap_or_else(|| namer.heap.class(*after).name.to_string())
        }
        Some(GrowthOwner::Top(kind)) => no_single_owner(matches.kinds.get(*kind).map_or("", |kind| &kind.name)),
        None => String::new(),
    })
}

/// Name of objects of a class without a single owner.
pub fn no_single_owner(class: &str) -> String {
    format!("no single owner: {class}")
}

/// Name of the structure that owners are parts of: they are at least half of it, and are held by the same field of the
/// application, or by a library alone.
fn whole_structure(namer: Namer<'_>, owners: &[GrowthOwner], task: &Task) -> Result<Option<String>, Cancelled> {
    let parts: Vec<ObjectId> = owners.iter().filter_map(GrowthOwner::structure).collect();
    let held: Bytes = parts.iter().map(|&part| namer.analysis.retained(part)).sum();
    let above = common_dominator(namer.analysis, &parts)
        .filter(|&above| held.0.saturating_mul(2) >= namer.analysis.retained(above).0)
        .filter(|&above| namer.heap.classes.of_object(above).is_none());
    let (Some(above), Some(&part)) = (above, parts.first()) else { return Ok(None) };
    let label = |object| structure::label(namer, structure::head(namer, object, task)?, task);
    let (Some(part), Some(all)) = (label(part)?, label(above)?) else { return Ok(None) };
    let is_whole = part.field == all.field || part.holder == LabelHolder::Library;
    Ok(is_whole.then_some(all.text))
}

/// Name of an owner of a comparison as findings have it. `None` if there is no single owner. `namer` belongs to the target.
fn owner_label(namer: Namer<'_>, owner: &GrowthOwner, task: &Task) -> Result<Option<String>, Cancelled> {
    let GrowthOwner::Object { after, .. } = *owner else { return Ok(None) };
    structure_label(namer, owner.structure().unwrap_or(after), task)
}

/// Name of an object as findings have it: that of the structure that it is a part of, by class and field in the source, else
/// its own. What a thread local holds and no field of the application has the name of the thread local. `None` of an object that cannot be named.
pub fn structure_label(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
    let head = structure::head(namer, object, task)?;
    let above = namer.analysis.immediate_dominator(head);
    let is_class = |object: ObjectId| namer.heap.classes.of_object(object).is_some();
    // Classes and threads have names; constants of a class are in no field.
    let is_constant = || above.filter(|&above| is_class(above)).and_then(|above| namer.field_towards(above, head));
    let is_named =
        is_class(head) || namer.index.is_thread(head) || is_constant().is_some_and(|name| name.starts_with('<'));
    let label = if is_named { None } else { structure::label(namer, head, task)? };
    if let Some(label) = label.as_ref().filter(|label| label.is_of_application()) {
        return Ok(Some(label.text.clone()));
    }
    if let Some(name) = thread_locals::name(namer, head, task)? {
        return Ok(Some(name));
    }
    Ok(match label {
        Some(label) => Some(label.text),
        None => namer.name(object, task)?,
    })
}
