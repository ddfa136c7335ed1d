//! One function per command: open, ask, print.

use std::io::{self, BufWriter, StdoutLock, Write};

use super::args::{
    DominatorsArguments, FileArguments, FormatArgument, ObjectArguments, ObjectsArguments, PathsArguments,
    PrintArguments, ReferencesArguments,
};
use super::failure::Failure;
use super::{open, report};
use crate::analysis::dominator_tree::{LevelOrder, level};
use crate::analysis::filter::TextFilter;
use crate::analysis::histogram::histogram as class_histogram;
use crate::analysis::object::{Limits, describe};
use crate::analysis::paths::{Wish, paths as find_paths};
use crate::analysis::references::{Direction, references as find_references};
use crate::export::json::{DominatorRow, Object, Paths, Summary};
use crate::export::path_text::path_text;
use crate::export::table::{Cell, Column, column, write_csv, write_json, write_text};
use crate::heap::classes::Strength;
use crate::heap::ids::ObjectId;
use crate::session::dump::OpenDump;
use crate::session::memory::peak_memory_bytes;
use crate::task::Task;
use crate::units::{Bytes, Share};

type Answer = Result<(), Failure>;

fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

fn filter(print: &PrintArguments) -> Result<TextFilter, Failure> {
    TextFilter::parse(print.filter.as_deref().unwrap_or_default()).map_err(Failure::Usage)
}

/// How many rows to print.
fn rows_wanted(print: &PrintArguments) -> usize {
    print.top.unwrap_or(if print.format == FormatArgument::Text { 50 } else { usize::MAX })
}

/// Prints rows in the form asked for.
fn print_rows(
    print: &PrintArguments,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Cell>>,
    totals: &[(&str, Cell)],
) -> Answer {
    let mut out = stdout();
    let rows = rows.take(rows_wanted(print));
    match print.format {
        FormatArgument::Text => write_text(&mut out, columns, rows)?,
        FormatArgument::Json => write_json(&mut out, columns, rows, totals)?,
        FormatArgument::Csv => write_csv(&mut out, columns, rows)?,
    }
    out.flush()?;
    Ok(())
}

