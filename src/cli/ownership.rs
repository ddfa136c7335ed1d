//! `roots` with HeapRoots' inferred roots, `route` and `kept`: commands that need no GC root.

use std::io::Write;
use std::sync::Arc;

use super::args::{
    OpenArguments, OrderArguments, RetainedSetArguments, RootsArguments, RouteArguments, TableArguments,
};
use super::failure::Failure;
use super::names::object_named;
use super::open::open;
use super::print::{Answer, filter, open_filtered};
use super::progress::with_progress;
use super::query;
use super::tables::{print_table, row_query, table, with_words};
use super::verified_output::VerifiedOutput;
use heaplens_analysis::Ownership;
use heaplens_analysis::ownership::OwnershipOrder;
use heaplens_analysis::ownership::listing::{
    Listing, ListingOptions, USUAL_DEPTH, USUAL_THRESHOLD, automatic_threshold,
};
use heaplens_base::{Bytes, Count, Task};
use heaplens_heap::SoftLinks;
use heaplens_session::LoadedDump;
use heaplens_tables::dump::object_filter::ObjectRowFilter;
use heaplens_tables::dump::ownership::{by_of, process_cells};
use heaplens_tables::dump::route::{RouteQuery, route_table};
use heaplens_tables::export::heaproots::Style;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::{OutputForm, OwnedObjects, OwnershipRoots, RetainedClasses, Table as _, TableContext, TableKind};

/// Computes inferred roots and ownership of a dump.
pub(super) fn owners(dump: &LoadedDump, soft: SoftLinks) -> Result<Arc<Ownership>, Failure> {
    Ok(Arc::new(with_progress(|task| Ownership::find(&dump.facts.heap, soft, task))?))
}

pub(super) fn roots(arguments: &RootsArguments) -> Answer {
    let print = &arguments.print;
    if arguments.listing {
        return listing(arguments);
    }
    if !arguments.ownership {
        if arguments.soft.is_some() {
            return Err(Failure::Usage(
                "--soft applies to inferred roots only; combine it with --ownership or --listing".to_owned(),
            ));
        }
        let (file, order, print) = (arguments.file.clone(), arguments.order.clone(), print.clone());
        return table(&TableArguments { file, order, print }, TableKind::Roots);
    }
    let how = with_words(row_query(&arguments.order, print));
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let found = owners(&dump, arguments.soft.unwrap_or(SoftLinks::Follow))?;
    if arguments.every_object {
        return print_table(&dump, &OwnedObjects { found }, &how, print.format);
    }
    if print.format == OutputForm::Text {
        let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
        for (_, what, cell) in process_cells(&found.process) {
            writeln!(out, "{what:<20} {}", cell.exact())?;
        }
        writeln!(out)?;
        out.flush()?;
    }
    print_table(&dump, &OwnershipRoots::new(found), &how, print.format)
}

/// Prints the ownership trees in HeapRoots' text format.
fn listing(arguments: &RootsArguments) -> Answer {
    let print = &arguments.print;
    if print.format != OutputForm::Text {
        return Err(Failure::Usage(
            "--listing supports --format text only; use --ownership for json and csv".to_owned(),
        ));
    }
    if arguments.order.reverse || !arguments.order.rows.is_empty() {
        return Err(Failure::Usage(
            "--listing does not support --reverse and --rows; use --ownership instead".to_owned(),
        ));
    }
    let filter = filter(print)?;
    let by = match arguments.order.sort.as_deref() {
        None => OwnershipOrder::Total,
        Some(key) => by_of(key).ok_or_else(|| {
            Failure::Usage(format!("cannot sort roots by '{key}'; expected total, descendants or depth"))
        })?,
    };
    let (dump, _) = open(&arguments.file, &print.open)?;
    let heap = &dump.facts.heap;
    let of = arguments.of.as_ref().map(|id| object_named(&dump, &arguments.file, id)).transpose()?;
    let found = owners(&dump, arguments.soft.unwrap_or(SoftLinks::Follow))?;
    let task = Task::new();
    let mut options = ListingOptions {
        of,
        threshold: arguments.threshold.map_or(USUAL_THRESHOLD, Bytes),
        depth: u32::try_from(arguments.depth.unwrap_or(USUAL_DEPTH.into())).ok(),
        prune: arguments.prune,
        by,
    };
    if let Some(lines) = arguments.auto_threshold {
        options.threshold = automatic_threshold(heap, &found, options, lines, &task)?;
    }
    let lines = Listing::new(heap, &found, options, &task)?;
    let filter = ObjectRowFilter::new(TableContext::new(&dump), &filter)?;
    let passing = lines.filter(|line| filter.passes(line.object));
    let style = Style::of(heap);
    // The text of HeapRoots, without a line of our own.
    let mut out = Printable(VerifiedOutput::of(&dump));
    for line in passing.skip(arguments.order.skip).take(print.top.unwrap_or(usize::MAX)) {
        writeln!(out, "{}", style.line(&line))?;
    }
    Ok(out.flush()?)
}

pub(super) fn route(arguments: &RouteArguments) -> Answer {
    let print = &arguments.print;
    filter(print)?;
    // `--strength` is that of the path.
    let (dump, _) = open(&arguments.file, &OpenArguments { strength: None, ..print.open.clone() })?;
    let asked @ RouteQuery { from, to, weakest } = query::route(arguments, &dump)?;
    let found = with_progress(|task| route_table(TableContext::new(&dump), asked, task))?;
    if found.count() == 0 && print.format == OutputForm::Text {
        let along = weakest.map_or_else(String::new, |weakest| format!(" along {} references", weakest.name()));
        let mut out = VerifiedOutput::in_form(&dump, OutputForm::Text);
        let id = |object| dump.facts.heap.id_text(object);
        writeln!(out, "No path from {} to {}{along}", id(from), id(to))?;
        return Ok(out.flush()?);
    }
    print_table(&dump, &found, &row_query(&OrderArguments::default(), print), print.format)
}

pub(super) fn kept(arguments: &RetainedSetArguments) -> Answer {
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
