//! Commands `summary`, `object` and `index`.

use std::io::Write;

use super::args::{IndexArguments, ObjectArguments, SummaryArguments};
use super::cuts::open_without;
use super::failure::Failure;
use super::names::{Names, object_named};
use super::open::{called, inputs, open, open_options, open_with, this_open};
use super::ownership::owners;
use super::print::{Answer, filter, print_json, print_rows, rows_wanted, text_filter};
use super::progress::with_progress;
use super::report;
use super::rules::leak_rules_of_user;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::direct_buffers::outside_heap;
use heaplens_analysis::leaks::usual_least;
use heaplens_analysis::object::{describe, elements};
use heaplens_base::Task;
use heaplens_session::leaks::findings;
use heaplens_session::output_file::{OutputFile, OutputKind};
use heaplens_session::{LeakRules, LoadedDump};
use heaplens_tables::columns::{Heading, Value};
use heaplens_tables::dump::ownership::of_object;
use heaplens_tables::export::ages::ObjectAges;
use heaplens_tables::export::json::{Collection, Object, ObjectField, ObjectLabel, Rows, Summary};
use heaplens_tables::export::leaks::LeakVerdicts;
use heaplens_tables::export::object_text;
use heaplens_tables::export::parts::Figures;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::table::write_text;
use heaplens_tables::{OutputForm, TableContext};

/// Number of array elements read at a time.
const ELEMENTS: u64 = 4_096;

pub(super) fn summary(arguments: &SummaryArguments) -> Answer {
    filter(&arguments.print)?;
    let rules = leak_rules_of_user(&arguments.rules)?;
    let (dump, progress, cuts) = open_without(&arguments.file, &arguments.print.open, &arguments.cut)?;
    let file = called(&arguments.file, &arguments.print.open);
    let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
    let outside = outside_heap(heap, &*dump.facts.contents, analysis, &Task::new())?;
    let answer = Summary::new(file, heap, analysis, outside, this_open(&dump, &progress));
    let answer = Summary { cuts, leaks: rules.map(|rules| judged(&dump, &rules)).transpose()?, ..answer };
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
fn judged(dump: &LoadedDump, rules: &LeakRules) -> Result<LeakVerdicts, Failure> {
    let least = usual_least(dump.analysis.shown.shallow);
    Ok(LeakVerdicts::new(&with_progress(|task| findings(dump, (rules, least), task))?))
}

pub(super) fn object(arguments: &ObjectArguments) -> Answer {
    let print = &arguments.print;
    let filter = text_filter(print.filter.as_deref())?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.file, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let details = describe(heap, contents, &dump.analysis, object, 1 << 20);
    if let Some(unreadable) = &details.unreadable {
        return Err(Failure::Unusable(format!("{}: {unreadable}", arguments.file.display())));
    }
    let names = Names::of(&dump)?;
    let ownership = arguments.ownership.then(|| owners(&dump, arguments.soft)).transpose()?;
    let ownership = ownership.map(|found| Figures(of_object(TableContext::new(&dump), &found, object).into()));
    let ages = dump.ages(&Task::new())?;
    let ages = ObjectAges::of(ages, heap, &dump.analysis, object, details.has_entries());
    let called = ObjectLabel { name: names.name(object)?, owner: names.owner(object), ownership, ages };
    // Elements are read while printing: an array may have ten million.
    let length = details.length.unwrap_or(0);
    let elements = (0..length).step_by(ELEMENTS as usize).flat_map(|at| {
        let range = at..(at + ELEMENTS).min(length);
        // An element that can no longer be read ends the list; `VerifiedOutput` then reports the lost file.
        elements(heap, contents, &dump.analysis, object, range).unwrap_or_default()
    });
    let class = &details.class_name;
    let elements = elements.map(|row| ObjectField::of_element(heap, class, &row));
    let fields = details.fields.iter().map(|row| ObjectField::of_field(heap, row)).chain(elements);
    let passes =
        |f: &ObjectField| [&f.name, &f.type_name].iter().any(|t| filter.matches(t)) || filter.matches(&f.text());
    let fields = fields.filter(passes).skip(arguments.skip).take(rows_wanted(print));
    let parts = Figures::of(TableContext::new(&dump), object);
    let first = arguments.skip as u64;
    let entries = first..first.saturating_add(rows_wanted(print) as u64);
    match print.format {
        OutputForm::Json => {
            let logical = contents.logical(heap, object, entries);
            let collection = logical.as_ref().map(|logical| Collection::new(heap, contents, logical));
            print_json(&dump, &Object::new(heap, &details, called, collection, parts, Rows::new(fields)))
        }
        form if form.is_cells() => print_rows(&dump, form, &object_text::FIELDS, fields.map(object_text::field_cells)),
        _ => {
            let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
            object_text::object_text(&mut out, heap, &details, &called, &parts)?;
            if let Some(logical) = contents.logical(heap, object, entries) {
                object_text::collection_text(&mut out, &Collection::new(heap, contents, &logical))?;
            }
            if length > 0 || !details.fields.is_empty() {
                writeln!(out)?;
                write_text(&mut out, &object_text::FIELDS, fields.map(object_text::field_cells))?;
            }
            Ok(out.flush()?)
        }
    }
}

pub(super) fn index(arguments: &IndexArguments) -> Answer {
    let unusable = |error: std::io::Error| Failure::Unusable(format!("{}: {error}", arguments.output.display()));
    let inputs = inputs([&arguments.file], &arguments.open, None);
    let output = OutputFile::new(&arguments.output, OutputKind::Index, &inputs);
    output.check().map_err(unusable)?;
    let mut options = open_options(&arguments.open);
    options.storage.target = Some(output.file_target().map_err(unusable)?);
    open_with(&arguments.file, &arguments.open, &options).map(|_written| ())
}
