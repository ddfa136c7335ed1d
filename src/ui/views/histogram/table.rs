//! Class table: sorted, filtered, drawn, copied. In a tab that compares, with the changes since the baseline.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::sync::Arc;

use eframe::egui::{self, Ui};

use super::columns::{
    CENSUS, COLUMNS, DELTA_OBJECTS, DELTA_RETAINED, DELTA_SHALLOW, DISTANCE, LOADER, LOADER_ID, RETAINED, SHALLOW,
    columns, condition_key, delta_cell, distance_text, is_delta,
};
use crate::ui::controllers::{Placeholder, TableController, TableSource};
use crate::ui::theme::fonts;
use crate::ui::views::object_columns::{self, exact};
use crate::ui::views::regions;
use crate::ui::widgets::table::Align;
use crate::ui::widgets::{Column, ObjectName, Row, Table, elided, toolbar, verdict_mark};
use crate::ui::{ViewContext, ViewState};
use heaplens_analysis::diff::Change;
use heaplens_analysis::histogram::{self as analysis, ClassFigures, ClassOrder, HistogramRow};
use heaplens_base::{ByteDelta, Bytes, Count, Share, Task};
use heaplens_heap::ClassId;
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_session::{LeakRules, OpenDump};
use heaplens_tables::columns::Value;
use heaplens_tables::export::copy::{self, Clip};
use heaplens_tables::query::number_condition::{Quantity, all_are_met};
use heaplens_tables::relations::CLASSES;
use heaplens_tables::{Classes, RowQuery, RowTarget, Table as _, TableContext, TableQuery, clips};

/// A class.
pub(super) struct ClassRow {
    class: Option<ClassId>,
    name: Box<str>,
    objects: u64,
    shallow: Bytes,
    retained: Option<Bytes>,
    /// Figures before and after, if compared and matched.
    change: Option<Change>,
    /// Values of all columns: what the row is sorted and filtered by.
    cells: Vec<Value<'static>>,
}

impl ClassRow {
    /// A class of a dump that is being opened.
    pub(super) fn of_census(name: &str, objects: u64, shallow: Bytes) -> Self {
        let cell = |column: &Column| match column.key {
            "class" => Value::text(name.to_owned()),
            "objects" => Value::Count(objects),
            "shallow_bytes" => Value::Bytes(shallow),
            _ => Value::Null,
        };
        let cells = COLUMNS.iter().map(cell).collect();
        Self { class: None, name: name.into(), objects, shallow, retained: None, change: None, cells }
    }

    /// The classes of a histogram with the values of its columns, and its columns by key.
    pub(super) fn of_histogram(
        table: &Classes,
        dump: TableContext<'_>,
        change: impl Fn(ClassId) -> Option<Change>,
    ) -> (Vec<Self>, Vec<&'static str>) {
        let keys: Vec<&'static str> = table.columns(dump).iter().map(|column| column.heading.key).collect();
        let columns = COLUMNS.map(|column| if keys.contains(&column.key) { table.column(column.key) } else { None });
        let row = |(at, row): (usize, &HistogramRow)| {
            let change = change(row.class);
            let cell = |(column, index): (usize, &Option<usize>)| match *index {
                Some(index) => table.cell(dump, at, index).into_static(),
                None => delta_cell(column, change),
            };
            Self {
                class: Some(row.class),
                name: dump.heap.classes.get(row.class).name.clone(),
                objects: row.objects,
                shallow: row.shallow,
                retained: Some(row.retained),
                change,
                cells: columns.iter().enumerate().map(cell).collect(),
            }
        };
        (table.0.rows.iter().enumerate().map(row).collect(), keys)
    }

    fn is_new(&self) -> bool {
        self.change.is_some_and(|change| change.before.objects == 0 && change.after.objects > 0)
    }

