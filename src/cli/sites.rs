//! `sites`: allocation sites as a call tree, or the classes of objects allocated at one site.

use super::args::SitesArguments;
use super::failure::Failure;
use super::print::{Answer, indent, open_filtered, print_rows};
use super::progress::with_progress;
use super::tables::{print_table, row_query};
use heaplens_analysis::histogram::histogram_of;
use heaplens_base::Task;
use heaplens_tables::columns::{Heading, Value, headings};
use heaplens_tables::{Classes, ColumnInfo, OutputForm, Sites, Table, TableContext};

pub(super) fn sites(arguments: &SitesArguments) -> Answer {
    let print = &arguments.print;
    let (dump, filter) = open_filtered(&arguments.file, print)?;
    let (context, task) = (TableContext::of(&dump), Task::new());
    let shown_rows = row_query(&arguments.order, print);
    let table = with_progress(|task| Sites::of(context, task))?;
    let unusable = |what: &str| Failure::Unusable(format!("{}: {what}", arguments.file.display()));
    if table.count() == 0 {
        return Err(unusable("no allocation sites in this dump; take it while allocations are tracked"));
    }
    if let Some(site) = arguments.site {
        let row = site.checked_sub(1).filter(|&row| row < table.count());
        let row = row.ok_or_else(|| {
            unusable(&format!("no allocation site {site}; sites are numbered from 1 to {}", table.count()))
        })?;
        let (wanted, contents) = (table.tree.below(row), &*dump.facts.contents);
        let is_there = |object| {
            let site = contents.allocation_site(&dump.facts.heap, object);
            site.is_some_and(|site| wanted.binary_search(&site).is_ok())
                && filter.text.in_its_heap(&dump.facts.heap, object)
        };
        let classes = Classes::new(histogram_of(dump.data(), is_there, &task)?);
        return print_table(&dump, &classes, &shown_rows, print.format);
    }
    if print.format != OutputForm::Text {
        return print_table(&dump, &table, &shown_rows, print.format);
    }
    let mut columns = table.columns(context);
    columns.retain(|column| column.key != headings::DEPTH.key);
    let arranged = table.ordered_rows(context, &shown_rows, &task)?;
    let is_tree = shown_rows.sort.is_none() && shown_rows.filter.is_empty() && !shown_rows.reverse;
    let rows = arranged.rows.map(|row| {
        let depth = table.tree.rows.get(row as usize).map_or(0, |row| row.depth as usize);
        let cell = |column: &ColumnInfo| match table.cell(context, row as usize, column.index) {
            // Sorted or filtered rows do not follow their parents, so they are not indented.
            Value::Text(frame) if is_tree => Value::text(indent(depth) + &frame),
            cell => cell,
        };
        columns.iter().map(cell).collect()
    });
    let headings: Vec<Heading> = columns.iter().map(|column| column.heading).collect();
    print_rows(&dump, print.format, &headings, rows)
}
