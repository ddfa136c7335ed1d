//! Names of objects on the command line: where an id is asked for, and where an owner is printed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::failure::Failure;
use heaplens_analysis::naming::Unresolved;
use heaplens_analysis::{Namer, RuntimeClasses};
use heaplens_base::{Cancelled, Task};
use heaplens_dump::Dump;
use heaplens_heap::{ObjectId, starts_with_id};
use heaplens_session::runtime_classes;
use heaplens_tables::TableContext;
use heaplens_tables::dump::object_filter::ObjectRowFilter;
use heaplens_tables::query::RowFilter;

/// Names for one dump.
pub(super) struct Names<'a> {
    namer: Namer<'a>,
}

impl<'a> Names<'a> {
    pub(super) fn of(dump: &'a Dump) -> Result<Self, Failure> {
        Ok(Self { namer: dump.namer(&Task::new())? })
    }

    pub(super) fn namer(&self) -> Namer<'a> {
        self.namer
    }

    pub(super) fn name(&self, object: ObjectId) -> Result<Option<String>, Failure> {
        Ok(self.namer().name(object, &Task::new())?)
    }
}

/// The object a person means: by its id, or by its name.
pub(super) fn object_named(dump: &Dump, file: &Path, text: &str) -> Result<ObjectId, Failure> {
    if let Some(object) = dump.facts.heap.find(text) {
        return Ok(object);
    }
    let unknown = |why: String| Failure::Unusable(format!("{}: {why}", file.display()));
    if starts_with_id(text) {
        return Err(unknown(format!("no object {text}; copy the id from the output of another command (0x…)")));
    }
    Names::of(dump)?.namer().resolve(text, &Task::new()).map_err(|unresolved| match unresolved {
        Unresolved::Cancelled => Cancelled.into(),
        why => unknown(why.to_string()),
    })
}

/// The objects a person means: by id or name, then those of all classes with a name; only those that pass the filter.
/// Objects of a class are reachable, or `any`.
pub(super) fn objects_named(
    dump: &Dump,
    file: &Path,
    (ids, class, any): (&[String], Option<&str>, bool),
    filter: &RowFilter,
) -> Result<Vec<ObjectId>, Failure> {
    let heap = &dump.facts.heap;
    let mut objects = ids.iter().map(|id| object_named(dump, file, id)).collect::<Result<Vec<ObjectId>, Failure>>()?;
    if let Some(name) = class {
        let of_name: Vec<bool> = heap.classes.iter().map(|(_, class)| *class.name == *name).collect();
        if !of_name.contains(&true) {
            let why = "'heaplens histogram' lists all classes";
            return Err(Failure::Unusable(format!("{}: no class {name}; {why}", file.display())));
        }
        let is_of_name = |&o: &ObjectId| of_name.get(heap.class_id(o).index()) == Some(&true);
        objects.extend(heap.objects().filter(is_of_name).filter(|&o| any || dump.analysis.is_reachable(o)));
    }
    if !filter.is_empty() {
        let filter = ObjectRowFilter::new(TableContext::of(dump), filter)?;
        objects.retain(|&object| filter.passes(object));
    }
    Ok(objects)
}

/// Reads `--runtime-classes`; the file is kept to be read again.
pub(super) fn rules(path: &str) -> Result<(PathBuf, Arc<RuntimeClasses>), String> {
    Ok((PathBuf::from(path), Arc::new(runtime_classes::read(Path::new(path))?)))
}
