//! `route`: the shortest path from one object to another.

use std::io::Write;

use super::args::{OrderArguments, RouteArguments};
use super::failure::Failure;
use super::names::object_named;
use super::open::open;
use super::print::{Answer, filter};
use super::progress::with_progress;
use super::tables::{print_table, row_query};
use super::verified_output::VerifiedOutput;
use heaplens_dump::Dump;
use heaplens_heap::Strength;
use heaplens_tables::dump::route::{RouteQuery, route_table};
use heaplens_tables::{OutputForm, Table as _, TableContext};

pub(super) fn route(arguments: &RouteArguments) -> Answer {
    let print = &arguments.print;
    filter(print)?;
    // `--strength` is that of the path.
    let mut open_as = print.open.clone();
    open_as.opening.strength = None;
    let (dump, _) = open(&arguments.file, &open_as)?;
    let query @ RouteQuery { from, to, min_strength } = query(arguments, &dump)?;
    let table = with_progress(|task| route_table(TableContext::of(&dump), query, task))?;
    if table.count() == 0 && print.format == OutputForm::Text {
        let along = min_strength.map_or_else(String::new, |strength| format!(" along {} references", strength.name()));
        let mut out = VerifiedOutput::in_form(&dump, OutputForm::Text);
        let id = |object| dump.facts.heap.id_text(object);
        writeln!(out, "No path from {} to {}{along}", id(from), id(to))?;
        return Ok(out.flush()?);
    }
    print_table(&dump, &table, &row_query(&OrderArguments::default(), print), print.format)
}

/// The query of the arguments. `--strength` applies to the path only, not to opening the dump.
pub(super) fn query(arguments: &RouteArguments, dump: &Dump) -> Result<RouteQuery, Failure> {
    let object = |id: &str| object_named(dump, &arguments.file, id);
    let min_strength = arguments.print.open.strength.filter(|&query| query != Strength::Phantom);
    Ok(RouteQuery { from: object(&arguments.from)?, to: object(&arguments.to)?, min_strength })
}
