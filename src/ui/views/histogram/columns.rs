//! Columns of the class table: those of every dump, the change since the baseline, and figures of some formats.

use crate::ui::views::object_columns;
use crate::ui::widgets::table::place_of;
use crate::ui::widgets::{Column, Row};
use heaplens_analysis::histogram::ClassFigures;
use heaplens_base::{Bytes, Count};
use heaplens_core::heap::Figure;
use heaplens_core::heap::snapshot::SYSTEM_DISTANCE;
use heaplens_tables::declared::histogram as column;

const FIGURE: f32 = 84.0;

/// The columns. Columns without data in this dump are hidden but keep their index.
pub(super) const COLUMNS: [Column; 15] = [
    Column::naming(column("class"), 240.0).about("Class name"),
    Column::of(column("objects"), 116.0, 6),
    Column::of(column("shallow_bytes"), 176.0, 7),
    Column::of(column("retained_bytes"), 176.0, 8),
    Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 5),
    Column::numbers("Δ shallow", "Change in shallow size (after − before)", 100.0, 8),
    Column::numbers("Δ retained", "Change in retained size (after − before)", 104.0, 4),
    Column::of(column("retained_app_bytes"), FIGURE, 6),
    Column::of(column("retained_zygote_bytes"), FIGURE, 5),
    Column::of(column("retained_image_bytes"), FIGURE, 4),
    Column::of(column("retained_default_bytes"), FIGURE, 4),
    Column::of(column("retained_other_bytes"), FIGURE, 4).titled("In others"),
    Column::of(column("native_bytes"), FIGURE, 5),
    Column::of(column("retained_native_bytes"), 108.0, 3),
    Column::of(column("distance"), 116.0, 5),
];
pub(super) const OBJECTS: usize = place_of(&COLUMNS, "Objects");
pub(super) const SHALLOW: usize = place_of(&COLUMNS, "Shallow size");
pub(super) const RETAINED: usize = place_of(&COLUMNS, "Retained size");
pub(super) const DELTA_OBJECTS: usize = place_of(&COLUMNS, "Δ objects");
pub(super) const DELTA_SHALLOW: usize = place_of(&COLUMNS, "Δ shallow");
pub(super) const DELTA_RETAINED: usize = place_of(&COLUMNS, "Δ retained");
/// First column of the figures that only some formats have.
pub(super) const FIGURES: usize = place_of(&COLUMNS, "In app");
/// Column of the distance, for formats whose tools show it.
pub(super) const DISTANCE: usize = place_of(&COLUMNS, "Distance");

/// Columns with data.
pub(super) fn columns(complete: bool, compares: bool, figures: &ClassFigures) -> [Column; 15] {
    let mut columns = COLUMNS;
    columns[RETAINED].absent = !complete;
    columns[DELTA_OBJECTS..FIGURES].iter_mut().for_each(|column| column.absent = !compares);
    let mut has_figures = false;
    columns[DISTANCE].absent = !figures.has_distances();
    for (column, figure) in columns[FIGURES..DISTANCE].iter_mut().zip(Figure::ALL) {
        column.absent = !figures.all().any(|there| there == figure);
        has_figures |= !column.absent;
    }
    if compares || has_figures {
        (columns[OBJECTS].width, columns[SHALLOW].width, columns[RETAINED].width) = (88.0, 144.0, 144.0);
    }
    columns
}

pub(super) fn figure_of(column: usize) -> Option<Figure> {
    Figure::ALL.get(column.checked_sub(FIGURES)?).copied()
}

pub(super) fn figure_ui(row: &mut Row<'_>, figure: Figure, bytes: Bytes) {
    let column = FIGURES + figure.place();
    object_columns::figure_ui(row, column, COLUMNS[column].title, bytes);
}

/// Text of a distance: `engine` for objects that only the engine reaches, whose number has no meaning.
pub(in crate::ui::views) fn distance_text(distance: Option<u32>) -> String {
    match distance {
        Some(distance) if distance < SYSTEM_DISTANCE => Count(distance.into()).to_string(),
        Some(_) => "engine".to_owned(),
        None => "–".to_owned(),
    }
}
