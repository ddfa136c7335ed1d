//! Elements of an array, read page by page while scrolling.

use eframe::egui::Ui;

use super::fields::{Target, plain, value_ui};
use super::paged::Paged;
use crate::ui::theme::fonts;
use crate::ui::widgets::{Column, Table};
use crate::ui::{Pane, Reference, ViewContext};
use heaplens_analysis::object::{ElementRow, elements};
use heaplens_base::Count;
use heaplens_heap::{Heap, ObjectId};
use heaplens_session::JobError;
use heaplens_session::open_dump::pages::PageRow;
use heaplens_tables::clips::object::inside;
use heaplens_tables::export::json::ObjectField;

const COLUMNS: [Column; 3] = [
    Column::words("Index", "Index in the array", 96.0).fixed(9).unsorted(),
    Column::words("Value", "Value of the element", 120.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the object the element refers to were collected", 88.0, 5).unsorted(),
];

/// Elements that were read.
pub type Elements = Paged<ElementRow>;

impl Paged<ElementRow> {
    /// Draws the elements of `object`, an array of `length`.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId, length: u64) {
        self.begin(object);
        let table = Table::new("Elements", &COLUMNS, length).active(context.focus == Pane::Inspector);
        let heap = &context.dump.heap;
        let (pages, mut go) = (&self.pages, None);
        let output = table.show(ui, &mut self.table, |row| {
            let t = row.tokens;
            row.text(0, Count(row.index).to_string(), fonts::mono(), t.field);
            row.name(format!("Element {}", row.index));
            let element = match pages.row(row.index) {
                PageRow::Row(element) => element,
                PageRow::Failed(error) => return row.text(1, error, fonts::text(), t.faint),
                PageRow::Missing | PageRow::Waiting => return row.text(1, "…", fonts::text(), t.faint),
            };
            let unlabelled = element.value.object().filter(|_| element.label.is_none());
            let preview = unlabelled.and_then(|object| context.labels.of(object)).map(str::to_owned);
            let target = Target {
                class: element.class.as_deref(),
                label: element.label.as_deref().or(preview.as_deref()),
                retained: element.retained,
                reference: element.value.object().map(|to| Reference::between(heap, object, to, Some("["))),
            };
            go = value_ui(row, (1, 2), heap, element.value, &target).or(go);
            row.name(format!("[{}] = {}", element.index, plain(element.value, &target)));
        });
        self.pages.read(
            (context.dump, context.jobs),
            "array elements",
            object,
            output.visible,
            |dump, object, range| {
                elements(dump.data(), object, range).map_err(|error| JobError::Failed(error.to_string()))
            },
        );
        let activated = output.activated.and_then(|row| match self.pages.row(row) {
            PageRow::Row(element) => element.value.object(),
            _ => None,
        });
        context.select(go.or(activated));
    }

    /// Reference in the selected element, if any.
    pub fn selected(&self, heap: &Heap) -> Option<Reference> {
        let PageRow::Row(element) = self.pages.row(self.table.cursor()?) else { return None };
        Some(Reference::between(heap, self.of?, element.value.object()?, Some("[")))
    }

    /// Copies the selected elements; without a selection the first ones.
    pub fn copy(&self, context: &mut ViewContext<'_>) {
        let Some(object) = self.of else { return };
        let (range, selected) = self.copied();
        context.copy(move |dump, _| {
            let (heap, contents) = (&*dump.heap, &*dump.contents);
            let rows = elements(dump.data(), object, range.clone()).unwrap_or_default();
            let class = &heap.class(object).name;
            let fields = rows.iter().map(|row| ObjectField::of_element(heap, class, row)).collect();
            let all = selected.or_else(|| contents.array_length(heap, object)).unwrap_or(0);
            Ok(inside(dump, object, range.start, fields).out_of(all, ""))
        });
    }
}
