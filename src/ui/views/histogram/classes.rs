//! Histogram by class: layout of its columns, drawing of a class, objects of selected classes.

use eframe::egui;

use super::held_by::held_by_ui;
use crate::ui::ViewContext;
use crate::ui::theme::fonts;
use crate::ui::views::object_columns::{exact, figure_ui};
use crate::ui::views::report::{Kind, NamedCells};
use crate::ui::widgets::table::Align;
use crate::ui::widgets::{Column, ObjectName, Row, elided, verdict_mark};
use heaplens_analysis::histogram::objects_of;
use heaplens_base::{ByteDelta, Bytes, Count, Share, Task};
use heaplens_heap::snapshot::SYSTEM_DISTANCE;
use heaplens_heap::{ClassId, Figure};
use heaplens_session::open_dump::selection::{Listing, RowTotals};
use heaplens_session::{LeakRules, OpenDump};
use heaplens_tables::columns::Value;
use heaplens_tables::relations::CLASSES as TABLE;
use heaplens_tables::reports::classes;
use heaplens_tables::{ColumnInfo, RowTarget};

const FIGURE: f32 = 84.0;

const COLUMNS: [Column; 18] = [
    Column::naming(TABLE.column("class"), 240.0).about("Class name"),
    Column::of(TABLE.column("objects"), 116.0, 6),
    Column::of(TABLE.column("shallow_bytes"), 176.0, 7),
    Column::of(TABLE.column("retained_bytes"), 176.0, 8),
    Column::of(classes::change("delta_objects"), 92.0, 5),
    Column::of(classes::change("delta_shallow_bytes"), 100.0, 8),
    Column::of(classes::change("delta_retained_bytes"), 104.0, 4),
    Column::of(TABLE.column("retained_app_bytes"), FIGURE, 6),
    Column::of(TABLE.column("retained_zygote_bytes"), FIGURE, 5),
    Column::of(TABLE.column("retained_image_bytes"), FIGURE, 4),
    Column::of(TABLE.column("retained_default_bytes"), FIGURE, 4),
    Column::of(TABLE.column("retained_other_bytes"), FIGURE, 4).titled("In others"),
    Column::of(TABLE.column("native_bytes"), FIGURE, 5),
    Column::of(TABLE.column("retained_native_bytes"), 108.0, 3),
    Column::of(TABLE.column("distance"), 116.0, 5),
    // The first to go where there is no room for all.
    Column::of(TABLE.column("held_by"), 360.0, 2),
    // The few classes that share a name have their loader beside it.
    Column::of(TABLE.column("loader"), 160.0, 8).drawn_elsewhere(),
    Column::of(TABLE.column("loader_id"), 104.0, 5).drawn_elsewhere(),
];

/// The classes of a dump.
pub(super) const CLASSES: Kind = Kind {
    sorted: Some("shallow_bytes"),
    filter: "Filter by class",
    nothing: ("No objects", "No object is reachable from a GC root"),
    hidden: "main_owner main_owner_bytes owners",
    is_command: true,
    follows_class: true,
    fit,
    draw: Some(|row, context, class| {
        class_ui(row, class, Some(context.rules));
        owners_ui(row, context, class);
    }),
    listing: Some(listing),
    ..Kind::of(&TABLE, &COLUMNS, |dump, task| classes::rows(dump, None, false, task))
};

/// Columns of a dump that is being opened.
pub(super) fn census_columns() -> Vec<ColumnInfo> {
    ["class", "objects", "shallow_bytes"].map(|key| TABLE.column(key)).to_vec()
}

/// Makes room for the columns of a comparison and of Android.
fn fit(columns: &mut [Column]) {
    let is_figure = |column: &Column| Figure::ALL.iter().any(|figure| figure.key() == column.key);
    if columns.iter().any(|column| !column.absent && (column.key == "delta_objects" || is_figure(column))) {
        for column in columns {
            column.width = match column.key {
                "objects" => 88.0,
                "shallow_bytes" | "retained_bytes" => 144.0,
                _ => column.width,
            };
        }
    }
}

