//! Columns of the class table: those of every dump, the change since the baseline, and figures of some formats.

use crate::ui::views::object_columns;
use crate::ui::widgets::table::{Column, Row};
use heaplens_analysis::histogram::ClassFigures;
use heaplens_base::units::{Bytes, Count};
use heaplens_core::heap::figures::Figure;
use heaplens_core::heap::snapshot::SYSTEM_DISTANCE;

const NAME: Column = Column::words("Class", "Class name", 240.0);
const OBJECTS: Column = Column::numbers("Objects", "Number of objects of the class", 116.0, 6);
const SHALLOW: Column = Column::numbers("Shallow size", "Total bytes of the objects of the class themselves", 176.0, 7);
const RETAINED: Column = Column::numbers(
    "Retained size",
    "Bytes freed if all objects of the class were collected; each byte counted once",
    176.0,
    8,
);
const FIGURE: f32 = 84.0;
/// The columns. Columns without data in this dump are hidden but keep their index.
pub(super) const COLUMNS: [Column; 15] = [
    NAME,
    OBJECTS,
    SHALLOW,
    RETAINED,
    Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 5),
    Column::numbers("Δ shallow", "Change in shallow size (after − before)", 100.0, 8),
    Column::numbers("Δ retained", "Change in retained size (after − before)", 104.0, 4),
    Column::numbers("In app", "Retained size in the app heap (objects the application allocated)", FIGURE, 6),
    Column::numbers("In zygote", "Retained size in the zygote heap (objects shared by all Android apps)", FIGURE, 5),
    Column::numbers("In image", "Retained size in the boot image (preloaded framework objects)", FIGURE, 4),
    Column::numbers("In default", "Retained size in the default heap", FIGURE, 4),
    Column::numbers("In others", "Retained size in other heaps", FIGURE, 4),
    Column::numbers("Native", "Native memory (outside the heap) registered to objects of the class", FIGURE, 5),
    Column::numbers(
        "Retained native",
        "Native memory (outside the heap) registered to all objects in the retained set",
        108.0,
        3,
    ),
    Column::numbers("Distance", "References on the shortest path from a GC root to any object of the class", 116.0, 5),
];
pub(super) const DELTA_OBJECTS: usize = 4;
pub(super) const DELTA_SHALLOW: usize = 5;
pub(super) const DELTA_RETAINED: usize = 6;
/// First column of the figures that only some formats have.
pub(super) const FIGURES: usize = 7;

/// Column of the distance, for formats whose tools show it.
pub(super) const DISTANCE: usize = 14;

/// Columns with data.
pub(super) fn columns(complete: bool, compares: bool, figures: &ClassFigures) -> [Column; 15] {
    let mut columns = COLUMNS;
    columns[3].absent = !complete;
    columns[DELTA_OBJECTS..FIGURES].iter_mut().for_each(|column| column.absent = !compares);
    let mut has_figures = false;
    columns[DISTANCE].absent = !figures.has_distances();
    for (column, figure) in columns[FIGURES..DISTANCE].iter_mut().zip(Figure::ALL) {
        column.absent = !figures.all().any(|there| there == figure);
        has_figures |= !column.absent;
    }
    if compares || has_figures {
        (columns[1].width, columns[2].width, columns[3].width) = (88.0, 144.0, 144.0);
    }
    columns
}

/// Figure in a column.
pub(super) fn figure_of(column: usize) -> Option<Figure> {
    Figure::ALL.get(column.checked_sub(FIGURES)?).copied()
}

/// Draws a figure.
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
