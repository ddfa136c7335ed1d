//! `process`: the memory of the process around the heap.

use std::io::Write;
use std::sync::Arc;

use super::args::ProcessArguments;
use super::failure::Failure;
use super::open::open_several;
use super::print::{Answer, filter, print_json};
use super::progress::with_progress;
use super::tables::{print_table, row_query};
use super::verified_output::VerifiedOutput;
use heaplens_analysis::process::{ProcessMemory, ProcessQuestion};
use heaplens_tables::OutputForm;
use heaplens_tables::dump::process::parts_table;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::process::ProcessAnswer;

pub(super) fn process(arguments: &ProcessArguments) -> Answer {
    let print = &arguments.print;
    filter(print)?;
    let files = [Some(&arguments.file), arguments.before.as_ref()];
    let dumps = open_several(files.into_iter().flatten().enumerate(), &print.open)?;
    let memories = dumps.iter().map(|dump| with_progress(|task| Ok(dump.answer(&ProcessQuestion, task)?)));
    let memories: Vec<Arc<ProcessMemory>> = memories.collect::<Result<_, Failure>>()?;
    let (Some(dump), Some(memory)) = (dumps.first(), memories.first()) else { return Ok(()) };
    let answer = || ProcessAnswer::new(&dump.facts.heap, memory, memories.get(1).map(|before| &**before));
    // Chosen or ordered rows are those of the table.
    let is_table = !arguments.order.is_usual() || print.filter.is_some() || print.top.is_some();
    match print.format {
        OutputForm::Json if !is_table => print_json(dump, &answer()),
        OutputForm::Text if !is_table => {
            let mut out = Printable(VerifiedOutput::after_removals(dump, print.format));
            answer().write_text(&mut out)?;
            Ok(out.flush()?)
        }
        form => print_table(
            dump,
            &parts_table(memory, memories.get(1).map(|before| &**before)),
            &row_query(&arguments.order, print),
            form,
        ),
    }
}
