//! `retained-set`: what would be freed if an object were collected, by class.

use std::io::Write;

use super::args::RetainedSetArguments;
use super::print::{Answer, open_filtered};
use super::progress::with_progress;
use super::query;
use super::tables::{print_table, row_query, with_words};
use super::verified_output::VerifiedOutput;
use heaplens_base::Count;
use heaplens_tables::{OutputForm, RetainedClasses, TableContext};

pub(super) fn retained_set(arguments: &RetainedSetArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let asked = query::retained_set(arguments, &dump)?;
    let found = with_progress(|task| RetainedClasses::of(TableContext::new(&dump), asked, task))?;
    if print.format == OutputForm::Text {
        let mut out = VerifiedOutput::in_form(&dump, OutputForm::Text);
        writeln!(out, "Objects  {}", Count(found.found.objects.len() as u64))?;
        writeln!(out, "Bytes    {}", found.found.bytes.exact())?;
        writeln!(out)?;
        out.flush()?;
    }
    print_table(&dump, &found, &with_words(row_query(&arguments.order, print)), print.format)
}
