//! Tables on the command line: how a command asks for one and prints it.

use std::io::Write;
use std::path::Path;

use super::args::{OrderArguments, PrintArguments, ReferencesArguments, RelatedArguments, TableArguments};
use super::failure::Failure;
use super::names::Names;
use super::print::{Answer, open_filtered, rows_wanted};
use super::query;
use super::verified_output::VerifiedOutput;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_tables::{OutputForm, RowQuery, Table, TableContext, TableKind, TableQuery, write};

/// Filter, order and number of rows to print.
pub(super) fn row_query(order: &OrderArguments, print: &PrintArguments) -> RowQuery {
    order.rows(print.filter.as_deref(), Some(rows_wanted(print)))
}

/// Prints a table in the requested format.
pub(super) fn print_table(dump: &Dump, table: &dyn Table, rows: &RowQuery, form: OutputForm) -> Answer {
    let names = rows.owner.then(|| Names::of(dump)).transpose()?;
    let ages = rows.age.then(|| dump.ages(&Task::new())).transpose()?;
    let from = TableContext { namer: names.as_ref().map(Names::namer), ages, ..TableContext::of(dump) };
    print_table_with(dump, from, table, rows, form)
}

/// Prints a table that reads from a context of its own.
pub(super) fn print_table_with(
    dump: &Dump,
    from: TableContext<'_>,
    table: &dyn Table,
    rows: &RowQuery,
    form: OutputForm,
) -> Answer {
    let mut out = VerifiedOutput::in_form(dump, form);
    write(table, from, rows, form, &mut out, &Task::new())?;
    Ok(out.flush()?)
}

/// Opens the dump and prints the table of `subject`; `rows` selects and orders its rows.
fn ask(
    file: &Path,
    rows: RowQuery,
    print: &PrintArguments,
    subject: impl FnOnce(&Dump) -> Result<TableKind, Failure>,
) -> Answer {
    let (dump, _) = open_filtered(file, print)?;
    let request = TableQuery { kind: subject(&dump)?, rows };
    let table = request.table(TableContext::of(&dump), &Task::new())?;
    print_table(&dump, &*table, &request.rows, print.format)
}

pub(super) fn table(arguments: &TableArguments, subject: TableKind) -> Answer {
    ask(&arguments.file, row_query(&arguments.order, &arguments.print), &arguments.print, |_| Ok(subject))
}

pub(super) fn references(arguments: &ReferencesArguments) -> Answer {
    ask(&arguments.file, row_query(&arguments.order, &arguments.print), &arguments.print, |dump| {
        query::references(arguments, dump)
    })
}

pub(super) fn related(arguments: &RelatedArguments) -> Answer {
    ask(&arguments.file, row_query(&arguments.order, &arguments.print), &arguments.print, |dump| {
        Ok(TableKind::Related(query::related(arguments, dump)?))
    })
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
