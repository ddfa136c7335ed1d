//! Class table: sorted, filtered, drawn, copied. In a tab that compares, with the changes since the baseline.

use std::sync::Arc;

use eframe::egui;
use egui::{Id, Rect, Ui, vec2};

use super::columns::{
    COLUMNS, DELTA_OBJECTS, DELTA_RETAINED, DELTA_SHALLOW, DISTANCE, FIGURES, columns, distance_text, figure_of,
    figure_ui,
};
use crate::ui::controllers::table::AT_MOST;
use crate::ui::location::ViewState;
use crate::ui::theme::icons::Icon;
use crate::ui::theme::{fonts, sizes};
use crate::ui::view_context::ViewContext;
use crate::ui::views::copying;
use crate::ui::views::object_columns::exact;
use crate::ui::views::regions;
use crate::ui::widgets::filter::filter_ui;
use crate::ui::widgets::find::Find;
use crate::ui::widgets::object_link::ObjectName;
use crate::ui::widgets::table::{Row, Table, TableOutput, TableState, elided};
use crate::ui::widgets::toolbar::{hint, tools};
use crate::ui::widgets::{verdict_mark, waiting};
use heaplens_analysis::diff::Change;
use heaplens_analysis::histogram::{self as analysis, ClassFigures, ClassOrder, HistogramRow};
use heaplens_base::units::{Bytes, Count, Share};
use heaplens_core::heap::ids::ClassId;
use heaplens_session::leaks::LeakRules;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::export::copy::{self, Clip, ClipBody, Rows};
use heaplens_tables::export::table::Cell;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::table_query::{TableKind, TableQuery};
use heaplens_tables::typed_filter::TypedFilter;
use heaplens_tables::{Classes, RowQuery, Table as _};

/// A class.
pub(super) struct ClassRow {
    pub(super) class: Option<ClassId>,
    pub(super) name: Box<str>,
    pub(super) objects: u64,
    pub(super) shallow: Bytes,
    pub(super) retained: Option<Bytes>,
    /// Figures before and after, if compared and matched.
    pub(super) change: Option<Change>,
}

impl ClassRow {
    fn is_new(&self) -> bool {
        self.change.is_some_and(|change| change.before.objects == 0 && change.after.objects > 0)
    }

    /// Change of a column since the baseline.
    fn more(&self, column: usize) -> Option<i64> {
        let change = self.change?;
        Some(match column {
            DELTA_OBJECTS => change.objects().0,
            DELTA_SHALLOW => change.shallow().0,
            _ => change.retained().0,
        })
    }
}

/// Rows in display order.
pub(super) struct ClassTable {
    rows: Vec<ClassRow>,
    shown: Vec<u32>,
    objects: u64,
    shallow: Bytes,
    by: usize,
    descending: bool,
    stale: bool,
    compares: bool,
    filter: TypedFilter,
    pub(super) table: TableState,
    find: Find,
    pub(super) chosen: Option<ClassId>,
    /// Changes whenever rows are sorted or filtered.
    pub(super) version: usize,
    /// Figures that only some formats have.
    pub(super) figures: Arc<ClassFigures>,
    /// Verdicts of the user on classes.
    pub(super) rules: Option<Arc<LeakRules>>,
}

impl Default for ClassTable {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            shown: Vec::new(),
            objects: 0,
            shallow: Bytes(0),
            by: 2,
            descending: true,
            stale: true,
            compares: false,
            filter: TypedFilter::default(),
            table: TableState::default(),
            find: Find::default(),
            chosen: None,
            version: 0,
            figures: Arc::default(),
            rules: None,
        }
    }
}

/// Requests of the keyboard to the table.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TableRequests {
    pub(super) filter: bool,
    pub(super) find: bool,
}

impl ClassTable {
    pub(super) fn put(&mut self, rows: Vec<ClassRow>, objects: u64, shallow: Bytes) {
        (self.rows, self.objects, self.shallow) = (rows, objects, shallow);
        self.stale = true;
    }

    /// Sets if columns of a comparison are shown.
    pub(super) fn compare(&mut self, compares: bool) {
        if self.compares != compares {
            (self.compares, self.stale) = (compares, true);
            if !compares && (DELTA_OBJECTS..FIGURES).contains(&self.by) {
                self.by = 2;
            }
        }
    }

