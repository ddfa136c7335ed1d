//! Reports: outlines of names and figures computed once for a whole dump. All share one view; a [`Kind`] defines the
//! contents.

pub(super) mod class_parts;
mod closures;
mod collections;
mod detached;
mod draw;
mod finalizers;
mod gaps;
pub mod groups;
mod loaders;
mod native_contexts;
mod retained_by;
mod roots;
pub mod rows;
pub mod second_line;
pub mod sites;
mod strings;
mod threads;
mod waste;

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use eframe::egui;
use egui::{Id, Key, Modifiers, Rect, Ui, vec2};

use self::rows::{Cell, Name, RowTarget, Rows};
use super::copying::{self, AT_MOST};
use crate::ui::command::Command;
use crate::ui::location::{Location, View, ViewState};
use crate::ui::theme::icons::Icon;
use crate::ui::theme::sizes;
use crate::ui::view_context::ViewContext;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::find::Find;
use crate::ui::widgets::table::{Align, Column, Table, TableOutput, TableState};
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::widgets::waiting;
use heaplens_base::task::Task;
use heaplens_core::heap::ids::{ClassId, ObjectId};
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_session::slot::Slot;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::export::{self, copy};
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::typed_filter::TypedFilter;
use heaplens_tables::{Objects, RowQuery};

/// Number of rows searched for a default selection.
const FIRST_ROWS: usize = 64;

/// Height of a row of two lines, in points.
const HIGH: f32 = 44.0;

/// Kind of report: columns, texts and the job that computes it.
pub struct Kind {
    /// Name for screen readers and messages.
    pub name: &'static str,
    /// Columns; the first is the name of a row.
    pub columns: &'static [Column],
    /// Initial sort column, and true for descending.
    pub sorted: Option<(usize, bool)>,
    /// Placeholder of the filter.
    pub filter: &'static str,
    /// Title and explanation of the empty state.
    pub nothing: (&'static str, &'static str),
    /// For each column, the column of the command line's table that it is sorted by.
    pub keys: &'static [&'static str],
    /// Subject of the command line for top-level rows; `None` if the rows define it.
    pub subject: Option<TableKind>,
    /// Computes the rows.
    pub make: fn(&OpenDump, &Task) -> Result<Rows, JobError>,
}

/// Computes the rows of a report that depends on more than its kind.
pub type ReportJob = Arc<dyn Fn(&OpenDump, &Task) -> Result<Rows, JobError> + Send + Sync>;

/// Filter for rows with changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowFilter {
    /// All.
    #[default]
    All,
    /// Rows that grew.
    Grown,
    /// Rows that grew in every interval.
    GrownEveryTime,
}

/// The report that a view shows, if any.
pub fn of(view: View) -> Option<&'static Kind> {
    Some(match view {
        View::Threads => &threads::THREADS,
        View::Strings => &strings::STRINGS,
        View::Collections => &collections::COLLECTIONS,
        View::Waste => &waste::WASTE,
        View::Loaders => &loaders::LOADERS,
        View::Finalizers => &finalizers::FINALIZERS,
        View::Roots => &roots::ROOTS,
        View::Gaps => &gaps::GAPS,
        View::Closures => &closures::CLOSURES,
        View::KeptBy => &retained_by::KEPT_BY,
        View::Detached => &detached::DETACHED,
        View::NativeContexts => &native_contexts::NATIVE_CONTEXTS,
        View::Overview
        | View::Leaks
        | View::Dominators
        | View::Histogram
        | View::Objects
        | View::Paths
        | View::Bitmaps
        | View::Containment
        | View::Timeline
        | View::Ownership
        | View::Route
        | View::Stars
        | View::Notes
        | View::Growth => return None,
    })
}

/// A report on screen.
pub struct Report {
    kind: &'static Kind,
    /// Shared with the job that lists the objects of the selected rows.
    slot: Slot<Arc<Rows>>,
    asked: bool,
    /// Kind of the rows being computed, if it differs.
    coming: Option<&'static Kind>,
    /// The rows being computed answer another query, so positions do not carry over.
    is_other: bool,
    /// Job that replaces the one of its kind.
    make: Option<ReportJob>,
    open: HashSet<usize>,
    shown: Arc<Vec<usize>>,
    sort: Option<(usize, bool)>,
    stale: bool,
    only: RowFilter,
    filter: TypedFilter,
    table: TableState,
    find: Find,
    /// Selection of the view when the cursor last followed it.
    followed: (Option<ObjectId>, Option<ClassId>),
}

