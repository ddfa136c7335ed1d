//! Variables of scripts by the names that findings have: `server.js sessions`.

use crate::answers::DumpData;
use crate::naming::{Namer, Unresolved, field};
use crate::structure::file_of_context;
use heaplens_base::{Count, Task};
use heaplens_heap::{ObjectId, ReferenceKind};

/// Class of closure contexts.
const CONTEXT: &str = "system / Context";
/// Maximum number of contexts named where several have the variable.
const NAMED: usize = 3;

/// The closure context that has the variable with which a text begins, and the steps from there; `None` unless the text
/// begins with a script and a name.
///
/// # Errors
/// If several contexts have the variable, or the task is cancelled.
pub(super) fn variable(namer: Namer<'_>, text: &str, task: &Task) -> Result<Option<(ObjectId, String)>, Unresolved> {
    let DumpData { heap, contents, analysis, .. } = namer.dump;
    let Some((file, steps)) = text.split_once(' ').filter(|_| heap.snapshot().is_some()) else { return Ok(None) };
    let end = steps.find(['.', '[', '{', '(', '#']).unwrap_or(steps.len());
    let (name, after) = steps.split_at(end);
    if name.is_empty() || file.is_empty() {
        return Ok(None);
    }
    let is_context: Vec<bool> = heap.classes.iter().map(|(_, class)| class.name.starts_with(CONTEXT)).collect();
    let column = heap.class_column().slices();
    let mut with = Vec::new();
    for block in task.blocks(heap.len()) {
        for object in block?.filter_map(ObjectId::new) {
            let is_one = column.get(object.index()).is_some_and(|class| is_context.get(class as usize) == Some(&true));
            if !is_one || !analysis.is_reachable(object) {
                continue;
            }
            task.checkpoint()?;
            let named = contents.named_references_of(heap, object, usize::MAX).unwrap_or_default();
            let has =
                named.iter().any(|(reference, _)| reference.kind == ReferenceKind::Context && reference.text == name);
            if has && file_of_context(namer, object).as_deref() == Some(file) {
                with.push(object);
            }
        }
    }
    match &with[..] {
        [] => Ok(None),
        [context] => Ok(Some((*context, format!("{}{after}", field(name))))),
        several => {
            let ids = several.iter().take(NAMED).map(|&context| format!("{}{}", heap.id_text(context), field(name)));
            let (count, ids) = (Count(several.len() as u64), ids.collect::<Vec<String>>().join(", "));
            let more = if several.len() > NAMED { ", …" } else { "" };
            Err(Unresolved::NotFound(format!("{count} closure contexts of {file} have {name}; name one: {ids}{more}")))
        }
    }
}