    /// Sorts and filters the rows if order or filter have changed.
    pub(super) fn arrange(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        // The rows are those of the heap in the filter.
        let (rows, words) = (&self.rows, self.filter.pattern().words());
        let mut shown: Vec<u32> = (0..).zip(rows).filter(|(_, r)| words.matches(&r.name)).map(|(i, _)| i).collect();
        let (order, reversed) = self.order();
        shown.sort_by(|&a, &b| {
            let figures = |row: &ClassRow| (row.objects, row.shallow, row.retained.unwrap_or_default());
            let (a, b) = (&rows[a as usize], &rows[b as usize]);
            let by_name = || a.name.cmp(&b.name).then(a.class.cmp(&b.class));
            if self.by == DISTANCE {
                let key = |row: &ClassRow| row.class.and_then(|class| self.figures.distance(class)).unwrap_or(u32::MAX);
                let order = if self.descending { key(b).cmp(&key(a)) } else { key(a).cmp(&key(b)) };
                return order.then_with(by_name);
            }
            if let Some(figure) = figure_of(self.by) {
                let key = |row: &ClassRow| row.class.map(|class| self.figures.get(class, figure));
                let order = if self.descending { key(b).cmp(&key(a)) } else { key(a).cmp(&key(b)) };
                return order.then_with(by_name);
            }
            if self.by >= DELTA_OBJECTS {
                // Rows of unknown change sort last.
                let key = |row: &ClassRow| row.more(self.by);
                let order = if self.descending { key(b).cmp(&key(a)) } else { key(a).cmp(&key(b)) };
                let known = key(b).is_some().cmp(&key(a).is_some());
                return known.then(order).then_with(by_name);
            }
            order.compare(figures(a), figures(b), by_name, reversed)
        });
        self.shown = shown;
        self.version += 1;
        let at = self.chosen.and_then(|class| self.place_of(class));
        self.table.select(at);
    }

    /// Sort column, and true for reverse order.
    fn order(&self) -> (ClassOrder, bool) {
        let order = ClassOrder::ALL.get(self.by).copied().unwrap_or_default();
        (order, self.descending == (order == ClassOrder::Name))
    }

    pub(super) fn place_of(&self, class: ClassId) -> Option<u64> {
        let at = self.shown.iter().position(|&i| self.rows[i as usize].class == Some(class))?;
        Some(at as u64)
    }

    pub(super) fn row(&self, index: u64) -> Option<&ClassRow> {
        let at = *self.shown.get(usize::try_from(index).ok()?)?;
        self.rows.get(at as usize)
    }

    /// Android heap whose objects are counted; `None` for all heaps.
    pub(super) fn heap(&self) -> Option<&str> {
        self.filter.heap()
    }