fn print_json(answer: &impl serde::Serialize) -> Answer {
    let mut out = stdout();
    serde_json::to_writer(&mut out, answer)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

fn optional(text: Option<String>) -> Cell {
    text.map_or(Cell::Nothing, Cell::Text)
}

/// The object a person named.
fn object_named(dump: &OpenDump, id: &str) -> Result<ObjectId, Failure> {
    let unknown = || Failure::Unusable(format!("no object {id}: ids are written as other answers print them, 0x…"));
    dump.facts.heap.find(id).ok_or_else(unknown)
}

pub(super) fn summary(arguments: &FileArguments) -> Answer {
    let (dump, progress) = open(&arguments.file, &arguments.print.open)?;
    let file = arguments.file.display().to_string();
    let answer = Summary::new(file, &dump.facts.heap, &dump.analyzed, &progress, peak_memory_bytes());
    match arguments.print.format {
        FormatArgument::Json => print_json(&answer),
        FormatArgument::Text => {
            let mut out = stdout();
            report::summary_text(&mut out, &answer)?;
            out.flush()?;
            Ok(())
        }
        FormatArgument::Csv => {
            let columns = [column("name", ""), column("value", "")];
            let rows = report::summary_rows(&answer).into_iter();
            print_rows(&arguments.print, &columns, rows.map(|(k, v)| vec![Cell::Text(k.to_owned()), v]), &[])
        }
    }
}

pub(super) fn histogram(arguments: &FileArguments) -> Answer {
    let filter = filter(&arguments.print)?;
    let (dump, _) = open(&arguments.file, &arguments.print.open)?;
    let heap = &dump.facts.heap;
    let mut answer = class_histogram(heap, &dump.analyzed);
    answer.rows.retain(|row| filter.matches(&heap.classes.get(row.class).name));
    let (objects, shallow) =
        answer.rows.iter().fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
    let rows = answer.rows.iter().map(|row| {
        let class = Cell::Text(heap.classes.get(row.class).name.to_string());
        vec![class, Cell::Count(row.objects), Cell::Size(row.shallow), Cell::Size(row.retained)]
    });
    let totals = [("objects", Cell::Count(objects)), ("shallow_bytes", Cell::Size(shallow))];
    print_rows(&arguments.print, &report::HISTOGRAM, rows, &totals)
}

pub(super) fn dominators(arguments: &DominatorsArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let of = arguments.of.as_deref().map(|id| object_named(&dump, id)).transpose()?;
    let rows = dominator_rows(&dump, of, &filter, rows_wanted(print), arguments.depth.unwrap_or(1))?;
    if print.format == FormatArgument::Json {
        #[derive(serde::Serialize)]
        struct Dominators {
            rows: Vec<DominatorRow>,
        }
        return print_json(&Dominators { rows });
    }
    // The tree written row by row: levels below are indented, or have their depth in a column.
    let mut flat = Vec::new();
    let mut stack: Vec<(usize, DominatorRow)> = rows.into_iter().rev().map(|r| (0, r)).collect();
    let whole = dump.analyzed.shown.shallow;
    while let Some((depth, mut row)) = stack.pop() {
        let below = row.children.take().unwrap_or_default();
        stack.extend(below.into_iter().rev().map(|r| (depth + 1, r)));
        let indent = if print.format == FormatArgument::Text { "  ".repeat(depth) } else { String::new() };
        let mut cells = vec![
            Cell::Text(indent + &row.id),
            Cell::Text(row.class),
            optional(row.label),
            Cell::Size(Bytes(row.shallow_bytes)),
            Cell::Size(Bytes(row.retained_bytes)),
            Cell::Share(Share::of(Bytes(row.retained_bytes), whole)),
            Cell::Count(row.dominated),
        ];
        if print.format == FormatArgument::Csv && arguments.depth.is_some() {
            cells.push(Cell::Count(depth as u64));
        }
        flat.push(cells);
    }
    let mut columns = report::DOMINATORS.to_vec();
    if print.format == FormatArgument::Csv && arguments.depth.is_some() {
        columns.push(column("depth", "Depth"));
    }
    // `--top` has counted the rows of each level already.
    let print = PrintArguments { top: Some(usize::MAX), ..print.clone() };
    print_rows(&print, &columns, flat.into_iter(), &[])
}

/// The biggest objects below `of`, and below them, `depth` levels in all. A
/// filter chooses among the first level.
pub(super) fn dominator_rows(
    dump: &OpenDump,
    of: Option<ObjectId>,
    filter: &TextFilter,
    top: usize,
    depth: u32,
) -> Result<Vec<DominatorRow>, Failure> {
    let (heap, contents, analyzed) = (&dump.facts.heap, &*dump.facts.contents, &dump.analyzed);
    let task = Task::new();
    let row = |object| DominatorRow::new(heap, contents, analyzed, object);
    let passes = |r: &DominatorRow| filter.matches(&r.class) || r.label.as_deref().is_some_and(|l| filter.matches(l));
    let first = level(heap, analyzed, of, LevelOrder::Retained, false, &task)?;
    let mut rows: Vec<DominatorRow> = first.into_iter().map(row).filter(passes).take(top).collect();
    // Level by level, so that a deep tree needs no deep stack.
    let mut open: Vec<&mut DominatorRow> = rows.iter_mut().collect();
    for _ in 1..depth {
        let mut next = Vec::new();
        for parent in open {
            let below = level(heap, analyzed, heap.find(&parent.id), LevelOrder::Retained, false, &task)?;
            let children = parent.children.insert(below.into_iter().take(top).map(row).collect());
            next.extend(children.iter_mut());
        }
        if next.is_empty() {
            break;
        }
        open = next;
    }
    Ok(rows)
}

pub(super) fn objects(arguments: &ObjectsArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let (heap, analyzed) = (&dump.facts.heap, &dump.analyzed);
    let wanted: Vec<bool> = (heap.classes.iter())
        .map(|(_, c)| filter.matches(&c.name) && arguments.class.as_deref().is_none_or(|name| name == &*c.name))
        .collect();
    let chosen = heap.objects().filter(|&o| analyzed.is_reachable(o) && wanted[heap.class_id(o).index()]);
    let columns = [
        column("id", "Object"),
        column("class", "Class"),
        column("shallow_bytes", "Shallow"),
        column("retained_bytes", "Retained"),
        column("immediate_dominator", "Immediate dominator"),
        column("distance", "Distance"),
    ];
    let rows = chosen.map(|o| {
        vec![
            Cell::Text(heap.id_text(o)),
            Cell::Text(heap.class(o).name.to_string()),
            Cell::Size(heap.shallow(o)),
            Cell::Size(analyzed.retained(o)),
            optional(analyzed.immediate_dominator(o).map(|d| heap.id_text(d))),
            analyzed.distance(o).map_or(Cell::Nothing, |d| Cell::Count(u64::from(d))),
        ]
    });
    print_rows(print, &columns, rows, &[])
}

pub(super) fn object(arguments: &ObjectArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let limits = Limits { elements: rows_wanted(print) as u64, characters: 1 << 20 };
    let details = describe(heap, contents, &dump.analyzed, object, limits);
    if let Some(unreadable) = &details.unreadable {
        return Err(Failure::Unusable(format!("{}: {unreadable}", arguments.file.display())));
    }
    let answer = Object::new(heap, &details);
    match print.format {
        FormatArgument::Json => print_json(&answer),
        FormatArgument::Text => {
            let mut out = stdout();
            report::object_text(&mut out, heap, &details, &answer)?;
            out.flush()?;
            Ok(())
        }
        FormatArgument::Csv => print_rows(print, &report::FIELDS, report::field_rows(&answer), &[]),
    }
}

pub(super) fn references(arguments: &ReferencesArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let direction = if arguments.incoming { Direction::Incoming } else { Direction::Outgoing };
    // A filter chooses among all rows, not among the first.
    let limit = if filter.is_empty() { rows_wanted(print) } else { usize::MAX };
    let answer = find_references(heap, contents, &dump.analyzed, object, direction, limit, &Task::new())?;
    let rows = answer
        .rows
        .into_iter()
        .filter(|r| filter.matches(&r.class) || r.label.as_deref().is_some_and(|l| filter.matches(l)));
    let columns = [
        column("name", "Name"),
        column("kind", "Kind"),
        column("id", "Object"),
        column("class", "Class"),
        column("label", "Label"),
        column("shallow_bytes", "Shallow"),
        column("retained_bytes", "Retained"),
        column("strength", "Strength"),
    ];
    let rows = rows.map(|r| {
        vec![
            Cell::Text(r.name.text),
            Cell::Text(r.name.kind.name().to_owned()),
            Cell::Text(heap.id_text(r.object)),
            Cell::Text(r.class),
            optional(r.label),
            Cell::Size(r.shallow),
            Cell::Size(r.retained),
            Cell::Text(r.name.strength.name().to_owned()),
        ]
    });
    print_rows(print, &columns, rows, &[("objects", Cell::Count(answer.objects))])
}

pub(super) fn paths(arguments: &PathsArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let weakest = print.open.strength.map_or(Strength::Strong, Strength::from);
    // Text is for people: of a way of millions of steps both ends. Programs get it whole, unless they say --top.
    let ends =
        if print.format == FormatArgument::Text || print.top.is_some() { rows_wanted(print) } else { usize::MAX };
    let wish = Wish { weakest, count: arguments.count, ends };
    let found = find_paths(heap, contents, &dump.analyzed, object, wish, &Task::new())?;
    match print.format {
        FormatArgument::Json => print_json(&Paths::new(&found)),
        FormatArgument::Csv => {
            let columns = [
                column("path", "Path"),
                column("step", "Step"),
                column("reference", "Reference"),
                column("id", "Object"),
                column("class", "Class"),
                column("label", "Label"),
            ];
            let numbered =
                found.iter().enumerate().flat_map(|(p, path)| path.steps.iter().enumerate().map(move |s| (p, s)));
            let rows = numbered.map(|(path, (step, s))| {
                vec![
                    Cell::Count(path as u64),
                    Cell::Count(step as u64),
                    optional(s.reference.clone()),
                    Cell::Text(s.id.clone()),
                    Cell::Text(s.class.clone()),
                    optional(s.label.clone()),
                ]
            });
            print_rows(print, &columns, rows, &[])
        }
        FormatArgument::Text => {
            let mut out = stdout();
            if found.is_empty() {
                writeln!(out, "No path to a GC root along {} references", weakest.name())?;
            }
            for (i, path) in found.iter().enumerate() {
                if i > 0 {
                    writeln!(out)?;
                }
                write!(out, "{}", path_text(path))?;
            }
            out.flush()?;
            Ok(())
        }
    }
}