/// Draws a class, with the verdict that `rules` have on it.
pub(super) fn class_ui(row: &mut Row<'_>, class: &NamedCells<'_>, rules: Option<&LeakRules>) {
    let (Value::Text(class_name), Some(cell)) = (class.value("class"), row.cell(0)) else { return };
    let objects = objects(class);
    let is_new =
        matches!(class.value("delta_objects"), Value::CountDelta(more) if objects > 0 && more.0 == objects as i64);
    let mut area = cell;
    if is_new {
        let new = elided(row.ui, "new".to_owned(), fonts::small(), row.tokens.grew, cell.width());
        area.max.x = (cell.right() - new.size().x - 8.0).max(cell.left());
        let at = egui::pos2(area.max.x + 8.0, cell.center().y - new.size().y / 2.0);
        row.ui.painter().galley(at, new, row.tokens.grew);
    }
    let verdict = rules.and_then(|rules| rules.of_object(None, class_name));
    let label = verdict.map(|verdict| verdict_mark::paint(row, &mut area, verdict));
    let loader = loader(class);
    let name = ObjectName { class: class_name, label: loader.as_deref(), id: "" };
    let cut = name.paint(row.ui, row.tokens, area);
    for (at, column, value) in class.cells().skip(1) {
        match (column.key, value) {
            ("distance", Value::Count(distance)) => row.number(at, distance_text(u32::try_from(*distance).ok())),
            ("distance", _) => row.number(at, distance_text(None)),
            (_, Value::Null) | ("held_by", _) => {}
            ("shallow_bytes" | "retained_bytes", Value::Bytes(bytes)) => {
                let what = if column.key == "shallow_bytes" { "Shallow" } else { "Retained" };
                row.size_with_bar(at, *bytes, Share::of(*bytes, class.total));
                row.hover_in(at, || exact(what, *bytes));
            }
            (_, Value::CountDelta(more)) => {
                row.delta(at, more.0, more.to_string());
                let before = Count(objects.saturating_add_signed(-more.0));
                row.hover_in(at, || format!("{} in the baseline", before.of("object", "objects")));
            }
            (key, Value::ByteDelta(growth)) => {
                row.delta(at, growth.0, growth.to_string());
                row.hover_in(at, || growth_text(*growth, class.value(key.trim_start_matches("delta_"))));
            }
            (_, Value::Bytes(bytes)) => figure_ui(row, at, column.title, *bytes),
            (_, value) if column.align == Align::Right => row.number(at, value.short()),
            (_, value) => row.text(at, value.short(), fonts::text(), row.tokens.text),
        }
    }
    if cut {
        row.hover_in(0, || &**class_name);
    }
    let judged = label.map(|label| format!(", {}", label.to_lowercase())).unwrap_or_default();
    let loader = loader.map(|loader| format!(" of {loader}")).unwrap_or_default();
    let label = format!("{class_name}{loader} {}{judged}", Count(objects).of("object", "objects"));
    row.name(match (class.value("delta_objects"), class.value("delta_shallow_bytes")) {
        (Value::CountDelta(more), Value::ByteDelta(growth)) => {
            let new = if is_new { ", new" } else { "" };
            format!("{label}{new}, {more} objects, {growth}")
        }
        _ => label,
    });
}

/// Draws the owners of the objects of a class.
fn owners_ui(row: &mut Row<'_>, context: &mut ViewContext<'_>, class: &NamedCells<'_>) {
    let RowTarget::Class(of) = class.target else { return };
    for (at, column, value) in class.cells() {
        if let ("held_by", Value::Text(text)) = (column.key, value) {
            held_by_ui(row, context, (at, of), text);
        }
    }
}

/// Growth of a size to the byte, and the size in the baseline.
fn growth_text(growth: ByteDelta, now: &Value<'_>) -> String {
    let before = if let Value::Bytes(now) = now { now.0.saturating_add_signed(-growth.0) } else { 0 };
    format!("{} bytes; {} in the baseline", growth.exact(), Bytes(before).exact())
}

