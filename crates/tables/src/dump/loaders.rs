//! Class loaders; in JSON each with its path to a GC root.

use std::sync::Arc;

use crate::columns::{Column, Columns, Item, Value, heading, headings, json};
use crate::export::json::PathRow;
use crate::relation::{Relation, relation};
use crate::{List, TableContext, TableError};
use heaplens_analysis::ReferencePath;
use heaplens_analysis::loaders::{LoaderRow, LoadersQuestion};
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_analysis::process::class_metadata;
use heaplens_base::Task;
use heaplens_heap::ObjectId;

/// Maximum number of loaders with a path: an application has some hundred.
pub const PATHS: usize = 1_000;
/// Maximum number of steps at each end of a path.
const ENDS: usize = 25;

const BOOTSTRAP: &str = "<system class loader>";

pub(crate) const COLUMNS: Columns<Item<LoaderRow>> = &[&[
    Column::of_json("id", |row, dump, _, out| json(out, &id(dump, row.loader))),
    Column::of_json("class", |row, dump, _, out| json(out, &row.loader.and_then(|loader| dump.class_of(loader)))),
    heading("label", "Loader", "Class, address and name of the class loader")
        .text(|row, dump| Some(label(dump, row).into())),
    Column::of_json("name", |row, _, _, out| json(out, &row.name)),
    heading("parent", "Parent", "Class loader that this one asks first").object(|row, _| row.parent),
    heading("classes", "Classes", "Number of classes it defined").count(|row, _| Some(row.classes.len() as u64)),
    heading("objects", "Objects", "Number of instances of those classes").count(|row, _| Some(row.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.shallow)),
    heading(
        "kept_by_objects_bytes",
        "Retained by objects",
        "Bytes freed if all instances of its classes were collected; each byte counts once",
    )
    .bytes(|row, _| Some(row.kept_by_objects)),
    heading("retained_bytes", "Retained size", "Bytes freed if the class loader were collected")
        .bytes(|row, _| Some(row.retained)),
    heading(
        "metadata_bytes",
        "Class metadata",
        "Memory of the metadata of its classes outside the heap: as recorded, else an estimate by their number",
    )
    .bytes(|row: &LoaderRow, dump| Some(class_metadata(dump.data(), row)?.0)),
    heading(
        "duplicate_classes",
        "Duplicate classes",
        "Number of its classes that another class loader has defined too",
    )
    .count(|row: &LoaderRow, _| Some(row.duplicates.len() as u64))
    .in_json(|row, _, _, out| json(out, &row.duplicates)),
    heading(
        "held_otherwise",
        "Held externally",
        "\"no\" if only its own classes and their objects hold it: typical of a leak after redeployment",
    )
    .flag(|row: &LoaderRow, _| Some(row.held_otherwise()))
    .in_json(|row, _, _, out| json(out, &row.held_otherwise())),
    Column::of_json("holder", |row, dump, _, out| json(out, &id(dump, row.holder))),
    Column::of_json("path", |row, dump, nth, out| {
        let path = (nth < PATHS).then(|| path_to(dump, row)).flatten();
        json(out, &path.as_ref().map(PathRow::new))
    }),
]];

/// Id of an object; null without one.
fn id(dump: TableContext<'_>, object: Option<ObjectId>) -> Value<'_> {
    Value::optional(object, |object| Value::object(dump.heap, object))
}

/// Class loaders.
pub const LOADERS: Relation = relation!("loaders", COLUMNS)
    .named("loaders", "Class loaders")
    .sorted_by("kept_by_objects_bytes")
    .computed("Class loaders", |dump, _, task| Ok(Arc::new(loader_table(dump, task)?)));

/// The loaders, by bytes of the instances of their classes.
pub fn loader_table(dump: TableContext<'_>, task: &Task) -> Result<List<LoaderRow>, TableError> {
    let table = List::new(COLUMNS, Vec::clone(&*dump.data().answer(&LoadersQuestion, task)?));
    Ok(table.with_filter(|row, dump, filter| filter.matches(&label(dump, row))))
}

/// `shop.PluginLoader @ 0x… "tax-plugin"`
pub fn label(dump: TableContext<'_>, row: &LoaderRow) -> String {
    let Some(loader) = row.loader else { return BOOTSTRAP.to_owned() };
    let name = row.name.as_deref().map(|name| format!(" {name:?}")).unwrap_or_default();
    format!("{} @ {}{name}", dump.heap.class(loader).name, dump.heap.id_text(loader))
}

/// The shortest path from a GC root to the loader.
pub fn path_to(dump: TableContext<'_>, row: &LoaderRow) -> Option<ReferencePath> {
    let options = PathOptions::default().max_listed_at_end(ENDS);
    // This task is never cancelled: the path is computed within one row.
    paths(dump.data(), row.loader?, options, &Task::new()).ok()?.pop()
}
