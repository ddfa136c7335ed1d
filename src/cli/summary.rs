//! `summary`: sizes, counts, parse warnings and timings of a dump.

use std::io::Write;

use super::args::SummaryArguments;
use super::failure::Failure;
use super::open::{called, open, this_open};
use super::print::{Answer, filter, print_json, print_rows, rows_wanted};
use super::progress::with_progress;
use super::report;
use super::rules::leak_rules_of_user;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::leaks::default_min_bytes;
use heaplens_analysis::out_of_memory::MemoryErrorsQuestion;
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_session::LeakRules;
use heaplens_session::leaks::findings;
use heaplens_tables::OutputForm;
use heaplens_tables::columns::{Heading, Value};
use heaplens_tables::export::cuts::Cuts;
use heaplens_tables::export::json::Summary;
use heaplens_tables::export::leaks::LeakVerdicts;
use heaplens_tables::export::memory_errors::ErrorsAnswer;
use heaplens_tables::export::printable::Printable;

pub(super) fn summary(arguments: &SummaryArguments) -> Answer {
    filter(&arguments.print)?;
    let rules = leak_rules_of_user(&arguments.rules)?;
    let (dump, progress) = open(&arguments.file, &arguments.print.open)?;
    let file = called(&arguments.file, &arguments.print.open);
    let answer = Summary::new(file, dump.data(), this_open(&dump, &progress));
    let cuts = dump.reduction.as_ref().map(|reduction| Cuts::new(&dump.facts.heap, reduction));
    let out_of_memory = ErrorsAnswer::new(&*dump.data().answer(&MemoryErrorsQuestion, &Task::new())?);
    let answer =
        Summary { cuts, out_of_memory, leaks: rules.map(|rules| judged(&dump, &rules)).transpose()?, ..answer };
    match arguments.print.format {
        OutputForm::Json => print_json(&dump, &answer),
        form if form.is_cells() => {
            let columns = [Heading::plain("name", ""), Heading::plain("value", "")];
            let rows = report::summary_rows(&answer).into_iter().take(rows_wanted(&arguments.print));
            print_rows(&dump, form, &columns, rows.map(|(k, v)| vec![Value::text(k.to_owned()), v]))
        }
        _ => {
            let mut out = Printable(VerifiedOutput::of(&dump));
            report::summary_text(&mut out, &answer)?;
            Ok(out.flush()?)
        }
    }
}

/// Leak findings judged by user rules. Without such rules, the summary skips the leak search.
fn judged(dump: &Dump, rules: &LeakRules) -> Result<LeakVerdicts, Failure> {
    let min_bytes = default_min_bytes(dump.analysis.shown.shallow);
    Ok(LeakVerdicts::new(&with_progress(|task| findings(dump.data(), (rules, min_bytes), task))?))
}
