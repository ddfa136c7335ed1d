//! Class histogram.

use std::sync::Arc;

use crate::columns::{Columns, Condition, Value, heading, headings};
use crate::relation::{Relation, relation};
use crate::{RowOf, TableContext, TableResult, Totals, TypedTable, export::parts, table::sort_by_column};
use heaplens_analysis::TextFilter;
use heaplens_analysis::histogram::{ClassFigures, ClassOrder, Histogram, HistogramRow, histogram, histogram_in};
use heaplens_base::{Bytes, Task};
use heaplens_heap::Figure;

pub(crate) const COLUMNS: Columns<ClassRows> = &[
    &[
        headings::CLASS.text(|(_, row), dump| dump.class_name(row.class)),
        heading("objects", "Objects", "Number of instances of exactly this class")
            .count(|(_, row), _| Some(row.objects)),
        headings::SHALLOW_OF_ALL.bytes(|(_, row), _| Some(row.shallow)),
        headings::RETAINED_BY_ALL.bytes(|(_, row), _| Some(row.retained)),
        // Distance of a class's nearest object from a root, if the format's tools show it.
        heading(
            "distance",
            "Distance",
            "References on the shortest path from a GC root to the nearest object of the class",
        )
        .when(Condition::ClassDistances)
        .number(|(_, row), dump| dump.analysis.class_distance(row.class)),
        headings::LOADER_OF_NAMESAKE.text(|(_, row), dump| dump.loader_of(row.class)),
        headings::LOADER_ID.text(|(_, row), dump| dump.loader_id(row.class)),
    ],
    &parts::figures::<ClassRows>(|(figures, row), _, nth| Some(figures.get(row.class, Figure::ALL[nth]))),
];

/// Class histogram.
pub const CLASSES: Relation = relation!("histogram", COLUMNS).named("classes", "Reachable objects by class").computed(
    "Histogram",
    |dump, rows, task| {
        Ok(Arc::new(Classes(match rows.row_filter()?.text.heap() {
            Some((name, _)) => histogram_in(dump.data(), name, task)?,
            None => histogram(dump.data()),
        })))
    },
);

/// A class with the figures of all classes.
type ClassRows = (ClassFigures, HistogramRow);

/// The histogram, largest shallow size first.
pub struct Classes(pub Histogram);

impl TypedTable for Classes {
    type Record = ClassRows;
    const COLUMNS: Columns<ClassRows> = COLUMNS;

    fn count(&self) -> usize {
        self.0.rows.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        Some((&self.0.figures, self.0.rows.get(row)?))
    }

    fn offers(&self, condition: Condition) -> bool {
        match condition {
            // Of the objects in the table, not in the dump.
            Condition::Figure(figure) => self.0.figures.all().any(|of| of == figure),
            _ => true,
        }
    }

    fn passes(&self, dump: TableContext<'_>, (_, row): RowOf<'_, Self>, filter: &TextFilter) -> bool {
        // The rows belong to the requested heap.
        filter.words().matches(&dump.heap.classes.get(row.class).name)
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Totals {
        let rows = rows.iter().filter_map(|&row| self.0.rows.get(row as usize));
        let (objects, shallow) = rows.fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
        vec![("objects", Value::Count(objects)), ("shallow_bytes", Value::Bytes(shallow))]
    }

    fn sort(&self, dump: TableContext<'_>, rows: &mut Vec<u32>, by: (&str, bool), task: &Task) -> TableResult {
        let Some(order) = ClassOrder::of_key(by.0) else { return sort_by_column(self, dump, rows, by, task) };
        let row = |at: u32| -> Option<&HistogramRow> { self.0.rows.get(at as usize) };
        let name = |row: &HistogramRow| &dump.heap.classes.get(row.class).name;
        let figures = |row: &HistogramRow| (row.objects, row.shallow, row.retained);
        rows.sort_by(|&a, &b| match (row(a), row(b)) {
            // Classes of one name stay in the default order.
            (Some(a), Some(b)) => order.compare(figures(a), figures(b), || name(a).cmp(name(b)), by.1),
            (a, b) => a.is_some().cmp(&b.is_some()),
        });
        Ok(())
    }
}
