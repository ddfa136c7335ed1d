//! Rows of a report on screen: arranged, drawn, and what they lead to.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{GrowthFilter, Kind, draw};
use crate::ui::ViewContext;
use crate::ui::controllers::tree::Outline;
use crate::ui::controllers::{Activation, Placeholder, TableController, TableSource};
use crate::ui::theme::{Icon, sizes};
use crate::ui::widgets::Column;
use crate::ui::widgets::table::{self, Align};
use heaplens_base::Bytes;
use heaplens_session::Slot;
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_tables::reports::rows::{Name, Row, Rows};
use heaplens_tables::{RowTarget, TableQuery};

/// Height of a row of two lines, in points.
const HIGH: f32 = 44.0;

/// Rows of a report, and those on screen.
pub(super) struct ReportRows {
    pub(super) kind: &'static Kind,
    /// Shared with the job that lists the objects of the selected rows.
    pub(super) slot: Slot<Arc<Rows>>,
    /// Expanded rows.
    open: HashSet<usize>,
    /// Rows on screen, from top to bottom.
    pub(super) shown: Arc<Vec<usize>>,
    pub(super) only: GrowthFilter,
    pub(super) is_stale: bool,
    /// Reachable bytes: the whole of a percentage.
    pub(super) reachable: Bytes,
}

impl ReportRows {
    pub(super) fn new(kind: &'static Kind) -> Self {
        let (slot, open, shown) = (Slot::default(), HashSet::new(), Arc::default());
        Self { kind, slot, open, shown, only: GrowthFilter::default(), is_stale: true, reachable: Bytes::default() }
    }

    /// Removes all rows from the screen and collapses them.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.shown = Arc::default();
    }

    /// Keys of the columns that conditions on numbers may name.
    fn number_keys(&self) -> Vec<&'static str> {
        // The sizes of gaps name their rows.
        let is_number = |column: &Column| column.align == Align::Right || column.key.ends_with("_bytes");
        let key = |column: &Column| if is_number(column) { column.key } else { "" };
        self.kind.columns.iter().map(key).collect()
    }

    fn at(&self, row: u64) -> Option<usize> {
        self.shown.get(row as usize).copied()
    }

    fn row(&self, row: u64) -> Option<&Row> {
        self.slot.get()?.rows.get(self.at(row)?)
    }

    /// Row on screen of an index.
    fn position(&self, at: usize) -> Option<u64> {
        self.shown.iter().position(|&shown| shown == at).map(|row| row as u64)
    }

    /// The rows on screen, from top to bottom.
    pub(super) fn on_screen(&self) -> impl Iterator<Item = &Row> {
        self.shown.iter().filter_map(|&at| self.slot.get()?.rows.get(at))
    }

    /// Sorts and filters the rows if that has changed; the cursor stays on its row.
    pub(super) fn arrange(&mut self, table: &mut TableController) {
        self.is_stale |= table.take_stale();
        let Some(rows) = self.slot.get().filter(|_| self.is_stale) else { return };
        let conditions = table.filter.conditions(&self.number_keys());
        let (filter, at) = (&table.filter, table.state.cursor().and_then(|row| self.at(row)));
        let passes = |row: &Row| filter.passes(&row.found_by);
        let has_words = !filter.pattern().is_empty();
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
        self.is_stale = false;
    }
}

impl TableSource for ReportRows {
    fn name(&self) -> &str {
        self.kind.name
    }

    fn columns(&self, _context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        Cow::Borrowed(self.kind.columns)
    }

    fn count(&self) -> u64 {
        self.shown.len() as u64
    }

    fn row_height(&self) -> f32 {
        if self.slot.get().is_some_and(|rows| rows.are_high()) { HIGH } else { sizes::ROW }
    }

    fn text(&self, _context: &ViewContext<'_>, row: u64) -> Option<String> {
        Some(self.row(row)?.found_by.clone())
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        Some(self.row(row)?.leads)
    }

    fn activation(&self, _context: &ViewContext<'_>, row: u64) -> Activation {
        let expands = self.slot.get().zip(self.at(row)).is_some_and(|(rows, at)| rows.expands(at));
        match self.row(row) {
            Some(Row { name: Name::Called(_), leads: RowTarget::Object(object), .. }) => {
                Activation::Open(RowTarget::Object(*object))
            }
            _ if expands => Activation::Toggle,
            row => row.map_or(Activation::None, |row| Activation::Open(row.leads)),
        }
    }

    fn draw(&mut self, row: &mut table::Row<'_>, context: &mut ViewContext<'_>) {
        if let (Some(at), Some(rows)) = (self.at(row.index), self.slot.get()) {
            draw::draw(row, context, self.kind, rows, at, self.open.contains(&at));
        }
    }

    fn placeholder(&self, _context: &ViewContext<'_>, table: &TableController) -> Placeholder<'_> {
        if let Some(error) = self.slot.error() {
            Placeholder::failed(format!("Cannot compute: {}", self.kind.name), error)
        } else if self.slot.is_running() && self.slot.get().is_none() {
            Placeholder::waiting("Computing…", "").with_progress(true, self.slot.progress())
        } else if !self.shown.is_empty() {
            Placeholder::default()
        } else if table.filter.is_empty() {
            Placeholder::empty(Icon::Check, self.kind.nothing.0, self.kind.nothing.1)
        } else {
            Placeholder::unmatched("row", "rows")
        }
    }

    fn publish(&self, context: &mut ViewContext<'_>, _table: &TableController, range: RangeInclusive<u64>) {
        let Some(rows) = self.slot.get() else { return };
        context.select_rows(range.clone(), self.shown.as_ptr() as usize, || {
            let together = RowTotals::Counted(range.end() - range.start() + 1);
            let (rows, shown) = (Arc::clone(rows), Arc::clone(&self.shown));
            let object = move |row: u64| match rows.rows.get(*shown.get(row as usize)?)?.leads {
                RowTarget::Object(object) => Some(object),
                _ => None,
            };
            Listing { together, list: Box::new(move |_| Ok(range.filter_map(object).collect())) }
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
        self.position(self.slot.get()?.above(self.at(row)?)?)
    }

    fn toggle(&mut self, _context: &ViewContext<'_>, _table: &mut TableController, row: u64) {
        let Some((rows, at)) = self.slot.get().zip(self.at(row)) else { return };
        if rows.expands(at) {
            if !self.open.remove(&at) {
                self.open.insert(at);
            }
            self.is_stale = true;
        }
    }
}
