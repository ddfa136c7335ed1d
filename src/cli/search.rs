//! `search`: strings that contain a text.

use super::args::SearchArguments;
use super::commands::{Answer, filter, print_with_totals};
use super::failure::Failure;
use super::open;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::search::search as find_text;
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;
use heaplens_core::heap::ids::ObjectId;
use heaplens_tables::OutputForm;
use heaplens_tables::export::table::Cell;
use heaplens_tables::heading::heading;
use heaplens_tables::headings;

/// Maximum number of characters printed per string.
const CHARACTERS: usize = 1_000;
/// Length in characters of the excerpt around a match in text output.
const SHORT: usize = 80;

pub(super) fn search(arguments: &SearchArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let wanted = TextFilter::parse(&arguments.text).map_err(Failure::Usage)?;
    if wanted.is_empty() {
        return Err(Failure::Usage("empty search text; use 'heaplens strings' to list duplicate strings".to_owned()));
    }
    let (dump, _) = open(&arguments.file, &print.open)?;
    let (heap, contents, analysis) = (&dump.facts.heap, &*dump.facts.contents, &dump.analysis);
    let mut hits: Vec<ObjectId> = Vec::new();
    let searched = find_text(heap, contents, analysis, &wanted, &Task::new(), &mut |more| hits.extend(more))?;
    if searched.strings > 0 && searched.unreadable == searched.strings {
        let why = match &dump.facts {
            facts if facts.is_redacted() => "strings are hidden by --redact; run without it to search",
            facts if facts.source.is_some() => "the dump does not contain the text of its strings",
            _ => "an index file contains no strings; open the dump itself to search",
        };
        return Err(Failure::Unusable(format!("{}: {why}", arguments.file.display())));
    }
    let text = |object: ObjectId| contents.text(heap, object, CHARACTERS).unwrap_or_default();
    hits.retain(|&object| filter.is_empty() || filter.matches_object(&heap.class(object).name, || Some(text(object))));
    let columns = [
        headings::ID,
        headings::CLASS,
        heading("text", "Value", "String value around the match"),
        headings::SHALLOW,
        headings::RETAINED,
    ];
    let people = print.format == OutputForm::Text;
    let rows = hits.iter().map(|&object| {
        let text = if people {
            let whole = contents.text(heap, object, heaplens_analysis::search::CHARACTERS).unwrap_or_default();
            wanted.excerpt(&whole, SHORT).0
        } else {
            text(object)
        };
        vec![
            Cell::Text(heap.id_text(object)),
            Cell::Text(heap.class(object).name.to_string()),
            Cell::Text(text),
            Cell::Size(heap.shallow(object)),
            Cell::Size(analysis.retained(object)),
        ]
    });
    let retained: Bytes = analysis.retained_together(hits.iter().copied());
    let totals = [("objects", Cell::Count(hits.len() as u64)), ("retained_bytes", Cell::Size(retained))];
    print_with_totals(&dump, print, &columns, rows, &totals)
}
