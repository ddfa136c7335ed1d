//! Controller of a table: filter, order, search, selection, copying and export.

use crate::ui::export_content::ExportContent;
use crate::ui::view_request::ViewRequest;
use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::RangeInclusive;

use eframe::egui;
use egui::{Context, Id, Ui, UiBuilder};

use super::placeholder::Placeholder;
use crate::ui::Verb;
use crate::ui::theme::sizes;
use crate::ui::verb::keys_text;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::find::Find;
use crate::ui::widgets::table::{Align, order_after_click};
use crate::ui::widgets::{Column, Row, Table, TableOutput, TableState};
use crate::ui::{Command, SelectedBy, ViewContext, ViewState};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_sql::as_query;
use heaplens_tables::export::copy::Excerpt;
use heaplens_tables::{RowQuery, RowTarget, TableContext, TableQuery, TypedFilter};

/// Maximum number of copied rows.
pub const AT_MOST: u64 = 10_000;

/// Action of a double click or Enter on a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// Go to a target.
    Open(RowTarget),
    /// Expand or collapse the row.
    Toggle,
    /// Left to the view.
    None,
}

/// Rows of a table and what they mean.
pub trait TableSource {
    /// True if a double click or Enter expands or collapses a row.
    const TOGGLES: bool = false;
    /// Name for screen readers, unique in the window.
    const NAME: &'static str = "";
    /// Columns, if they are always the same.
    const COLUMNS: &'static [Column] = &[];

    /// Name, if it is not always the same.
    fn name(&self) -> &str {
        Self::NAME
    }

    /// Title of an export.
    fn title(&self, _context: &ViewContext<'_>) -> String {
        self.name().to_owned()
    }

    /// Columns with data.
    fn columns(&self, _context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        Cow::Borrowed(Self::COLUMNS)
    }

    /// Number of rows.
    fn count(&self) -> u64;

    /// True if the table handles keys.
    fn is_active(&self) -> bool {
        true
    }

    /// Height of a row, in points.
    fn row_height(&self) -> f32 {
        sizes::ROW
    }

    /// Text of a row that the search compares: class and id of its object, and its label once it was on screen, unless
    /// the view names its rows.
    fn text(&self, context: &ViewContext<'_>, row: u64) -> Option<String> {
        let heap = &context.dump.heap;
        match self.target(context, row)? {
            RowTarget::Object(object) => {
                let label = context.labels.known(object).unwrap_or_default();
                Some(format!("{} {} {label}", heap.class(object).name, heap.id_text(object)))
            }
            RowTarget::Class(class) => Some(heap.classes.get(class).name.to_string()),
            RowTarget::Group(group) => group.part.only.map(|(_, class)| heap.classes.get(class).name.to_string()),
            _ => None,
        }
    }

    /// Object or class that a row leads to; `None` while the row is read.
    fn target(&self, context: &ViewContext<'_>, row: u64) -> Option<RowTarget>;

    /// Action of a double click or Enter.
    fn activation(&self, context: &ViewContext<'_>, row: u64) -> Activation {
        if Self::TOGGLES {
            return Activation::Toggle;
        }
        self.target(context, row).map_or(Activation::None, Activation::Open)
    }

    /// Draws a row.
    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>);

    /// True if the cursor is on the selected class whether an object of it is selected or not, and on no other one.
    fn follows_class(&self) -> bool {
        false
    }

