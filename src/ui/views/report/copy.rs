//! Copied rows of a report, and the query of the command line for its rows.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::GrowthFilter;
use super::draw::plain;
use super::outline::ReportRows;
use crate::ui::ViewContext;
use crate::ui::controllers::TableController;
use heaplens_heap::ObjectId;
use heaplens_tables::columns::{Condition, Value};
use heaplens_tables::diff::Changes;
use heaplens_tables::dump::objects::ObjectsQuery;
use heaplens_tables::export::copy;
use heaplens_tables::query::TableKind;
use heaplens_tables::relations::CLASSES;
use heaplens_tables::reports::rows::{Row, Rows};
use heaplens_tables::{RowQuery, RowTarget, TableQuery, clips};

impl ReportRows {
    pub(super) fn copy_rows(&self, context: &mut ViewContext<'_>, table: &TableController, range: RangeInclusive<u64>) {
        let Some(rows) = &self.rows else { return };
        let skip = *range.start() as usize;
        let shown: Vec<usize> = range.filter_map(|row| self.shown.get(row as usize)).copied().collect();
        if self.kind.is_command {
            let (name, query) = (self.kind.name, self.command_query(table, skip, Some(shown.len())));
            let table = rows.table.clone();
            return context.copy(move |dump, _| Ok(clips::table_rows(dump, name, &query, &*table, &shown)));
        }
        let picked: Vec<Row> = shown.iter().filter_map(|&at| rows.rows.get(at)).cloned().collect();
        let below = |row: &Row| match row.leads {
            RowTarget::Object(object) if row.depth > 0 => Some(object),
            _ => None,
        };
        // Objects below the rows of the table are selected by id.
        let objects: Option<Vec<ObjectId>> = picked.iter().map(below).collect();
        let request = match objects {
            Some(objects) => TableQuery::all(ObjectsQuery::Listed(objects)),
            None => self.query_of(table, rows, &shown),
        };
        let mut table_rows: Vec<u32> = shown.iter().map(|&at| rows.table_row(at)).collect();
        table_rows.dedup();
        let (name, rows) = (self.kind.name, rows.clone());
        let columns: Vec<(usize, &'static str)> = self
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| !column.absent)
            .map(|(index, column)| (index, column.title))
            .collect();
        context.copy(move |dump, task| {
            let mut copied = Vec::with_capacity(picked.len());
            for (row, at) in picked.iter().zip(shown) {
                task.checkpoint()?;
                let named = std::iter::once(Value::text(plain(&row.name, |object| clips::name(dump, object))));
                // Rows below others have no cells beyond their own.
                let has_cell = |column: usize| column > 0 && (row.depth == 0 || column <= row.cells.len());
                let cells = columns.iter().filter(|(column, _)| has_cell(*column));
                let cells = named.chain(cells.map(|(column, _)| rows.cell(at, *column).0.clone())).collect();
                copied.push(copy::Row { depth: row.depth, cells });
            }
            let json = match request.kind.downcast() {
                Some(ObjectsQuery::Listed(objects)) => clips::objects_json(dump, objects),
                _ => clips::json(&*rows.table, dump, table_rows.iter().map(|&row| row as usize)),
            };
            let headings = columns.iter().map(|(_, title)| *title);
            Ok(clips::rows(dump, name, &request, headings, copied, json))
        });
    }

    /// Query for all rows that pass the filters.
    pub(in crate::ui::views) fn query_of_all(&self, table: &TableController) -> Option<TableQuery> {
        if self.kind.is_command {
            return Some(self.command_query(table, 0, None));
        }
        let rows = self.rows.as_ref()?;
        if table.filter.is_empty() && self.only == GrowthFilter::All {
            return Some(TableQuery { kind: self.subject(rows), rows: table.order(&self.columns) });
        }
        let is_top = |at: &usize| rows.rows.get(*at).is_some_and(|row| row.depth == 0);
        let shown: Vec<usize> = self.shown.iter().copied().filter(is_top).collect();
        Some(self.query_of(table, rows, &shown))
    }

    /// Query of the command that prints the rows on screen, from one on, with its own order and filter. Rows in an order
    /// that it does not have are selected by their positions in its default order.
    fn command_query(&self, table: &TableController, skip: usize, top: Option<usize>) -> TableQuery {
        let rows = if self.is_order_of_command(table) {
            let is_usual = table.sort == self.kind.initial_sort();
            let order = if is_usual { RowQuery::default() } else { table.order(&self.columns) };
            RowQuery { filter: table.filter.understood(), skip, top, ..order }
        } else {
            let shown = self.shown.iter().skip(skip).take(top.unwrap_or(usize::MAX));
            RowQuery { numbers: ranges(shown.map(|&at| at as u32).collect()), ..RowQuery::default() }
        };
        TableQuery::new(self.kind.relation.unwrap_or(&CLASSES), RowQuery { owners: self.has_owners(), ..rows })
    }

    /// True if the rows have the owners of classes.
    fn has_owners(&self) -> bool {
        let columns = self.rows.iter().flat_map(|rows| &rows.columns);
        columns.into_iter().any(|column| column.when == Condition::ClassOwners)
    }

    /// Query for the top-level rows among `shown` and the parents of the others.
    fn query_of(&self, table: &TableController, rows: &Rows, shown: &[usize]) -> TableQuery {
        let mut table_rows: Vec<u32> = shown.iter().map(|&at| rows.table_row(at)).collect();
        table_rows.dedup();
        let mut row_query = table.order(&self.columns);
        let all: Vec<u32> =
            rows.ordered_rows(&HashSet::new(), table.sort, None).iter().map(|&at| rows.table_row(at)).collect();
        let first = all.iter().position(|row| Some(row) == table_rows.first()).unwrap_or(0);
        // In a partial table, positions in another order are meaningless; and a command cannot sort by columns that
        // only the window has.
        let column = |(column, _)| self.columns.get(column);
        let by_key = table.sort.is_none_or(|sort| column(sort).is_some_and(|column| self.is_of_command(column)));
        let in_order = by_key && all.len() == rows.table.count() && all[first..].starts_with(&table_rows);
        // The text output of `diff` omits unchanged rows, unless rows are selected by position.
        let by_order = table_rows.len() == all.len()
            || rows.subject.as_ref().and_then(|kind| kind.downcast::<Changes>()).is_none();
        if in_order && by_order {
            if table_rows.len() < all.len() {
                (row_query.skip, row_query.top) = (first, Some(table_rows.len()));
            }
        } else {
            row_query.top = Some(table_rows.len());
            row_query.numbers = ranges(table_rows);
        }
        TableQuery { kind: self.subject(rows), rows: row_query }
    }

    /// Subject of the top-level rows.
    fn subject(&self, rows: &Rows) -> Arc<dyn TableKind> {
        rows.subject.clone().unwrap_or_else(|| Arc::new(self.kind.relation.unwrap_or(&CLASSES)))
    }
}

/// Indices from 0 as ranges from 1, in table order.
fn ranges(mut table_rows: Vec<u32>) -> Vec<RangeInclusive<u32>> {
    table_rows.sort_unstable();
    let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
    for number in table_rows.into_iter().map(|row| row.saturating_add(1)) {
        match ranges.last_mut() {
            Some(last) if *last.end() + 1 == number => *last = *last.start()..=number,
            _ => ranges.push(number..=number),
        }
    }
    ranges
}
