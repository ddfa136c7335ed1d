//! Table of rows in a list: most tables are one.

use super::typed::any_text_passes;
use crate::columns::{Columns, Item};
use crate::{RowTarget, TableContext, Totals, TypedTable};
use heaplens_analysis::TextFilter;

/// True if a row passes the filter.
pub type Passes<R> = for<'a> fn(&'a R, TableContext<'a>, &TextFilter) -> bool;
/// Totals of the rows that pass the filter.
type TotalsOf<R> = Box<dyn Fn(&[&R]) -> Totals + Send + Sync>;

/// Rows in a list. Unless set otherwise, the filter searches the text of their cells.
pub struct List<R: 'static> {
    columns: Columns<Item<R>>,
    /// The rows, in their default order.
    pub rows: Vec<R>,
    name: &'static str,
    passes: Option<Passes<R>>,
    target: Option<fn(&R) -> RowTarget>,
    totals: Option<TotalsOf<R>>,
}

impl<R> List<R> {
    /// Table of these rows, in their default order.
    pub fn new(columns: Columns<Item<R>>, rows: Vec<R>) -> Self {
        Self { columns, rows, name: "rows", passes: None, target: None, totals: None }
    }

    /// With a name of the list in JSON other than `rows`.
    #[must_use]
    pub fn with_name(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// With a filter of its own.
    #[must_use]
    pub fn with_filter(mut self, passes: Passes<R>) -> Self {
        self.passes = Some(passes);
        self
    }

    /// With what a row leads to.
    #[must_use]
    pub fn with_target(mut self, target: fn(&R) -> RowTarget) -> Self {
        self.target = Some(target);
        self
    }

    /// With totals in JSON, of the rows that pass the filter.
    #[must_use]
    pub fn with_totals(mut self, totals: impl Fn(&[&R]) -> Totals + Send + Sync + 'static) -> Self {
        self.totals = Some(Box::new(totals));
        self
    }
}

impl<R: Send + Sync + 'static> TypedTable for List<R> {
    type Record = Item<R>;

    fn columns(&self) -> Columns<Item<R>> {
        self.columns
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> Option<&R> {
        self.rows.get(row)
    }

    fn passes<'a>(&'a self, dump: TableContext<'a>, row: &'a R, filter: &TextFilter) -> bool {
        match self.passes {
            Some(passes) => passes(row, dump, filter),
            None => any_text_passes(self.columns, dump, row, filter),
        }
    }

    fn target(&self, row: &R) -> RowTarget {
        self.target.map_or(RowTarget::None, |target| target(row))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Totals {
        let rows = || rows.iter().filter_map(|&row| self.rows.get(row as usize)).collect::<Vec<_>>();
        self.totals.as_ref().map(|totals| totals(&rows())).unwrap_or_default()
    }

    fn list(&self) -> (&'static str, bool) {
        (self.name, false)
    }
}