    /// Page instead of the rows.
    fn placeholder(&self, _context: &ViewContext<'_>, _table: &TableController) -> Placeholder<'_> {
        Placeholder::default()
    }

    /// Reports the objects of selected rows for the status bar, unless the location implies them.
    fn publish(&self, _context: &mut ViewContext<'_>, _table: &TableController, _rows: RangeInclusive<u64>) {}

    /// Copies rows.
    fn copy(&self, _context: &mut ViewContext<'_>, _table: &TableController, _rows: RangeInclusive<u64>) {}

    /// Query of the command line for the rows on screen, to export them.
    fn query(&self, _context: &ViewContext<'_>, _table: &TableController) -> Option<TableQuery> {
        None
    }

    /// Sorts by a column whose header was clicked.
    fn sort(&mut self, context: &ViewContext<'_>, table: &mut TableController, column: usize) {
        table.sort_by(&self.columns(context), column);
    }
}

/// How to get all rows of a table.
fn export_hint(ctx: &Context) -> String {
    format!("{}{} writes all", Verb::ExportTable.entry().name, keys_text(ctx, Verb::ExportTable))
}

/// True if a target is the selected object, or the class that is selected without one.
fn leads_to(target: Option<RowTarget>, selected: (Option<ObjectId>, Option<ClassId>)) -> bool {
    match (target, selected) {
        (Some(RowTarget::Object(object)), (Some(selected), _)) => object == selected,
        (Some(RowTarget::Class(class)), (None, Some(selected))) => class == selected,
        _ => false,
    }
}

/// State of a table that is the same for all views.
#[derive(Default)]
pub struct TableController {
    /// Filter of the rows.
    pub filter: TypedFilter,
    /// Sort column, and true for descending order.
    pub sort: Option<(usize, bool)>,
    /// Cursor, scroll position and column widths.
    pub state: TableState,
    find: Find,
    is_stale: bool,
    /// Selection of the view when the cursor last followed it.
    followed: (Option<ObjectId>, Option<ClassId>),
}

impl TableController {
    /// A table with an initial order.
    pub fn sorted(sort: Option<(usize, bool)>) -> Self {
        Self { sort, is_stale: true, ..Self::default() }
    }

    /// True if the filter or the order has changed since the last call.
    pub fn take_stale(&mut self) -> bool {
        std::mem::take(&mut self.is_stale)
    }

    /// Marks the rows for sorting and filtering again.
    pub fn set_stale(&mut self) {
        self.is_stale = true;
    }

    /// Draws the filter field, `width` points wide; true if the filter may have changed.
    pub fn filter_ui(&mut self, ui: &mut Ui, id: impl Hash + Debug, hint: &str, width: f32, focus: bool) -> bool {
        let changed = filter_ui(&mut self.filter, ui, Id::unique(id), hint, width, focus);
        self.is_stale |= changed;
        changed
    }

    /// Sorts by a column: numbers descending, text ascending; if it is the sort column already, in the opposite order.
    pub fn sort_by(&mut self, columns: &[Column], column: usize) {
        (self.sort, self.is_stale) = (Some(order_after_click(columns, self.sort, column)), true);
        self.state.to_top();
    }

    /// Order in terms of the command line; the default if no column of it has the order.
    pub fn order(&self, columns: &[Column]) -> RowQuery {
        let sort = self.sort.and_then(|(at, descending)| Some((columns.get(at)?, descending)));
        match sort.filter(|(column, _)| !column.key.is_empty()) {
            Some((column, descending)) => {
                let reverse = descending != (column.align == Align::Right);
                RowQuery { sort: Some(column.key.to_owned()), reverse, ..RowQuery::default() }
            }
            None => RowQuery::default(),
        }
    }

    /// Number of selected rows in a table of so many.
    fn selected_count(&self, rows: u64) -> u64 {
        self.state.selection().map_or(0, |range| (range.end() + 1).min(rows).saturating_sub(*range.start()))
    }

    /// Selected rows, as many as are copied at most.
    pub fn copied(&self) -> Option<RangeInclusive<u64>> {
        let rows = self.state.selection()?;
        Some(*rows.start()..=(*rows.end()).min(rows.start() + AT_MOST - 1))
    }

    /// Moves the cursor to the row of the selected object or class if that was selected elsewhere: in a pane, in
    /// another view, by going back. Without such a row the cursor does not move, unless it follows classes only.
    pub fn follow(&mut self, context: &ViewContext<'_>, rows: &impl TableSource) {
        let now = (context.location.object.filter(|_| !rows.follows_class()), context.location.class);
        if rows.count() == 0 || std::mem::replace(&mut self.followed, now) == now {
            return;
        }
        let leads_there = |row: u64| leads_to(rows.target(context, row), now);
        if self.state.cursor().is_some_and(leads_there) {
            return;
        }
        match (0..rows.count()).find(|&row| leads_there(row)) {
            Some(row) => self.state.select_and_show(row),
            None if rows.follows_class() => self.state.select(None),
            None => {}
        }
    }

    /// After the rows have changed: moves a cursor that lost its row to the row of the selected object or class, without
    /// scrolling.
    pub fn select_again(&mut self, context: &ViewContext<'_>, rows: &impl TableSource) {
        if self.state.cursor().is_none() {
            let row = (0..rows.count()).find(|&row| leads_to(rows.target(context, row), self.followed));
            self.state.select(row);
        }
    }

    /// Draws the table and acts on clicks and keys; returns them for what only the view knows.
    pub fn ui<S: TableSource>(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, source: &mut S) -> TableOutput {
        let area = ui.available_rect_before_wrap();
        let columns = source.columns(context);
        let name = source.name().to_owned();
        let table =
            Table::new(&name, &columns, source.count()).active(source.is_active()).row_height(source.row_height());
        let next = {
            let text = |row| source.text(context, row);
            self.find.ui(ui, area, context.requests.has(ViewRequest::Find), &mut self.state, source.count(), text)
        };
        // The rows end above the field, so that it hides none.
        let free = area.with_max_y(area.bottom() - self.find.covered_height());
        let mut draw = |row: &mut Row<'_>| {
            source.draw(row, context);
            if row.has_menu() {
                return;
            }
            // Every row offers what can be done with its target.
            match source.target(context, row.index) {
                Some(RowTarget::Object(object)) => row.object(object),
                Some(RowTarget::Class(class)) => row.class(class),
                _ => {}
            }
        };
        let table = table.sorted(self.sort);
        let rows = UiBuilder::new().max_rect(free);
        let mut output = ui.scope_builder(rows, |ui| table.show(ui, &mut self.state, &mut draw)).inner;
        output.moved = output.moved.or(next);
        source.placeholder(context, self).ui(ui, area);
        *context.selected_rows = self.selected_count(source.count());
        *context.is_filtered_away = self.state.cursor().is_none() && !self.filter.is_empty();
        if let Some(rows) = self.state.selection() {
            source.publish(context, self, rows);
        }
        self.handle(ui.ctx(), context, source, &output);
        output
    }

    fn handle<S: TableSource>(
        &mut self,
        ctx: &Context,
        context: &mut ViewContext<'_>,
        source: &mut S,
        output: &TableOutput,
    ) {
        if let Some(target) = output.clicked.or(output.moved).and_then(|row| source.target(context, row)) {
            let by = if output.clicked.is_some() { SelectedBy::Click } else { SelectedBy::Cursor };
            context.select_target(target, by);
        }
        if let Some(Activation::Open(target)) = output.activated.map(|row| source.activation(context, row)) {
            context.open(target);
        }
        if let Some(column) = output.sort {
            source.sort(context, self, column);
        }
        if context.copies_rows()
            && let Some(rows) = self.copied()
        {
            let selected = self.selected_count(source.count());
            context.excerpt = (selected > AT_MOST).then(|| Excerpt { of: selected, hint: export_hint(ctx) });
            source.copy(context, self, rows);
            context.excerpt = None;
        }
        if context.requests.has(ViewRequest::ShowAsQuery)
            && let Some(query) = source.query(context, self)
        {
            let message = || Command::Hint("No query has the rows of this table".to_owned());
            match as_query(&query, TableContext::of(context.dump)) {
                Some(query) => context.push(Command::ShowQuery(context.location.dump, query)),
                None => context.push(message()),
            }
        }
        if context.exports()
            && let Some(mut query) = source.query(context, self)
        {
            query.rows.age = query.lists_objects();
            let title = source.title(context);
            context.export(ExportContent::Rows(query), title);
        }
    }

    /// Moves the cursor to a row and selects its target, as keys do; false while the row is read.
    pub fn go<S: TableSource>(&mut self, context: &mut ViewContext<'_>, source: &S, row: u64) -> bool {
        let target = source.target(context, row);
        if let Some(target) = target {
            self.state.select_and_show(row);
            context.select_target(target, SelectedBy::Cursor);
        }
        target.is_some()
    }

    /// State of the view, for later restoring.
    pub fn view_state(&self) -> ViewState {
        ViewState {
            filter: self.filter.text().to_owned(),
            sort: self.sort,
            top: self.state.top(),
            selected: self.state.selected_rows(),
            ..ViewState::default()
        }
    }

    /// Restores the state.
    pub fn restore(&mut self, view_state: &ViewState) {
        self.filter.set(&view_state.filter);
        (self.sort, self.is_stale) = (view_state.sort, true);
        self.state.restore(view_state.top, view_state.selected);
    }
}
