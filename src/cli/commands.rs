//! One function per command: open, ask, print.

use std::collections::BTreeSet;
use std::io::Write;

use super::args::{
    FileArguments, FormatArgument, IndexArguments, ObjectArguments, ObjectsArguments, PathsArguments, PrintArguments,
    ReferencesArguments,
};
use super::failure::Failure;
use super::held::Held;
use super::names::{Names, object_named};
use super::{open, open_options, open_with, report, this_open};
use crate::analysis::filter::TextFilter;
use crate::analysis::object::{describe, elements};
use crate::analysis::outside::outside_heap;
use crate::analysis::paths::{PathStep, Wish, paths as find_paths};
use crate::analysis::references::{Direction, references as find_references};
use crate::export::json::{Called, Collection, Object, ObjectField, Paths, Rows, Summary};
use crate::export::path_text::path_text;
use crate::export::printable::Printable;
use crate::export::table::{Cell, Column, column, write_csv, write_json, write_text};
use crate::heap::classes::Strength;
use crate::session::dump::OpenDump;
use crate::task::Task;

/// Elements of an array that are read at once.
const ELEMENTS: u64 = 4_096;

pub(super) type Answer = Result<(), Failure>;

pub(super) fn filter(print: &PrintArguments) -> Result<TextFilter, Failure> {
    TextFilter::parse(print.filter.as_deref().unwrap_or_default()).map_err(Failure::Usage)
}

/// How many rows to print.
pub(super) fn rows_wanted(print: &PrintArguments) -> usize {
    print.top.unwrap_or(if print.format == FormatArgument::Text { 50 } else { usize::MAX })
}

/// Prints rows in the form asked for.
pub(super) fn print_rows(
    dump: &OpenDump,
    print: &PrintArguments,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Cell>>,
    totals: &[(&str, Cell)],
) -> Answer {
    let mut out = Held::of(dump);
    let rows = rows.take(rows_wanted(print));
    match print.format {
        FormatArgument::Text => write_text(Printable(&mut out), columns, rows)?,
        FormatArgument::Json => write_json(&mut out, columns, rows, totals)?,
        FormatArgument::Csv => write_csv(&mut out, columns, rows)?,
    }
    out.flush()?;
    Ok(())
}

