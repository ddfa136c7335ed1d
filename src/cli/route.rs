//! `route`: the shortest path from one object to another.

use std::io::Write;

use super::args::{OpenArguments, OrderArguments, RouteArguments};
use super::open::open;
use super::print::{Answer, filter};
use super::progress::with_progress;
use super::query;
use super::tables::{print_table, row_query};
use super::verified_output::VerifiedOutput;
use heaplens_tables::dump::route::{RouteQuery, route_table};
use heaplens_tables::{OutputForm, Table as _, TableContext};

pub(super) fn route(arguments: &RouteArguments) -> Answer {
    let print = &arguments.print;
    filter(print)?;
    // `--strength` is that of the path.
    let (dump, _) = open(&arguments.file, &OpenArguments { strength: None, ..print.open.clone() })?;
    let query @ RouteQuery { from, to, weakest } = query::route(arguments, &dump)?;
    let table = with_progress(|task| route_table(TableContext::of(&dump), query, task))?;
    if table.count() == 0 && print.format == OutputForm::Text {
        let along = weakest.map_or_else(String::new, |weakest| format!(" along {} references", weakest.name()));
        let mut out = VerifiedOutput::in_form(&dump, OutputForm::Text);
        let id = |object| dump.facts.heap.id_text(object);
        writeln!(out, "No path from {} to {}{along}", id(from), id(to))?;
        return Ok(out.flush()?);
    }
    print_table(&dump, &table, &row_query(&OrderArguments::default(), print), print.format)
}
