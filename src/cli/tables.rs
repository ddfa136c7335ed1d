//! Commands that print a table.

use std::io::Write;
use std::path::Path;

use super::args::{ObjectsArguments, OrderArguments, PrintArguments, ReferencesArguments, TableArguments};
use super::commands::{Answer, filter, rows_wanted};
use super::failure::Failure;
use super::names::{Names, object_named};
use super::ownership::owners;
use super::query;
use super::verified_output::VerifiedOutput;
use super::{open, remark};
use heaplens_analysis::javascript::retained_by::held;
use heaplens_base::task::Task;
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::dump::LoadedDump;
use heaplens_session::koom::KoomFile;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::javascript::opened;
use heaplens_tables::ownership::by_of;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::{Objects, OutputForm, RowQuery, Table, write};

/// Context of a dump for its tables, without names of objects.
pub(super) fn dictionary(dump: &LoadedDump) -> TableContext<'_> {
    TableContext { heap: &dump.facts.heap, contents: &*dump.facts.contents, analysis: &dump.analysis, namer: None }
}

/// Filter, order and number of rows to print.
pub(super) fn arrangement(order: &OrderArguments, print: &PrintArguments) -> RowQuery {
    order.rows(print.filter.as_deref(), Some(rows_wanted(print)))
}

/// Prints a table in the requested format.
pub(super) fn print_table(dump: &LoadedDump, table: &dyn Table, how: &RowQuery, form: OutputForm) -> Answer {
    let names = how.owner.then(|| Names::of(dump)).transpose()?;
    let from = TableContext { namer: names.as_ref().map(Names::namer), ..dictionary(dump) };
    let mut out = VerifiedOutput::of(dump);
    write(table, from, how, form, &mut out, &Task::new())?;
    out.flush()?;
    Ok(())
}

/// Opens the dump and prints the table of `subject`; `how` selects and orders its rows.
fn ask(
    file: &Path,
    how: RowQuery,
    print: &PrintArguments,
    subject: impl FnOnce(&LoadedDump) -> Result<TableKind, Failure>,
) -> Answer {
    // Report usage errors before the dump is opened.
    filter(print)?;
    let (dump, _) = open(file, &print.open)?;
    let request = TableQuery { subject: subject(&dump)?, how };
    let table = request.table(dictionary(&dump), &Task::new())?;
    print_table(&dump, &*table, &request.how, print.format)
}

pub(super) fn table(arguments: &TableArguments, subject: TableKind) -> Answer {
    ask(&arguments.file, arrangement(&arguments.order, &arguments.print), &arguments.print, |_| Ok(subject))
}

pub(super) fn references(arguments: &ReferencesArguments) -> Answer {
    ask(&arguments.file, arrangement(&arguments.order, &arguments.print), &arguments.print, |dump| {
        query::references(arguments, dump)
    })
}

/// Maps HeapRoots' sort keys to column keys.
pub(super) fn with_words(mut how: RowQuery) -> RowQuery {
    how.sort = how.sort.map(|sort| match &*sort {
        "address" => "id".to_owned(),
        "count" => "objects".to_owned(),
        "size" => "shallow_bytes".to_owned(),
        "name" => "class".to_owned(),
        _ => sort,
    });
    how
}

pub(super) fn objects(arguments: &ObjectsArguments) -> Answer {
    let (file, print) = (&arguments.file, &arguments.print);
    let mut how = RowQuery { owner: arguments.owner, ..with_words(arrangement(&arguments.order, print)) };
    if let Some((first, most)) = arguments.lines {
        (how.skip, how.top) = (first, Some(most.min(print.top.unwrap_or(usize::MAX))));
    }
    // Report errors in filter and KOOM report before the dump is opened.
    filter(print)?;
    let report = arguments.koom.as_ref().map(|report| KoomFile::read(report)).transpose().map_err(Failure::Usage)?;
    let (dump, _) = open(file, &print.open)?;
    let heap = &dump.facts.heap;
    let named = if let Some(report) = report {
        let reported = report.in_dump(&dump.facts, &Task::new())?;
        remark(&reported.said());
        reported.missing.iter().for_each(|missing| remark(&format!("not in this dump: {missing}")));
        Some(reported.objects.into_iter().map(|(object, _)| object).collect())
    } else if let Some(by) = arguments.held_by {
        let kept = held(opened(dictionary(&dump))?, by, &Task::new())?.objects;
        Some(kept.iter().filter_map(ObjectId::from_raw).collect())
    } else {
        let named = arguments.objects.iter().map(|id| object_named(&dump, file, id));
        Some(named.collect::<Result<Vec<ObjectId>, Failure>>()?).filter(|named| !named.is_empty())
    };
    let classes = arguments.class.as_ref().map(|name| {
        let of_id = heap.find(name).and_then(|object| heap.classes.of_object(object));
        // Several classes may have the same name.
        heap.classes.iter().map(|(id, class)| *class.name == **name || Some(id) == of_id).collect()
    });
    let asks_owners = arguments.ownership || how.sort.as_deref().is_some_and(|key| by_of(key).is_some());
    let ownership = asks_owners.then(|| owners(&dump, arguments.soft)).transpose()?;
    let (count, owner, ids) = (heap.len(), how.owner, arguments.ids.clone());
    print_table(&dump, &Objects { count, classes, named, owner, ids, ownership }, &how, print.format)
}
