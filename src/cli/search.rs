//! `search`: strings that contain a text, and variables by name.

use super::args::{PrintArguments, SearchArguments};
use super::failure::Failure;
use super::open::open;
use super::print::{Answer, filter, rows_wanted};
use super::tables::print_table;
use heaplens_analysis::TextFilter;
use heaplens_analysis::search::search as find_text;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_tables::dump::text_hits::TextHits;
use heaplens_tables::dump::variables::FoundVariables;
use heaplens_tables::search::variables::find_variables;
use heaplens_tables::{OutputForm, RowQuery};

pub(super) fn search(arguments: &SearchArguments) -> Answer {
    let print = &arguments.print;
    filter(print)?;
    if arguments.variables {
        return search_variables(arguments);
    }
    let wanted = TextFilter::parse(&arguments.text).map_err(Failure::Usage)?;
    if wanted.is_empty() {
        return Err(Failure::Usage("empty search text; use 'heaplens strings' to list duplicate strings".to_owned()));
    }
    let (dump, _) = open(&arguments.file, &print.open)?;
    let mut hits: Vec<ObjectId> = Vec::new();
    let searched = find_text(dump.data(), &wanted, &Task::new(), &mut |more| hits.extend(more))?;
    if searched.strings > 0 && searched.unreadable == searched.strings {
        let why = match &dump.facts {
            facts if facts.is_redacted() => "strings are hidden by --redact; run without it to search",
            facts if facts.source.is_some() => "the dump does not contain the text of its strings",
            _ => "an index file contains no strings; open the dump itself to search",
        };
        return Err(Failure::Unusable(format!("{}: {why}", arguments.file.display())));
    }
    let excerpt = (print.format == OutputForm::Text).then_some(wanted);
    print_table(&dump, &TextHits { hits, excerpt }, &rows_of(print), print.format)
}

/// The rows that pass the filter, as many as wanted.
fn rows_of(print: &PrintArguments) -> RowQuery {
    RowQuery { filter: print.filter.clone().unwrap_or_default(), top: Some(rows_wanted(print)), ..RowQuery::default() }
}

fn search_variables(arguments: &SearchArguments) -> Answer {
    let print = &arguments.print;
    if !arguments.text.contains(char::is_alphanumeric) {
        return Err(Failure::Usage("empty search text; name a part of a field or variable".to_owned()));
    }
    let (dump, _) = open(&arguments.file, &print.open)?;
    let matches = find_variables(dump.data(), &arguments.text, usize::MAX, &Task::new())?;
    print_table(&dump, &FoundVariables(matches.best), &rows_of(print), print.format)
}
