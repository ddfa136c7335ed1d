//! Rows of a report on screen: arranged, drawn, and what they lead to.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{GrowthFilter, Kind, NamedCells, draw};
use crate::ui::ViewContext;
use crate::ui::controllers::tree::Outline;
use crate::ui::controllers::{Activation, Placeholder, TableController, TableSource};
use crate::ui::theme::{Icon, sizes};
use crate::ui::widgets::Column;
use crate::ui::widgets::table::{self, Align};
use heaplens_base::Bytes;
use heaplens_session::Slot;
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_tables::columns::Condition;
use heaplens_tables::reports::rows::{Name, Row, Rows};
use heaplens_tables::{RowTarget, TableQuery};

/// Height of a row of two lines, in points.
const HIGH: f32 = 44.0;

/// Rows of a report, and those on screen.
pub(in crate::ui::views) struct ReportRows {
    pub(super) kind: &'static Kind,
    pub(super) slot: Slot<Arc<Rows>>,
    /// Shared with the job that lists the objects of the selected rows.
    pub(in crate::ui::views) rows: Option<Arc<Rows>>,
    /// The columns, those without data too, which are not drawn.
    pub(in crate::ui::views) columns: Vec<Column>,
    /// Expanded rows.
    open: HashSet<usize>,
    /// Rows on screen, from top to bottom.
    pub(in crate::ui::views) shown: Arc<Vec<usize>>,
    pub(super) only: GrowthFilter,
    pub(super) is_stale: bool,
    /// True if the filter has a condition on a column that no command has.
    has_window_condition: bool,
    /// Reachable bytes: the whole of a percentage.
    pub(in crate::ui::views) reachable: Bytes,
}

impl ReportRows {
    pub(in crate::ui::views) fn new(kind: &'static Kind) -> Self {
        Self {
            kind,
            slot: Slot::default(),
            rows: None,
            columns: kind.columns_of(&[]),
            open: HashSet::new(),
            shown: Arc::default(),
            only: GrowthFilter::default(),
            is_stale: true,
            has_window_condition: false,
            reachable: Bytes::default(),
        }
    }

    /// Replaces the rows, which may be of another kind.
    pub(in crate::ui::views) fn put(&mut self, kind: &'static Kind, rows: Arc<Rows>) {
        (self.kind, self.columns) = (kind, kind.columns_of(&rows.columns));
        (self.rows, self.is_stale) = (Some(rows), true);
    }

