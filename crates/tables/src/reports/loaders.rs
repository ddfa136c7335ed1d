//! Class loaders: classes and retained size of each, and loaders that are held only by their own classes.

use super::rows::{Cell, Name, Row, Rows};
use crate::{RowTarget, TableContext, dump::loaders::loader_table};
use heaplens_analysis::grouping::loader_name;
use heaplens_analysis::loaders::LoaderRow;
use heaplens_analysis::process::class_metadata;
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = loader_table(TableContext::of(dump), task)?;
    let loaders = &table.rows;
    let alone = loaders.iter().filter(|row| !row.held_otherwise()).count();
    let duplicates: u64 = loaders.iter().map(|row| row.duplicates.len() as u64).sum();
    let mut rows = Vec::new();
    for loader in loaders {
        rows.push(loader_row(dump, loader));
        rows.extend(below(dump, loader));
    }
    let parts = [
        Some(Count(loaders.len() as u64).of("loader", "loaders")),
        (duplicates > 0).then(|| format!("{} also defined by other loaders", Count(duplicates).of("class", "classes"))),
        (alone > 0).then(|| format!("{} held only by their own classes", Count(alone as u64))),
    ];
    let summary = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    Ok(Rows::new(table, rows, summary))
}

fn loader_row(dump: &OpenDump, row: &LoaderRow) -> Row {
    let class = row.loader.map_or("", |loader| &*dump.heap.class(loader).name);
    Row {
        depth: 0,
        found_by: format!("{class} {}", row.name.as_deref().unwrap_or_default()),
        name: match row.loader {
            Some(loader) => Name::Object(None, loader),
            None => Name::Words(loader_name(dump.data(), None)),
        },
        cells: vec![
            Cell::count(row.classes.len() as u64),
            Cell::count(row.objects),
            Cell::bytes(row.kept_by_objects),
            if row.loader.is_some() { Cell::bytes(row.retained) } else { Cell::EMPTY },
            class_metadata(dump.data(), row).map_or(Cell::EMPTY, |(bytes, _)| Cell::minor(bytes)),
        ],
        leads: row.loader.map_or(RowTarget::None, RowTarget::Object),
    }
}

fn below(dump: &OpenDump, row: &LoaderRow) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(holder) = row.holder {
        rows.push(Row::related(dump, 1, "held by", holder, Vec::new()));
    } else if !row.held_otherwise() {
        let words = if dump.heap.is_incomplete() {
            "held only by its own classes in what was read of the dump"
        } else {
            "held only by its own classes: collected together with them"
        };
        rows.push(Row { found_by: String::new(), ..Row::words(1, words, Vec::new()) });
    }
    if let Some(parent) = row.parent {
        rows.push(Row::related(dump, 1, "parent", parent, Vec::new()));
    }
    rows.extend(row.classes.iter().map(|&class| {
        let name = &dump.heap.classes.get(class).name;
        let is_duplicate = row.duplicates.binary_search_by(|duplicate| (**duplicate).cmp(&**name)).is_ok();
        let words = if is_duplicate { format!("{name}, also defined by another loader") } else { name.to_string() };
        let objects = dump.analysis.class_totals(class).objects;
        let cells = vec![Cell::EMPTY, Cell::count(objects), Cell::bytes(dump.analysis.class_retained(class))];
        Row { found_by: name.to_string(), leads: RowTarget::Class(class), ..Row::words(1, words, cells) }
    }));
    rows
}
