//! `object`: fields, elements and sizes of one object.

use std::io::Write;

use super::args::ObjectArguments;
use super::failure::Failure;
use super::names::{Names, object_named};
use super::open::open;
use super::print::{Answer, print_json, print_rows, rows_wanted, text_filter, text_width};
use super::roots::owners;
use super::verified_output::VerifiedOutput;
use heaplens_analysis::object::{describe, elements};
use heaplens_base::Task;
use heaplens_tables::dump::ownership::of_object;
use heaplens_tables::export::ages::ObjectAges;
use heaplens_tables::export::json::{Collection, Object, ObjectField, ObjectLabel, Rows};
use heaplens_tables::export::object_text;
use heaplens_tables::export::parts::Figures;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::export::table::write_text;
use heaplens_tables::export::text_width::cut_long;
use heaplens_tables::{OutputForm, TableContext};

/// Number of array elements read at a time.
const ELEMENTS: u64 = 4_096;

pub(super) fn object(arguments: &ObjectArguments) -> Answer {
    let print = &arguments.print;
    let filter = text_filter(print.filter.as_deref())?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let object = object_named(&dump, &arguments.file, &arguments.id)?;
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    let mut details = describe(dump.data(), object, 1 << 20);
    if let Some(unreadable) = &details.unreadable {
        return Err(Failure::Unusable(format!("{}: {unreadable}", arguments.file.display())));
    }
    let names = Names::of(&dump)?;
    let ownership = arguments.ownership.then(|| owners(&dump, arguments.soft)).transpose()?;
    let ownership = ownership.map(|inferred| Figures(of_object(TableContext::of(&dump), &inferred, object).into()));
    let ages = dump.ages(&Task::new())?;
    let ages = ObjectAges::of(ages, dump.data(), object, details.has_entries());
    let short_name = names.namer().short_name(object, &Task::new())?;
    let called = ObjectLabel { ownership, ages, ..ObjectLabel::of(names.name(object)?, short_name) };
    // Elements are read while printing: an array may have ten million.
    let length = details.length.unwrap_or(0);
    let elements = (0..length).step_by(ELEMENTS as usize).flat_map(|at| {
        let range = at..(at + ELEMENTS).min(length);
        // An element that can no longer be read ends the list; `VerifiedOutput` then reports the lost file.
        elements(dump.data(), object, range).unwrap_or_default()
    });
    let class = &details.class_name;
    let elements = elements.map(|row| ObjectField::of_element(heap, class, &row));
    let fields = details.fields.iter().map(|row| ObjectField::of_field(heap, row)).chain(elements);
    let passes =
        |f: &ObjectField| [&f.name, &f.type_name].iter().any(|t| filter.matches(t)) || filter.matches(&f.text());
    let fields = fields.filter(passes).skip(arguments.skip).take(rows_wanted(print));
    let parts = Figures::of(TableContext::of(&dump), object);
    let first = arguments.skip as u64;
    let entries = first..first.saturating_add(rows_wanted(print) as u64);
    match print.format {
        OutputForm::Json => {
            let logical = contents.logical(heap, object, entries);
            let collection = logical.as_ref().map(|logical| Collection::new(dump.data(), logical));
            print_json(&dump, &Object::new(heap, &details, called, collection, parts, Rows::new(fields)))
        }
        form if form.is_cells() => print_rows(&dump, form, &object_text::FIELDS, fields.map(object_text::field_cells)),
        _ => {
            details.text = details.text.take().map(cut_long);
            let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
            object_text::object_text(&mut out, heap, &details, &called, &parts)?;
            if let Some(logical) = contents.logical(heap, object, entries) {
                object_text::collection_text(&mut out, &Collection::new(dump.data(), &logical), text_width())?;
            }
            if length > 0 || !details.fields.is_empty() {
                writeln!(out)?;
                write_text(&mut out, &object_text::FIELDS, fields.map(object_text::field_cells), text_width())?;
            }
            Ok(out.flush()?)
        }
    }
}