    /// Index of the column with a key; `None` if it is not shown.
    pub(super) fn column(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.key == key && !key.is_empty() && !column.absent)
    }

    /// True if a command has the column.
    pub(super) fn is_of_command(&self, column: &Column) -> bool {
        let of_baseline = |rows: &Arc<Rows>| {
            rows.columns.iter().any(|declared| declared.key == column.key && declared.when == Condition::Baseline)
        };
        !column.key.is_empty() && !self.rows.as_ref().is_some_and(of_baseline)
    }

    /// Number of rows and their totals, for the toolbar.
    pub(in crate::ui::views) fn summary(&self) -> String {
        self.rows.as_ref().map_or_else(String::new, |rows| rows.summary_of(self.shown.len()))
    }

    /// Values of the top-level row of a row.
    fn cells(&self, at: usize) -> Option<NamedCells<'_>> {
        let rows = self.rows.as_ref()?;
        Some(NamedCells {
            columns: &self.columns,
            values: rows.values(at),
            target: rows.rows.get(at)?.leads,
            total: rows.total.unwrap_or(self.reachable),
        })
    }

    /// Values of a row on screen.
    pub(in crate::ui::views) fn cells_of(&self, row: u64) -> Option<NamedCells<'_>> {
        self.cells(self.at(row)?)
    }

    /// Removes all rows from the screen and collapses them.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.shown = Arc::default();
    }

    /// Keys of the columns that conditions on numbers may name.
    fn number_keys(&self) -> Vec<&'static str> {
        // The sizes of gaps name their rows.
        let is_number =
            |column: &Column| !column.absent && (column.align == Align::Right || column.key.ends_with("_bytes"));
        let key = |column: &Column| if is_number(column) { column.key } else { "" };
        self.columns.iter().map(key).collect()
    }

    fn at(&self, row: u64) -> Option<usize> {
        self.shown.get(row as usize).copied()
    }

    fn row(&self, row: u64) -> Option<&Row> {
        self.rows.as_ref()?.rows.get(self.at(row)?)
    }

    /// Row on screen of an index.
    fn position(&self, at: usize) -> Option<u64> {
        self.shown.iter().position(|&shown| shown == at).map(|row| row as u64)
    }

    /// Sorts and filters the rows if that has changed, and returns whether it has; the cursor stays on its row.
    pub(in crate::ui::views) fn order_rows(&mut self, table: &mut TableController) -> bool {
        self.is_stale |= table.take_stale();
        let Some(rows) = self.rows.as_ref().filter(|_| self.is_stale) else { return false };
        let conditions = table.filter.conditions(&self.number_keys());
        let is_of_window = |column: usize| self.columns.get(column).is_some_and(|column| !self.is_of_command(column));
        let has_window_condition = conditions.iter().any(|(column, _)| is_of_window(*column));
        // The rows of a command are those of the heap in the filter.
        let pattern = table.filter.pattern();
        let pattern = if self.kind.is_command { pattern.words() } else { pattern };
        let at = table.state.cursor().and_then(|row| self.at(row));
        // Each line of what finds a row is a text of its own.
        let passes =
            |row: &Row| pattern.matches(&row.found_by) || row.found_by.lines().any(|line| pattern.matches(line));
        let has_words = !pattern.is_empty();
        let passes: Option<&dyn Fn(&Row) -> bool> = has_words.then_some(&passes);
        let mut shown = rows.ordered_rows(&self.open, table.sort, passes);
        if !conditions.is_empty() {
            shown.retain(|&at| rows.meets(at, &conditions, self.reachable));
        }
        if self.only != GrowthFilter::All {
            let mut grew = false;
            let is_meant =
                |row: &Row| if self.only == GrowthFilter::Grown { row.grew() } else { row.grew_every_time() };
            shown.retain(|&at| {
                let row = rows.rows.get(at);
                grew = row.is_some_and(|row| if row.depth == 0 { is_meant(row) } else { grew });
                grew
            });
        }
        self.shown = Arc::new(shown);
        table.state.select(at.and_then(|at| self.position(at)));
        (self.is_stale, self.has_window_condition) = (false, has_window_condition);
        true
    }

    /// Page instead of the rows.
    pub(in crate::ui::views) fn page(&self, table: &TableController) -> Placeholder<'_> {
        if let Some(error) = self.slot.error() {
            Placeholder::failed(format!("Cannot compute: {}", self.kind.name), error)
        } else if self.slot.is_running() && self.rows.is_none() {
            Placeholder::waiting("Computing…", "").with_progress(true, self.slot.progress())
        } else if !self.shown.is_empty() {
            Placeholder::default()
        } else if table.filter.is_empty() {
            Placeholder::empty(Icon::Check, self.kind.nothing.0, self.kind.nothing.1)
        } else {
            let (one, all) = self.rows.as_ref().and_then(|rows| rows.counted).unwrap_or(("row", "rows"));
            Placeholder::unmatched(one, all)
        }
    }

    /// True if a command has the sort column and the columns of all conditions.
    pub(super) fn is_order_of_command(&self, table: &TableController) -> bool {
        let sort = table.sort.and_then(|(column, _)| self.columns.get(column));
        !self.has_window_condition && sort.is_none_or(|column| self.is_of_command(column))
    }
}

impl TableSource for ReportRows {
    fn name(&self) -> &str {
        self.kind.name
    }

    fn follows_class(&self) -> bool {
        self.kind.follows_class
    }

    fn columns(&self, _context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        self.columns.clone().into()
    }

    fn count(&self) -> u64 {
        self.shown.len() as u64
    }

