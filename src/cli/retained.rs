//! `retained`: exact combined retained size of a set of objects.

use std::io::Write;

use super::args::RetainedArguments;
use super::names::objects_named;
use super::print::{Answer, open_filtered, rows_wanted};
use super::tables::print_table;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::retained::retained_set;
use heaplens_base::Task;
use heaplens_tables::dump::combined_retained::retained_table;
use heaplens_tables::{OutputForm, RowQuery, Table as _, TableContext};

pub(super) fn retained(arguments: &RetainedArguments) -> Answer {
    let print = &arguments.print;
    let (dump, filter) = open_filtered(&arguments.file, print)?;
    let heap = &dump.facts.heap;
    let chosen = (&*arguments.ids, arguments.class.as_deref(), true);
    let objects = objects_named(&dump, &arguments.file, chosen, &filter)?;
    let set = retained_set(heap, &dump.analysis, &objects, &Task::new())?;
    let table = retained_table(set);
    if print.format == OutputForm::Json {
        // The only row, without a list around it.
        let mut out = VerifiedOutput::in_form(&dump, OutputForm::Json);
        table.write_row(TableContext::new(&dump), 0, 0, &mut out)?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    let how = RowQuery { top: Some(rows_wanted(print)), ..RowQuery::default() };
    print_table(&dump, &table, &how, print.format)
}
