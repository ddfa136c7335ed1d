//! Entries of a collection: keys with values, or elements, without its internal nodes and tables. Read page by page.

use eframe::egui::{self, Id, Rect, Role, Sense, Ui, vec2};

use super::fields::{Target, plain, value_ui};
use super::paged::Paged;
use crate::ui::theme::fonts;
use crate::ui::widgets::fitting::fitted_line_ui;
use crate::ui::widgets::{Column, Row, Table, object_menu};
use crate::ui::{Pane, ViewContext};
use heaplens_analysis::diff::entries::literal;
use heaplens_analysis::object::{ElementRow, EntryRow, entries};
use heaplens_base::Count;
use heaplens_heap::{LogicalKind, ObjectId};
use heaplens_session::open_dump::pages::PageRow;
use heaplens_tables::clips;
use heaplens_tables::reports::elide::UsualCut;

const MAP: [Column; 3] = [
    Column::words("Key", "Key of the entry", 156.0).fixed(9).unsorted(),
    Column::words("Value", "Value of the entry", 100.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the value were collected", 80.0, 5).unsorted(),
];
const LIST: [Column; 3] = [
    Column::words("Index", "Index in the collection", 84.0).fixed(9).unsorted(),
    Column::words("Element", "Element at this index", 120.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the element were collected", 88.0, 5).unsorted(),
];

/// An entry, and its key in the notation of the list of changes if it is a string or a boxed value.
pub struct KeyedEntry {
    entry: EntryRow,
    key: Option<String>,
}

/// Entries that were read.
pub type Entries = Paged<KeyedEntry>;

impl Paged<KeyedEntry> {
    /// Draws the entries of `object`, a collection of a kind and size.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId, of: (LogicalKind, u64)) {
        let (kind, size) = of;
        self.begin(object);
        let table = Table::new("Entries", if kind == LogicalKind::Map { &MAP } else { &LIST }, size)
            .active(context.focus == Pane::Inspector);
        let heap = &context.dump.heap;
        let (pages, mut go) = (&self.pages, None);
        let output = table.show(ui, &mut self.table, |row| {
            let t = row.tokens;
            row.name(format!("Entry {}", row.index));
            let KeyedEntry { entry, key: literal } = match pages.row(row.index) {
                PageRow::Row(entry) => entry,
                PageRow::Failed(error) => return row.text(1, error, fonts::text(), t.faint),
                // A damaged dump may have fewer entries than declared.
                PageRow::Missing => return row.text(1, "missing", fonts::text(), t.faint),
                PageRow::Waiting => return row.text(1, "…", fonts::text(), t.faint),
            };
            let key = match (&entry.key, literal) {
                (Some(key), Some(literal)) => {
                    go = key.value.object().filter(|&object| key_ui(row, literal, object)).or(go);
                    literal.clone()
                }
                (Some(key), None) => {
                    // The retained size is that of the value.
                    let target = Target { retained: None, ..target(key) };
                    go = value_ui(row, (0, 2), heap, key.value, &target).or(go);
                    plain(key.value, &target)
                }
                (None, _) => {
                    row.text(0, Count(row.index).to_string(), fonts::mono(), t.field);
                    format!("[{}]", row.index)
                }
            };
            let target = target(&entry.value);
            go = value_ui(row, (1, 2), heap, entry.value.value, &target).or(go);
            row.name(format!("{key} → {}", plain(entry.value.value, &target)));
        });
        self.pages.read(
            (context.dump, context.jobs),
            "entries of a collection",
            object,
            output.visible,
            |dump, object, range| {
                let keyed = |entry: EntryRow| {
                    let key = entry.key.as_ref().and_then(|key| literal(dump.data(), key.value.object()?));
                    KeyedEntry { entry, key }
                };
                Ok(entries(dump.data(), object, range).into_iter().map(keyed).collect())
            },
        );
        context.select(go);
    }

    /// Copies the selected entries; without a selection the first ones.
    pub fn copy(&self, context: &mut ViewContext<'_>) {
        let Some(object) = self.of else { return };
        let (range, selected) = self.copied();
        context.copy(move |dump, _| clips::object::entries(dump, object, range, selected));
    }
}

/// Draws the text of a key as a link; true if it was clicked.
fn key_ui(row: &mut Row<'_>, text: &str, object: ObjectId) -> bool {
    let Some(cell) = row.cell(0) else { return false };
    let t = row.tokens;
    let text_and_cut = (text, UsualCut::End);
    let (galley, cut) = fitted_line_ui(row.ui, "keys", cell, text_and_cut, (fonts::mono(), t.field));
    let area = Rect::from_min_size(cell.min, vec2(galley.size().x.min(cell.width()), cell.height()));
    let response = row.ui.interact(area, Id::unique(("key", row.ui.scope_id(), row.index)), Sense::CLICK);
    if response.hovered() {
        row.ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        row.ui.painter().hline(area.x_range(), cell.center().y + galley.size().y / 2.0, (1.0, t.accent));
    }
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Link, true, text));
    let response = if cut { response.on_hover_text(text) } else { response };
    object_menu::of(&response, object);
    response.clicked()
}

fn target(side: &ElementRow) -> Target<'_> {
    Target { class: side.class.as_deref(), label: side.label.as_deref(), retained: side.retained, reference: None }
}
