//! `paths`: shortest paths to one object, or merged paths to many.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use super::args::PathsArguments;
use super::failure::Failure;
use super::names::{object_named, objects_named};
use super::open::open;
use super::print::{Answer, indent, open_filtered, print_json, print_rows, rows_wanted, text_filter};
use super::progress::with_progress;
use super::tables::print_table;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::PathStep;
use heaplens_analysis::paths::aggregated::{Thresholds, aggregated as merged_by_class, classes_over};
use heaplens_analysis::paths::ignored::IgnoredReference;
use heaplens_analysis::paths::merged::{PathTargets, merged_paths};
use heaplens_analysis::paths::{PathOptions, paths_without};
use heaplens_base::{Bytes, Count, Task};
use heaplens_heap::Strength;
use heaplens_tables::columns::{Heading, Value, heading};
use heaplens_tables::dump::path_steps::step_table;
use heaplens_tables::export::json::PathRow;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::{AggregatedPaths, ColumnInfo, MergedPaths, OutputForm, RowQuery, Table as _, TableContext};

/// Default maximum number of tree rows in text output.
const SHOWN: usize = 100;
/// Columns of a path tree in text output: the path, and these of the table.
const FIGURES: [&str; 3] = ["objects", "shallow_bytes", "retained_bytes"];

/// Their headings.
fn tree_headings(columns: &[ColumnInfo]) -> Vec<Heading> {
    let path = heading("path", "Path", "Reference and object, indented below the object that holds it");
    let figures = columns.iter().filter(|column| FIGURES.contains(&column.key)).map(|column| column.heading);
    std::iter::once(path).chain(figures).collect()
}

pub(super) fn paths(arguments: &PathsArguments) -> Answer {
    match &arguments.id {
        Some(id) => to_one(arguments, id),
        None if arguments.least_retained.is_some() || arguments.least_objects.is_some() => aggregated(arguments),
        None => merged(arguments),
    }
}

fn to_one(arguments: &PathsArguments, id: &str) -> Answer {
    let print = &arguments.print;
    let filter = text_filter(print.filter.as_deref())?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.file, id)?;
    let heap = &dump.facts.heap;
    let weakest = print.open.strength.unwrap_or(Strength::Strong);
    // Text shows only both ends of a long path; json and csv contain all steps unless --top is given.
    let max_listed_at_end =
        if print.format == OutputForm::Text || print.top.is_some() { rows_wanted(print).max(1) } else { usize::MAX };
    let options = PathOptions::default()
        .min_strength(weakest)
        .count(arguments.count as usize)
        .max_listed_at_end(max_listed_at_end);
    let ignored = arguments.ignore.iter().map(|text| IgnoredReference::parse(heap, text));
    let ignored = ignored.collect::<Result<Vec<IgnoredReference>, String>>();
    let ignored = ignored.map_err(|why| Failure::Unusable(format!("{}: {why}", arguments.file.display())))?;
    let mut paths = paths_without(dump.data(), object, options, &ignored, &Task::new())?;
    // Keep paths through objects that match the filter.
    let passes = |s: &PathStep| filter.matches_object(&s.class, || s.label.clone());
    paths.retain(|path| path.steps.iter().any(passes));
    match print.format {
        OutputForm::Json => {
            print_json(&dump, &BTreeMap::from([("paths", paths.iter().map(PathRow::new).collect::<Vec<_>>())]))
        }
        form if form.is_cells() => {
            // `--top` was already applied to the steps.
            print_table(&dump, &step_table(paths), &RowQuery::default(), form)
        }
        _ => {
            let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
            if paths.is_empty() {
                let else_ = if ignored.is_empty() { "" } else { " other than ignored ones" };
                writeln!(out, "No path to a GC root along {} references{else_}", weakest.name())?;
            }
            for (i, path) in paths.iter().enumerate() {
                if i > 0 {
                    writeln!(out)?;
                }
                write!(out, "{path}")?;
            }
            Ok(out.flush()?)
        }
    }
}

