//! List of classes above both thresholds, beside the merged paths: enough objects and enough retained size. A click on
//! a class shows its merged paths.

use std::sync::Arc;

use eframe::egui::{self, Ui};

use crate::ui::ViewContext;
use crate::ui::theme::Icon;
use crate::ui::widgets::{Column, ObjectName, Row, Table, TableState, controls, toolbar, waiting};
use heaplens_analysis::paths::aggregated::{Thresholds, classes_over};
use heaplens_base::{Bytes, Count, Share, Task};
use heaplens_heap::{ClassId, Strength};
use heaplens_session::Slot;
use heaplens_tables::dump::aggregated::AggregatedQuery;

const COLUMNS: [Column; 3] = [
    Column::words("Class", "Classes above both thresholds, largest retained size first", 120.0).unsorted(),
    Column::numbers("Objects", "Number of reachable objects of the class", 80.0, 4).unsorted(),
    Column::numbers("Retained size", "", 120.0, 8)
        .about("Bytes freed if all objects of the class were collected; each byte counted once")
        .unsorted(),
];
/// Minimum retained size of a class, in thousandths of the heap.
const SHARES: [u64; 6] = [0, 1, 5, 10, 50, 100];
/// Minimum numbers of objects of a class.
const COUNTS: [u64; 6] = [1, 10, 100, 1_000, 10_000, 100_000];

/// The list.
pub(super) struct Classes {
    /// Minimum share, in thousandths of the heap.
    share: u64,
    objects: u64,
    slot: Slot<Vec<ClassId>>,
    requested: Option<Thresholds>,
    rows: Option<Arc<[ClassId]>>,
    table: TableState,
}

impl Default for Classes {
    fn default() -> Self {
        Self { share: 10, objects: 1, slot: Slot::default(), requested: None, rows: None, table: TableState::default() }
    }
}

impl Classes {
    fn least(&self, context: &ViewContext<'_>) -> Thresholds {
        let total = context.dump.analysis.shown.shallow;
        Thresholds { retained: Bytes(total.0 / 1000 * self.share), objects: self.objects }
    }

    /// Query of the command line for the trees of all classes.
    pub(super) fn question(&self, context: &ViewContext<'_>, min_strength: Strength) -> AggregatedQuery {
        AggregatedQuery { least: self.least(context), min_strength }
    }

    fn ask(&mut self, context: &ViewContext<'_>) {
        let least = self.least(context);
        if self.requested.replace(least) != Some(least) {
            let dump = context.dump.clone();
            let work = move |_: &Task| Ok(classes_over(dump.data(), least));
            self.slot.ask(context.jobs, "classes over thresholds", work);
        }
        if let Some(rows) = self.slot.take_new() {
            self.rows = Some(rows.into());
            self.table = TableState::default();
        }
    }

    /// Draws the list; returns the selected class.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        context: &ViewContext<'_>,
        shown: Option<ClassId>,
        active: bool,
    ) -> Option<ClassId> {
        self.ask(context);
        toolbar::tools(ui, |ui| self.thresholds_ui(ui));
        let area = ui.available_rect_before_wrap();
        let Some(rows) = self.rows.clone() else {
            // Without this, the panel would shrink to nothing.
            ui.advance_cursor_after_rect(area);
            waiting::progress_ui(ui, area, self.slot.progress().as_ref());
            return None;
        };
        let table = Table::new("Classes above thresholds", &COLUMNS, rows.len() as u64).active(active);
        if self.table.selection().is_none()
            && let Some(at) = rows.iter().position(|&class| Some(class) == shown)
        {
            self.table.select(Some(at as u64));
        }
        let output = table.show(ui, &mut self.table, |row| {
            if let Some(&class) = rows.get(row.index as usize) {
                row_ui(row, context, class);
            }
        });
        if rows.is_empty() {
            let hint = "No class reaches both thresholds; lower one of them";
            waiting::empty_ui(ui, area, Icon::Search, "No classes", hint);
        }
        output.clicked.or(output.moved).and_then(|row| rows.get(row as usize).copied())
    }

    fn thresholds_ui(&mut self, ui: &mut Ui) {
        let share = |share: u64| match share {
            0 => "Any size".to_owned(),
            share => format!("≥ {} %", share as f64 / 10.0),
        };
        let objects = |objects: u64| match objects {
            1 => "Any number".to_owned(),
            objects => format!("≥ {}", Count(objects)),
        };
        let about = "Smallest retained size of a class, as a percentage of the heap";
        choice(ui, "Min. retained size", about, &mut self.share, SHARES, share);
        choice(ui, "Min. objects", "Smallest number of objects of a class", &mut self.objects, COUNTS, objects);
        let count = self.rows.as_ref().map(|rows| Count(rows.len() as u64).of("class", "classes")).unwrap_or_default();
        toolbar::hint(ui, &count);
    }

    pub(super) fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}

fn choice(ui: &mut Ui, title: &str, about: &str, now: &mut u64, all: [u64; 6], name: impl Fn(u64) -> String) {
    let combo = egui::ComboBox::from_id_salt(title).width(92.0).truncate();
    let label = |now| format!("{title}: {}", name(now));
    controls::choice_ui(ui, combo, label, now, all, &name).on_hover_text(format!("{title}. {about}"));
}

fn row_ui(row: &mut Row<'_>, context: &ViewContext<'_>, class: ClassId) {
    let (heap, analysis) = (&context.dump.heap, &context.dump.analysis);
    let name = &heap.classes.get(class).name;
    let (objects, retained) = (analysis.class_totals(class).objects, analysis.class_retained(class));
    if let Some(cell) = row.cell(0) {
        ObjectName { class: name, label: None, id: "" }.paint(row.ui, row.tokens, cell);
    }
    row.number(1, Count(objects).to_string());
    row.size_with_bar(2, retained, Share::of(retained, analysis.shown.shallow));
    row.hover_in(0, || &**name);
    row.name(format!("{name}, {}, {retained}", Count(objects).of("object", "objects")));
}
