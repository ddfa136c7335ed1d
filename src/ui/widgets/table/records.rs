//! Table of records that no dump has, such as processes: a column is declared once, with key, layout and value. Header,
//! order, drawing and copies read the declaration.

use eframe::egui::Ui;

use super::columns::{Align, Column, order_after_click};
use super::content::{Table, TableOutput};
use super::row::Row;
use super::state::TableState;
use crate::ui::theme::fonts;
use heaplens_tables::columns::Value;

/// Reads a value of a record.
type GetValue<R> = for<'a> fn(&'a R) -> Value<'a>;

/// A column of records.
pub struct RecordColumn<R: 'static> {
    column: Column,
    value: GetValue<R>,
    order: GetValue<R>,
}

impl<R> RecordColumn<R> {
    /// A column of words; that of rank 9 names the rows and takes the remaining width.
    pub const fn words(
        key: &'static str,
        (title, about): (&'static str, &'static str),
        (width, rank): (f32, u8),
        value: GetValue<R>,
    ) -> Self {
        let column = Column::words(title, about, width).key(key);
        Self { column: if rank < 9 { column.fixed(rank) } else { column }, value, order: value }
    }

    /// A column of numbers.
    pub const fn numbers(
        key: &'static str,
        (title, about): (&'static str, &'static str),
        (width, rank): (f32, u8),
        value: GetValue<R>,
    ) -> Self {
        Self { column: Column::numbers(title, about, width, rank).key(key), value, order: value }
    }

    /// The same column, sorted by another value.
    #[must_use]
    pub const fn ordered_by(self, order: GetValue<R>) -> Self {
        Self { order, ..self }
    }

    /// The same column, which is drawn only: it is neither sorted nor copied.
    #[must_use]
    pub const fn drawn(self) -> Self {
        Self { column: self.column.unsorted(), ..self }
    }
}

/// Order of records, those on screen, and the cursor.
pub struct Records<R: 'static> {
    name: &'static str,
    declared: &'static [RecordColumn<R>],
    columns: Vec<Column>,
    /// Sort column, and true for descending order.
    sort: Option<(usize, bool)>,
    /// Indices of the records on screen, from top to bottom.
    pub shown: Vec<u32>,
    /// Cursor and scroll position.
    pub state: TableState,
}

impl<R> Records<R> {
    /// A table, sorted by the column with a key, greatest first. `name` is for screen readers and unique in the window.
    pub fn new(name: &'static str, declared: &'static [RecordColumn<R>], sort: Option<&str>) -> Self {
        let columns: Vec<Column> = declared.iter().map(|declared| declared.column).collect();
        let sort = sort.and_then(|key| columns.iter().position(|column| column.key == key));
        let sort = sort.map(|column| (column, true));
        Self { name, declared, columns, sort, shown: Vec::new(), state: TableState::default() }
    }

    /// Chooses and sorts the records on screen. Equal ones stay in their order.
    pub fn order(&mut self, records: &[R], passes: impl Fn(&R) -> bool) {
        self.shown = (0..).zip(records).filter(|(_, record)| passes(record)).map(|(index, _)| index).collect();
        self.sort(records);
    }

    fn sort(&mut self, records: &[R]) {
        let column = self.sort.and_then(|(column, descending)| Some((self.declared.get(column)?, descending)));
        let Some((declared, descending)) = column else { return };
        let value = |index: u32| records.get(index as usize).map_or(Value::Null, declared.order);
        self.shown.sort_unstable();
        self.shown.sort_by(|&a, &b| {
            let order = value(a).order(&value(b));
            if descending { order.reverse() } else { order }
        });
    }

    /// Index of the record of a row.
    pub fn index(&self, row: u64) -> Option<usize> {
        self.shown.get(row as usize).map(|&index| index as usize)
    }

    /// Record of the cursor.
    pub fn chosen<'r>(&self, records: &'r [R]) -> Option<&'r R> {
        records.get(self.index(self.state.cursor()?)?)
    }

    /// Moves the cursor to the first record that is meant, if one is.
    pub fn choose(&mut self, records: &[R], is_meant: impl Fn(&R) -> bool) -> bool {
        let row = self.shown.iter().position(|&index| records.get(index as usize).is_some_and(&is_meant));
        self.state.select(row.map(|row| row as u64));
        row.is_some()
    }

    /// Draws the table, with rows so many points high, and sorts it if a header was clicked. `draw` draws the cells that
    /// have a drawing of their own and names the row; it returns false for cells that are drawn by their value.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        records: &[R],
        (is_active, height): (bool, f32),
        draw: impl Fn(&mut Row<'_>, &R, &str) -> bool,
    ) -> TableOutput {
        let table = Table::new(self.name, &self.columns, self.shown.len() as u64);
        let table = table.active(is_active).sorted(self.sort).row_height(height);
        let (shown, declared) = (&self.shown, self.declared);
        let output = table.show(ui, &mut self.state, |row| {
            let index = shown.get(row.index as usize).copied();
            let Some(record) = index.and_then(|index| records.get(index as usize)) else { return };
            for RecordColumn { column, value, .. } in declared {
                if !draw(row, record, column.key) {
                    value_ui(row, column, &value(record));
                }
            }
        });
        if let Some(column) = output.sort {
            self.sort = Some(order_after_click(&self.columns, self.sort, column));
            self.sort(records);
            self.state.to_top();
        }
        output
    }

    /// The selected records as spreadsheet cells, with titles, and their number.
    pub fn copied(&self, records: &[R]) -> Option<(String, u64)> {
        let columns: Vec<&RecordColumn<R>> = self.declared.iter().filter(|declared| declared.column.sorts).collect();
        let titles: Vec<&str> = columns.iter().map(|declared| declared.column.title).collect();
        let rows = self.state.selection()?.filter_map(|row| records.get(self.index(row)?));
        let cells = |record| columns.iter().map(|declared| cell(&(declared.value)(record))).collect::<Vec<_>>();
        let lines: Vec<String> = rows.map(|record| cells(record).join("\t")).collect();
        Some((format!("{}\n{}\n", titles.join("\t"), lines.join("\n")), lines.len() as u64))
    }
}

/// Draws a value as its type wants it.
fn value_ui(row: &mut Row<'_>, column: &Column, value: &Value<'_>) {
    match value {
        Value::Bytes(bytes) => row.size(column.key, *bytes),
        Value::CountDelta(delta) => row.delta(column.key, delta.0, delta.to_string()),
        Value::ByteDelta(delta) => row.delta(column.key, delta.0, delta.to_string()),
        value if column.align == Align::Right => row.number(column.key, value.short()),
        value => row.text(column.key, value.short(), fonts::text(), row.tokens.muted),
    }
}

/// Text of a copied cell.
fn cell(value: &Value<'_>) -> String {
    let is_written = value.is_number() && !matches!(value, Value::Share(_));
    if is_written { value.csv() } else { value.exact() }
}