fn merged(arguments: &PathsArguments) -> Answer {
    let print = &arguments.print;
    let (dump, filter) = open_filtered(&arguments.file, print)?;
    let chosen = (&*arguments.of, arguments.class.as_deref(), false);
    let objects = objects_named(&dump, &arguments.file, chosen, &filter)?;
    let (by, weakest) = (arguments.merge, print.open.strength.unwrap_or(Strength::Strong));
    let of = PathTargets::Objects(Arc::from(objects));
    let tree = merged_paths(dump.data(), &of, by, weakest, &Task::new())?;
    let top = print.top.map_or(u64::MAX, |top| top as u64);
    let depth = arguments.depth.map_or(usize::MAX, |depth| depth as usize);
    let table = MergedPaths::new(tree, by, (top, depth));
    match print.format {
        // `--top` is applied already: it limits the rows of each level.
        form if !form.is_for_people() => print_table(&dump, &table, &RowQuery::default(), form),
        form => {
            let shown = if print.top.is_some() { usize::MAX } else { SHOWN };
            let from = TableContext::of(&dump);
            let rows = (0..table.count().min(shown)).filter_map(|row| table.node(from, row)).map(|(depth, n)| {
                let line = format!("{}{}", indent(depth), n.text());
                let sizes = [n.shallow_bytes, n.retained_bytes].map(|b| Value::Bytes(Bytes(b)));
                [vec![Value::text(line), Value::Count(n.objects)], sizes.into()].concat()
            });
            print_rows(&dump, form, &tree_headings(&table.columns(from)), rows)?;
            let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
            let tree = table.tree();
            if tree.len() - 1 > shown {
                writeln!(out, "… of {} rows; use --top or --depth to see others", Count(tree.len() as u64 - 1))?;
            }
            if tree.unreached > 0 {
                let unreached = Count(tree.unreached);
                writeln!(out, "{unreached} of the objects have no path along {} references", weakest.name())?;
            }
            Ok(out.flush()?)
        }
    }
}

/// Prints one tree per class that reaches the thresholds.
fn aggregated(arguments: &PathsArguments) -> Answer {
    let print = &arguments.print;
    let filter = text_filter(print.filter.as_deref())?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let heap = &dump.facts.heap;
    let least = Thresholds {
        retained: Bytes(arguments.least_retained.unwrap_or(0)),
        objects: arguments.least_objects.unwrap_or(0),
    };
    let mut classes = classes_over(dump.data(), least);
    classes.retain(|&class| filter.matches(&heap.classes.get(class).name));
    let over = classes.len();
    classes.truncate(print.top.unwrap_or(usize::MAX));
    let weakest = print.open.strength.unwrap_or(Strength::Strong);
    let merged = |task: &Task| merged_by_class(dump.data(), &classes, weakest, task);
    let trees = with_progress(merged)?;
    let depth = arguments.depth.map_or(usize::MAX, |depth| depth as usize);
    let table = AggregatedPaths::new(trees, (print.top.map_or(u64::MAX, |top| top as u64), depth));
    if print.format != OutputForm::Text {
        // `--filter` and `--top` are applied already: they select classes, and rows of each level.
        return print_table(&dump, &table, &RowQuery::default(), print.format);
    }
    let shown = if print.top.is_some() { usize::MAX } else { SHOWN };
    let from = TableContext::of(&dump);
    let rows = (0..table.count().min(shown)).filter_map(|row| table.line(from, row).map(|line| (row, line)));
    let rows = rows.map(|(row, (depth, line))| {
        let figures = FIGURES.into_iter().filter_map(|key| table.column(key));
        let figures = figures.map(|column| table.cell(from, row, column).into_static());
        std::iter::once(Value::text(format!("{}{line}", indent(depth)))).chain(figures).collect()
    });
    print_rows(&dump, OutputForm::Text, &tree_headings(&table.columns(from)), rows)?;
    let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
    if table.count() > shown {
        let rows = Count(table.count() as u64);
        writeln!(out, "… of {rows} rows for {} classes; use --top or --depth to see others", Count(over as u64))?;
    }
    if over == 0 {
        writeln!(out, "No class reaches the thresholds; lower --least-retained or --least-objects")?;
    }
    Ok(out.flush()?)
}
