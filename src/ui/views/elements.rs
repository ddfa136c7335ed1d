//! The elements of an array, read page by page as they come on screen: the
//! last of ten million is as near as the first.

use std::collections::BTreeMap;

use eframe::egui::Ui;

use super::fields::{Target, plain, value_ui};
use crate::analysis::object::{ElementRow, elements};
use crate::heap::ids::ObjectId;
use crate::session::jobs::JobError;
use crate::session::slot::Slot;
use crate::ui::command::Command;
use crate::ui::scene::Scene;
use crate::ui::theme::{fonts, sizes};
use crate::ui::widgets::table::{Column, Table, TableState};
use crate::units::Count;

const COLUMNS: [Column; 3] = [
    Column::words("Index", "Place in the array", 96.0).fixed(9).unsorted(),
    Column::words("Value", "What the element holds", 120.0).unsorted(),
    Column::numbers("Retained", "Retained size of the object the element refers to", 88.0, 5).unsorted(),
];
const PAGE: u64 = 256;
/// Pages kept at most.
const KEPT: usize = 64;

/// The pages that were read.
#[derive(Default)]
pub struct Elements {
    of: Option<ObjectId>,
    pages: BTreeMap<u64, Slot<Vec<ElementRow>>>,
    table: TableState,
}

impl Elements {
    /// Takes in the pages that are there.
    pub fn poll(&mut self) {
        for slot in self.pages.values_mut() {
            slot.poll();
        }
    }

    /// Draws the elements of `object`, an array of `length`.
    pub fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, object: ObjectId, length: u64) {
        if self.of != Some(object) {
            *self = Self { of: Some(object), ..Self::default() };
        }
        let table = Table {
            name: "Elements",
            columns: &COLUMNS,
            rows: length,
            sort: None,
            active: false,
            header: true,
            row_height: sizes::ROW,
        };
        let heap = &scene.answers.heap;
        let (pages, mut go) = (&self.pages, None);
        let output = table.show(ui, &mut self.table, |row| {
            let t = row.tokens;
            row.text(0, Count(row.index).to_string(), fonts::mono(), t.field);
            row.name(format!("Element {}", row.index));
            let page = pages.get(&(row.index / PAGE));
            let found = page.and_then(Slot::get).and_then(|rows| rows.get((row.index % PAGE) as usize));
            let Some(element) = found else {
                let text = page.and_then(Slot::error).unwrap_or("…").to_owned();
                row.text(1, text, fonts::text(), t.faint);
                return;
            };
            let target =
                Target { class: element.class.as_deref(), label: element.label.as_deref(), retained: element.retained };
            let id = element.value.object().map(|o| heap.id_text(o));
            if let Some(object) = value_ui(row, 1, 2, element.value, id, &target) {
                go = Some(object);
            }
            row.name(format!("[{}] = {}", element.index, plain(element.value, &target)));
        });
        self.read(scene, object, output.visible);
        if let Some(object) = go {
            scene.push(Command::Select(object));
        }
    }

    /// Asks for the pages on screen and drops those far away.
    fn read(&mut self, scene: &Scene<'_>, object: ObjectId, visible: std::ops::Range<u64>) {
        if visible.is_empty() {
            return;
        }
        let (first, last) = (visible.start / PAGE, (visible.end - 1) / PAGE);
        if self.pages.len() > KEPT {
            self.pages.retain(|page, _| (first..=last).contains(page));
        }
        for page in first..=last {
            let slot = self.pages.entry(page).or_default();
            if slot.get().is_some() || slot.is_running() || slot.error().is_some() {
                continue;
            }
            let answers = scene.answers.clone();
            slot.ask(scene.jobs, "array elements", move |_| {
                let range = page * PAGE..(page + 1) * PAGE;
                elements(&answers.heap, &*answers.contents, &answers.analyzed, object, range)
                    .map_err(|error| JobError::Failed(error.to_string()))
            });
        }
    }

    /// Whether pages are on their way.
    pub fn is_running(&self) -> bool {
        self.pages.values().any(Slot::is_running)
    }
}
