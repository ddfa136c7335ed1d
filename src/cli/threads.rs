//! `threads`: text output prints one stack trace after another, since all together may be larger than the dump.

use std::io::Write;

use super::args::TableArguments;
use super::print::{Answer, open_filtered};
use super::tables::{print_table, row_query};
use super::verified_output::VerifiedOutput;
use heaplens_base::Task;
use heaplens_tables::dump::threads::{stack_of, thread_table};
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::threads::write_thread;
use heaplens_tables::{OutputForm, Table, TableContext};

pub(super) fn threads(arguments: &TableArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let (context, rows, task) = (TableContext::of(&dump), row_query(&arguments.order, print), Task::new());
    let table = thread_table(context, &task)?;
    if print.format != OutputForm::Text {
        return print_table(&dump, &table, &rows, print.format);
    }
    let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
    for (at, row) in table.ordered_rows(context, &rows, &task)?.rows.enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        if let Some(row) = table.rows.get(row as usize) {
            write_thread(&mut out, context, row, stack_of(row, context))?;
        }
    }
    Ok(out.flush()?)
}