    /// Class and id of the loader, if another loader has a class of its name.
    fn loader(&self) -> Option<String> {
        let loader = [LOADER, LOADER_ID].map(|column| self.cell(column)).into_iter();
        let parts: Vec<String> = loader.filter(|cell| **cell != Value::Null).map(Value::short).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Value in a column.
    fn cell(&self, column: usize) -> &Value<'static> {
        self.cells.get(column).unwrap_or(&Value::Null)
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
    /// Keys of the columns of the histogram.
    keys: Vec<&'static str>,
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
    pub(super) fn put(&mut self, rows: Vec<ClassRow>, keys: Vec<&'static str>, objects: u64, shallow: Bytes) {
        (self.rows.rows, self.rows.keys, self.rows.objects, self.rows.shallow) = (rows, keys, objects, shallow);
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

    /// Key of the column that the classes are sorted by, and true for descending; `None` for a change.
    pub(super) fn sort_key(&self) -> Option<(&'static str, bool)> {
        let (column, descending) = by(&self.table);
        let key = COLUMNS.get(column)?.key;
        (!key.is_empty()).then_some((key, descending))
    }

    /// Sorts by the column with a key, if there is one.
    pub(super) fn sort_by_key(&mut self, key: &str, descending: bool) {
        if let Some(column) = COLUMNS.iter().position(|column| column.key == key) {
            self.table.sort = Some((column, descending));
            self.table.set_stale();
        }
    }

    /// Draws the classes of a dump that is being opened.
    pub(super) fn census_ui(&mut self, ui: &mut Ui) {
        self.tools_ui(ui, None, false, |_| {});
        let area = ui.available_rect_before_wrap();
        let columns = columns(false, &CENSUS);
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
        self.tools_ui(ui, Some(context.dump), context.focuses_filter(), more);
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

impl ClassRows {
    fn arrange(&mut self, table: &mut TableController) {
        let conditions = table.filter.conditions(&self.number_keys());
        self.has_delta_condition = conditions.iter().any(|(column, _)| is_delta(*column));
        // The rows are those of the heap in the filter.
        let (rows, words) = (&self.rows, table.filter.pattern().words());
        let number = |row: &ClassRow, column: usize| Quantity::of_cell(row.cell(column), self.reachable);
        let passes =
            |row: &ClassRow| words.matches(&row.name) && all_are_met(&conditions, |column| number(row, column));
        let mut shown: Vec<u32> = (0..).zip(rows).filter(|(_, row)| passes(row)).map(|(i, _)| i).collect();
        let (by, descending) = by(table);
        // As the command sorts: the rows are in its default order, in which equal rows stay.
        let ties_by_name =
            is_delta(by) || COLUMNS.get(by).is_some_and(|column| ClassOrder::of_key(column.key).is_some());
        shown.sort_by(|&a, &b| {
            let (a, b) = (&rows[a as usize], &rows[b as usize]);
            let (one, other) = (a.cell(by), b.cell(by));
            let order = if descending { one.order(other).reverse() } else { one.order(other) };
            // Classes of unknown change come last, in either direction.
            let known =
                if is_delta(by) { (*one == Value::Null).cmp(&(*other == Value::Null)) } else { Ordering::Equal };
            let by_name = if ties_by_name { a.name.cmp(&b.name) } else { Ordering::Equal };
            known.then(order).then(by_name)
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
            request.rows = RowQuery { numbers: shown.map(|&at| at + 1..=at + 1).collect(), ..RowQuery::default() };
        } else {
            (request.rows.skip, request.rows.top) = (skip, top);
        }
        request
    }

    /// Keys of the columns that conditions on numbers may name.
    fn number_keys(&self) -> Vec<&'static str> {
        let is_number = |column: &Column| !column.absent && column.align == Align::Right;
        let key = |(at, column): (usize, &Column)| if is_number(column) { condition_key(at) } else { "" };
        columns(self.compares, &self.keys).iter().enumerate().map(key).collect()
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
        let mut area = cell;
        if class.is_new() {
            let new = elided(row.ui, "new".to_owned(), fonts::small(), row.tokens.grew, cell.width());
            area.max.x = (cell.right() - new.size().x - 8.0).max(cell.left());
            let at = egui::pos2(area.max.x + 8.0, cell.center().y - new.size().y / 2.0);
            row.ui.painter().galley(at, new, row.tokens.grew);
        }
        let rules = self.rules.as_ref();
        let verdict = rules.and_then(|rules| rules.of_object(None, &class.name));
        let label = verdict.map(|verdict| verdict_mark::paint(row, &mut area, verdict));
        let loader = class.loader();
        let name = ObjectName { class: &class.name, label: loader.as_deref(), id: "" };
        let cut = name.paint(row.ui, row.tokens, area);
        for (at, column) in COLUMNS.iter().enumerate().skip(1) {
            match (at, class.cell(at)) {
                (DISTANCE, Value::Null) if self.keys.contains(&column.key) => row.number(at, distance_text(None)),
                (_, Value::Null) => {}
                (SHALLOW | RETAINED, Value::Bytes(bytes)) => {
                    row.size_with_bar(at, *bytes, Share::of(*bytes, self.shallow));
                }
                (DISTANCE, Value::Count(distance)) => row.number(at, distance_text(u32::try_from(*distance).ok())),
                (_, Value::CountDelta(more)) => row.delta(at, more.0, more.to_string()),
                (_, Value::ByteDelta(growth)) => row.delta(at, growth.0, growth.to_string()),
                (_, Value::Bytes(bytes)) => object_columns::figure_ui(row, at, column.title, *bytes),
                (_, cell) if column.align == Align::Right => row.number(at, cell.short()),
                (_, cell) => row.text(at, cell.short(), fonts::text(), row.tokens.text),
            }
        }
        if let Some(retained) = class.retained {
            row.hover_in(RETAINED, || exact("Retained", retained));
        }
        row.hover_in(SHALLOW, || exact("Shallow", class.shallow));
        if cut {
            row.hover_in(0, || &*class.name);
        }
        let judged = label.map(|label| format!(", {}", label.to_lowercase())).unwrap_or_default();
        let loader = loader.map(|loader| format!(" of {loader}")).unwrap_or_default();
        let label = format!("{}{loader} {}{judged}", class.name, Count(class.objects).of("object", "objects"));
        let Some(change) = class.change else {
            return row.name(label);
        };
        let (objects, shallow, retained) = (change.objects(), change.shallow(), change.retained());
        let then = change.before;
        row.hover_in(DELTA_OBJECTS, || format!("{} in the baseline", Count(then.objects).of("object", "objects")));
        let bytes =
            |delta: ByteDelta, then: Bytes| format!("{} bytes; {} in the baseline", delta.exact(), then.exact());
        row.hover_in(DELTA_SHALLOW, || bytes(shallow, then.shallow));
        row.hover_in(DELTA_RETAINED, || bytes(retained, then.retained));
        let new = if class.is_new() { ", new" } else { "" };
        row.name(format!("{label}{new}, {objects} objects, {shallow}"));
    }
}

impl TableSource for ClassRows {
    const NAME: &'static str = "Histogram";

    fn columns(&self, _context: &ViewContext<'_>) -> Cow<'static, [Column]> {
        columns(self.compares, &self.keys).to_vec().into()
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
                    objects.append(&mut analysis::objects_of(dump.data(), class, task)?);
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

/// Query for the rows on screen. The order by a column that no command has is the default one.
pub(super) fn request(table: &TableController) -> TableQuery {
    let (by, descending) = by(table);
    let column = COLUMNS.get(by).filter(|column| !column.key.is_empty() && (by, descending) != SORTED);
    let sort = column.map(|column| column.key.to_owned());
    let reverse = column.is_some_and(|column| descending != (column.align == Align::Right));
    let filter = table.filter.understood();
    TableQuery::new(&CLASSES, RowQuery { filter, sort, reverse, ..RowQuery::default() })
}

/// Columns of a comparison.
fn deltas() -> impl Iterator<Item = usize> {
    (0..COLUMNS.len()).filter(|&column| is_delta(column))
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
        let own = columns.iter().map(|column| table.cell(TableContext::of(dump), row, column.index).into_static());
        let deltas = |change: &Option<Change>| deltas().map(|column| delta_cell(column, *change)).collect::<Vec<_>>();
        let more = changes.get(row).map(deltas);
        own.chain(more.into_iter().flatten()).collect()
    };
    let more = deltas().filter(|_| !changes.is_empty()).map(|column| COLUMNS[column].title);
    let headings = columns.iter().map(|column| column.title).chain(more);
    let rows = (0..table.count()).map(|row| copy::Row { depth: 0, cells: cells(row) }).collect();
    let json = clips::json(&table, dump, 0..table.count());
    clips::rows(dump, "Histogram", request, headings, rows, json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_of_the_histogram_is_in_the_table() {
        let declared = CLASSES.columns;
        for column in declared {
            let shown: Vec<&Column> = COLUMNS.iter().filter(|shown| shown.key == column.heading.key).collect();
            assert!(shown.len() == 1, "the column {} of the histogram is not in the window", column.heading.key);
            let is_number = shown[0].align == Align::Right;
            assert_eq!(is_number, column.kind.is_number(), "{}", column.heading.key);
        }
    }

    /// Values, order and conditions of each column are those of the table that is exported.
    #[test]
    fn the_window_sorts_and_filters_as_the_command_does() {
        for fixture in ["leak-after.hprof.gz", "android/album.hprof.gz", "node/desk-final.heapsnapshot.gz"] {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture);
            let (dump, task) = (heaplens_dump::open(path).expect("a dump"), Task::new());
            let context = TableContext::of(&dump);
            let histogram = Classes(analysis::histogram(dump.data()));
            let (rows, keys) = ClassRow::of_histogram(&histogram, context, |_| None);
            let (objects, shallow) = (histogram.0.objects, histogram.0.shallow);
            let mut table = ClassTable::default();
            table.put(rows, keys.clone(), objects, shallow);
            table.rows.reachable = dump.analysis.shown.shallow;
            for (at, column) in COLUMNS.iter().enumerate().filter(|(_, column)| keys.contains(&column.key)) {
                let key = column.key;
                let index = histogram.column(key).expect(key);
                for (row, class) in table.rows.rows.iter().enumerate() {
                    assert_eq!(*class.cell(at), histogram.cell(context, row, index), "{fixture}: {key}");
                }
                let filters = if column.align == Align::Right {
                    vec![String::new(), format!("{key}>100 a")]
                } else {
                    vec![String::new()]
                };
                for (filter, descending) in filters.iter().flat_map(|filter| [(filter, false), (filter, true)]) {
                    table.table.filter.set(filter);
                    table.table.sort = Some((at, descending));
                    table.rows.arrange(&mut table.table);
                    let query = request(&table.table);
                    let expected = histogram.ordered_rows(context, &query.rows, &task).expect("rows");
                    let expected: Vec<u32> = expected.rows.collect();
                    assert!(
                        table.rows.shown == expected,
                        "{fixture}: {key}, descending: {descending}, filter: {filter}"
                    );
                }
            }
        }
    }
}
