//! The classes of a watched process, the largest growth first.

use std::collections::BTreeSet;

use eframe::egui;
use egui::{Id, Rect, Role, Sense, Ui, vec2};

use crate::ui::theme::fonts;
use crate::ui::widgets::table::place_of;
use crate::ui::widgets::{Column, Row, Table, TableState, sparkline};
use heaplens_base::{ByteDelta, Bytes, Count};
use heaplens_take::watch::{ClassSeries, History};

/// Classes that are listed.
const LISTED: usize = 300;
/// Lines in the chart, if no class is selected.
pub(super) const LINES: usize = 6;

const COLUMNS: [Column; 5] = [
    Column::words("Class", "Class of the objects", 320.0),
    Column::numbers("Objects", "Number of objects in the last round", 110.0, 4),
    Column::numbers("Shallow size", "Shallow size of these objects", 120.0, 6),
    Column::numbers("Growth", "Shallow size in the last round less that in the first", 120.0, 7),
    Column::words("Over time", "Shallow size in each round, from 0", 160.0).fixed(3),
];
const CLASS: usize = place_of(&COLUMNS, "Class");
const OBJECTS: usize = place_of(&COLUMNS, "Objects");
const SIZE: usize = place_of(&COLUMNS, "Shallow size");
const GROWTH: usize = place_of(&COLUMNS, "Growth");
const TREND: usize = place_of(&COLUMNS, "Over time");

/// The rows.
#[derive(Default)]
pub(super) struct ClassRows {
    rows: Vec<ClassSeries>,
    table: TableState,
}

impl ClassRows {
    /// Takes the rows of a new round; the cursor stays on its class.
    pub(super) fn update(&mut self, history: &History) {
        let chosen = self.table.cursor().and_then(|row| self.rows.get(row as usize)).map(|row| row.class.clone());
        self.rows = history.growing(LISTED);
        let index = chosen.and_then(|class| self.rows.iter().position(|row| row.class == class));
        self.table.select(index.map(|index| index as u64));
    }

    /// Classes whose lines are drawn: those that grew most, and the selected one.
    pub(super) fn charted(&self) -> Vec<&ClassSeries> {
        let mut rows_charted: BTreeSet<usize> = (0..self.rows.len().min(LINES)).collect();
        rows_charted.extend(self.table.cursor().map(|row| row as usize).filter(|&row| row < self.rows.len()));
        let rows = rows_charted.into_iter().filter_map(|index| self.rows.get(index));
        rows.filter(|series| series.growth() > 0).collect()
    }

    /// Draws the table; `is_total` if the process has no histogram.
    pub(super) fn ui(&mut self, ui: &mut Ui, is_active: bool, is_total: bool) {
        if is_total {
            return;
        }
        let rows = &self.rows;
        let table = Table::new("Classes over time", &COLUMNS, rows.len() as u64).active(is_active);
        table.show(ui, &mut self.table, |row| {
            if let Some(series) = rows.get(row.index as usize) {
                draw(row, series);
            }
        });
    }
}

fn draw(row: &mut Row<'_>, series: &ClassSeries) {
    let t = row.tokens;
    let (size, growth) = (Bytes(series.bytes.last().copied().unwrap_or(0)), ByteDelta(series.growth()));
    row.text(CLASS, series.class.clone(), fonts::text(), t.text);
    row.number(OBJECTS, Count(series.objects).to_string());
    row.size(SIZE, size);
    row.delta(GROWTH, growth.0, growth.to_string());
    if let Some(cell) = row.cell(TREND) {
        let area = Rect::from_center_size(cell.center(), vec2(cell.width() - 8.0, cell.height() - 10.0));
        let sizes: Vec<Bytes> = series.bytes.iter().map(|&bytes| Bytes(bytes)).collect();
        sparkline::paint(row.ui.painter(), area, &sizes, (0, sizes.len().saturating_sub(1)), t);
        let response = row.ui.interact(cell, Id::unique(("class over time", row.index)), Sense::HOVER);
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, "Shallow size over time"));
    }
    let objects = Count(series.objects).of("object", "objects");
    row.name(format!("{}, {objects}, {size}, growth {growth}", series.class));
}
