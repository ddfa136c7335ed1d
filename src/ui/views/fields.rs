//! Fields of the selected object, or static fields of a class, with values.

use eframe::egui::{self, Id, Rect, Ui};

use super::baseline_object::{BaselineField, MatchedObject};
use super::object_columns::exact;
use crate::ui::theme::{Icon, fonts};
use crate::ui::widgets::fitting::fitted_line_ui;
use crate::ui::widgets::{Column, ObjectName, Row, Table, TableState, elided, line_ui, object_menu, waiting};
use crate::ui::{Pane, Reference, ViewContext};
use heaplens_analysis::ObjectDetails;
use heaplens_analysis::object::FieldRow;
use heaplens_base::Bytes;
use heaplens_heap::{Heap, ObjectId, Value, split_class};
use heaplens_tables::clips::object::inside;
use heaplens_tables::export::json::ObjectField;
use heaplens_tables::reports::elide::UsualCut;

const COLUMNS: [Column; 3] = [
    Column::words("Field", "Name and declared type", 124.0).fixed(9).unsorted(),
    Column::words("Value", "Value of the field", 120.0).unsorted(),
    Column::numbers("Retained", "Bytes freed if the object the field refers to were collected", 80.0, 5).unsorted(),
];

/// Columns with the baseline values.
const COMPARED: [Column; 4] = [
    Column::words("Field", "Name and declared type", 118.0).fixed(9).unsorted(),
    Column::words("Value", "Value of the field, marked if it differs from the baseline", 96.0).unsorted(),
    Column::words("Before", "Value of the field in the baseline", 112.0).fixed(8).unsorted(),
    Column::numbers("Retained", "Bytes freed if the object the field refers to were collected", 80.0, 5).unsorted(),
];

/// Draws the fields, with their baseline values if known.
pub fn ui(
    ui: &mut Ui,
    context: &mut ViewContext<'_>,
    state: &mut TableState,
    details: &ObjectDetails,
    both: Option<&MatchedObject>,
) {
    let area = ui.available_rect_before_wrap();
    let statics = details.stands_for.is_some();
    if details.fields.is_empty() {
        return waiting::empty_ui(ui, area, Icon::File, if statics { "No statics" } else { "No fields" }, "");
    }
    let table = Table::new(
        if statics { "Statics" } else { "Fields" },
        if both.is_some() { &COMPARED } else { &COLUMNS },
        details.fields.len() as u64,
    )
    .active(context.focus == Pane::Inspector);
    let heap = &context.dump.heap;
    let mut go = None;
    let output = table.show(ui, state, |row| {
        let Some(field) = details.fields.get(row.index as usize) else { return };
        let name_area = name_ui(row, field);
        let to = field.field.value.object();
        if to.is_some_and(|to| context.is_removed(details.object, to, Some(&field.name))) {
            name_area.into_iter().for_each(|area| row.strike(area));
        }
        let unlabelled = field.field.value.object().filter(|_| field.label.is_none());
        let preview = unlabelled.and_then(|object| context.labels.of(object)).map(str::to_owned);
        let target = Target {
            class: field.class.as_deref(),
            label: field.label.as_deref().or(preview.as_deref()),
            retained: field.retained,
            reference: reference_of(heap, details.object, field),
        };
        let retained = if both.is_some() { 3 } else { 2 };
        go = value_ui(row, (1, retained), heap, field.field.value, &target).or(go);
        let text = format!("{} = {}", field.name, plain(field.field.value, &target));
        match both.map(|both| both.fields.get(row.index as usize).and_then(Option::as_ref)) {
            Some(Some(before)) => {
                let was = before_ui(row, before);
                row.name(was.map_or(text.clone(), |was| format!("{text}, baseline: {was}")));
            }
            Some(None) => {
                row.text(2, "field missing", fonts::text(), row.tokens.faint);
                row.name(text);
            }
            None => row.name(text),
        }
    });
    let activated = output.activated.and_then(|row| details.fields.get(row as usize)?.field.value.object());
    context.select(go.or(activated));
}

/// Draws the baseline value of a field; returns it as text if it, or the object it refers to, has changed.
fn before_ui(row: &mut Row<'_>, before: &BaselineField) -> Option<String> {
    let t = row.tokens;
    let was = &before.row;
    let target = Target { class: was.class.as_deref(), label: was.label.as_deref(), ..Target::default() };
    let text = plain(was.field.value, &target);
    let width = row.cell(2).map_or(0.0, |cell| cell.width());
    let inside = before.inside.short(|text| !elided(row.ui, text.to_owned(), fonts::text(), t.text, width).elided);
    if !before.changed && inside.is_none() {
        row.text(2, if before.is_compared { "same" } else { "not compared" }, fonts::text(), t.faint);
        return None;
    }
    if let Some(cell) = row.cell(1) {
        // A mark at a changed value, visible also with colour blindness.
        let mark = Rect::from_min_size(egui::pos2(cell.left() - 8.0, cell.center().y - 7.0), egui::vec2(3.0, 14.0));
        row.ui.painter().rect_filled(mark, 1.5, t.grew);
    }
    if let Some(inside) = inside {
        let words = before.inside.long();
        row.text(2, inside, fonts::text(), t.text);
        row.hover_in(2, || words.clone());
        return Some(words);
    }
    let simple = match (was.field.value, was.class.as_deref()) {
        (Value::Object(_), Some(class)) => {
            let id = before.id.clone().unwrap_or_default();
            let name = split_class(class).1;
            was.label.as_ref().map_or_else(|| format!("{name} {id}"), |label| format!("{name} {label}"))
        }
        _ => text.clone(),
    };
    row.text(2, simple, fonts::text(), t.text);
    row.hover_in(2, || format!("Baseline: {text} {}", before.id.as_deref().unwrap_or_default()));
    Some(text)
}

