//! Classes of a dump that is being opened.

use std::sync::Arc;

use eframe::egui::Ui;

use super::classes::{CLASSES, census_columns, class_ui};
use crate::ui::controllers::{TableController, TableSource};
use crate::ui::views::report::ReportRows;
use crate::ui::widgets::{Table, toolbar};
use heaplens_base::Count;
use heaplens_heap::Census;
use heaplens_tables::reports::rows::{Cell, Row, Rows};

/// Census of a dump that is being opened.
pub struct CensusView {
    rows: ReportRows,
    table: TableController,
    of: Option<Arc<Census>>,
}

impl Default for CensusView {
    fn default() -> Self {
        let table = TableController::sorted(CLASSES.initial_sort());
        Self { rows: ReportRows::new(&CLASSES), table, of: None }
    }
}

impl CensusView {
    /// Draws the census.
    pub fn ui(&mut self, ui: &mut Ui, census: &Arc<Census>) {
        if self.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, census)) {
            self.rows.put(&CLASSES, Arc::new(rows(census)));
            self.of = Some(Arc::clone(census));
        }
        toolbar::tools(ui, |ui| {
            let width = (ui.available_width() * 0.5).clamp(140.0, 320.0).min(ui.available_width());
            self.table.filter_ui(ui, "filter of the census", CLASSES.filter, width, false);
            self.rows.order_rows(&mut self.table);
            toolbar::hint(ui, &self.rows.summary());
        });
        let area = ui.available_rect_before_wrap();
        let columns = self.rows.columns.clone();
        let table = Table::new("Census", &columns, self.rows.count()).sorted(self.table.sort);
        let output = table.show(ui, &mut self.table.state, |row| {
            if let Some(class) = self.rows.cells_of(row.index) {
                class_ui(row, &class, None);
            }
        });
        self.rows.page(&self.table).ui(ui, area);
        if let Some(column) = output.sort {
            self.table.sort_by(&columns, column);
        }
    }
}

fn rows(census: &Census) -> Rows {
    let row = |class: &heaplens_heap::CensusRow| {
        Row::words(0, &*class.class, vec![Cell::count(class.objects), Cell::bytes(class.shallow)])
    };
    let summary = format!("{} · {}", Count(census.objects).of("object", "objects"), census.shallow);
    let rows = census.rows.iter().map(row).collect();
    let keys: Vec<&'static str> = CLASSES.columns.iter().map(|column| column.key).collect();
    let mut rows = Rows::of_cells(census_columns(), rows, summary, &keys);
    (rows.counted, rows.total) = (Some(("class", "classes")), Some(census.shallow));
    rows
}
