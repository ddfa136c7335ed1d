//! Columns of some dumps only: Android heap of an object, its retained size per heap, and registered native bytes.

use serde::ser::{Serialize, Serializer};

use crate::TableContext;
use crate::columns::{Cell, Column, Condition, GetterAt, Heading, Record, heading};
use heaplens_base::Bytes;
use heaplens_core::heap::{Figure, ObjectId};

/// Android heap of an object.
pub const HEAP: Heading =
    heading("heap", "Heap", "Android heap that contains the object: app, zygote or image").when(Condition::Heaps);

/// Headings of the figures, in the order of [`Figure::ALL`].
pub const FIGURES: [Heading; 7] = [
    of_figure(0, "In app", "Part of the retained size in the app heap"),
    of_figure(1, "In zygote", "Part of the retained size in the zygote heap"),
    of_figure(2, "In image", "Part of the retained size in the boot image"),
    of_figure(3, "In default", "Part of the retained size in the default heap"),
    of_figure(4, "In other heaps", "Part of the retained size in other heaps"),
    of_figure(5, "Native", "Registered native memory that the objects themselves own"),
    of_figure(6, "Retained native", "Registered native memory of all objects in the retained set"),
];

const fn of_figure(nth: usize, title: &'static str, about: &'static str) -> Heading {
    let figure = Figure::ALL[nth];
    heading(figure.key(), title, about).when(Condition::Figure(figure))
}

/// Columns of the figures, read by one getter from their index in [`Figure::ALL`].
pub(crate) const fn figures<K: Record>(get: GetterAt<K, Bytes>) -> [Column<K>; 7] {
    [
        FIGURES[0].bytes_at(0, get),
        FIGURES[1].bytes_at(1, get),
        FIGURES[2].bytes_at(2, get),
        FIGURES[3].bytes_at(3, get),
        FIGURES[4].bytes_at(4, get),
        FIGURES[5].bytes_at(5, get),
        FIGURES[6].bytes_at(6, get),
    ]
}

/// Columns of a row that is an object.
pub(crate) const OBJECT: [&[Column<ObjectId>]; 2] = [
    &[HEAP.text(|object, from| from.heap.region_name(object).map(Into::into))],
    &figures::<ObjectId>(|object, from, nth| Some(from.analysis.figure(from.heap, object, Figure::ALL[nth]))),
];

/// Columns of an object that the dump has.
pub fn columns(from: TableContext<'_>) -> Vec<&'static Column<ObjectId>> {
    OBJECT.into_iter().flatten().filter(|column| column.heading.when.holds(from)).collect()
}

/// Cells of an object by column key, as part of a JSON object.
#[derive(Debug, Default)]
pub struct Figures(Vec<(Heading, Cell)>);

impl Figures {
    /// Reads the cells of an object.
    pub fn of(from: TableContext<'_>, object: ObjectId) -> Self {
        Self(columns(from).into_iter().map(|column| (column.heading, column.cell(object, from))).collect())
    }

    /// Heading and text of each cell.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|(column, cell)| (column.title, cell.for_people()))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(column, cell)| (column.key, cell)))
    }
}
