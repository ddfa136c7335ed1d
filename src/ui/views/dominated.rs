//! Objects directly below the selected one in the dominator tree, largest first.

use eframe::egui::{Key, Modifiers, Ui};

use super::fields::{Target, value_ui};
use crate::ui::theme::Icon;
use crate::ui::widgets::{Column, Table, TableState, waiting};
use crate::ui::{Pane, ViewContext};
use heaplens_analysis::dominator_tree::{LevelOrder, level};
use heaplens_heap::{ObjectId, Value};
use heaplens_session::{DeferredDrop, Slot};

const COLUMNS: [Column; 2] = [
    Column::words("Object", "An object whose immediate dominator is the selected object", 120.0).unsorted(),
    Column::numbers("Retained", "", 88.0, 5).unsorted(),
];

/// List of one object.
#[derive(Default)]
pub struct Dominated {
    of: Option<ObjectId>,
    slot: Slot<DeferredDrop<Vec<ObjectId>>>,
    table: TableState,
}

impl Dominated {
    /// Takes over the list once it is computed.
    pub fn poll(&mut self) {
        self.slot.poll();
    }

    /// Draws the list for `object`; requests it on the first call.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId) {
        if self.of != Some(object) {
            *self = Self { of: Some(object), ..Self::default() };
            let (dump, jobs) = (context.dump.clone(), context.jobs.clone());
            self.slot.ask(context.jobs, "dominated objects", move |task| {
                let order = (LevelOrder::Retained, false);
                Ok(jobs.defer_drop(level(dump.data(), Some(object), |_| true, order, task)?))
            });
        }
        let area = ui.available_rect_before_wrap();
        if let Some(error) = self.slot.error() {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot list the dominated objects", error);
        }
        let Some(rows) = self.slot.get().map(DeferredDrop::as_slice) else {
            waiting::line_ui(ui, "Sorting…");
            waiting::running_ui(ui, area);
            return;
        };
        if rows.is_empty() {
            let hint = "All objects it refers to are also reachable through other objects";
            return waiting::empty_ui(ui, area, Icon::Search, "No dominated objects", hint);
        }
        let table =
            Table::new("Dominated objects", &COLUMNS, rows.len() as u64).active(context.focus == Pane::Inspector);
        let mut go = None;
        let output = table.show(ui, &mut self.table, |row| {
            let Some(&object) = rows.get(row.index as usize) else { return };
            let (heap, analysis) = (&context.dump.heap, &context.dump.analysis);
            let label = context.labels.of(object).map(str::to_owned);
            let class = &heap.class(object).name;
            let retained = Some(analysis.retained(object));
            let target = Target { class: Some(class), label: label.as_deref(), retained, ..Target::default() };
            go = value_ui(row, (0, 1), heap, Value::Object(object), &target).or(go);
            row.name(format!("Dominated {class} {}", heap.id_text(object)));
        });
        let activated = output.activated.and_then(|row| rows.get(row as usize).copied());
        context.select(go.or(activated));
    }

    /// Takes the side keys, as in the trees of references: its rows do not expand.
    pub fn take_side_keys(&self, ui: &Ui) {
        if self.slot.get().is_some_and(|rows| !rows.as_slice().is_empty()) && !ui.ctx().egui_wants_keyboard_input() {
            ui.input_mut(|i| {
                i.consume_key(Modifiers::NONE, Key::ArrowRight);
                i.consume_key(Modifiers::NONE, Key::ArrowLeft);
            });
        }
    }

    /// True while the list is being computed.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}
