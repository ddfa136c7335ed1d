//! Reports: outlines of names and figures computed once for a whole dump. All share one view; a [`Kind`] defines the
//! contents.

mod copy;
mod draw;
pub mod groups;
mod kind;
pub mod kinds;
mod outline;
mod row_group;

use std::sync::Arc;

use eframe::egui::Ui;

pub use self::kind::{GrowthFilter, Kind, NamedCells, ReportJob};
pub(super) use self::outline::ReportRows;
use crate::ui::controllers::{TableSource, TreeController};
use crate::ui::export_content::ExportContent;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::TableState;
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::{Location, SelectedBy, ViewContext, ViewState};
use heaplens_tables::columns::Value;
use heaplens_tables::reports::rows::Rows;
use heaplens_tables::{ColumnInfo, RowTarget, TableContext, TypedFilter};

/// Number of rows searched for a default selection.
const FIRST_ROWS: u64 = 64;

/// What new rows have in common with those on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Carries {
    /// They are the same, perhaps with other columns.
    #[default]
    All,
    /// They answer the same query of other objects.
    Query,
    /// They answer another query, so positions do not carry over.
    Nothing,
}

/// A report on screen.
pub struct Report {
    rows: ReportRows,
    requested: bool,
    /// Kind of the rows being computed, if it differs.
    coming: Option<&'static Kind>,
    /// What the rows being computed have in common with those on screen.
    carries: Carries,
    /// Job that replaces the one of its kind.
    make: Option<ReportJob>,
    table: TreeController,
    /// Placeholder of the filter; `None` for that of its kind.
    pub filter_hint: Option<&'static str>,
    /// True until it has selected a row after it took the place of another report.
    is_entered: bool,
}