    /// Draws the toolbar, `more` first, and the table. There are no answers while the file is being read.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        asked: TableRequests,
        dump: Option<&OpenDump>,
        more: impl FnOnce(&mut Ui),
    ) -> TableOutput {
        let complete = dump.is_some();
        tools(ui, |ui| {
            more(ui);
            if let Some(dump) = dump {
                self.stale |= regions::choice_ui(ui, dump, "histogram", &mut self.filter);
            }
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0).min(ui.available_width());
            let id = Id::unique(("filter of the histogram", complete));
            self.stale |= filter_ui(&mut self.filter, ui, id, "Filter by class", width, asked.filter);
            self.arrange();
            let all = self.shown.len() == self.rows.len();
            let classes = if all {
                Count(self.rows.len() as u64).of("class", "classes")
            } else {
                format!(
                    "{} of {}",
                    Count(self.shown.len() as u64),
                    Count(self.rows.len() as u64).of("class", "classes")
                )
            };
            hint(ui, &format!("{classes} · {} · {}", Count(self.objects).of("object", "objects"), self.shallow));
        });
        let area = ui.available_rect_before_wrap();
        let columns = columns(complete, self.compares, &self.figures);
        let table = Table::new(if complete { "Histogram" } else { "Census" }, &columns, self.shown.len() as u64)
            .sorted(Some((self.by, self.descending)));
        let mut state = std::mem::take(&mut self.table);
        let mut find = std::mem::take(&mut self.find);
        let rows = self.shown.len() as u64;
        let found = find.ui(ui, area, asked.find, &mut state, rows, |row| Some(self.row(row)?.name.to_string()));
        self.find = find;
        let mut output = table.show(ui, &mut state, |row| self.draw(row));
        self.table = state;
        output.moved = output.moved.or(found);
        if self.shown.is_empty() && !self.filter.is_empty() {
            let below = Rect::from_min_max(area.min + vec2(0.0, sizes::HEADER), area.max);
            waiting::empty_ui(
                ui,
                below,
                Icon::Search,
                "No class matches the filter",
                "Clear the filter to see all classes",
            );
        }
        if let Some(column) = output.sort {
            self.descending = if self.by == column { !self.descending } else { column != 0 };
            self.by = column;
            self.stale = true;
            self.table.to_top();
        }
        output
    }

    fn draw(&self, row: &mut Row<'_>) {
        let (Some(class), Some(cell)) = (self.row(row.index), row.cell(0)) else { return };
        let mut place = cell;
        if class.is_new() {
            let new = elided(row.ui, "new".to_owned(), fonts::small(), row.tokens.grew, cell.width());
            place.max.x = (cell.right() - new.size().x - 8.0).max(cell.left());
            let at = egui::pos2(place.max.x + 8.0, cell.center().y - new.size().y / 2.0);
            row.ui.painter().galley(at, new, row.tokens.grew);
        }
        let rules = self.rules.as_ref();
        let verdict = rules.and_then(|rules| rules.of_object(None, &class.name));
        let said = verdict.map(|verdict| verdict_mark::paint(row, &mut place, verdict));
        let name = ObjectName { class: &class.name, label: None, id: "" };
        let cut = name.paint(row.ui, row.tokens, place);
        row.number(1, Count(class.objects).to_string());
        row.size_with_bar(2, class.shallow, Share::of(class.shallow, self.shallow));
        if let Some(retained) = class.retained {
            row.size_with_bar(3, retained, Share::of(retained, self.shallow));
            if row.pointer_in(3) {
                row.hover(exact("Retained", retained));
            }
        }
        if let Some(of) = class.class {
            if self.figures.has_distances() {
                row.number(DISTANCE, distance_text(self.figures.distance(of)));
            }
            for figure in self.figures.all() {
                figure_ui(row, figure, self.figures.get(of, figure));
            }
        }
        row.selects();
        if row.pointer_in(2) {
            row.hover(exact("Shallow", class.shallow));
        } else if row.pointer_in(0) && cut {
            row.hover(&*class.name);
        }
        let judged = said.map(|said| format!(", {}", said.to_lowercase())).unwrap_or_default();
        let said = format!("{} {}{judged}", class.name, Count(class.objects).of("object", "objects"));
        let Some(change) = class.change else {
            return row.name(said);
        };
        let (objects, shallow, retained) = (change.objects(), change.shallow(), change.retained());
        row.delta(DELTA_OBJECTS, objects.0, objects.to_string());
        row.delta(DELTA_SHALLOW, shallow.0, shallow.to_string());
        row.delta(DELTA_RETAINED, retained.0, retained.to_string());
        let then = change.before;
        if row.pointer_in(DELTA_OBJECTS) {
            row.hover(format!("{} in the baseline", Count(then.objects).of("object", "objects")));
        } else if row.pointer_in(DELTA_SHALLOW) {
            row.hover(format!("{} bytes; {} in the baseline", shallow.exact(), then.shallow.exact()));
        } else if row.pointer_in(DELTA_RETAINED) {
            row.hover(format!("{} bytes; {} in the baseline", retained.exact(), then.retained.exact()));
        }
        let new = if class.is_new() { ", new" } else { "" };
        row.name(format!("{said}{new}, {objects} objects, {shallow}"));
    }

    pub(super) fn view_state(&self) -> ViewState {
        let sort = Some((self.by, self.descending));
        ViewState {
            filter: self.filter.text().to_owned(),
            sort,
            top: self.table.top(),
            selected: self.table.selected_rows(),
            ..ViewState::default()
        }
    }

    pub(super) fn restore(&mut self, view_state: &ViewState) {
        self.filter.set(&view_state.filter);
        if let Some((by, descending)) =
            view_state.sort.filter(|&(by, _)| !(DELTA_OBJECTS..FIGURES).contains(&by) || self.compares)
        {
            (self.by, self.descending) = (by, descending);
        }
        self.table.restore(view_state.top, view_state.selected);
        self.stale = true;
    }

    /// Query for the rows on screen.
    pub(super) fn request(&self) -> TableQuery {
        let (order, reverse) = self.order();
        let usual = || (reverse || order != ClassOrder::default()).then(|| order.key().to_owned());
        let (sort, reverse) = match figure_of(self.by) {
            _ if self.by == DISTANCE => (Some("distance".to_owned()), !self.descending),
            Some(figure) => (Some(figure.key().to_owned()), !self.descending),
            None => (usual(), reverse),
        };
        let filter = self.filter.understood().to_owned();
        TableQuery { subject: TableKind::Classes, how: RowQuery { filter, sort, reverse, ..RowQuery::default() } }
    }

    pub(super) fn copy(&self, context: &mut ViewContext<'_>) {
        let Some(range) = self.table.selection() else { return };
        let last = (*range.end()).min(range.start() + AT_MOST - 1);
        let picked = (*range.start()..=last).filter_map(|at| self.row(at)).filter_map(|row| {
            let (class, retained) = (row.class?, row.retained?);
            Some((HistogramRow { class, objects: row.objects, shallow: row.shallow, retained }, row.change))
        });
        let (rows, changes): (Vec<HistogramRow>, Vec<Option<Change>>) = picked.unzip();
        let mut request = self.request();
        if (DELTA_OBJECTS..FIGURES).contains(&self.by) {
            // Commands cannot sort by baseline figures: rows are selected by their positions in the default order.
            let shown = self.shown.iter().skip(*range.start() as usize).take(rows.len());
            request.how.places = shown.map(|&at| at + 1..=at + 1).collect();
        } else {
            (request.how.skip, request.how.top) = (*range.start() as usize, Some(rows.len()));
        }
        let changes = if self.compares { changes } else { Vec::new() };
        let figures = Arc::clone(&self.figures);
        context.copy(move |dump, _| Ok(clip(dump, (rows, figures), &changes, &request)));
    }
}

