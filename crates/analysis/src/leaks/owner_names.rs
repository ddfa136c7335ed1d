//! The name of an owner of growth: that of the structure that grew.

use super::accumulation_point::common_dominator;
use crate::diff::{GrowthOwner, Matches};
use crate::naming::Namer;
use crate::structure::{self, Origin, ShortName};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::ObjectId;

/// Short name of the owners of a row of a comparison: that of the first, which grew most; of parts of one structure, such as
/// the branches of a tree, that of the structure. `None` if there is no single owner, or nothing in the source names it.
/// `namer` belongs to the target.
pub fn owners_short_name(
    namer: Namer<'_>,
    owners: &[GrowthOwner],
    task: &Task,
) -> Result<Option<ShortName>, Cancelled> {
    if owners.len() > 1
        && let Some(name) = whole_structure(namer, owners, task)?
    {
        return Ok(Some(name));
    }
    let structure = |owner: &GrowthOwner| match *owner {
        GrowthOwner::Object { after, .. } => Some(owner.structure().unwrap_or(after)),
        GrowthOwner::Top(_) => None,
    };
    let first = owners.first().and_then(structure);
    Ok(first.map(|object| namer.short_name(object, task)).transpose()?.flatten())
}

/// Name of the owners of a row of a comparison, whatever they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnersName {
    /// The short name, which people read.
    pub short: String,
    /// The same with packages, as the dump has it.
    pub qualified: String,
}

/// Text for each row of a comparison: [`owners_short_name`], else the path to the first owner or its class, or that there is
/// no single one. Empty without owners. `namer` belongs to the target.
pub fn owners_name(
    namer: Namer<'_>,
    matches: &Matches,
    owners: &[GrowthOwner],
    task: &Task,
) -> Result<OwnersName, Cancelled> {
    let text = match owners.first() {
        Some(GrowthOwner::Object { after, .. }) => {
            let first = owners.first().and_then(GrowthOwner::structure).unwrap_or(*after);
            match owners_short_name(namer, owners, task)? {
                Some(name) => {
                    return Ok(OwnersName { short: name.to_string(), qualified: name.qualified_text() });
                }
                None => namer.name(first, task)?.unwrap_or_else(|| namer.heap.class(*after).name.to_string()),
            }
        }
        Some(GrowthOwner::Top(kind)) => no_single_owner(matches.kinds.get(*kind).map_or("", |kind| &kind.name)),
        None => String::new(),
    };
    Ok(OwnersName { short: text.clone(), qualified: text })
}

/// Name of objects of a class without a single owner.
pub fn no_single_owner(class: &str) -> String {
    format!("no single owner: {class}")
}

/// Name of the structure that owners are parts of: they are at least half of it, and are held by the same field of the
/// application, or by a library alone.
fn whole_structure(namer: Namer<'_>, owners: &[GrowthOwner], task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let parts: Vec<ObjectId> = owners.iter().filter_map(GrowthOwner::structure).collect();
    let held: Bytes = parts.iter().map(|&part| namer.analysis.retained(part)).sum();
    let above = common_dominator(namer.analysis, &parts)
        .filter(|&above| held.0.saturating_mul(2) >= namer.analysis.retained(above).0)
        .filter(|&above| namer.heap.classes.of_object(above).is_none());
    let (Some(above), Some(&part)) = (above, parts.first()) else { return Ok(None) };
    let name = |object| structure::of_structure(namer, structure::head(namer, object, task)?, task);
    let (Some(part), Some(all)) = (name(part)?, name(above)?) else { return Ok(None) };
    let is_whole = part.has_member_of(&all) || part.origin == Origin::Library;
    Ok(is_whole.then_some(all))
}
