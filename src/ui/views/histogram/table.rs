//! Class table: sorted, filtered, drawn, copied. In a tab that compares, with the changes since the baseline.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::sync::Arc;

use eframe::egui::{self, Ui};

use super::columns::{
    COLUMNS, DELTA_OBJECTS, DELTA_RETAINED, DELTA_SHALLOW, DISTANCE, FIGURES, OBJECTS, RETAINED, SHALLOW, columns,
    distance_text, figure_of, figure_ui,
};
use crate::ui::controllers::{Placeholder, TableController, TableSource};
use crate::ui::theme::fonts;
use crate::ui::views::object_columns::exact;
use crate::ui::views::regions;
use crate::ui::widgets::table::Align;
use crate::ui::widgets::{Column, ObjectName, Row, Table, elided, toolbar, verdict_mark};
use crate::ui::{ViewContext, ViewState};
use heaplens_analysis::diff::Change;
use heaplens_analysis::histogram::{self as analysis, ClassFigures, ClassOrder, HistogramRow};
use heaplens_base::{ByteDelta, Bytes, Count, Share, Task};
use heaplens_core::heap::ClassId;
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_session::{LeakRules, OpenDump};
use heaplens_tables::columns::Cell;
use heaplens_tables::export::copy::{self, Clip};
use heaplens_tables::query::number_condition::{Quantity, all_are_met};
use heaplens_tables::{Classes, RowQuery, RowTarget, Table as _, TableContext, TableKind, TableQuery, clips};

/// A class.
pub(super) struct ClassRow {
    pub(super) class: Option<ClassId>,
    pub(super) name: Box<str>,
    /// Its class loader, if another has a class of its name.
    pub(super) loader: Option<String>,
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

/// Class table with its filter and order.
pub(super) struct ClassTable {
    pub(super) rows: ClassRows,
    pub(super) table: TableController,
}

/// Rows in display order.
#[derive(Default)]
pub(super) struct ClassRows {
    rows: Vec<ClassRow>,
    shown: Vec<u32>,
    objects: u64,
    shallow: Bytes,
    compares: bool,
    pub(super) chosen: Option<ClassId>,
    /// Changes whenever rows are sorted or filtered.
    version: usize,
    /// Figures that only some formats have.
    pub(super) figures: Arc<ClassFigures>,
    /// Verdicts of the user on classes.
    pub(super) rules: Option<Arc<LeakRules>>,
    /// Reachable bytes: the whole of a percentage.
    reachable: Bytes,
    /// True if the filter has a condition on a change since the baseline, which no command has.
    has_delta_condition: bool,
}

/// Initial order: by shallow size.
const SORTED: (usize, bool) = (SHALLOW, true);

impl Default for ClassTable {
    fn default() -> Self {
        Self { rows: ClassRows::default(), table: TableController::sorted(Some(SORTED)) }
    }
}

impl ClassTable {
    pub(super) fn put(&mut self, rows: Vec<ClassRow>, objects: u64, shallow: Bytes) {
        (self.rows.rows, self.rows.objects, self.rows.shallow) = (rows, objects, shallow);
        self.table.set_stale();
    }

    /// Sets if columns of a comparison are shown.
    pub(super) fn compare(&mut self, compares: bool) {
        if std::mem::replace(&mut self.rows.compares, compares) != compares {
            self.table.set_stale();
            let (by, descending) = by(&self.table);
            if !compares && is_delta(by) {
                self.table.sort = Some((SORTED.0, descending));
            }
        }
    }

    /// Sorts and filters the rows if order or filter have changed.
    pub(super) fn arrange(&mut self) {
        if self.table.take_stale() {
            self.rows.arrange(&mut self.table);
            let at = self.rows.chosen.and_then(|class| self.rows.place_of(class));
            self.table.state.select(at);
        }
    }

    /// Draws the toolbar, `more` first.
    fn tools_ui(&mut self, ui: &mut Ui, dump: Option<&OpenDump>, focus: bool, more: impl FnOnce(&mut Ui)) {
        toolbar::tools(ui, |ui| {
            more(ui);
            if dump.is_some_and(|dump| regions::choice_ui(ui, dump, "histogram", &mut self.table.filter)) {
                self.table.set_stale();
            }
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0).min(ui.available_width());
            self.table.filter_ui(ui, ("filter of the histogram", dump.is_some()), "Filter by class", width, focus);
            self.arrange();
            toolbar::hint(ui, &self.rows.summary());
        });
    }