/// Classes to copy, with their figures, with changes in a comparison, and with the command that prints them.
pub(super) fn clip(
    dump: &OpenDump,
    (rows, figures): (Vec<HistogramRow>, Arc<ClassFigures>),
    changes: &[Option<Change>],
    request: &TableQuery,
) -> Clip {
    let table = Classes(analysis::Histogram { rows, figures, ..analysis::Histogram::default() });
    let beside = table.optional_columns(TableContext::of(dump));
    let places: Vec<usize> = (0..table.columns().len()).chain(beside.iter().map(|&(place, _)| place)).collect();
    let cells = |row| {
        let own = places.iter().map(|&at| table.cell(TableContext::of(dump), row, at));
        let more = changes.get(row).map(|change| match change {
            Some(change) => {
                [Cell::More(change.objects()), Cell::Growth(change.shallow()), Cell::Growth(change.retained())]
            }
            None => [Cell::Nothing, Cell::Nothing, Cell::Nothing],
        });
        own.chain(more.into_iter().flatten()).collect()
    };
    let more = if changes.is_empty() { &[][..] } else { &COLUMNS[DELTA_OBJECTS..FIGURES] };
    let figures = beside.iter().map(|(_, column)| column.heading);
    let headings = table
        .columns()
        .iter()
        .map(|column| column.heading)
        .chain(figures)
        .chain(more.iter().map(|column| column.title));
    let rows = Rows {
        headings: headings.map(str::to_owned).collect(),
        rows: (0..table.count()).map(|row| copy::Row { depth: 0, cells: cells(row) }).collect(),
        json: copying::json(&table, dump, 0..table.count()),
    };
    let command = request.command(&dump.heap, &dump.opened);
    copying::clip(dump, "Histogram", command, ClipBody::Rows(rows))
}
