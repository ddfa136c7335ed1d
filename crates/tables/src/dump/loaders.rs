//! Class loaders; in JSON each with its path to a GC root.

use std::io::{self, Write};

use std::sync::Arc;

use crate::columns::{Columns, Item, heading, headings};
use crate::export::json::{LoaderAnswer, PathRow};
use crate::relation::{Relation, relation};
use crate::{List, TableContext, TableError};
use heaplens_analysis::Path;
use heaplens_analysis::loaders::{LoaderRow, LoadersQuestion};
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_base::Task;
use heaplens_heap::{ObjectId, Strength};

/// Maximum number of loaders with a path: an application has some hundred.
pub const PATHS: usize = 1_000;
/// Maximum number of steps at each end of a path.
const ENDS: usize = 25;

const BOOTSTRAP: &str = "<system class loader>";

pub(crate) const COLUMNS: Columns<Item<LoaderRow>> = &[&[
    heading("label", "Loader", "Class, address and name of the class loader")
        .text(|row, from| Some(label(from, row).into())),
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
        "duplicate_classes",
        "Duplicate classes",
        "Number of its classes that another class loader has defined too",
    )
    .count(|row, _| Some(row.duplicates.len() as u64)),
    heading(
        "held_otherwise",
        "Held externally",
        "\"no\" if only its own classes and their objects hold it: typical of a leak after redeployment",
    )
    .flag(|row, _| Some(row.held_otherwise())),
]];

/// Class loaders.
pub const LOADERS: Relation = relation!("loaders", COLUMNS)
    .named("loaders", "Class loaders")
    .sorted_by("kept_by_objects_bytes")
    .computed("Class loaders", |from, _, task| Ok(Arc::new(loader_table(from, task)?)));

/// The loaders, by bytes of the instances of their classes.
pub fn loader_table(from: TableContext<'_>, task: &Task) -> Result<List<LoaderRow>, TableError> {
    let table = List::new(COLUMNS, Vec::clone(&*from.data().answer(&LoadersQuestion, task)?));
    Ok(table.with_filter(|row, from, filter| filter.matches(&label(from, row))).with_json(write_row))
}

/// `shop.PluginLoader @ 0x… "tax-plugin"`
pub fn label(from: TableContext<'_>, row: &LoaderRow) -> String {
    let Some(loader) = row.loader else { return BOOTSTRAP.to_owned() };
    let name = row.name.as_deref().map(|name| format!(" {name:?}")).unwrap_or_default();
    format!("{} @ {}{name}", from.heap.class(loader).name, from.heap.id_text(loader))
}

/// The shortest path from a GC root to the loader.
pub fn path_to(from: TableContext<'_>, row: &LoaderRow) -> Option<Path> {
    let options = PathOptions { weakest: Strength::Strong, count: 1, max_listed_at_end: ENDS };
    // This task is never cancelled: the path is computed within one row.
    paths(from.heap, from.contents, from.analysis, row.loader?, options, &Task::new()).ok()?.pop()
}

fn write_row(row: &LoaderRow, from: TableContext<'_>, nth: usize, out: &mut dyn Write) -> io::Result<()> {
    let id = |object: Option<ObjectId>| object.map(|object| from.heap.id_text(object));
    let path = (nth < PATHS).then(|| path_to(from, row)).flatten();
    let answer = LoaderAnswer {
        id: id(row.loader),
        class: row.loader.map(|loader| from.heap.class(loader).name.to_string()),
        label: label(from, row),
        name: row.name.as_deref(),
        parent: id(row.parent),
        classes: row.classes.len() as u64,
        objects: row.objects,
        shallow_bytes: row.shallow.0,
        kept_by_objects_bytes: row.kept_by_objects.0,
        retained_bytes: row.retained.0,
        duplicate_classes: &row.duplicates,
        held_otherwise: row.held_otherwise(),
        holder: id(row.holder),
        path: path.as_ref().map(PathRow::new),
    };
    Ok(serde_json::to_writer(out, &answer)?)
}