impl Report {
    /// A report that is computed when it is first shown.
    pub fn new(kind: &'static Kind) -> Self {
        Self {
            kind,
            slot: Slot::default(),
            asked: false,
            coming: None,
            is_other: false,
            make: None,
            open: HashSet::new(),
            shown: Arc::default(),
            sort: kind.sorted,
            stale: true,
            only: RowFilter::default(),
            filter: TypedFilter::default(),
            table: TableState::default(),
            find: Find::default(),
            followed: (None, None),
        }
    }

    /// Draws the view.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.ui_with(ui, context, |_| {});
    }

    /// Draws the view, with `more` tools before its own.
    pub fn ui_with(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, more: impl FnOnce(&mut Ui)) {
        if !std::mem::replace(&mut self.asked, true) {
            let (dump, kind) = (context.dump.clone(), self.coming.unwrap_or(self.kind));
            let make = self.make.clone().unwrap_or_else(|| Arc::new(kind.make));
            self.slot.ask(context.jobs, kind.name, move |task| {
                Ok(Arc::new(make(&dump, task)?.sorted_by(TableContext::of(&dump), kind.keys)))
            });
        }
        if self.slot.poll() {
            self.stale = true;
            if std::mem::take(&mut self.is_other) {
                self.open.clear();
                self.shown = Arc::default();
                self.table = self.table.anew();
            }
            self.become_kind();
        }
        self.tools_ui(ui, context, more);
        self.arrange();
        self.follow(context.place);
        self.side_keys(ui);
        self.arrange();
        self.table_ui(ui, context);
    }

    /// Sets the filter for changes.
    pub fn show_only(&mut self, only: RowFilter) {
        self.stale |= self.only != only;
        self.only = only;
    }

    /// Recomputes the rows as a kind, which may have other columns. Old rows stay visible meanwhile.
    pub fn ask_again(&mut self, kind: &'static Kind) {
        (self.coming, self.asked) = (Some(kind), false);
    }

    /// Recomputes the rows with this job. Old rows stay visible meanwhile.
    pub fn ask_with(&mut self, make: ReportJob) {
        (self.make, self.asked, self.is_other) = (Some(make), false, true);
    }

    /// Shows rows of another kind, sorted by the same column if it has that.
    fn become_kind(&mut self) {
        let Some(kind) = self.coming.take() else { return };
        let key = self.sort.and_then(|(column, _)| self.kind.keys.get(column)).filter(|key| !key.is_empty());
        let column = key.and_then(|key| kind.keys.iter().position(|other| other == key));
        self.sort = column.zip(self.sort).map(|(column, (_, descending))| (column, descending)).or(kind.sorted);
        self.kind = kind;
    }

    /// Object that one of the first rows leads to.
    pub fn first_object(&self) -> Option<ObjectId> {
        let leads = self.shown.iter().filter_map(|&at| self.slot.get()?.rows.get(at));
        leads.take(FIRST_ROWS).find_map(|row| if let RowTarget::To(object) = row.leads { Some(object) } else { None })
    }

    /// Moves the cursor to the first row that leads to an object.
    pub fn select(&mut self, object: ObjectId) {
        let leads_to = |at: &usize| {
            let row = self.slot.get().and_then(|rows| rows.rows.get(*at));
            row.is_some_and(|row| row.leads == RowTarget::To(object))
        };
        let row = self.shown.iter().position(leads_to);
        self.table.select(row.map(|row| row as u64));
    }

    /// True if no row is selected.
    pub fn is_unselected(&self) -> bool {
        self.table.cursor().is_none()
    }

    /// Moves the cursor to the row of the selected object or class if that was selected elsewhere: in a pane, in
    /// another view, by going back. Without such a row the cursor does not move.
    fn follow(&mut self, place: Location) {
        let now = (place.object, place.class);
        let Some(rows) = self.slot.get().filter(|_| self.followed != now) else { return };
        self.followed = now;
        let leads_there = |at: &usize| match (rows.rows.get(*at).map(|row| row.leads), now) {
            (Some(RowTarget::To(object)), (Some(selected), _)) => object == selected,
            (Some(RowTarget::ToClass(class)), (None, Some(selected))) => class == selected,
            _ => false,
        };
        let here = self.table.cursor().and_then(|row| self.shown.get(row as usize));
        if here.is_some_and(leads_there) {
            return;
        }
        if let Some(row) = self.shown.iter().position(leads_there) {
            self.table.select_and_show(row as u64);
        }
    }

    /// State of the view, for later restoring.
    pub fn view_state(&self) -> ViewState {
        ViewState {
            filter: self.filter.text().to_owned(),
            sort: self.sort,
            top: self.table.top(),
            selected: self.table.selected_rows(),
            ..ViewState::default()
        }
    }

    /// Restores the state.
    pub fn restore(&mut self, view_state: &ViewState) {
        self.filter.set(&view_state.filter);
        self.sort = view_state.sort;
        self.table.restore(view_state.top, view_state.selected);
        self.stale = true;
    }

    fn arrange(&mut self) {
        let Some(rows) = self.slot.get().filter(|_| self.stale) else { return };
        let (filter, at) = (&self.filter, self.table.cursor().and_then(|row| self.shown.get(row as usize)).copied());
        let passes = |row: &rows::Row| filter.passes(&row.found_by);
        let passes: Option<&dyn Fn(&rows::Row) -> bool> = (!filter.is_empty()).then_some(&passes);
        let mut shown = rows.arranged(&self.open, self.sort, passes);
        if self.only != RowFilter::All {
            let mut grew = false;
            let is_meant =
                |row: &rows::Row| if self.only == RowFilter::Grown { row.grew() } else { row.grew_every_time() };
            shown.retain(|&at| {
                let row = rows.rows.get(at);
                grew = row.is_some_and(|row| if row.depth == 0 { is_meant(row) } else { grew });
                grew
            });
        }
        self.shown = Arc::new(shown);
        let row = at.and_then(|at| self.shown.iter().position(|&shown| shown == at));
        self.table.select(row.map(|row| row as u64));
        self.stale = false;
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>, more: impl FnOnce(&mut Ui)) {
        tools(ui, |ui| {
            more(ui);
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0);
            let id = Id::unique(("filter of", self.kind.name));
            self.stale |= filter_ui(&mut self.filter, ui, id, self.kind.filter, width, context.focus_filter);
            hint(ui, self.slot.get().map_or("", |rows| rows.summary.as_str()));
        });
    }

    fn table_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let area = ui.available_rect_before_wrap();
        let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
        let table = Table::new(self.kind.name, self.kind.columns, self.shown.len() as u64)
            .sorted(self.sort)
            .row_height(if self.slot.get().is_some_and(|rows| rows.are_high()) { HIGH } else { sizes::ROW });
        let mut toggled = None;
        let found = {
            let text = |row: u64| Some(self.slot.get()?.rows.get(*self.shown.get(row as usize)?)?.found_by.clone());
            self.find.ui(ui, area, context.find, &mut self.table, self.shown.len() as u64, text)
        };
        let mut output = table.show(ui, &mut self.table, |row| {
            let at = self.shown.get(row.index as usize).copied();
            let (Some(at), Some(rows)) = (at, self.slot.get()) else { return };
            draw::draw(row, context, self.kind, rows, at, self.open.contains(&at), &mut toggled);
        });
        output.moved = output.moved.or(found);
        toggled = toggled.or_else(|| self.shown.get(output.toggled? as usize).copied());
        if let Some(error) = self.slot.error() {
            waiting::empty_ui(ui, below, Icon::Warning, &format!("Cannot compute: {}", self.kind.name), error);
        } else if self.slot.is_running() && self.slot.get().is_none() {
            waiting::empty_ui(ui, below, Icon::Search, "Computing…", "");
            let line = Rect::from_min_size(area.min, vec2(area.width(), 2.0));
            waiting::progress_ui(ui, line, self.slot.progress().as_ref());
        } else if self.shown.is_empty() && !self.filter.is_empty() {
            waiting::empty_ui(ui, below, Icon::Search, "No row matches the filter", "Clear the filter to see all rows");
        } else if self.shown.is_empty() {
            waiting::empty_ui(ui, below, Icon::Check, self.kind.nothing.0, self.kind.nothing.1);
        }
        let selected = self.table.selection();
        context.select_rows(selected.clone(), self.shown.as_ptr() as usize, || {
            selected.zip(self.slot.get()).map_or_else(Listing::default, |(range, rows)| self.listing(rows, range))
        });
        self.handle(context, &output);
        if let Some(at) = toggled {
            self.toggle(at);
        }
    }

    /// Objects that some rows lead to.
    fn listing(&self, rows: &Arc<Rows>, range: RangeInclusive<u64>) -> Listing {
        let together = RowTotals::Counted(range.end() - range.start() + 1);
        let (rows, shown) = (Arc::clone(rows), Arc::clone(&self.shown));
        let object = move |row: u64| match rows.rows.get(*shown.get(row as usize)?)?.leads {
            RowTarget::To(object) => Some(object),
            RowTarget::ToClass(_) | RowTarget::Before(_) | RowTarget::ClassBefore(_) | RowTarget::Nowhere => None,
        };
        Listing { together, list: Box::new(move |_| Ok(range.filter_map(object).collect())) }
    }

    fn handle(&mut self, context: &mut ViewContext<'_>, output: &TableOutput) {
        let at = |row: Option<u64>| row.and_then(|row| self.shown.get(row as usize)).copied();
        let leads = |at: Option<usize>| Some(self.slot.get()?.rows.get(at?)?.leads);
        let by_keys = output.clicked.is_none();
        match leads(at(output.clicked.or(output.moved))) {
            Some(RowTarget::To(object)) if by_keys => context.push(Command::MoveCursor(object)),
            Some(RowTarget::To(object)) => context.push(Command::Select(object)),
            Some(RowTarget::ToClass(class)) if by_keys => context.push(Command::MoveCursorToClass(class)),
            Some(RowTarget::ToClass(class)) => context.push(Command::SelectClass(class)),
            // A row without an object or class of this dump leaves the panes empty.
            Some(RowTarget::Before(_) | RowTarget::ClassBefore(_) | RowTarget::Nowhere) => {
                context.push(Command::MoveCursorToGroup(None));
            }
            None => {}
        }
        if let Some(activated) = at(output.activated) {
            let expands = self.slot.get().is_some_and(|rows| rows.expands(activated));
            let called = |at: usize| Some(matches!(self.slot.get()?.rows.get(at)?.name, Name::Called(_)));
            match leads(Some(activated)) {
                Some(RowTarget::To(object)) if called(activated) == Some(true) => context.push(Command::Reveal(object)),
                _ if expands => self.toggle(activated),
                Some(RowTarget::To(object)) => context.push(Command::Reveal(object)),
                Some(RowTarget::ToClass(class)) => context.push(Command::ObjectsOf(class)),
                Some(RowTarget::Before(object)) => context.push(Command::RevealBefore(object)),
                Some(RowTarget::ClassBefore(class)) => context.push(Command::ObjectsBefore(class)),
                Some(RowTarget::Nowhere) | None => {}
            }
        }
        if let Some(column) = output.sort {
            let descending = match self.sort {
                Some((by, descending)) if by == column => !descending,
                _ => self.kind.columns.get(column).is_some_and(|c| c.align == Align::Right),
            };
            self.sort = Some((column, descending));
            self.stale = true;
            self.table.to_top();
        }
        if context.copy_rows {
            self.copy(context);
        }
        if context.export {
            self.export(context);
        }
    }

    fn toggle(&mut self, at: usize) {
        if !self.open.remove(&at) {
            self.open.insert(at);
        }
        self.stale = true;
    }

    /// Right expands or goes to the first child, left collapses or goes to the parent.
    fn side_keys(&mut self, ui: &Ui) {
        let Some(at) = self.table.cursor().and_then(|row| self.shown.get(row as usize)).copied() else { return };
        if ui.ctx().egui_wants_keyboard_input() || !self.filter.is_empty() {
            return;
        }
        let Some(rows) = self.slot.get() else { return };
        let (expands, above) = (rows.expands(at), rows.above(at));
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let show = |to: usize| self.shown.iter().position(|&shown| shown == to).map(|row| row as u64);
        if pressed(Key::ArrowRight) && expands {
            if self.open.contains(&at) {
                show(at + 1).into_iter().for_each(|row| self.table.select_and_show(row));
            } else {
                self.toggle(at);
            }
        } else if pressed(Key::ArrowLeft) {
            if self.open.contains(&at) {
                self.toggle(at);
            } else if let Some(row) = above.and_then(show) {
                self.table.select_and_show(row);
            }
        }
    }

    /// Order of the top-level rows, in terms of the command line.
    fn arrangement(&self) -> RowQuery {
        let Some((column, descending)) = self.sort else { return RowQuery::default() };
        let numbers = self.kind.columns.get(column).is_some_and(|column| column.align == Align::Right);
        match self.kind.keys.get(column) {
            Some(&"") | None => RowQuery::default(),
            Some(&key) => {
                RowQuery { sort: Some(key.to_owned()), reverse: descending != numbers, ..RowQuery::default() }
            }
        }
    }

    /// Query for the top-level rows on screen and the parents of other rows on screen.
    fn request(&self, rows: &Rows, shown: &[usize]) -> TableQuery {
        let mut places: Vec<u32> = shown.iter().map(|&at| rows.place(at)).collect();
        places.dedup();
        let mut how = self.arrangement();
        let all: Vec<u32> = rows.arranged(&HashSet::new(), self.sort, None).iter().map(|&at| rows.place(at)).collect();
        let first = all.iter().position(|&place| Some(&place) == places.first()).unwrap_or(0);
        // In a partial table, positions in another order are meaningless; and a command cannot sort by columns that
        // only the window has.
        let by_key = self.sort.is_none_or(|(column, _)| self.kind.keys.get(column).is_some_and(|key| !key.is_empty()));
        let in_order = by_key && all.len() == rows.table.count() && all[first..].starts_with(&places);
        // The text output of `diff` omits unchanged rows, unless rows are selected by position.
        let by_order = places.len() == all.len() || !matches!(rows.subject, Some(TableKind::Changes(_)));
        if in_order && by_order {
            if places.len() < all.len() {
                (how.skip, how.top) = (first, Some(places.len()));
            }
        } else {
            how.top = Some(places.len());
            how.places = ranges(places);
        }
        TableQuery { subject: self.subject(rows), how }
    }

    /// Subject of the top-level rows.
    fn subject(&self, rows: &Rows) -> TableKind {
        rows.subject.clone().or_else(|| self.kind.subject.clone()).unwrap_or(TableKind::Classes)
    }

    fn copy(&self, context: &mut ViewContext<'_>) {
        let (Some(range), Some(rows)) = (self.table.selection(), self.slot.get()) else { return };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        let shown: Vec<usize> =
            (*range.start()..=last).filter_map(|row| self.shown.get(row as usize)).copied().collect();
        let picked: Vec<rows::Row> = shown.iter().filter_map(|&at| rows.rows.get(at)).cloned().collect();
        let below = |row: &rows::Row| match row.leads {
            RowTarget::To(object) if row.depth > 0 => Some(object),
            _ => None,
        };
        // Objects below the rows of the table are selected by id.
        let objects: Option<Vec<ObjectId>> = picked.iter().map(below).collect();
        let request = match objects {
            Some(objects) => TableQuery { subject: TableKind::Named(objects), how: RowQuery::default() },
            None => self.request(rows, &shown),
        };
        let mut places: Vec<u32> = shown.iter().map(|&at| rows.place(at)).collect();
        places.dedup();
        let (kind, table) = (self.kind, rows.table.clone());
        context.copy(move |dump, task| {
            let mut copied = Vec::with_capacity(picked.len());
            for row in picked {
                task.checkpoint()?;
                let name = std::iter::once(export::table::Cell::Text(written(dump, &row.name)));
                copied.push(copy::Row {
                    depth: row.depth,
                    cells: name.chain(row.cells.iter().map(Cell::copied)).collect(),
                });
            }
            let json = match &request.subject {
                TableKind::Named(objects) => {
                    copying::json(&Objects::default(), dump, objects.iter().map(|object| object.index()))
                }
                _ => copying::json(&*table, dump, places.iter().map(|&place| place as usize)),
            };
            let headings = kind.columns.iter().map(|column| column.title.to_owned()).collect();
            let body = copy::ClipBody::Rows(copy::Rows { headings, rows: copied, json });
            Ok(copying::clip(dump, kind.name, request.command(&dump.heap, &dump.opened), body))
        });
    }

    fn export(&self, context: &mut ViewContext<'_>) {
        let Some(rows) = self.slot.get() else { return };
        let request = if self.filter.is_empty() && self.only == RowFilter::All {
            TableQuery { subject: self.subject(rows), how: self.arrangement() }
        } else {
            let shown: Vec<usize> =
                self.shown.iter().copied().filter(|&at| rows.rows.get(at).is_some_and(|row| row.depth == 0)).collect();
            self.request(rows, &shown)
        };
        context.push(Command::Export(Box::new(request), self.kind.name.to_owned()));
    }

    /// True while it is being computed.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}

/// Indices from 0 as ranges from 1, in table order.
fn ranges(mut places: Vec<u32>) -> Vec<RangeInclusive<u32>> {
    places.sort_unstable();
    let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
    for place in places.into_iter().map(|place| place.saturating_add(1)) {
        match ranges.last_mut() {
            Some(last) if *last.end() + 1 == place => *last = *last.start()..=place,
            _ => ranges.push(place..=place),
        }
    }
    ranges
}

/// A name with its label, read from the dump.
fn written(dump: &OpenDump, name: &Name) -> String {
    match name {
        Name::Words(words) => words.clone(),
        Name::Class(class) => class.to_string(),
        Name::Object(by, object) => {
            by.as_ref().map_or_else(String::new, |by| format!("{by}  ")) + &copying::name(dump, *object)
        }
        Name::Called(called) => called.plain(),
    }
}
