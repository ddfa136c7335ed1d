//! `loaders`: class loaders; text output also has the path to GC root of each.

use std::io::Write;

use super::args::TableArguments;
use super::print::{Answer, open_filtered, text_width};
use super::tables::{print_table, row_query};
use super::verified_output::VerifiedOutput;
use heaplens_base::Task;
use heaplens_tables::dump::loaders;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::{OutputForm, Table, TableContext, write};

pub(super) fn loaders(arguments: &TableArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let (context, rows, task) = (TableContext::of(&dump), row_query(&arguments.order, print), Task::new());
    let table = loaders::loader_table(context, &task)?;
    if print.format != OutputForm::Text {
        return print_table(&dump, &table, &rows, print.format);
    }
    let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
    write(&table, context.with_width(text_width()), &rows, OutputForm::Text, &mut out, &task)?;
    for row in table.ordered_rows(context, &rows, &task)?.rows.take(loaders::PATHS) {
        let Some(row) = table.rows.get(row as usize) else { continue };
        let label = loaders::label(context, row);
        if !row.duplicates.is_empty() {
            writeln!(out, "\n{label} defines duplicate classes: {}", row.duplicates.join(", "))?;
        }
        if let Some(path) = loaders::path_to(context, row) {
            let by = if row.held_otherwise() { "" } else { " (only through its own classes)" };
            writeln!(out, "\nPath to GC root of {label}{by}")?;
            write!(out, "{path}")?;
        }
    }
    Ok(out.flush()?)
}
