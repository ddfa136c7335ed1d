//! Class histogram.

use super::row_query::{no_column, sort_by_cells};
use super::{Table, TableError};
use crate::export::columns;
use crate::export::parts;
use crate::export::table::{Cell, Column, column_with_help};
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::histogram::{ClassOrder, Histogram, HistogramRow};
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;

const COLUMNS: [Column; 4] = [
    columns::CLASS,
    column_with_help("objects", "Objects", "Number of instances of exactly this class"),
    columns::SHALLOW_OF_ALL,
    columns::RETAINED_BY_ALL,
];

/// Distance of a class's nearest object from a root, if the format's tools show it.
const DISTANCE: Column = column_with_help(
    "distance",
    "Distance",
    "References on the shortest path from a GC root to the nearest object of the class",
);
/// Its index, after the columns common to all dumps.
const DISTANCE_AT: usize = COLUMNS.len();

/// The histogram, largest shallow size first.
pub struct Classes(pub Histogram);

impl Table for Classes {
    fn columns(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn optional_columns(&self, from: TableContext<'_>) -> Vec<(usize, Column)> {
        let distance = from.analysis.has_class_distances().then_some((DISTANCE_AT, DISTANCE));
        distance.into_iter().chain(parts::of_figures(self.0.figures.all())).collect()
    }

    fn column(&self, key: &str) -> Option<usize> {
        let mut figures = parts::of_figures(self.0.figures.all());
        figures.push((DISTANCE_AT, DISTANCE));
        let beside = || figures.iter().find(|(_, column)| column.key == key).map(|&(place, _)| place);
        COLUMNS.iter().position(|column| column.key == key).or_else(beside)
    }

    fn count(&self) -> usize {
        self.0.rows.len()
    }

    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell {
        let Some(row) = self.0.rows.get(row) else { return Cell::Nothing };
        match column {
            0 => Cell::Text(from.heap.classes.get(row.class).name.to_string()),
            1 => Cell::Count(row.objects),
            2 => Cell::Size(row.shallow),
            3 => Cell::Size(row.retained),
            DISTANCE_AT => {
                let distance = from.analysis.class_distance(row.class);
                distance.map_or(Cell::Nothing, |distance| Cell::Count(distance.into()))
            }
            place => parts::of_class(&self.0.figures, row.class, place),
        }
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        // The rows belong to the requested heap.
        let words = filter.words();
        self.0.rows.get(row).is_some_and(|row| words.matches(&from.heap.classes.get(row.class).name))
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Vec<(&'static str, Cell)> {
        let rows = rows.iter().filter_map(|&row| self.0.rows.get(row as usize));
        let (objects, shallow) = rows.fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
        vec![("objects", Cell::Count(objects)), ("shallow_bytes", Cell::Size(shallow))]
    }

    fn sort(
        &self,
        from: TableContext<'_>,
        rows: &mut Vec<u32>,
        (key, reverse): (&str, bool),
        task: &Task,
    ) -> Result<(), TableError> {
        if key == DISTANCE.key || self.0.figures.all().any(|figure| figure.key() == key) {
            return sort_by_cells(self, from, rows, (key, reverse), task);
        }
        let order = ClassOrder::of_key(key).ok_or_else(|| no_column(key, &COLUMNS.map(|column| column.key)))?;
        let row = |at: u32| -> Option<&HistogramRow> { self.0.rows.get(at as usize) };
        rows.sort_by(|&a, &b| match (row(a), row(b)) {
            (Some(a), Some(b)) => a.compare(b, from.heap, (order, reverse)),
            (a, b) => a.is_some().cmp(&b.is_some()),
        });
        Ok(())
    }
}
