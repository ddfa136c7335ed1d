//! A question → the table query that its command answers: the inverse of [`TableQuery::command`]; a test holds both
//! together. Each command makes the query of its arguments itself.

use std::sync::Arc;

use clap::Parser;

use super::args::{Arguments, Command, OrderArguments};
use super::failure::Failure;
use super::{dominators, histogram, javascript, retained_set, roots, route, tables};
use heaplens_dump::Dump;
use heaplens_tables::query::TableKind;
use heaplens_tables::{Question, RowQuery, TableQuery, relations};

/// Table that a question asks of `dump`; `None` if its answer is no table, or one that only its command computes.
///
/// # Errors
/// The usage error, or the name that the dump does not have.
pub fn table_query(question: &Question, dump: &Dump) -> Result<Option<TableQuery>, String> {
    let arguments = Arguments::try_parse_from(question.words()).map_err(|error| error.to_string())?;
    let query = arguments.command.map_or(Ok(None), |command| of_command(&command, dump));
    query.map_err(|failure| failure.to_string())
}

fn of_command(command: &Command, dump: &Dump) -> Result<Option<TableQuery>, Failure> {
    let in_order = OrderArguments::default();
    let (kind, order, print): (Option<Arc<dyn TableKind>>, _, _) = match command {
        Command::Histogram(a) => (histogram::kind(a), &a.order, &a.print),
        Command::Dominators(a) => (dominators::kind(a, dump)?, &a.order, &a.print),
        Command::References(a) => (Some(tables::references_kind(a, dump)?), &a.order, &a.print),
        Command::Related(a) => (Some(tables::related_kind(a, dump)?), &a.order, &a.print),
        Command::Roots(a) => (roots::kind(a), &a.order, &a.print),
        Command::Route(a) => (Some(Arc::new(route::query(a, dump)?)), &in_order, &a.print),
        Command::RetainedSet(a) => (Some(Arc::new(retained_set::query(a, dump)?)), &a.order, &a.print),
        Command::JavaScript(a) => (javascript::kind(a)?, &a.order, &a.print),
        Command::Bitmaps(a) => (Some(Arc::new(&relations::BITMAPS)), &a.order, &a.print),
        Command::Sites(a) if a.site.is_none() => (Some(Arc::new(&relations::SITES)), &a.order, &a.print),
        Command::Threads(a) => (Some(Arc::new(&relations::THREADS)), &a.order, &a.print),
        Command::Loaders(a) => (Some(Arc::new(&relations::LOADERS)), &a.order, &a.print),
        Command::Table(a) => (Some(Arc::new(a.relation)), &a.arguments.order, &a.arguments.print),
        _ => return Ok(None),
    };
    // The dump at hand has all of its references.
    let kind = kind.filter(|_| print.open.cut.is_empty());
    let owners = matches!(command, Command::Histogram(arguments) if arguments.owners);
    let rows = RowQuery { owners, ..order.rows(print.filter.as_deref(), print.top) };
    Ok(kind.map(|kind| TableQuery { kind, rows }))
}
