//! `roots`: GC roots by kind, or inferred roots with the ownership trees of HeapRoots.

use std::io::Write;
use std::sync::Arc;

use super::args::{RootsArguments, TableArguments};
use super::failure::Failure;
use super::names::object_named;
use super::open::open;
use super::print::{Answer, filter, open_filtered};
use super::progress::with_progress;
use super::tables::{print_table, row_query, table, with_words};
use super::verified_output::VerifiedOutput;
use heaplens_analysis::Ownership;
use heaplens_analysis::ownership::OwnershipOrder;
use heaplens_analysis::ownership::listing::{
    Listing, ListingOptions, USUAL_DEPTH, USUAL_THRESHOLD, automatic_threshold,
};
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_heap::SoftLinks;
use heaplens_tables::dump::object_filter::ObjectRowFilter;
use heaplens_tables::dump::ownership::{OwnershipQuery, by_of, process_cells};
use heaplens_tables::export::heaproots::Style;
use heaplens_tables::export::printable::Printable;
use heaplens_tables::query::TableKind;
use heaplens_tables::relations::ROOTS;
use heaplens_tables::{OutputForm, OwnedObjects, OwnershipRoots, TableContext};

/// Computes inferred roots and ownership of a dump.
pub(super) fn owners(dump: &Dump, soft: SoftLinks) -> Result<Arc<Ownership>, Failure> {
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
        return table(&TableArguments { file, order, print }, &ROOTS);
    }
    let rows = with_words(row_query(&arguments.order, print));
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let ownership = owners(&dump, arguments.soft.unwrap_or(SoftLinks::Follow))?;
    if arguments.every_object {
        return print_table(&dump, &OwnedObjects { ownership }, &rows, print.format);
    }
    if print.format == OutputForm::Text {
        let mut out = Printable(VerifiedOutput::in_form(&dump, OutputForm::Text));
        for (_, what, cell) in process_cells(&ownership.process) {
            writeln!(out, "{what:<20} {}", cell.exact())?;
        }
        writeln!(out)?;
        out.flush()?;
    }
    print_table(&dump, &OwnershipRoots::new(ownership), &rows, print.format)
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
    let ownership = owners(&dump, arguments.soft.unwrap_or(SoftLinks::Follow))?;
    let task = Task::new();
    let mut options = ListingOptions {
        of,
        threshold: arguments.threshold.map_or(USUAL_THRESHOLD, Bytes),
        depth: u32::try_from(arguments.depth.unwrap_or(USUAL_DEPTH.into())).ok(),
        prune: arguments.prune,
        by,
    };
    if let Some(lines) = arguments.auto_threshold {
        options.threshold = automatic_threshold(heap, &ownership, options, lines, &task)?;
    }
    let lines = Listing::new(heap, &ownership, options, &task)?;
    let filter = ObjectRowFilter::new(TableContext::of(&dump), &filter)?;
    let passing = lines.filter(|line| filter.passes(line.object));
    let style = Style::of(heap);
    // The text of HeapRoots, without a line of our own.
    let mut out = Printable(VerifiedOutput::of(&dump));
    for line in passing.skip(arguments.order.skip).take(print.top.unwrap_or(usize::MAX)) {
        writeln!(out, "{}", style.line(&line))?;
    }
    Ok(out.flush()?)
}

/// The table of the arguments; `None` for the listing of HeapRoots, which is no table.
pub(super) fn kind(arguments: &RootsArguments) -> Option<Arc<dyn TableKind>> {
    let (soft, every_object) = (arguments.soft.unwrap_or_default(), arguments.every_object);
    match arguments.ownership {
        _ if arguments.listing => None,
        true => Some(Arc::new(OwnershipQuery { soft, every_object })),
        false => Some(Arc::new(&ROOTS)),
    }
}