    /// Draws the classes of a dump that is being opened.
    pub(super) fn census_ui(&mut self, ui: &mut Ui) {
        self.tools_ui(ui, None, false, |_| {});
        let area = ui.available_rect_before_wrap();
        let columns = columns(false, false, &self.rows.figures);
        let table = Table::new("Census", &columns, self.rows.count()).sorted(self.table.sort);
        let output = table.show(ui, &mut self.table.state, |row| self.rows.row_ui(row));
        self.rows.empty(&self.table).ui(ui, area);
        if let Some(column) = output.sort {
            self.table.sort_by(&columns, column);
        }
    }

    /// Draws the classes of an open dump, `more` tools first.
    pub(super) fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, more: impl FnOnce(&mut Ui)) {
        self.rows.reachable = context.dump.analysis.shown.shallow;
        self.tools_ui(ui, Some(context.dump), context.focus_filter, more);
        let output = self.table.ui(ui, context, &mut self.rows);
        if let Some(RowTarget::Class(class)) =
            output.clicked.or(output.moved).and_then(|row| self.rows.target(context, row))
        {
            self.rows.chosen = Some(class);
        }
    }

    pub(super) fn restore(&mut self, view_state: &ViewState) {
        let sort = self.table.sort;
        self.table.restore(view_state);
        if view_state.sort.is_none_or(|(by, _)| is_delta(by) && !self.rows.compares) {
            self.table.sort = sort;
        }
    }
}

/// Sort column, and true for descending order.
fn by(table: &TableController) -> (usize, bool) {
    table.sort.unwrap_or(SORTED)
}

/// True for columns of a comparison.
fn is_delta(column: usize) -> bool {
    (DELTA_OBJECTS..FIGURES).contains(&column)
}

/// Order of the command line, and true for reverse order.
fn order(table: &TableController) -> (ClassOrder, bool) {
    let (by, descending) = by(table);
    let order = ClassOrder::ALL.get(by).copied().unwrap_or_default();
    (order, descending == (order == ClassOrder::Name))
}

impl ClassRows {
    fn arrange(&mut self, table: &mut TableController) {
        let conditions = table.filter.conditions(&self.number_keys());
        self.has_delta_condition = conditions.iter().any(|(column, _)| is_delta(*column));
        // The rows are those of the heap in the filter.
        let (rows, words) = (&self.rows, table.filter.pattern().words());
        let passes =
            |row: &ClassRow| words.matches(&row.name) && all_are_met(&conditions, |column| self.number(row, column));
        let mut shown: Vec<u32> = (0..).zip(rows).filter(|(_, row)| passes(row)).map(|(i, _)| i).collect();
        let ((order, reversed), (by, descending)) = (order(table), by(table));
        shown.sort_by(|&a, &b| {
            let (a, b) = (&rows[a as usize], &rows[b as usize]);
            let by_name = || a.name.cmp(&b.name).then(a.class.cmp(&b.class));
            let directed = |order: Ordering| if descending { order.reverse() } else { order };
            if by == DISTANCE {
                let key = |row: &ClassRow| row.class.and_then(|class| self.figures.distance(class)).unwrap_or(u32::MAX);
                return directed(key(a).cmp(&key(b))).then_with(by_name);
            }
            if let Some(figure) = figure_of(by) {
                let key = |row: &ClassRow| row.class.map(|class| self.figures.get(class, figure));
                return directed(key(a).cmp(&key(b))).then_with(by_name);
            }
            if by >= DELTA_OBJECTS {
                // Rows of unknown change sort last.
                let key = |row: &ClassRow| row.more(by);
                let known = key(b).is_some().cmp(&key(a).is_some());
                return known.then(directed(key(a).cmp(&key(b)))).then_with(by_name);
            }
            let figures = |row: &ClassRow| (row.objects, row.shallow, row.retained.unwrap_or_default());
            order.compare(figures(a), figures(b), by_name, reversed)
        });
        self.shown = shown;
        self.version += 1;
    }

    /// Query for rows on screen. Commands have no figures of the baseline: to sort or filter by them, rows are selected
    /// by their positions in the default order.
    pub(super) fn request_of(&self, table: &TableController, skip: usize, top: Option<usize>) -> TableQuery {
        let mut request = request(table);
        if is_delta(by(table).0) || self.has_delta_condition {
            let shown = self.shown.iter().skip(skip).take(top.unwrap_or(usize::MAX));
            request.rows = RowQuery { places: shown.map(|&at| at + 1..=at + 1).collect(), ..RowQuery::default() };
        } else {
            (request.rows.skip, request.rows.top) = (skip, top);
        }
        request
    }