    fn row_height(&self) -> f32 {
        if self.rows.as_ref().is_some_and(|rows| rows.are_high()) { HIGH } else { sizes::ROW }
    }

    fn text(&self, _context: &ViewContext<'_>, row: u64) -> Option<String> {
        // What else finds a class are names of others.
        let text = &self.row(row)?.found_by;
        let own = if self.kind.is_command { text.lines().next().unwrap_or_default() } else { text };
        Some(own.to_owned())
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        Some(self.row(row)?.leads)
    }

    fn activation(&self, _context: &ViewContext<'_>, row: u64) -> Activation {
        let expands = self.rows.as_ref().zip(self.at(row)).is_some_and(|(rows, at)| rows.expands(at));
        match self.row(row) {
            Some(Row { name: Name::Called(_), leads: RowTarget::Object(object), .. }) => {
                Activation::Open(RowTarget::Object(*object))
            }
            _ if expands => Activation::Toggle,
            row => row.map_or(Activation::None, |row| Activation::Open(row.leads)),
        }
    }

    fn draw(&mut self, row: &mut table::Row<'_>, context: &mut ViewContext<'_>) {
        let (Some(at), Some(rows)) = (self.at(row.index), &self.rows) else { return };
        match self.kind.draw.zip(self.cells(at)) {
            Some((draw, cells)) => draw(row, context, &cells),
            None => draw::draw(row, context, (self.kind, &self.columns), rows, at, self.open.contains(&at)),
        }
    }

    fn placeholder(&self, _context: &ViewContext<'_>, table: &TableController) -> Placeholder<'_> {
        self.page(table)
    }

    fn publish(&self, context: &mut ViewContext<'_>, _table: &TableController, range: RangeInclusive<u64>) {
        let Some(rows) = &self.rows else { return };
        let is_one_at_top = range.start() == range.end() && self.row(*range.start()).is_some_and(|row| row.depth == 0);
        if let Some(group) = self.kind.group.filter(|_| is_one_at_top)
            && let Some(listing) = self.cells_of(*range.start()).and_then(|row| group(context.dump, &row))
        {
            return context.select_listed(range, self.shown.as_ptr() as usize, || listing);
        }
        if let Some(list) = self.kind.listing {
            if range.start() < range.end() {
                let (dump, version) = (context.dump, self.shown.as_ptr() as usize);
                let selected = || range.clone().filter_map(|row| self.cells_of(row)).collect::<Vec<_>>();
                context.select_listed(range.clone(), version, || list(dump, &selected()));
            }
            return;
        }
        context.select_rows(range.clone(), self.shown.as_ptr() as usize, || {
            let together = RowTotals::Counted(range.end() - range.start() + 1);
            let (rows, shown) = (Arc::clone(rows), Arc::clone(&self.shown));
            let object = move |row: u64| match rows.rows.get(*shown.get(row as usize)?)?.leads {
                RowTarget::Object(object) => Some(object),
                _ => None,
            };
            Listing::of_rows(together, Box::new(move |_| Ok(range.filter_map(object).collect())))
        });
    }

    fn copy(&self, context: &mut ViewContext<'_>, table: &TableController, rows: RangeInclusive<u64>) {
        self.copy_rows(context, table, rows);
    }

    fn query(&self, _context: &ViewContext<'_>, table: &TableController) -> Option<TableQuery> {
        self.query_of_all(table)
    }
}

impl Outline for ReportRows {
    fn is_open(&self, row: u64) -> bool {
        self.at(row).is_some_and(|at| self.open.contains(&at))
    }

    fn parent(&self, row: u64) -> Option<u64> {
        self.position(self.rows.as_ref()?.above(self.at(row)?)?)
    }

    fn toggle(&mut self, _context: &ViewContext<'_>, _table: &mut TableController, row: u64) {
        let Some((rows, at)) = self.rows.as_ref().zip(self.at(row)) else { return };
        if rows.expands(at) {
            if !self.open.remove(&at) {
                self.open.insert(at);
            }
            self.is_stale = true;
        }
    }
}
