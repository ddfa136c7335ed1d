//! Columns that only some dumps have: in which of Android's heaps an object is,
//! how much of what it retains lies in each, and what is registered outside.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::dictionary::Dictionary;
use super::table::{Cell, Column, column};
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::parts::Part;
use crate::heap::regions::RegionKind;

/// They stand behind the columns of every dump, at places from here on.
pub const FIRST: usize = 64;

/// One of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Heap,
    Retained(Part),
    Native,
}

const COLUMNS: [(What, Column); 8] = [
    (What::Heap, column("heap", "Heap")),
    (What::Retained(Part::Region(RegionKind::App)), column("retained_app_bytes", "In app")),
    (What::Retained(Part::Region(RegionKind::Zygote)), column("retained_zygote_bytes", "In zygote")),
    (What::Retained(Part::Region(RegionKind::Image)), column("retained_image_bytes", "In image")),
    (What::Retained(Part::Region(RegionKind::Default)), column("retained_default_bytes", "In default")),
    (What::Retained(Part::Region(RegionKind::Other)), column("retained_other_bytes", "In other heaps")),
    (What::Native, column("native_bytes", "Native")),
    (What::Retained(Part::Native), column("retained_native_bytes", "Retained native")),
];

/// The column of a key.
pub fn place_of(key: &str) -> Option<usize> {
    COLUMNS.iter().position(|(_, column)| column.key == key).map(|at| FIRST + at)
}

/// The columns that a dump has something for, with their places. Classes are in no heap.
pub fn columns(from: Dictionary<'_>, of_classes: bool) -> Vec<(usize, Column)> {
    let parts = from.analyzed.parts();
    let is_there = |what: What| match what {
        What::Heap => !of_classes && from.heap.regions().is_some(),
        What::Retained(part) => parts.contains(&part),
        What::Native => parts.contains(&Part::Native),
    };
    let all = (FIRST..).zip(&COLUMNS);
    all.filter(|(_, (what, _))| is_there(*what)).map(|(place, &(_, column))| (place, column)).collect()
}

fn at(place: usize) -> Option<What> {
    COLUMNS.get(place.checked_sub(FIRST)?).map(|&(what, _)| what)
}

/// A cell of an object.
pub fn of_object(heap: &Heap, analyzed: &Analyzed, object: ObjectId, place: usize) -> Cell {
    match at(place) {
        Some(What::Heap) => heap.region_name(object).map_or(Cell::Nothing, |name| Cell::Text(name.to_owned())),
        Some(What::Retained(part)) => Cell::Size(analyzed.retained_part(object, part)),
        Some(What::Native) => Cell::Size(heap.native(object)),
        None => Cell::Nothing,
    }
}

/// A cell of a class.
pub fn of_class(analyzed: &Analyzed, class: ClassId, place: usize) -> Cell {
    match at(place) {
        Some(What::Retained(part)) => Cell::Size(analyzed.class_retained_part(class, part)),
        Some(What::Native) => Cell::Size(analyzed.class_native(class)),
        Some(What::Heap) | None => Cell::Nothing,
    }
}

/// The cells of an object by the keys of their columns, as part of a json object.
#[derive(Debug, Default)]
pub struct Figures(Vec<(&'static str, Cell)>);

impl Figures {
    /// Of an object.
    pub fn of(from: Dictionary<'_>, object: ObjectId) -> Self {
        let cell = |(place, column): (usize, Column)| (column.key, of_object(from.heap, from.analyzed, object, place));
        Self(columns(from, false).into_iter().map(cell).collect())
    }

    /// Heading and value of each.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        let heading = |key: &str| COLUMNS.iter().find(|(_, column)| column.key == key).map_or("", |(_, c)| c.heading);
        self.0.iter().map(move |(key, cell)| (heading(key), cell.for_people()))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (key, cell) in &self.0 {
            map.serialize_entry(key, cell)?;
        }
        map.end()
    }
}
