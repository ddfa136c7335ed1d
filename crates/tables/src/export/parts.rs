//! Columns of some dumps only: Android heap of an object,
//! its retained size per heap, and registered native bytes.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::table::{Cell, Column, column_with_help};
use super::table_context::TableContext;
use heaplens_analysis::histogram::ClassFigures;
use heaplens_core::heap::analysis::Analysis;
use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::figures::{Amounts, Figure};
use heaplens_core::heap::ids::{ClassId, ObjectId};

/// First index of these columns, after those of every dump.
pub const FIRST: usize = 64;

/// Android heap of an object.
const HEAP: Column = column_with_help("heap", "Heap", "Android heap that contains the object: app, zygote or image");

/// Headings and definitions of the figures, in the order of [`Figure::ALL`].
const FIGURES: [(&str, &str); 7] = [
    ("In app", "Part of the retained size in the app heap"),
    ("In zygote", "Part of the retained size in the zygote heap"),
    ("In image", "Part of the retained size in the boot image"),
    ("In default", "Part of the retained size in the default heap"),
    ("In other heaps", "Part of the retained size in other heaps"),
    ("Native", "Registered native memory that the objects themselves own"),
    ("Retained native", "Registered native memory of all objects in the retained set"),
];

/// Heading of a figure's column.
pub fn heading(figure: Figure) -> &'static str {
    FIGURES[figure.place()].0
}

fn place_of(figure: Figure) -> usize {
    FIRST + 1 + figure.place()
}

/// Columns of figures, with their indices.
pub fn of_figures(figures: impl Iterator<Item = Figure>) -> Vec<(usize, Column)> {
    figures
        .map(|figure| (place_of(figure), column_with_help(figure.key(), heading(figure), FIGURES[figure.place()].1)))
        .collect()
}

/// Object columns available for a dump, with their indices.
pub fn columns(from: TableContext<'_>) -> Vec<(usize, Column)> {
    let mut columns = of_figures(from.analysis.figures());
    if from.heap.regions().is_some() {
        columns.insert(0, (FIRST, HEAP));
    }
    columns
}

/// Figure at a column index.
pub fn figure_at(place: usize) -> Option<Figure> {
    Figure::ALL.get(place.checked_sub(FIRST + 1)?).copied()
}

/// Cell of an object.
pub fn of_object(heap: &Heap, analysis: &Analysis, object: ObjectId, place: usize) -> Cell {
    match figure_at(place) {
        Some(figure) => Cell::Size(analysis.figure(heap, object, figure)),
        None => heap.region_name(object).map_or(Cell::Nothing, |name| Cell::Text(name.to_owned())),
    }
}

/// Cell of a class.
pub fn of_class(figures: &ClassFigures, class: ClassId, place: usize) -> Cell {
    figure_at(place).map_or(Cell::Nothing, |figure| Cell::Size(figures.get(class, figure)))
}

/// Cell of several objects.
pub fn of_several(analysis: &Analysis, amounts: &Amounts, place: usize) -> Cell {
    let at = figure_at(place).and_then(|figure| analysis.figures().position(|of| of == figure));
    at.and_then(|at| amounts.get(at)).map_or(Cell::Nothing, |&bytes| Cell::Size(bytes))
}

/// Cells of an object by column key, as part of a JSON object.
#[derive(Debug, Default)]
pub struct Figures(Vec<(Column, Cell)>);

impl Figures {
    /// Reads the cells of an object.
    pub fn of(from: TableContext<'_>, object: ObjectId) -> Self {
        let cell = |(place, column): (usize, Column)| (column, of_object(from.heap, from.analysis, object, place));
        Self(columns(from).into_iter().map(cell).collect())
    }

    /// Heading and text of each cell.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|(column, cell)| (column.heading, cell.for_people()))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (column, cell) in &self.0 {
            map.serialize_entry(column.key, cell)?;
        }
        map.end()
    }
}
