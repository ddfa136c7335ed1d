//! Tables on the command line: how a command asks for one and prints it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::args::{OrderArguments, PrintArguments, ReferencesArguments, RelatedArguments, TableArguments};
use super::cuts::cuts_named;
use super::failure::Failure;
use super::names::{Names, object_named, objects_named};
use super::print::{Answer, open_filtered, rows_wanted, text_width};
use super::verified_output::VerifiedOutput;
use heaplens_analysis::Direction;
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_analysis::related::RelatedKind;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_tables::dump::references::ReferencesQuery;
use heaplens_tables::dump::related::RelatedQuery;
use heaplens_tables::query::{RowFilter, TableKind};
use heaplens_tables::relation::Relation;
use heaplens_tables::{OutputForm, RowQuery, Table, TableContext, TableQuery, write};

/// Filter, order and number of rows to print.
pub(super) fn row_query(order: &OrderArguments, print: &PrintArguments) -> RowQuery {
    order.rows(print.filter.as_deref(), Some(rows_wanted(print)))
}

/// Prints a table in the requested format.
pub(super) fn print_table(dump: &Dump, table: &dyn Table, rows: &RowQuery, form: OutputForm) -> Answer {
    let names = rows.owner.then(|| Names::of(dump)).transpose()?;
    let ages = rows.age.then(|| dump.ages(&Task::new())).transpose()?;
    let context = TableContext::of(dump).with_namer(names.as_ref().map(Names::namer)).with_ages(ages);
    print_table_with(dump, context, table, rows, form)
}

/// Prints a table that reads from a context of its own.
pub(super) fn print_table_with(
    dump: &Dump,
    context: TableContext<'_>,
    table: &dyn Table,
    rows: &RowQuery,
    form: OutputForm,
) -> Answer {
    let mut out = VerifiedOutput::in_form(dump, form);
    write(table, context.with_width(text_width()), rows, form, &mut out, &Task::new())?;
    Ok(out.flush()?)
}

/// Opens the dump and prints the table of `kind`; `rows` selects and orders its rows.
fn ask(
    file: &Path,
    rows: RowQuery,
    print: &PrintArguments,
    kind: impl FnOnce(&Dump) -> Result<Arc<dyn TableKind>, Failure>,
) -> Answer {
    let (dump, _) = open_filtered(file, print)?;
    let request = TableQuery { kind: kind(&dump)?, rows };
    let table = request.table(TableContext::of(&dump), &Task::new())?;
    print_table(&dump, &*table, &request.rows, print.format)
}

pub(super) fn table(arguments: &TableArguments, relation: &'static Relation) -> Answer {
    ask(&arguments.file, row_query(&arguments.order, &arguments.print), &arguments.print, |_| Ok(Arc::new(relation)))
}

pub(super) fn references(arguments: &ReferencesArguments) -> Answer {
    ask(&arguments.file, row_query(&arguments.order, &arguments.print), &arguments.print, |dump| {
        references_kind(arguments, dump)
    })
}

/// The references of an object.
pub(super) fn references_kind(arguments: &ReferencesArguments, dump: &Dump) -> Result<Arc<dyn TableKind>, Failure> {
    let direction = if arguments.incoming { Direction::Incoming } else { Direction::Outgoing };
    Ok(Arc::new(ReferencesQuery { of: object_named(dump, &arguments.file, &arguments.id)?, direction }))
}

pub(super) fn related(arguments: &RelatedArguments) -> Answer {
    ask(&arguments.file, row_query(&arguments.order, &arguments.print), &arguments.print, |dump| {
        related_kind(arguments, dump)
    })
}

/// The objects related to a set.
pub(super) fn related_kind(arguments: &RelatedArguments, dump: &Dump) -> Result<Arc<dyn TableKind>, Failure> {
    if arguments.by != RelatedKind::Retained && !arguments.without.is_empty() {
        return Err(Failure::Usage("--without applies to --by retained only".to_owned()));
    }
    let set = (&*arguments.ids, arguments.class.as_deref(), true);
    let objects = objects_named(dump, &arguments.file, set, &RowFilter::default())?;
    let without = cuts_named(dump, &arguments.file, "--without", &arguments.without)?;
    let of = PathTargets::Objects(Arc::from(objects));
    Ok(Arc::new(RelatedQuery { of, by: arguments.by, without, group: arguments.group }))
}

/// Maps HeapRoots' sort keys to column keys.
pub(super) fn with_words(mut rows: RowQuery) -> RowQuery {
    rows.sort = rows.sort.map(|sort| match &*sort {
        "address" => "id".to_owned(),
        "count" => "objects".to_owned(),
        "size" => "shallow_bytes".to_owned(),
        "name" => "class".to_owned(),
        _ => sort,
    });
    rows
}
