//! The columns of the table of classes: those of every dump, how much more than
//! before, and figures that only some dumps have.

use crate::analysis::histogram::ClassFigures;
use crate::heap::figures::Figure;
use crate::heap::snapshot::SYSTEM_DISTANCE;
use crate::ui::views::object_columns;
use crate::ui::widgets::table::{Column, Row};
use crate::units::{Bytes, Count};

const NAME: Column = Column::words("Class", "Class name", 240.0);
const OBJECTS: Column = Column::numbers("Objects", "How many objects of the class there are", 116.0, 6);
const SHALLOW: Column = Column::numbers("Shallow size", "Bytes its objects take by themselves, together", 176.0, 7);
const RETAINED: Column =
    Column::numbers("Retained size", "Bytes its objects keep alive together, each byte once", 176.0, 8);
const FIGURE: f32 = 84.0;
/// The columns. Places are kept by those that a dump has nothing for.
pub(super) const COLUMNS: [Column; 15] = [
    NAME,
    OBJECTS,
    SHALLOW,
    RETAINED,
    Column::numbers("Δ objects", "Objects more than before", 92.0, 5),
    Column::numbers("Δ shallow", "Bytes more than before that its objects take by themselves", 100.0, 8),
    Column::numbers("Δ retained", "Bytes more than before that its objects keep alive", 104.0, 4),
    Column::numbers("In app", "Bytes of what its objects retain that are in the app heap", FIGURE, 6),
    Column::numbers("In zygote", "Bytes of what its objects retain that are in the zygote heap", FIGURE, 5),
    Column::numbers("In image", "Bytes of what its objects retain that are in the boot image", FIGURE, 4),
    Column::numbers("In default", "Bytes of what its objects retain that the dump puts into no heap", FIGURE, 4),
    Column::numbers("In others", "Bytes of what its objects retain that are in other heaps", FIGURE, 4),
    Column::numbers("Native", "Bytes outside the heap that its objects own, as registered", FIGURE, 5),
    Column::numbers(
        "Retained native",
        "Bytes outside the heap that what its objects retain owns, as registered",
        108.0,
        3,
    ),
    Column::numbers("Distance", "References from the nearest root of the program to the nearest object", 116.0, 5),
];
pub(super) const DELTA_OBJECTS: usize = 4;
pub(super) const DELTA_SHALLOW: usize = 5;
pub(super) const DELTA_RETAINED: usize = 6;
/// The first column of the figures that only some dumps have.
pub(super) const FIGURES: usize = 7;

/// How far the nearest object of a class is, where the format's tools show that.
pub(super) const DISTANCE: usize = 14;

/// The columns that a table has something for.
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

/// The figure of a column.
pub(super) fn figure_of(column: usize) -> Option<Figure> {
    Figure::ALL.get(column.checked_sub(FIGURES)?).copied()
}

/// Writes a figure.
pub(super) fn figure_ui(row: &mut Row<'_>, figure: Figure, bytes: Bytes) {
    let column = FIGURES + figure.place();
    object_columns::figure_ui(row, column, COLUMNS[column].title, bytes);
}

/// A distance as it is written: of what only the engine reaches no number, which would say nothing.
pub(in crate::ui::views) fn distance_text(distance: Option<u32>) -> String {
    match distance {
        Some(distance) if distance < SYSTEM_DISTANCE => Count(distance.into()).to_string(),
        Some(_) => "engine".to_owned(),
        None => "–".to_owned(),
    }
}
