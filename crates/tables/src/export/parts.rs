//! Columns of some dumps only: Android heap of an object, its retained size per heap, and registered native bytes.

use serde::ser::{Serialize, Serializer};

use crate::TableContext;
use crate::columns::{Column, Condition, GetterAt, Heading, Record, Value, heading};
use heaplens_base::Bytes;
use heaplens_heap::{Figure, ObjectId};

/// Android heap of an object.
pub const HEAP: Heading =
    heading("heap", "Heap", "Android heap that contains the object: app, zygote or image").when(Condition::Heaps);

/// Columns of the figures, read by one getter from their index in [`Figure::ALL`].
pub(crate) const fn figures<K: Record>(get: GetterAt<K, Bytes>) -> [Column<K>; 7] {
    [
        figure(0, "In app", "Part of the retained size in the app heap", get),
        figure(1, "In zygote", "Part of the retained size in the zygote heap", get),
        figure(2, "In image", "Part of the retained size in the boot image", get),
        figure(3, "In default", "Part of the retained size in the default heap", get),
        figure(4, "In other heaps", "Part of the retained size in other heaps", get),
        figure(5, "Native", "Native memory that the objects themselves own", get),
        figure(6, "Retained native", "Native memory of all objects in the retained set", get),
    ]
}

const fn figure<K: Record>(nth: usize, title: &'static str, about: &'static str, get: GetterAt<K, Bytes>) -> Column<K> {
    let figure = Figure::ALL[nth];
    heading(figure.key(), title, about).when(Condition::Figure(figure)).bytes_at(nth, get)
}

/// Columns of a row that is an object.
pub const OBJECT: [&[Column<ObjectId>]; 2] = [
    &[HEAP.text(|object, dump| dump.heap.region_name(object).map(Into::into))],
    &figures::<ObjectId>(|object, dump, nth| Some(dump.analysis.figure(dump.heap, object, Figure::ALL[nth]))),
];

/// Columns of an object that the dump has.
pub fn columns(dump: TableContext<'_>) -> Vec<&'static Column<ObjectId>> {
    OBJECT.into_iter().flatten().filter(|column| column.heading.when.holds(dump)).collect()
}

/// Figures of an object by key and title, as part of a JSON object.
#[derive(Debug, Default)]
pub struct Figures(pub Vec<(&'static str, &'static str, Value<'static>)>);

impl Figures {
    /// Reads the cells of an object.
    pub fn of(dump: TableContext<'_>, object: ObjectId) -> Self {
        let figure = |column: &Column<ObjectId>| {
            (column.heading.key, column.heading.title, column.cell(object, dump).into_static())
        };
        Self(columns(dump).into_iter().map(figure).collect())
    }

    /// Title and text of each.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|(_, title, cell)| (*title, cell.exact()))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, _, cell)| (key, cell)))
    }
}