    /// Keys of the columns that conditions on numbers may name.
    fn number_keys(&self) -> Vec<&'static str> {
        let key = |(place, column): (usize, &Column)| match place {
            _ if column.absent => "",
            DELTA_OBJECTS => "delta_objects",
            DELTA_SHALLOW => "delta_shallow_bytes",
            DELTA_RETAINED => "delta_retained_bytes",
            _ if column.align == Align::Right => column.key,
            _ => "",
        };
        columns(true, self.compares, &self.figures).iter().enumerate().map(key).collect()
    }

    /// Number of a row in a column; `None` if it is not known.
    fn number(&self, row: &ClassRow, column: usize) -> Option<Quantity> {
        let size = |bytes| Quantity::size(bytes, self.reachable);
        match column {
            OBJECTS => Some(Quantity::count(row.objects)),
            SHALLOW => Some(size(row.shallow)),
            RETAINED => row.retained.map(size),
            DISTANCE => self.figures.distance(row.class?).map(|distance| Quantity::count(distance.into())),
            DELTA_OBJECTS | DELTA_SHALLOW | DELTA_RETAINED => {
                let whole = (column != DELTA_OBJECTS).then_some(self.reachable.0 as f64);
                row.more(column).map(|more| Quantity { value: more as f64, whole })
            }
            _ => Some(size(self.figures.get(row.class?, figure_of(column)?))),
        }
    }

    pub(super) fn place_of(&self, class: ClassId) -> Option<u64> {
        let at = self.shown.iter().position(|&i| self.rows[i as usize].class == Some(class))?;
        Some(at as u64)
    }

    fn row(&self, index: u64) -> Option<&ClassRow> {
        let at = *self.shown.get(usize::try_from(index).ok()?)?;
        self.rows.get(at as usize)
    }

    /// Number of classes, objects and bytes.
    fn summary(&self) -> String {
        let all = Count(self.rows.len() as u64).of("class", "classes");
        let classes = if self.shown.len() == self.rows.len() {
            all
        } else {
            format!("{} of {all}", Count(self.shown.len() as u64))
        };
        format!("{classes} · {} · {}", Count(self.objects).of("object", "objects"), self.shallow)
    }

    fn empty(&self, table: &TableController) -> Placeholder<'static> {
        if self.shown.is_empty() && !table.filter.is_empty() {
            Placeholder::unmatched("class", "classes")
        } else {
            Placeholder::default()
        }
    }

    fn row_ui(&self, row: &mut Row<'_>) {
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
        let name = ObjectName { class: &class.name, label: class.loader.as_deref(), id: "" };
        let cut = name.paint(row.ui, row.tokens, place);
        row.number(OBJECTS, Count(class.objects).to_string());
        row.size_with_bar(SHALLOW, class.shallow, Share::of(class.shallow, self.shallow));
        if let Some(retained) = class.retained {
            row.size_with_bar(RETAINED, retained, Share::of(retained, self.shallow));
            row.hover_in(RETAINED, || exact("Retained", retained));
        }
        if let Some(of) = class.class {
            if self.figures.has_distances() {
                row.number(DISTANCE, distance_text(self.figures.distance(of)));
            }
            for figure in self.figures.all() {
                figure_ui(row, figure, self.figures.get(of, figure));
            }
        }
        row.hover_in(SHALLOW, || exact("Shallow", class.shallow));
        if cut {
            row.hover_in(0, || &*class.name);
        }
        let judged = said.map(|said| format!(", {}", said.to_lowercase())).unwrap_or_default();
        let loader = class.loader.as_ref().map(|loader| format!(" of {loader}")).unwrap_or_default();
        let said = format!("{}{loader} {}{judged}", class.name, Count(class.objects).of("object", "objects"));
        let Some(change) = class.change else {
            return row.name(said);
        };
        let (objects, shallow, retained) = (change.objects(), change.shallow(), change.retained());
        row.delta(DELTA_OBJECTS, objects.0, objects.to_string());
        row.delta(DELTA_SHALLOW, shallow.0, shallow.to_string());
        row.delta(DELTA_RETAINED, retained.0, retained.to_string());
        let then = change.before;
        row.hover_in(DELTA_OBJECTS, || format!("{} in the baseline", Count(then.objects).of("object", "objects")));
        let bytes =
            |delta: ByteDelta, then: Bytes| format!("{} bytes; {} in the baseline", delta.exact(), then.exact());
        row.hover_in(DELTA_SHALLOW, || bytes(shallow, then.shallow));
        row.hover_in(DELTA_RETAINED, || bytes(retained, then.retained));
        let new = if class.is_new() { ", new" } else { "" };
        row.name(format!("{said}{new}, {objects} objects, {shallow}"));
    }
}

impl TableSource for ClassRows {
    const NAME: &'static str = "Histogram";

