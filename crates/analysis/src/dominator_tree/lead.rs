//! What a row of the tree, and the cell of a chart for it, leads with: where it is in the source.

use super::group_owner;
use super::parts::{GroupId, Source};
use crate::answers::DumpData;
use crate::structure::{ShortName, direct_step};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassKind, ObjectId, split_class};

/// Any index of an array.
const ELEMENTS: &str = "[…]";

/// What an object or a group is in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lead {
    /// Its short name: at the top level, below what does not hold it directly, and where the row above and the field do not
    /// read as the name, such as below the scope of a variable or in a part of the runtime.
    ShortName(ShortName),
    /// The field or index by which its immediate dominator holds it directly.
    Step(String),
    /// Of several objects: the short name of their owner.
    Owner(ShortName),
    /// Of several elements of an array: any index.
    Elements,
}

impl Lead {
    /// The text in a row.
    pub fn text(&self) -> String {
        match self {
            Self::ShortName(name) => name.to_string(),
            Self::Owner(name) => ShortName::clone(name).without_steps().to_string(),
            Self::Step(step) => step.clone(),
            Self::Elements => ELEMENTS.to_owned(),
        }
    }

    /// The text in tooltips, with the package.
    pub fn qualified_text(&self) -> String {
        match self {
            Self::ShortName(name) => name.qualified_text(),
            Self::Owner(name) => ShortName::clone(name).without_steps().qualified_text(),
            Self::Step(step) => step.clone(),
            Self::Elements => ELEMENTS.to_owned(),
        }
    }
}

/// What the row of an object leads with. `None` if it has nothing of the kind, such as an object that only the runtime
/// holds.
///
/// # Errors
/// When `task` is cancelled.
pub fn lead_of_object(dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<Option<Lead>, Cancelled> {
    let namer = dump.namer(task)?;
    let name = member_name(dump, object, task)?;
    let Some(above) = dump.analysis.immediate_dominator(object) else { return Ok(name.map(Lead::ShortName)) };
    let Some(step) = direct_step(namer, above, object) else { return Ok(name.map(Lead::ShortName)) };
    let Some(name) = name.filter(|name| !is_told_by(dump, above, name)) else { return Ok(Some(Lead::Step(step))) };
    // The parts of a structure have its name.
    let is_part = namer.short_name(above, task)?.is_some_and(|above| above.has_member_of(&name));
    Ok(Some(if is_part { Lead::Step(step) } else { Lead::ShortName(name) }))
}

/// True if the class in the row of an object and the field by which it holds another read as the short name of that.
fn is_told_by(dump: DumpData<'_>, above: ObjectId, name: &ShortName) -> bool {
    let class = dump.heap.classes.of_object(above).unwrap_or_else(|| dump.heap.class_id(above));
    let shown = split_class(&dump.heap.classes.get(class).name).1;
    name.object == above && name.steps.is_empty() && name.others.is_empty() && name.holder == shown
}

/// What the row of siblings of a class leads with: of elements of an array, any index; below another object, the owner of
/// the first of them, which is that of all; at the top level, their owner if it is one for all.
///
/// # Errors
/// When `task` is cancelled.
pub fn lead_of_group(dump: DumpData<'_>, group: GroupId, task: &Task) -> Result<Option<Lead>, Cancelled> {
    let parent = match group.part.source {
        Source::Below(Some(parent)) => parent,
        Source::Chain(chain) | Source::Members(chain) => chain.head,
        Source::Below(None) | Source::Shared(_) => {
            return Ok(group_owner(dump, group.part, task)?.map(Lead::Owner));
        }
    };
    let namer = dump.namer(task)?;
    let above = dump.analysis.immediate_dominator(group.first);
    let is_held = above.and_then(|above| direct_step(namer, above, group.first)).is_some();
    if is_held && dump.heap.class(parent).kind == ClassKind::ObjectArray {
        return Ok(Some(Lead::Elements));
    }
    Ok(member_name(dump, group.first, task)?.map(Lead::Owner))
}

/// Short name of an object that a member of the application or a library holds.
fn member_name(dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    Ok(dump.namer(task)?.short_name(object, task)?.filter(|name| name.is_of_member(object)))
}
