//! Columns of the class table: those that the histogram declares, and the change since the baseline. Values, order and
//! conditions are read by key from the declaration; here are widths, and what is drawn with a bar.

use crate::ui::widgets::Column;
use crate::ui::widgets::table::{place_of, place_of_key};
use heaplens_analysis::diff::Change;
use heaplens_base::Count;
use heaplens_heap::Figure;
use heaplens_heap::snapshot::SYSTEM_DISTANCE;
use heaplens_tables::columns::Value;
use heaplens_tables::relations::CLASSES;

const FIGURE: f32 = 84.0;
/// Number of columns.
pub(super) const COUNT: usize = 17;

/// The columns. Columns without data in this dump are hidden but keep their index. Those without a key are not of the
/// histogram.
pub(super) const COLUMNS: [Column; COUNT] = [
    Column::naming(CLASSES.column("class"), 240.0).about("Class name"),
    Column::of(CLASSES.column("objects"), 116.0, 6),
    Column::of(CLASSES.column("shallow_bytes"), 176.0, 7),
    Column::of(CLASSES.column("retained_bytes"), 176.0, 8),
    Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 5),
    Column::numbers("Δ shallow", "Change in shallow size (after − before)", 100.0, 8),
    Column::numbers("Δ retained", "Change in retained size (after − before)", 104.0, 4),
    Column::of(CLASSES.column("retained_app_bytes"), FIGURE, 6),
    Column::of(CLASSES.column("retained_zygote_bytes"), FIGURE, 5),
    Column::of(CLASSES.column("retained_image_bytes"), FIGURE, 4),
    Column::of(CLASSES.column("retained_default_bytes"), FIGURE, 4),
    Column::of(CLASSES.column("retained_other_bytes"), FIGURE, 4).titled("In others"),
    Column::of(CLASSES.column("native_bytes"), FIGURE, 5),
    Column::of(CLASSES.column("retained_native_bytes"), 108.0, 3),
    Column::of(CLASSES.column("distance"), 116.0, 5),
    Column::of(CLASSES.column("loader"), 160.0, 8),
    Column::of(CLASSES.column("loader_id"), 104.0, 5),
];
pub(super) const OBJECTS: usize = place_of_key(&COLUMNS, "objects");
pub(super) const SHALLOW: usize = place_of_key(&COLUMNS, "shallow_bytes");
pub(super) const RETAINED: usize = place_of_key(&COLUMNS, "retained_bytes");
/// Column of the distance, for formats whose tools show it.
pub(super) const DISTANCE: usize = place_of_key(&COLUMNS, "distance");
/// Columns of the loader, where classes share a name.
pub(super) const LOADER: usize = place_of_key(&COLUMNS, "loader");
pub(super) const LOADER_ID: usize = place_of_key(&COLUMNS, "loader_id");
pub(super) const DELTA_OBJECTS: usize = place_of(&COLUMNS, "Δ objects");
pub(super) const DELTA_SHALLOW: usize = place_of(&COLUMNS, "Δ shallow");
pub(super) const DELTA_RETAINED: usize = place_of(&COLUMNS, "Δ retained");
/// Keys of the columns that the table has while a dump is being opened.
pub(super) const CENSUS: [&str; 3] = ["class", "objects", "shallow_bytes"];

/// Columns with data: those of the histogram with these keys, and the changes in a comparison.
pub(super) fn columns(compares: bool, keys: &[&str]) -> [Column; COUNT] {
    let mut columns = COLUMNS;
    for (at, column) in columns.iter_mut().enumerate() {
        // The few classes that share a name have their loader beside it.
        let is_beside_name = matches!(at, LOADER | LOADER_ID);
        column.absent = if is_delta(at) { !compares } else { is_beside_name || !keys.contains(&column.key) };
    }
    if compares || Figure::ALL.iter().any(|figure| keys.contains(&figure.key())) {
        (columns[OBJECTS].width, columns[SHALLOW].width, columns[RETAINED].width) = (88.0, 144.0, 144.0);
    }
    columns
}

/// True for columns of a comparison.
pub(super) fn is_delta(column: usize) -> bool {
    matches!(column, DELTA_OBJECTS | DELTA_SHALLOW | DELTA_RETAINED)
}

/// Key of a column in conditions on numbers.
pub(super) fn condition_key(column: usize) -> &'static str {
    match column {
        DELTA_OBJECTS => "delta_objects",
        DELTA_SHALLOW => "delta_shallow_bytes",
        DELTA_RETAINED => "delta_retained_bytes",
        _ => COLUMNS.get(column).map_or("", |column| column.key),
    }
}

/// Value of a column of a comparison; nothing where the baseline is not known.
pub(super) fn delta_cell(column: usize, change: Option<Change>) -> Value<'static> {
    match (change, column) {
        (Some(change), DELTA_OBJECTS) => Value::CountDelta(change.objects()),
        (Some(change), DELTA_SHALLOW) => Value::ByteDelta(change.shallow()),
        (Some(change), DELTA_RETAINED) => Value::ByteDelta(change.retained()),
        _ => Value::Null,
    }
}

/// Text of a distance: `engine` for objects that only the engine reaches, whose number has no meaning.
pub(in crate::ui::views) fn distance_text(distance: Option<u32>) -> String {
    match distance {
        Some(distance) if distance < SYSTEM_DISTANCE => Count(distance.into()).to_string(),
        Some(_) => "engine".to_owned(),
        None => "–".to_owned(),
    }
}