/// Class and id of the loader, if another loader has a class of its name.
fn loader(class: &NamedCells<'_>) -> Option<String> {
    let parts = ["loader", "loader_id"].map(|key| class.value(key)).into_iter().filter(|value| **value != Value::Null);
    let parts: Vec<String> = parts.map(Value::short).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn objects(class: &NamedCells<'_>) -> u64 {
    if let Value::Count(objects) = class.value("objects") { *objects } else { 0 }
}

/// Objects of several classes.
fn listing(dump: &OpenDump, selected: &[NamedCells<'_>]) -> Listing {
    let count = selected.iter().map(objects).sum();
    let shallow = selected.iter().filter_map(|class| match class.value("shallow_bytes") {
        Value::Bytes(bytes) => Some(*bytes),
        _ => None,
    });
    let together = RowTotals::Classes(selected.len() as u64, count, shallow.sum());
    let class = |row: &NamedCells<'_>| if let RowTarget::Class(class) = row.target { Some(class) } else { None };
    let (classes, dump): (Vec<ClassId>, _) = (selected.iter().filter_map(class).collect(), dump.clone());
    let list = move |task: &Task| {
        let mut objects = Vec::new();
        for class in classes {
            objects.append(&mut objects_of(dump.data(), class, task)?);
        }
        Ok(objects)
    };
    Listing::of_rows(together, Box::new(list))
}

/// Text of a distance: `engine` for objects that only the engine reaches, whose number has no meaning.
pub(in crate::ui::views) fn distance_text(distance: Option<u32>) -> String {
    match distance {
        Some(distance) if distance < SYSTEM_DISTANCE => Count(distance.into()).to_string(),
        Some(_) => "engine".to_owned(),
        None => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ui::controllers::TableController;
    use crate::ui::views::report::ReportRows;
    use heaplens_tables::reports::rows::Rows;
    use heaplens_tables::{Classes, Table, TableContext};

    /// Values, order and conditions of each column are those of the table that is exported.
    #[test]
    fn the_window_sorts_and_filters_as_the_command_does() {
        for fixture in ["leak-after.hprof.gz", "android/album.hprof.gz", "node/desk-final.heapsnapshot.gz"] {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture);
            let (dump, task) = (heaplens_dump::open(path).expect("a dump"), Task::new());
            let context = TableContext::of(&dump);
            let histogram = Classes::of(context, None, true, &task).expect("classes");
            let keys = |table: &[ColumnInfo]| CLASSES.columns_of(table).iter().map(|column| column.key).collect();
            let mut rows = ReportRows::new(&CLASSES);
            rows.reachable = dump.analysis.shown.shallow;
            let table = Classes::of(context, None, true, &task).expect("classes");
            rows.put(&CLASSES, Arc::new(classes::of_table(table, 0).read(context, keys)));
            let mut table = TableController::sorted(CLASSES.initial_sort());
            let columns = rows.columns.clone();
            for (at, Column { key, align, .. }) in columns.iter().enumerate().filter(|(_, column)| !column.absent) {
                let index = histogram.column(key).expect(key);
                for row in 0..histogram.count() {
                    let shown = rows.rows.as_ref().map(|rows: &Arc<Rows>| &rows.values(row)[at]);
                    assert_eq!(shown, Some(&histogram.cell(context, row, index)), "{fixture}: {key}");
                }
                let filters = [String::new(), format!("{key}>100 a")];
                let filters = &filters[..if *align == Align::Right { 2 } else { 1 }];
                for (filter, descending) in filters.iter().flat_map(|filter| [(filter, false), (filter, true)]) {
                    table.filter.set(filter);
                    table.sort = Some((at, descending));
                    table.set_stale();
                    rows.order_rows(&mut table);
                    let query = rows.query_of_all(&table).expect("a query");
                    let expected = histogram.ordered_rows(context, &query.rows, &task).expect("rows").rows;
                    let expected: Vec<usize> = expected.map(|row| row as usize).collect();
                    assert!(*rows.shown == expected, "{fixture}: {key}, descending: {descending}, filter: {filter}");
                }
            }
        }
    }
}