pub(super) fn print_json(dump: &OpenDump, answer: &impl serde::Serialize) -> Answer {
    let mut out = Held::of(dump);
    serde_json::to_writer(&mut out, answer)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

pub(super) fn optional(text: Option<String>) -> Cell {
    text.map_or(Cell::Nothing, Cell::Text)
}

pub(super) fn summary(arguments: &FileArguments) -> Answer {
    filter(&arguments.print)?;
    let (dump, progress) = open(&arguments.file, &arguments.print.open)?;
    let file = arguments.file.display().to_string();
    let (heap, analyzed) = (&dump.facts.heap, &dump.analyzed);
    let outside = outside_heap(heap, &*dump.facts.contents, analyzed, &Task::new())?;
    let answer = Summary::new(file, heap, analyzed, outside, this_open(&dump, &progress));
    match arguments.print.format {
        FormatArgument::Json => print_json(&dump, &answer),
        FormatArgument::Text => {
            let mut out = Printable(Held::of(&dump));
            report::summary_text(&mut out, &answer)?;
            out.flush()?;
            Ok(())
        }
        FormatArgument::Csv => {
            let columns = [column("name", ""), column("value", "")];
            let rows = report::summary_rows(&answer).into_iter();
            print_rows(&dump, &arguments.print, &columns, rows.map(|(k, v)| vec![Cell::Text(k.to_owned()), v]), &[])
        }
    }
}

pub(super) fn objects(arguments: &ObjectsArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let (heap, analyzed) = (&dump.facts.heap, &dump.analyzed);
    let wanted: Vec<bool> =
        (heap.classes.iter()).map(|(_, c)| arguments.class.as_deref().is_none_or(|name| name == &*c.name)).collect();
    let chosen = heap.objects().filter(|&o| {
        analyzed.is_reachable(o)
            && wanted.get(heap.class_id(o).index()).is_some_and(|&wanted| wanted)
            && (filter.is_empty() || filter.matches_object(&heap.class(o).name, || dump.facts.contents.label(heap, o)))
    });
    let names = arguments.owner.then(|| Names::of(&dump)).transpose()?;
    let mut columns = vec![
        column("id", "Object"),
        column("class", "Class"),
        column("shallow_bytes", "Shallow"),
        column("retained_bytes", "Retained"),
        column("immediate_dominator", "Immediate dominator"),
        column("distance", "Distance"),
    ];
    columns.extend(names.is_some().then_some(column("owner", "Owner")));
    let rows = chosen.map(|o| {
        let mut row = vec![
            Cell::Text(heap.id_text(o)),
            Cell::Text(heap.class(o).name.to_string()),
            Cell::Size(heap.shallow(o)),
            Cell::Size(analyzed.retained(o)),
            optional(analyzed.immediate_dominator(o).map(|d| heap.id_text(d))),
            analyzed.distance(o).map_or(Cell::Nothing, |d| Cell::Count(u64::from(d))),
        ];
        row.extend(names.as_ref().map(|names| names.owner_cell(o)));
        row
    });
    print_rows(&dump, print, &columns, rows, &[])
}

pub(super) fn object(arguments: &ObjectArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.file, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let details = describe(heap, contents, &dump.analyzed, object, 1 << 20);
    if let Some(unreadable) = &details.unreadable {
        return Err(Failure::Unusable(format!("{}: {unreadable}", arguments.file.display())));
    }
    let names = Names::of(&dump)?;
    let called = Called { name: names.name(object)?, owner: names.owner(object) };
    // Elements are read as they are printed: an array may have ten million.
    let length = details.length.unwrap_or(0);
    let elements = (0..length).step_by(ELEMENTS as usize).flat_map(|at| {
        let range = at..(at + ELEMENTS).min(length);
        // What can no longer be read ends the list; it could be read a moment ago.
        elements(heap, contents, &dump.analyzed, object, range).unwrap_or_default()
    });
    let class = &details.class_name;
    let elements = elements.map(|row| ObjectField::of_element(heap, class, &row));
    let fields = details.fields.iter().map(|row| ObjectField::of_field(heap, row)).chain(elements);
    let passes =
        |f: &ObjectField| [&f.name, &f.type_name].iter().any(|t| filter.matches(t)) || filter.matches(&f.text());
    let fields = fields.filter(passes).take(rows_wanted(print));
    match print.format {
        FormatArgument::Json => {
            let rows = rows_wanted(print);
            let logical = contents.logical(heap, object, 0..rows as u64);
            let collection = logical.as_ref().map(|logical| Collection::new(heap, contents, logical));
            print_json(&dump, &Object::new(heap, &details, called, collection, Rows::new(fields)))
        }
        FormatArgument::Text => {
            let mut out = Printable(Held::of(&dump));
            report::object_text(&mut out, heap, &details, &called)?;
            if let Some(logical) = contents.logical(heap, object, 0..rows_wanted(print) as u64) {
                report::collection_text(&mut out, &Collection::new(heap, contents, &logical))?;
            }
            if length > 0 || !details.fields.is_empty() {
                writeln!(out)?;
                write_text(&mut out, &report::FIELDS, fields.map(report::field_cells))?;
            }
            out.flush()?;
            Ok(())
        }
        FormatArgument::Csv => print_rows(&dump, print, &report::FIELDS, fields.map(report::field_cells), &[]),
    }
}

pub(super) fn references(arguments: &ReferencesArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.file, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let direction = if arguments.incoming { Direction::Incoming } else { Direction::Outgoing };
    // A filter chooses among all rows, not among the first.
    let limit = if filter.is_empty() { rows_wanted(print) } else { usize::MAX };
    let answer = find_references(heap, contents, &dump.analyzed, object, direction, limit, &Task::new())?;
    let mut shown = answer.rows;
    shown.retain(|r| filter.is_empty() || filter.matches_object(&r.class, || r.label.clone()));
    let objects = if filter.is_empty() {
        answer.objects
    } else {
        shown.iter().map(|r| r.object).collect::<BTreeSet<_>>().len() as u64
    };
    let rows = shown.into_iter();
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
    print_rows(&dump, print, &columns, rows, &[("objects", Cell::Count(objects))])
}

pub(super) fn paths(arguments: &PathsArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.file, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let weakest = print.open.strength.map_or(Strength::Strong, Strength::from);
    // Text is for people: of a way of millions of steps both ends. Programs get it whole, unless they say --top.
    let ends = if print.format == FormatArgument::Text || print.top.is_some() {
        rows_wanted(print).max(1)
    } else {
        usize::MAX
    };
    let wish = Wish { weakest, count: arguments.count as usize, ends };
    let mut found = find_paths(heap, contents, &dump.analyzed, object, wish, &Task::new())?;
    // Paths by way of what the filter names.
    let passes = |s: &PathStep| filter.matches_object(&s.class, || s.label.clone());
    found.retain(|path| path.steps.iter().any(passes));
    match print.format {
        FormatArgument::Json => print_json(&dump, &Paths::new(&found)),
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
            // `--top` has chosen among the steps already.
            print_rows(&dump, &PrintArguments { top: Some(usize::MAX), ..print.clone() }, &columns, rows, &[])
        }
        FormatArgument::Text => {
            let mut out = Printable(Held::of(&dump));
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

pub(super) fn index(arguments: &IndexArguments) -> Answer {
    let mut options = open_options(&arguments.open);
    options.keeping.target = Some(arguments.output.clone());
    open_with(&arguments.file, &arguments.open, &options).map(|_written| ())
}
