//! Reports: outlines of names and figures computed once for a whole dump. All share one view; a [`Kind`] defines the
//! contents.

mod copy;
mod draw;
pub mod groups;
mod kind;
pub mod kinds;
mod outline;

use std::sync::Arc;

use eframe::egui::Ui;

pub use self::kind::{GrowthFilter, Kind, ReportJob};
use self::outline::ReportRows;
use crate::ui::controllers::TreeController;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::TableState;
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::{ViewContext, ViewState};
use heaplens_heap::ObjectId;
use heaplens_tables::{RowTarget, TableContext};

/// Number of rows searched for a default selection.
const FIRST_ROWS: usize = 64;

/// A report on screen.
pub struct Report {
    rows: ReportRows,
    requested: bool,
    /// Kind of the rows being computed, if it differs.
    coming: Option<&'static Kind>,
    /// The rows being computed answer another query, so positions do not carry over.
    is_other: bool,
    /// Job that replaces the one of its kind.
    make: Option<ReportJob>,
    table: TreeController,
}

impl ViewPage for Report {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ui_with(ui, context, |_| {});
    }

    fn is_running(&self) -> bool {
        self.rows.slot.is_at_work()
    }

    fn view_state(&self) -> Option<ViewState> {
        Some(self.table.view_state())
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.table.restore(view_state);
    }
}

impl Report {
    /// A report that is computed when it is first shown.
    pub fn new(kind: &'static Kind) -> Self {
        let table = TreeController::sorted(kind.sorted);
        Self { rows: ReportRows::new(kind), requested: false, coming: None, is_other: false, make: None, table }
    }

    /// Draws the view, with `more` tools before its own.
    pub fn ui_with(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, more: impl FnOnce(&mut Ui)) {
        if !std::mem::replace(&mut self.requested, true) {
            let (dump, kind) = (context.dump.clone(), self.coming.unwrap_or(self.rows.kind));
            let make = self.make.clone().unwrap_or_else(|| Arc::new(kind.make));
            let keys: Vec<&str> = kind.columns.iter().map(|column| column.key).collect();
            self.rows.slot.ask(context.jobs, kind.name, move |task| {
                Ok(Arc::new(make(&dump, task)?.sorted_by(TableContext::of(&dump), &keys)))
            });
        }
        if self.rows.slot.poll() {
            self.rows.is_stale = true;
            if std::mem::take(&mut self.is_other) {
                self.rows.clear();
                self.table.state = TableState::default();
            }
            self.become_kind();
        }
        self.rows.reachable = context.dump.analysis.shown.shallow;
        self.tools_ui(ui, context, more);
        self.rows.arrange(&mut self.table);
        self.table.follow(context, &self.rows);
        // With words, matching rows are expanded.
        if self.table.filter.pattern().is_empty() {
            self.table.side_keys(ui, context, &mut self.rows);
            self.rows.arrange(&mut self.table);
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
        (self.make, self.requested, self.is_other) = (Some(make), false, true);
    }

    /// Shows rows of another kind, sorted by the same column if it has that.
    fn become_kind(&mut self) {
        let Some(kind) = self.coming.take() else { return };
        let sort = self.table.sort;
        let sorted = sort.and_then(|(column, _)| self.rows.kind.columns.get(column));
        let sorted = sorted.filter(|column| !column.key.is_empty());
        let column = sorted.and_then(|sorted| kind.columns.iter().position(|column| column.key == sorted.key));
        self.table.sort = column.zip(sort).map(|(column, (_, descending))| (column, descending)).or(kind.sorted);
        self.rows.kind = kind;
    }

    /// Key of the column that the rows are sorted by, and true for descending; `None` for a column without one.
    pub fn sort_key(&self) -> Option<(&'static str, bool)> {
        let (column, descending) = self.table.sort?;
        let key = self.rows.kind.columns.get(column)?.key;
        (!key.is_empty()).then_some((key, descending))
    }

    /// Sorts by the column with a key, if there is one.
    pub fn sort_by_key(&mut self, key: &str, descending: bool) {
        let column = self.rows.kind.columns.iter().position(|column| column.key == key);
        let sort = column.map(|column| (column, descending));
        if sort.is_some() && self.table.sort != sort {
            self.table.sort = sort;
            self.rows.is_stale = true;
        }
    }

    /// Object that one of the first rows leads to.
    pub fn first_object(&self) -> Option<ObjectId> {
        let mut first = self.rows.on_screen().take(FIRST_ROWS);
        first.find_map(|row| if let RowTarget::Object(object) = row.leads { Some(object) } else { None })
    }

    /// Moves the cursor to the first row that leads to an object.
    pub fn select(&mut self, object: ObjectId) {
        let row = self.rows.on_screen().position(|row| row.leads == RowTarget::Object(object));
        self.table.state.select(row.map(|row| row as u64));
    }

    /// True if no row is selected.
    pub fn is_unselected(&self) -> bool {
        self.table.state.cursor().is_none()
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>, more: impl FnOnce(&mut Ui)) {
        tools(ui, |ui| {
            more(ui);
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0).min(ui.available_width());
            let kind = self.rows.kind;
            self.table.filter_ui(ui, ("filter of", kind.name), kind.filter, width, context.focuses_filter());
            hint(ui, self.rows.slot.get().map_or("", |rows| rows.summary.as_str()));
        });
    }
}