fn reference_of(heap: &Heap, object: ObjectId, field: &FieldRow) -> Option<Reference> {
    let to = field.field.value.object()?;
    Some(Reference::between(heap, object, to, Some(&field.name)))
}

/// Reference in the selected field, if any.
pub fn selected(heap: &Heap, state: &TableState, details: &ObjectDetails) -> Option<Reference> {
    reference_of(heap, details.object, details.fields.get(state.cursor()? as usize)?)
}

/// Copies the selected fields; without a selection all of them.
pub fn copy(context: &mut ViewContext<'_>, state: &TableState, details: &ObjectDetails) {
    let all = 0..=(details.fields.len() as u64).saturating_sub(1);
    let range = state.selection().unwrap_or(all);
    let rows = details.fields.iter().skip(*range.start() as usize);
    let rows: Vec<FieldRow> = rows.take((range.end() - range.start() + 1) as usize).cloned().collect();
    let (object, first) = (details.object, *range.start());
    context.copy(move |dump, _| {
        let fields = rows.iter().map(|row| ObjectField::of_field(&dump.heap, row)).collect();
        Ok(inside(dump, object, first, fields))
    });
}

/// Draws the name of a field and its type; returns the area of the name.
fn name_ui(row: &mut Row<'_>, field: &FieldRow) -> Option<Rect> {
    let cell = row.cell(0)?;
    let t = row.tokens;
    let shown = field.source_name.as_ref().unwrap_or(&field.name);
    let text = (&**shown, UsualCut::Middle);
    let name = fitted_line_ui(row.ui, "fields", cell, text, (fonts::text(), t.field)).0;
    let name_width = name.size().x;
    let end = cell.left() + name_width + 8.0;
    let area = cell.with_min_x(end.min(cell.right())).translate(egui::vec2(0.0, 0.5));
    // A type that is cut says less than none.
    let declared = elided(row.ui, field.field.type_name.to_owned(), fonts::small(), t.faint, f32::INFINITY);
    if declared.size().x <= area.width() {
        line_ui(row.ui, area, field.field.type_name, fonts::small(), t.faint);
    }
    let kind = if field.field.is_static { "static " } else { "" };
    let (ty, name, class) = (field.field.type_name, &field.field.name, &field.field.declared_by);
    row.hover_in(0, || format!("{kind}{ty} {name}\ndeclared by {class}"));
    Some(cell.with_max_x(cell.left() + name_width))
}

/// Object that a value refers to, as far as known.
#[derive(Default)]
pub struct Target<'a> {
    /// Its class.
    pub class: Option<&'a str>,
    /// Its label.
    pub label: Option<&'a str>,
    /// Its retained size.
    pub retained: Option<Bytes>,
    /// Reference in the value, as the target of a cut.
    pub reference: Option<Reference>,
}

/// A value as plain text.
pub fn plain(value: Value, target: &Target<'_>) -> String {
    match (value, target.class) {
        (Value::Object(_), Some(class)) => ObjectName { class, label: target.label, id: "" }.plain(),
        _ => value.to_string(),
    }
}

/// Draws a value into one column and its retained size into another; returns the object if its link was clicked.
pub fn value_ui(
    row: &mut Row<'_>,
    (column, retained): (usize, usize),
    heap: &Heap,
    value: Value,
    target: &Target<'_>,
) -> Option<ObjectId> {
    let cell = row.cell(column)?;
    let t = row.tokens;
    if let Some(bytes) = target.retained {
        row.small_size(retained, bytes);
        row.hover_in(retained, || exact("Retained", bytes));
    }
    match (value, target.class) {
        (Value::Object(object), Some(class)) => {
            let name = ObjectName { class, label: target.label, id: &heap.id_text(object) };
            let salt = Id::unique(("link", row.ui.scope_id(), row.index, column));
            let response = name.as_value().link_ui(row.ui, cell, salt);
            object_menu::of_reference(&response, object, target.reference.as_ref());
            response.clicked().then_some(object)
        }
        _ => {
            let (font, color) = match value {
                Value::Null => (fonts::mono(), t.faint),
                Value::Unavailable => (fonts::text(), t.faint),
                Value::Dangling(_) => (fonts::mono(), t.warn),
                _ => (fonts::mono(), t.text),
            };
            row.text(column, value.to_string(), font, color);
            None
        }
    }
}
