//! `strings`, `collections` and `waste`: where memory goes for nothing.

use super::args::{FileArguments, FormatArgument};
use super::commands::{Answer, filter, print_json, print_rows, rows_wanted};
use super::open;
use crate::analysis::collections::collections as by_class;
use crate::analysis::strings::{TextGroup, duplicate_strings};
use crate::analysis::waste::{WasteRow, complete, waste as find_waste};
use crate::export::json::Rows;
use crate::export::table::{Cell, column};
use crate::export::waste::{Holders, Strings, StringsRow, Waste, WasteRow as JsonRow};
use crate::heap::ids::ObjectId;
use crate::session::dump::OpenDump;
use crate::task::Task;
use crate::units::Bytes;

/// Holders of a text that are named.
const HOLDERS: usize = 3;
/// Characters of a text in a table.
const CHARACTERS: usize = 60;

pub(super) fn strings(arguments: &FileArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let (heap, contents, analyzed) = (&dump.facts.heap, &*dump.facts.contents, &dump.analyzed);
    let found = duplicate_strings(heap, contents, analyzed, &Task::new())?;
    let text = |group: &TextGroup| found.text(heap, contents, group);
    let holders = |group: &TextGroup| found.held_by(heap, contents, analyzed, group, HOLDERS);
    let groups: Vec<&TextGroup> =
        found.groups.iter().filter(|group| filter.is_empty() || filter.matches(&text(group))).collect();
    let objects = groups.iter().map(|group| group.objects).sum();
    let shallow: Bytes = groups.iter().map(|group| group.shallow).sum();
    let wasted: Bytes = groups.iter().map(|group| group.wasted).sum();
    if print.format == FormatArgument::Json {
        let row = |group: &&TextGroup| StringsRow {
            text: text(group),
            objects: group.objects,
            shallow_bytes: group.shallow.0,
            wasted_bytes: group.wasted.0,
            held_by: holders(group).into_iter().map(|h| Holders { name: h.name, objects: h.objects }).collect(),
        };
        let rows = Rows::new(groups.iter().take(rows_wanted(print)).map(row));
        let (shallow_bytes, wasted_bytes) = (shallow.0, wasted.0);
        return print_json(&dump, &Strings { groups: groups.len() as u64, objects, shallow_bytes, wasted_bytes, rows });
    }
    let columns = [
        column("text", "Text"),
        column("objects", "Objects"),
        column("shallow_bytes", "Shallow"),
        column("wasted_bytes", "Wasted"),
        column("held_by", "Held by"),
    ];
    let rows = groups.iter().map(|group| {
        let mut text = text(group);
        if print.format == FormatArgument::Text && text.chars().count() > CHARACTERS {
            text = text.chars().take(CHARACTERS).chain(['…']).collect();
        }
        let holders: Vec<String> = holders(group).iter().map(|h| format!("{} ×{}", h.name, h.objects)).collect();
        vec![
            Cell::Text(text),
            Cell::Count(group.objects),
            Cell::Size(group.shallow),
            Cell::Size(group.wasted),
            Cell::Text(holders.join(", ")),
        ]
    });
    print_rows(&dump, print, &columns, rows, &[])
}

pub(super) fn collections(arguments: &FileArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let heap = &dump.facts.heap;
    let mut found = by_class(heap, &*dump.facts.contents, &dump.analyzed, &Task::new())?;
    found.retain(|(class, _)| filter.matches(&heap.classes.get(*class).name));
    let columns = [
        column("class", "Class"),
        column("objects", "Objects"),
        column("elements", "Elements"),
        column("empty", "Empty"),
        column("single", "Single"),
        column("sparse", "Sparse"),
        column("capacity", "Capacity"),
        column("fill_ratio", "Filled"),
        column("shallow_bytes", "Shallow"),
        column("wasted_bytes", "Wasted"),
    ];
    let rows = found.iter().map(|(class, row)| {
        vec![
            Cell::Text(heap.classes.get(*class).name.to_string()),
            Cell::Count(row.objects),
            Cell::Count(row.elements),
            Cell::Count(row.empty),
            Cell::Count(row.single),
            Cell::Count(row.sparse),
            Cell::Count(row.capacity),
            row.fill_ratio().map_or(Cell::Nothing, Cell::Share),
            Cell::Size(row.shallow),
            Cell::Size(row.wasted),
        ]
    });
    let objects = found.iter().map(|(_, row)| row.objects).sum();
    let wasted = found.iter().map(|(_, row)| row.wasted).sum();
    let totals = [("objects", Cell::Count(objects)), ("wasted_bytes", Cell::Size(wasted))];
    print_rows(&dump, print, &columns, rows, &totals)
}

/// Every kind of waste, most wasted bytes first.
fn all_waste(dump: &OpenDump) -> Result<Vec<WasteRow>, super::failure::Failure> {
    let (heap, contents, analyzed) = (&dump.facts.heap, &*dump.facts.contents, &dump.analyzed);
    let found = find_waste(heap, contents, analyzed, &Task::new())?;
    let strings = duplicate_strings(heap, contents, analyzed, &Task::new())?;
    Ok(complete(heap, analyzed, found, strings.surplus()))
}

pub(super) fn waste(arguments: &FileArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let heap = &dump.facts.heap;
    let mut rows = all_waste(&dump)?;
    rows.retain(|row| filter.matches(row.kind.name()));
    let ids = |examples: &[ObjectId]| examples.iter().map(|&object| heap.id_text(object)).collect::<Vec<_>>();
    if print.format == FormatArgument::Json {
        let row = |row: &WasteRow| JsonRow {
            kind: row.kind.name(),
            objects: row.objects,
            wasted_bytes: row.wasted.0,
            examples: ids(&row.examples),
        };
        return print_json(&dump, &Waste { rows: rows.iter().take(rows_wanted(print)).map(row).collect() });
    }
    let columns = [
        column("kind", "Kind"),
        column("objects", "Objects"),
        column("wasted_bytes", "Wasted"),
        column("examples", "Biggest"),
    ];
    let shown = if print.format == FormatArgument::Text { 3 } else { usize::MAX };
    let cells = |row: &WasteRow| {
        let mut examples = ids(&row.examples);
        examples.truncate(shown);
        vec![
            Cell::Text(row.kind.name().to_owned()),
            Cell::Count(row.objects),
            Cell::Size(row.wasted),
            Cell::Text(examples.join(" ")),
        ]
    };
    print_rows(&dump, print, &columns, rows.iter().map(cells), &[])
}
