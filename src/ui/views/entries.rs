//! Entries of a collection: keys with values, or elements, without its internal nodes and tables. Read page by page.

use eframe::egui::Ui;

use super::copying::{self, AT_MOST};
use super::fields::{Target, plain, value_ui};
use super::pages::{PageRow, Pages};
use crate::analysis::object::{ElementRow, EntryRow, entries};
use crate::heap::contents::LogicalKind;
use crate::heap::ids::ObjectId;
use crate::ui::command::Command;
use crate::ui::panes::Pane;
use crate::ui::theme::{fonts, sizes};
use crate::ui::view_context::ViewContext;
use crate::ui::widgets::table::{Column, Row, Table, TableState};
use crate::units::Count;

const MAP: [Column; 3] = [
    Column::words("Key", "Key of the entry", 130.0).fixed(9).unsorted(),
    Column::words("Value", "Value of the entry", 110.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the value were collected", 88.0, 5).unsorted(),
];
const LIST: [Column; 3] = [
    Column::words("Index", "Index in the collection", 84.0).fixed(9).unsorted(),
    Column::words("Element", "Element at this index", 120.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the element were collected", 88.0, 5).unsorted(),
];

/// Pages that were read.
#[derive(Default)]
pub struct Entries {
    of: Option<ObjectId>,
    pages: Pages<EntryRow>,
    table: TableState,
}

impl Entries {
    /// Takes over the pages that were read.
    pub fn poll(&mut self) {
        self.pages.poll();
    }

    /// Draws the entries of `object`, a collection of `size` entries.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        context: &mut ViewContext<'_>,
        object: ObjectId,
        (kind, size): (LogicalKind, u64),
    ) {
        if self.of != Some(object) {
            *self = Self { of: Some(object), ..Self::default() };
        }
        let table = Table {
            name: "Entries",
            columns: if kind == LogicalKind::Map { &MAP } else { &LIST },
            rows: size,
            sort: None,
            active: context.focus == Pane::Inspector,
            header: true,
            row_height: sizes::ROW,
        };
        let heap = &context.answers.heap;
        let (pages, mut go) = (&self.pages, None);
        let output = table.show(ui, &mut self.table, |row| {
            let t = row.tokens;
            row.name(format!("Entry {}", row.index));
            let entry = match pages.row(row.index) {
                PageRow::Row(entry) => entry,
                PageRow::Failed(error) => return row.text(1, error, fonts::text(), t.faint),
                // A damaged dump may have fewer entries than declared.
                PageRow::Missing => return row.text(1, "missing", fonts::text(), t.faint),
                PageRow::Waiting => return row.text(1, "…", fonts::text(), t.faint),
            };
            let id = |side: &ElementRow| side.value.object().map(|o| heap.id_text(o));
            let mut draw = |row: &mut Row<'_>, column: usize, side: &ElementRow, target: &Target<'_>| {
                go = value_ui(row, column, 2, side.value, id(side), target).or(go);
            };
            let key = match &entry.key {
                Some(key) => {
                    // The retained size is that of the value.
                    let target = Target { retained: None, ..target(key) };
                    draw(row, 0, key, &target);
                    plain(key.value, &target)
                }
                None => {
                    row.text(0, Count(row.index).to_string(), fonts::mono(), t.field);
                    format!("[{}]", row.index)
                }
            };
            let target = target(&entry.value);
            draw(row, 1, &entry.value, &target);
            row.name(format!("{key} → {}", plain(entry.value.value, &target)));
        });
        self.pages.read(context, "entries of a collection", object, output.visible, |answers, object, range| {
            Ok(entries(&answers.heap, &*answers.contents, &answers.analysis, object, range))
        });
        if let Some(object) = go {
            context.push(Command::Select(object));
        }
    }

    /// Copies the selected entries; without a selection the first ones.
    pub fn copy(&self, context: &mut ViewContext<'_>) {
        let Some(object) = self.of else { return };
        let range = self.table.selection().unwrap_or(0..=copying::INSIDE - 1);
        copying::entries(context, object, *range.start()..(range.end() + 1).min(range.start() + AT_MOST));
    }

    /// True while pages are being read.
    pub fn is_running(&self) -> bool {
        self.pages.is_running()
    }
}

fn target(side: &ElementRow) -> Target<'_> {
    Target { class: side.class.as_deref(), label: side.label.as_deref(), retained: side.retained, reference: None }
}
