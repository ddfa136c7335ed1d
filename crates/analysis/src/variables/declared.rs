//! Statics and fields that classes declare: read from one instance of each class.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::variable::{Variable, VariableKind, VariableTarget, is_name};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, ObjectId};

/// Number of classes between two checkpoints.
const BLOCK: usize = 256;

/// Statics and fields, in the order of the classes.
pub(super) fn variables(dump: DumpData<'_>, task: &Task) -> Result<Vec<Variable>, Cancelled> {
    let DumpData { heap, contents, .. } = dump;
    let instances = instances(dump, task)?;
    let mut names: FxHashMap<String, Arc<str>> = FxHashMap::default();
    let mut variables = Vec::new();
    for (class, row) in heap.classes.iter() {
        if class.index().is_multiple_of(BLOCK) {
            task.checkpoint()?;
        }
        let statics = row.object.map(|object| (object, contents.fields(heap, object).unwrap_or_default()));
        for (object, fields) in statics.into_iter().filter(|_| row.kind == ClassKind::Plain) {
            for field in fields.into_iter().filter(|field| field.is_static && is_name(&field.name)) {
                let value = field.value.object().map(VariableTarget::Value);
                variables.push(Variable {
                    kind: VariableKind::Static,
                    declared_by: shared(&mut names, &row.name),
                    name: field.name.into(),
                    target: value.unwrap_or(VariableTarget::Declaring(object)),
                    holders: 1,
                    is_of_runtime: is_of_runtime(dump, &row.name),
                });
            }
        }
        let Some(instance) = instances.get(class.index()).copied().flatten() else { continue };
        let holders = dump.analysis.class_totals(class).objects;
        for field in contents.fields(heap, instance).unwrap_or_default() {
            // Instances of `java.lang.Class` have the statics of the class that they represent.
            if field.is_static || !is_name(&field.name) {
                continue;
            }
            // What the only instance holds is more than a list of one object.
            let value = field.value.object().filter(|_| holders == 1).map(VariableTarget::Value);
            let declares = if field.declared_by.is_empty() { &*row.name } else { &*field.declared_by };
            variables.push(Variable {
                kind: VariableKind::Field,
                declared_by: shared(&mut names, declares),
                is_of_runtime: is_of_runtime(dump, declares),
                name: field.name.into(),
                target: value.unwrap_or(VariableTarget::Instances(class)),
                holders,
            });
        }
    }
    Ok(variables)
}

fn is_of_runtime(dump: DumpData<'_>, class: &str) -> bool {
    dump.answers.runtime_classes().contains(class)
}

/// The same text, shared by all variables of a class.
fn shared(names: &mut FxHashMap<String, Arc<str>>, name: &str) -> Arc<str> {
    match names.get(name) {
        Some(known) => known.clone(),
        None => names.entry(name.to_owned()).or_insert_with(|| name.into()).clone(),
    }
}

/// By class, its first reachable instance.
fn instances(dump: DumpData<'_>, task: &Task) -> Result<Vec<Option<ObjectId>>, Cancelled> {
    let heap = dump.heap;
    let mut instances: Vec<Option<ObjectId>> = vec![None; heap.classes.len()];
    let of_rows = heap.class_column().slices();
    for block in task.blocks(heap.len()) {
        for row in block? {
            let class = of_rows.get(row).and_then(ClassId::from_raw);
            let Some(instance) = class.and_then(|class| instances.get_mut(class.index())) else { continue };
            if instance.is_none() {
                *instance = ObjectId::new(row).filter(|&object| {
                    dump.analysis.is_reachable(object)
                        && heap.class(object).kind == ClassKind::Plain
                        && heap.classes.of_object(object).is_none()
                });
            }
        }
    }
    Ok(instances)
}
