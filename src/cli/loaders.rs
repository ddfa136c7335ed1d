//! `loaders`: class loaders, each with the way that holds it.

use std::io::Write;

use super::args::{FileArguments, FormatArgument};
use super::commands::{Answer, filter, optional, print_json, print_rows, rows_wanted};
use super::failure::Failure;
use super::held::Held;
use super::open;
use crate::analysis::loaders::{LoaderRow, loaders as all_loaders};
use crate::analysis::paths::{Path, Wish, paths};
use crate::export::json::{LoaderAnswer, LoaderAnswers, PathRow};
use crate::export::path_text::path_text;
use crate::export::printable::Printable;
use crate::export::table::{Cell, column, write_text};
use crate::heap::classes::Strength;
use crate::heap::ids::ObjectId;
use crate::session::dump::OpenDump;
use crate::task::Task;

/// Loaders whose path is looked for: an application has some hundred.
const PATHS: usize = 1_000;
/// Steps of a path at either end.
const ENDS: usize = 25;

const BOOTSTRAP: &str = "<system class loader>";

pub(super) fn loaders(arguments: &FileArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let mut rows = all_loaders(heap, contents, &dump.analyzed, &Task::new())?;
    rows.retain(|row| filter.matches(&label(&dump, row)));
    rows.truncate(rows_wanted(print));
    let id = |object: Option<ObjectId>| object.map(|object| heap.id_text(object));
    match print.format {
        FormatArgument::Json => {
            let ways = rows.iter().take(PATHS).map(|row| way(&dump, row));
            let ways = ways.collect::<Result<Vec<Option<Path>>, Failure>>()?;
            let answers = rows.iter().zip(ways.iter().map(Option::as_ref).chain(std::iter::repeat(None)));
            let answers = answers.map(|(row, way)| LoaderAnswer {
                id: id(row.loader),
                class: row.loader.map(|loader| heap.class(loader).name.to_string()),
                label: label(&dump, row),
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
                path: way.map(PathRow::new),
            });
            print_json(&dump, &LoaderAnswers { rows: answers.collect() })
        }
        FormatArgument::Csv => print_rows(&dump, print, &COLUMNS, rows.iter().map(|row| cells(&dump, row)), &[]),
        FormatArgument::Text => {
            let mut out = Printable(Held::of(&dump));
            write_text(&mut out, &COLUMNS, rows.iter().map(|row| cells(&dump, row)))?;
            for row in rows.iter().take(PATHS) {
                if !row.duplicates.is_empty() {
                    writeln!(out, "\n{} defines again: {}", label(&dump, row), row.duplicates.join(", "))?;
                }
                if let Some(way) = way(&dump, row)? {
                    let by = if row.held_otherwise() { "" } else { ", by its own classes alone" };
                    writeln!(out, "\n{} is held{by}", label(&dump, row))?;
                    write!(out, "{}", path_text(&way))?;
                }
            }
            out.flush()?;
            Ok(())
        }
    }
}

const COLUMNS: [crate::export::table::Column; 9] = [
    column("label", "Loader"),
    column("parent", "Parent"),
    column("classes", "Classes"),
    column("objects", "Objects"),
    column("shallow_bytes", "Shallow"),
    column("kept_by_objects_bytes", "Kept by objects"),
    column("retained_bytes", "Retained"),
    column("duplicate_classes", "Duplicate classes"),
    column("held_otherwise", "Held otherwise"),
];

fn cells(dump: &OpenDump, row: &LoaderRow) -> Vec<Cell> {
    vec![
        Cell::Text(label(dump, row)),
        optional(row.parent.map(|parent| dump.facts.heap.id_text(parent))),
        Cell::Count(row.classes.len() as u64),
        Cell::Count(row.objects),
        Cell::Size(row.shallow),
        Cell::Size(row.kept_by_objects),
        Cell::Size(row.retained),
        Cell::Count(row.duplicates.len() as u64),
        Cell::Text(if row.held_otherwise() { "yes" } else { "no" }.to_owned()),
    ]
}

/// `shop.PluginLoader @ 0x… "tax-plugin"`
fn label(dump: &OpenDump, row: &LoaderRow) -> String {
    let Some(loader) = row.loader else { return BOOTSTRAP.to_owned() };
    let heap = &dump.facts.heap;
    let name = row.name.as_deref().map(|name| format!(" {name:?}")).unwrap_or_default();
    format!("{} @ {}{name}", heap.class(loader).name, heap.id_text(loader))
}

/// The shortest way from a root to the loader.
fn way(dump: &OpenDump, row: &LoaderRow) -> Result<Option<Path>, Failure> {
    let Some(loader) = row.loader else { return Ok(None) };
    let wish = Wish { weakest: Strength::Strong, count: 1, ends: ENDS };
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    Ok(paths(heap, contents, &dump.analyzed, loader, wish, &Task::new())?.pop())
}