impl ViewPage for Report {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ui_with(ui, context, |_, _| {});
    }

    fn is_running(&self) -> bool {
        self.rows.slot.is_at_work()
    }

    fn view_state(&self) -> Option<ViewState> {
        Some(self.table.view_state())
    }

    fn cut_text(&self) -> Option<String> {
        let row = self.table.state.cursor()?;
        match self.rows.cells_of(row)?.value("cut") {
            Value::Text(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Handles requests of the keyboard while a chart replaces the rows.
    fn unseen(&mut self, context: &mut ViewContext<'_>) {
        if context.exports()
            && let Some(query) = self.rows.query_of_all(&self.table)
        {
            context.export(ExportContent::Rows(query), self.rows.kind.name);
        }
    }

    fn restore(&mut self, view_state: &ViewState) {
        let sort = self.table.sort;
        self.table.restore(view_state);
        let is_shown = |(column, _): (usize, bool)| self.rows.columns.get(column).is_some_and(|column| !column.absent);
        if !view_state.sort.map_or(self.rows.kind.sorted.is_none(), is_shown) {
            self.table.sort = sort;
        }
    }
}

impl Report {
    /// A report that is computed when it is first shown.
    pub fn new(kind: &'static Kind) -> Self {
        let table = TreeController::sorted(kind.initial_sort());
        Self {
            rows: ReportRows::new(kind),
            requested: false,
            coming: None,
            carries: Carries::All,
            make: None,
            table,
            filter_hint: None,
            is_entered: false,
        }
    }

    /// Draws the view, with `more` tools before its own, which may change its filter.
    pub fn ui_with(
        &mut self,
        ui: &mut Ui,
        context: &mut ViewContext<'_>,
        more: impl FnOnce(&mut Ui, &mut TypedFilter),
    ) {
        if !std::mem::replace(&mut self.requested, true) {
            let (dump, kind) = (context.dump.clone(), self.coming.unwrap_or(self.rows.kind));
            let make = self.make.clone().unwrap_or_else(|| Arc::new(kind.make));
            self.rows.slot.ask(context.jobs, kind.name, move |task| {
                let keys = |table: &[ColumnInfo]| kind.columns_of(table).iter().map(|column| column.key).collect();
                Ok(Arc::new(make(&dump, task)?.read(TableContext::of(&dump), keys)))
            });
        }
        if let Some(rows) = self.rows.slot.take_new() {
            match std::mem::take(&mut self.carries) {
                Carries::All => {}
                Carries::Query => self.rows.clear(),
                Carries::Nothing => {
                    self.rows.clear();
                    self.table.state = TableState::default();
                }
            }
            self.put(rows);
        }
        self.rows.reachable = context.dump.analysis.shown.shallow;
        self.tools_ui(ui, context, more);
        self.table.follow(context, &self.rows);
        self.begin(context, ui.ctx().egui_wants_keyboard_input());
        // With words, matching rows are expanded.
        if self.table.filter.pattern().is_empty() {
            self.table.side_keys(ui, context, &mut self.rows);
            self.rows.order_rows(&mut self.table);
        }
        self.table.ui(ui, context, &mut self.rows);
    }

    /// Sets the filter for changes.
    pub fn show_only(&mut self, only: GrowthFilter) {
        self.rows.is_stale |= self.rows.only != only;
        self.rows.only = only;
    }

    /// Recomputes the rows as a kind, which may have other columns. Old rows stay visible meanwhile.
    pub fn ask_again(&mut self, kind: &'static Kind) {
        (self.coming, self.requested) = (Some(kind), false);
    }

    /// Recomputes the rows with this job. Old rows stay visible meanwhile.
    pub fn ask_with(&mut self, make: ReportJob) {
        (self.make, self.requested, self.carries) = (Some(make), false, Carries::Nothing);
    }

    /// Recomputes the rows with this job, of other objects. Old rows stay visible meanwhile; the cursor goes to the row of
    /// the selected object or class.
    pub fn count_with(&mut self, make: ReportJob) {
        (self.make, self.requested, self.carries) = (Some(make), false, Carries::Query);
    }

    /// Recomputes the rows with this job, which adds columns to the same rows. Old rows stay visible meanwhile.
    pub fn extend_with(&mut self, make: ReportJob) {
        (self.make, self.requested) = (Some(make), false);
    }

    /// Shows new rows. Those of another kind are sorted by the same column if they have it.
    fn put(&mut self, rows: Arc<Rows>) {
        let sort = self.sort_key();
        let coming = self.coming.take();
        self.rows.put(coming.unwrap_or(self.rows.kind), rows);
        if let Some(kind) = coming {
            let same = sort.and_then(|(key, descending)| Some((self.rows.column(key)?, descending)));
            self.table.sort = same.or(kind.initial_sort());
        }
    }

    /// The rows; `None` until they are computed.
    pub fn rows(&self) -> Option<&Rows> {
        self.rows.rows.as_deref()
    }

    /// Filter of the rows.
    pub fn filter(&self) -> &TypedFilter {
        &self.table.filter
    }

    /// Key of the column that the rows are sorted by, and true for descending; `None` for a column without one.
    pub fn sort_key(&self) -> Option<(&'static str, bool)> {
        let (column, descending) = self.table.sort?;
        let key = self.rows.columns.get(column)?.key;
        (!key.is_empty()).then_some((key, descending))
    }

    /// Sorts by the column with a key, if there is one.
    pub fn sort_by_key(&mut self, key: &str, descending: bool) {
        let sort = self.rows.column(key).map(|column| (column, descending));
        if sort.is_some() && self.table.sort != sort {
            self.table.sort = sort;
            self.rows.is_stale = true;
        }
    }

    /// Called when this report takes the place of another one in its view: what is selected is one of its rows.
    pub fn take_place(&mut self) {
        self.is_entered = true;
    }

    /// Selects the target of the cursor, or the first row, unless a row leads to what is selected.
    fn enter(&mut self, context: &mut ViewContext<'_>) {
        let Location { object, class, .. } = context.location;
        let leads = |row: u64| self.rows.target(context, row);
        // The class of a selected object is no row of its own.
        let is_selected = |target: Option<RowTarget>| match (target, object) {
            (Some(RowTarget::Object(of)), Some(object)) => object == of,
            (Some(RowTarget::Class(of)), None) => class == Some(of),
            _ => false,
        };
        if let Some(row) = (0..self.rows.count()).find(|&row| is_selected(leads(row))) {
            return self.table.state.select_and_show(row);
        }
        let row = self.table.state.cursor().filter(|&row| row < self.rows.count()).unwrap_or(0);
        let target = leads(row).unwrap_or(RowTarget::None);
        self.table.state.select(Some(row));
        context.select_target(target, SelectedBy::View);
    }

    /// Selects a row if nothing is selected: the first that leads to an object or a class, else the first of all. So
    /// every key has a row to act on when the view opens.
    fn begin(&mut self, context: &mut ViewContext<'_>, is_typing: bool) {
        let Location { object, class, group, .. } = context.location;
        let is_free = object.is_none() && class.is_none() && group.is_none();
        if self.rows.count() == 0 || self.rows.slot.is_running() {
            return;
        }
        // A filter that has left no selected row leads to the first that it shows, once it is typed.
        let is_filtered = self.is_unselected() && !self.table.filter.is_empty() && !is_typing;
        if (std::mem::take(&mut self.is_entered) || is_filtered) && !is_free {
            return self.enter(context);
        }
        if !is_free || !self.is_unselected() {
            return;
        }
        let leads = |row: u64| self.rows.target(context, row).filter(|target| *target != RowTarget::None);
        let first = (0..self.rows.count().min(FIRST_ROWS)).find_map(|row| Some((row, leads(row)?)));
        self.table.state.select(Some(first.map_or(0, |(row, _)| row)));
        if let Some((_, target)) = first {
            context.select_target(target, SelectedBy::View);
        }
    }

    /// True if no row is selected.
    fn is_unselected(&self) -> bool {
        self.table.state.cursor().is_none()
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>, more: impl FnOnce(&mut Ui, &mut TypedFilter)) {
        tools(ui, |ui| {
            let before = self.table.filter.text().to_owned();
            more(ui, &mut self.table.filter);
            self.rows.is_stale |= before != self.table.filter.text();
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0).min(ui.available_width());
            let kind = self.rows.kind;
            let name = self.filter_hint.unwrap_or(kind.filter);
            self.table.filter_ui(ui, ("filter of", kind.name), name, width, context.focuses_filter());
            if self.rows.order_rows(&mut self.table) {
                self.table.select_again(context, &self.rows);
            }
            hint(ui, &self.rows.summary());
        });
    }
}
