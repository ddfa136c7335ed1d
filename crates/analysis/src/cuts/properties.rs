//! A property in all instances of a class of a snapshot, which declares no fields: each instance is read.

use rayon::prelude::*;

use crate::answers::DumpData;
use crate::naming::field;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::{ClassId, ObjectId, ReferenceKind, ReferenceName, Strength};

/// References of a property, as rows of source and target.
#[derive(Default)]
pub(super) struct PropertyReferences {
    /// From the instances.
    pub(super) cut: Vec<(u32, u32)>,
    /// By which the engine stores the same references.
    pub(super) stored: Vec<(u32, u32)>,
    /// Of the engine, from the instances to the same targets, and the index of each among those of its target: two
    /// properties may share them.
    pub(super) internal: Vec<(u32, u32, u32)>,
    /// Instances that could not be read.
    pub(super) unread: u64,
}

/// True of a reference that retains what it refers to, under the name of a field.
fn is_property(name: &ReferenceName) -> bool {
    !matches!(name.kind, ReferenceKind::Element | ReferenceKind::Weak) && name.strength == Strength::Strong
}

/// True of a reference that the engine has beside those of the program.
fn is_of_engine(name: &ReferenceName) -> bool {
    matches!(name.kind, ReferenceKind::Internal | ReferenceKind::Hidden)
}

/// References of the property `name` in all reachable instances of a class of a snapshot.
pub(super) fn in_all(
    of: DumpData<'_>,
    class: ClassId,
    name: &str,
    task: &Task,
) -> Result<PropertyReferences, Cancelled> {
    let DumpData { heap, contents, analysis, .. } = of;
    task.step("Reading the property", Unit::Objects, heap.len() as u64);
    let column = heap.class_column().slices();
    let blocks = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        let mut of_block = PropertyReferences::default();
        for object in rows.filter_map(ObjectId::new) {
            let targets = heap.references(object);
            let is_instance = column.get(object.index()) == Some(class.raw());
            if !is_instance || !analysis.is_reachable(object) || targets.is_empty() {
                continue;
            }
            task.checkpoint()?;
            let Some(named) = contents.named_references_of(heap, object, usize::MAX) else {
                of_block.unread += 1;
                continue;
            };
            let is_it = |(reference, _): &&(ReferenceName, ObjectId)| is_property(reference) && reference.text == name;
            for &(_, to) in named.iter().filter(is_it).filter(|(_, to)| targets.contains(&to.raw())) {
                of_block.cut.push((object.raw(), to.raw()));
                let is_internal = |(reference, other): &&(ReferenceName, ObjectId)| {
                    *other == to && reference.text != name && is_of_engine(reference)
                };
                let internal = named.iter().filter(is_internal).zip(0..).map(|(_, nth)| (object.raw(), to.raw(), nth));
                of_block.internal.extend(internal);
                let storages = analysis.storages(heap, contents, object, to);
                of_block.stored.extend(storages.into_iter().map(|storage| (storage.raw(), to.raw())));
            }
        }
        Ok(of_block)
    });
    let blocks: Vec<PropertyReferences> = blocks.collect::<Result<_, Cancelled>>()?;
    let mut all = PropertyReferences::default();
    for mut block in blocks {
        all.cut.append(&mut block.cut);
        all.stored.append(&mut block.stored);
        all.internal.append(&mut block.internal);
        all.unread += block.unread;
    }
    Ok(all)
}

/// Names of the properties of the instances of a class, each as often as it is met, until `is_last` says that it was the
/// last.
pub(super) fn names(
    of: DumpData<'_>,
    class: ClassId,
    mut is_last: impl FnMut(&str) -> bool,
    task: &Task,
) -> Result<(), Cancelled> {
    let DumpData { heap, contents, analysis, .. } = of;
    let column = heap.class_column().slices();
    for block in task.blocks(heap.len()) {
        for object in block?.filter_map(ObjectId::new) {
            if column.get(object.index()) != Some(class.raw()) || !analysis.is_reachable(object) {
                continue;
            }
            task.checkpoint()?;
            let named = contents.named_references_of(heap, object, usize::MAX).unwrap_or_default();
            if named.into_iter().any(|(reference, _)| is_property(&reference) && is_last(&reference.text)) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The only reachable instance of a class; `None` if there are several.
pub(super) fn only_instance(of: DumpData<'_>, class: ClassId, task: &Task) -> Result<Option<ObjectId>, Cancelled> {
    let DumpData { heap, analysis, .. } = of;
    let column = heap.class_column().slices();
    let mut only = None;
    for block in task.blocks(heap.len()) {
        for object in block?.filter_map(ObjectId::new) {
            let is_instance = column.get(object.index()) == Some(class.raw()) && analysis.is_reachable(object);
            if is_instance && only.replace(object).is_some() {
                return Ok(None);
            }
        }
    }
    Ok(only)
}

/// The property that is written as a step, if an instance of the class has it.
pub(super) fn named(of: DumpData<'_>, class: ClassId, step: &str, task: &Task) -> Result<Option<String>, Cancelled> {
    let mut wanted = None;
    let is_it = |name: &str| {
        wanted = (field(name) == step).then(|| name.to_owned());
        wanted.is_some()
    };
    names(of, class, is_it, task)?;
    Ok(wanted)
}
