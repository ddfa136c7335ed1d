//! `retained-set`: what would be freed if objects were collected, by class.

use std::io::Write;

use super::args::{RetainedArguments, RetainedSetArguments};
use super::failure::Failure;
use super::names::objects_named;
use super::print::{Answer, open_filtered, rows_wanted};
use super::progress::with_progress;
use super::tables::{print_table, row_query, with_words};
use super::verified_output::VerifiedOutput;
use heaplens_analysis::retained;
use heaplens_base::{Count, Task};
use heaplens_dump::Dump;
use heaplens_tables::dump::combined_retained::retained_table;
use heaplens_tables::dump::retained_set::RetainedSetQuery;
use heaplens_tables::query::RowFilter;
use heaplens_tables::{OutputForm, RetainedClasses, RowQuery, Table as _, TableContext};

pub(super) fn retained_set(arguments: &RetainedSetArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let query = query(arguments, &dump)?;
    let classes = with_progress(|task| RetainedClasses::of(TableContext::of(&dump), &query, task))?;
    if print.format == OutputForm::Text {
        let mut out = VerifiedOutput::in_form(&dump, OutputForm::Text);
        let width = if classes.dominated.is_some() { "Dominated".len() } else { "Objects".len() };
        writeln!(out, "{:width$}  {}", "Objects", Count(classes.set.objects.len() as u64))?;
        writeln!(out, "{:width$}  {}", "Bytes", classes.set.bytes.exact())?;
        if let Some(dominated) = classes.dominated {
            writeln!(out, "{:width$}  {}", "Dominated", dominated.exact())?;
        }
        writeln!(out)?;
        out.flush()?;
    }
    print_table(&dump, &classes, &with_words(row_query(&arguments.order, print)), print.format)
}

/// `retained`: the sums of a retained set in one row, as earlier versions printed them.
pub(super) fn sums(arguments: &RetainedArguments) -> Answer {
    let print = &arguments.print;
    let (dump, filter) = open_filtered(&arguments.file, print)?;
    let chosen = (&*arguments.ids, arguments.class.as_deref(), true);
    let objects = objects_named(&dump, &arguments.file, chosen, &filter)?;
    let set = retained::retained_set(dump.data(), &objects, &Task::new())?;
    let table = retained_table(set);
    if print.format == OutputForm::Json {
        // The only row, without a list around it.
        let mut out = VerifiedOutput::in_form(&dump, OutputForm::Json);
        table.write_row(TableContext::of(&dump), 0, 0, &mut out)?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    let rows = RowQuery { top: Some(rows_wanted(print)), ..RowQuery::default() };
    print_table(&dump, &table, &rows, print.format)
}

/// The query of the arguments.
pub(super) fn query(arguments: &RetainedSetArguments, dump: &Dump) -> Result<RetainedSetQuery, Failure> {
    let set = (&*arguments.ids, arguments.class.as_deref(), true);
    let objects = objects_named(dump, &arguments.file, set, &RowFilter::default())?;
    Ok(RetainedSetQuery { objects, roots: arguments.roots, soft: arguments.soft })
}