    fn columns(&self, _context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        columns(true, self.compares, &self.figures).to_vec().into()
    }

    fn count(&self) -> u64 {
        self.shown.len() as u64
    }

    fn text(&self, _context: &ViewContext<'_>, row: u64) -> Option<String> {
        Some(self.row(row)?.name.to_string())
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        self.row(row)?.class.map(RowTarget::Class)
    }

    fn draw(&mut self, row: &mut Row<'_>, _context: &mut ViewContext<'_>) {
        self.row_ui(row);
    }

    fn placeholder(&self, _context: &ViewContext<'_>, table: &TableController) -> Placeholder<'_> {
        self.empty(table)
    }

    /// Reports the objects of several classes.
    fn publish(&self, context: &mut ViewContext<'_>, _table: &TableController, range: RangeInclusive<u64>) {
        if range.start() == range.end() {
            return;
        }
        let dump = context.dump;
        context.select_listed(range.clone(), self.version, || {
            let selected: Vec<&ClassRow> = range.filter_map(|row| self.row(row)).collect();
            let objects = selected.iter().map(|row| row.objects).sum();
            let shallow = selected.iter().map(|row| row.shallow).sum();
            let together = RowTotals::Classes(selected.len() as u64, objects, shallow);
            let classes: Vec<ClassId> = selected.into_iter().filter_map(|row| row.class).collect();
            let dump = dump.clone();
            let list = move |task: &Task| {
                let mut objects = Vec::new();
                for class in classes {
                    objects.append(&mut analysis::objects_of(&dump.heap, &dump.analysis, class, task)?);
                }
                Ok(objects)
            };
            Listing { together, list: Box::new(list) }
        });
    }

    fn copy(&self, context: &mut ViewContext<'_>, table: &TableController, range: RangeInclusive<u64>) {
        let picked = range.clone().filter_map(|at| self.row(at)).filter_map(|row| {
            let (class, retained) = (row.class?, row.retained?);
            Some((HistogramRow { class, objects: row.objects, shallow: row.shallow, retained }, row.change))
        });
        let (rows, changes): (Vec<HistogramRow>, Vec<Option<Change>>) = picked.unzip();
        let request = self.request_of(table, *range.start() as usize, Some(rows.len()));
        let changes = if self.compares { changes } else { Vec::new() };
        let figures = Arc::clone(&self.figures);
        context.copy(move |dump, _| Ok(clip(dump, (rows, figures), &changes, &request)));
    }

    fn query(&self, _context: &ViewContext<'_>, table: &TableController) -> Option<TableQuery> {
        Some(self.request_of(table, 0, None))
    }
}

/// Query for the rows on screen.
pub(super) fn request(table: &TableController) -> TableQuery {
    let ((order, reverse), (by, descending)) = (order(table), by(table));
    let usual = || (reverse || order != ClassOrder::default()).then(|| order.key().to_owned());
    let (sort, reverse) = match figure_of(by) {
        _ if by == DISTANCE => (Some("distance".to_owned()), !descending),
        Some(figure) => (Some(figure.key().to_owned()), !descending),
        None => (usual(), reverse),
    };
    let filter = table.filter.understood();
    TableQuery { kind: TableKind::Classes, rows: RowQuery { filter, sort, reverse, ..RowQuery::default() } }
}

/// Classes to copy, with their figures, with changes in a comparison, and with the command that prints them.
pub(super) fn clip(
    dump: &OpenDump,
    (rows, figures): (Vec<HistogramRow>, Arc<ClassFigures>),
    changes: &[Option<Change>],
    request: &TableQuery,
) -> Clip {
    let table = Classes(analysis::Histogram { rows, figures, ..analysis::Histogram::default() });
    let columns = table.columns(TableContext::of(dump));
    let cells = |row| {
        let own = columns.iter().map(|column| table.cell(TableContext::of(dump), row, column.place));
        let more = changes.get(row).map(|change| match change {
            Some(change) => {
                [Cell::More(change.objects()), Cell::Growth(change.shallow()), Cell::Growth(change.retained())]
            }
            None => [Cell::Nothing, Cell::Nothing, Cell::Nothing],
        });
        own.chain(more.into_iter().flatten()).collect()
    };
    let more = if changes.is_empty() { &[][..] } else { &COLUMNS[DELTA_OBJECTS..FIGURES] };
    let headings = columns.iter().map(|column| column.title).chain(more.iter().map(|column| column.title));
    let rows = (0..table.count()).map(|row| copy::Row { depth: 0, cells: cells(row) }).collect();
    let json = clips::json(&table, dump, 0..table.count());
    clips::rows(dump, "Histogram", request, headings, rows, json)
}
