//! The classes of a watched process, the largest growth first.

use std::collections::BTreeSet;

use eframe::egui;
use egui::{Id, Rect, Role, Sense, Ui, vec2};

use crate::ui::theme::{fonts, sizes};
use crate::ui::widgets::table::{RecordColumn, Records};
use crate::ui::widgets::{Row, sparkline};
use heaplens_base::{ByteDelta, Bytes, Count};
use heaplens_tables::columns::Value;
use heaplens_take::watch::{ClassSeries, History};

/// Classes that are listed.
const LISTED: usize = 300;
/// Lines in the chart, if no class is selected.
pub(super) const LINES: usize = 6;

const COLUMNS: &[RecordColumn<ClassSeries>] = &[
    RecordColumn::words("class", ("Class", "Class of the objects"), (320.0, 9), |series| Value::text(&series.class)),
    RecordColumn::numbers("objects", ("Objects", "Number of objects in the last round"), (110.0, 4), |series| {
        Value::Count(series.objects)
    }),
    RecordColumn::numbers("shallow_bytes", ("Shallow size", "Shallow size of these objects"), (120.0, 6), |series| {
        Value::Bytes(size(series))
    }),
    RecordColumn::numbers(
        "growth",
        ("Growth", "Shallow size in the last round less that in the first"),
        (120.0, 7),
        |series| Value::ByteDelta(ByteDelta(series.growth())),
    ),
    RecordColumn::words(
        "over_time",
        ("Over time", "Shallow size in each round, from 0"),
        (160.0, 3),
        |_: &ClassSeries| Value::Null,
    )
    .drawn(),
];

/// The rows, the largest growth first.
pub(super) struct ClassRows {
    rows: Vec<ClassSeries>,
    table: Records<ClassSeries>,
}

impl Default for ClassRows {
    fn default() -> Self {
        Self { rows: Vec::new(), table: Records::new("Classes over time", COLUMNS, None) }
    }
}

impl ClassRows {
    /// Takes the rows of a new round; the cursor stays on its class.
    pub(super) fn update(&mut self, history: &History) {
        let chosen = self.table.chosen(&self.rows).map(|row| row.class.clone());
        self.rows = history.growing(LISTED);
        self.table.order(&self.rows, |_| true);
        self.table.choose(&self.rows, |row| Some(&row.class) == chosen.as_ref());
    }

    /// Classes whose lines are drawn: those that grew most, and the selected one.
    pub(super) fn charted(&self) -> Vec<&ClassSeries> {
        let mut rows_charted: BTreeSet<usize> = (0..self.rows.len().min(LINES)).collect();
        rows_charted.extend(self.table.state.cursor().and_then(|row| self.table.index(row)));
        let rows = rows_charted.into_iter().filter_map(|index| self.rows.get(index));
        rows.filter(|series| series.growth() > 0).collect()
    }

    /// Draws the table; `is_total` if the process has no histogram.
    pub(super) fn ui(&mut self, ui: &mut Ui, is_active: bool, is_total: bool) {
        if is_total {
            return;
        }
        self.table.ui(ui, &self.rows, (is_active, sizes::ROW), draw);
    }
}

/// Shallow size in the last round.
fn size(series: &ClassSeries) -> Bytes {
    Bytes(series.bytes.last().copied().unwrap_or(0))
}

/// Draws what is not drawn by its value, and names the row.
fn draw(row: &mut Row<'_>, series: &ClassSeries, key: &str) -> bool {
    let t = row.tokens;
    match key {
        "class" => {
            row.text(key, series.class.clone(), fonts::text(), t.text);
            let (objects, growth) = (Count(series.objects).of("object", "objects"), ByteDelta(series.growth()));
            row.name(format!("{}, {objects}, {}, growth {growth}", series.class, size(series)));
        }
        "over_time" => {
            let Some(cell) = row.cell(key) else { return true };
            let area = Rect::from_center_size(cell.center(), vec2(cell.width() - 8.0, cell.height() - 10.0));
            let sizes: Vec<Bytes> = series.bytes.iter().map(|&bytes| Bytes(bytes)).collect();
            sparkline::paint(row.ui.painter(), area, &sizes, (0, sizes.len().saturating_sub(1)), t);
            let response = row.ui.interact(cell, Id::unique(("class over time", row.index)), Sense::HOVER);
            response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, "Shallow size over time"));
        }
        _ => return false,
    }
    true
}
