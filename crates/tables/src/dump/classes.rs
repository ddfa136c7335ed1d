//! Class histogram.

use std::sync::Arc;

use super::class_owners::{held_by, main_names, main_owners, name};
use crate::columns::{Column, Columns, Condition, Record, TextPlace, Value, heading, headings, json};
use crate::relation::{Relation, relation};
use crate::table::sort_by_column;
use crate::{RowTarget, TableContext, TableResult, Totals, TypedTable, export::parts};
use heaplens_analysis::TextFilter;
use heaplens_analysis::class_owners::{ClassOwners, ClassOwnersQuestion, OwnedObjects};
use heaplens_analysis::diff::Change;
use heaplens_analysis::histogram::{ClassFigures, ClassOrder, Histogram, HistogramRow, histogram, histogram_in};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, Figure};

pub(crate) const COLUMNS: Columns<ClassRow<'static>> = &[OWN, &FIGURES, OWNERS];

/// The same columns with the changes since a baseline.
const COMPARED: Columns<ClassRow<'static>> = &[OWN, &FIGURES, OWNERS, CHANGES];

const OWN: &[Column<ClassRow<'static>>] = &[
    headings::CLASS.text(|class, dump| dump.class_name(class.row.class)),
    heading("objects", "Objects", "Number of instances of exactly this class")
        .count(|class, _| Some(class.row.objects)),
    headings::SHALLOW_OF_ALL.bytes(|class, _| Some(class.row.shallow)),
    headings::RETAINED_BY_ALL.bytes(|class, _| Some(class.row.retained)),
    // Distance of a class's nearest object from a root, if the format's tools show it.
    heading(
        "distance",
        "Distance",
        "References on the shortest path from a GC root to the nearest object of the class",
    )
    .when(Condition::ClassDistances)
    .number(|class, dump| dump.analysis.class_distance(class.row.class)),
    headings::LOADER_OF_NAMESAKE.text(|class, dump| dump.loader_of(class.row.class)),
    headings::LOADER_ID.text(|class, dump| dump.loader_id(class.row.class)),
];

const FIGURES: [Column<ClassRow<'static>>; 7] =
    parts::figures(|class, _, nth| Some(class.figures.get(class.row.class, Figure::ALL[nth])));

/// Owners of the objects of the class.
const OWNERS: &[Column<ClassRow<'static>>] = &[
    heading("held_by", "Held by", "The three owners that hold most of the class, with their parts of its bytes")
        .when(Condition::ClassOwners)
        .text::<ClassRow<'static>>(|class, _| held_by(class.owners?, class.row.class).map(Into::into))
        .in_json(|class, dump, _, out| {
            let owners = class.owners.into_iter().flat_map(|all| {
                main_owners(all, class.row.class).iter().map(move |row| {
                    let owner = all.owner(row);
                    serde_json::json!({
                        "owner": name(all, row),
                        "qualified_owner": owner.and_then(|owner| owner.qualified.as_deref()),
                        "id": owner.and_then(|owner| owner.object).map(|object| dump.heap.id_text(object)),
                        "objects": row.objects,
                        "shallow_bytes": row.bytes.0,
                    })
                })
            });
            json(out, &owners.collect::<Vec<_>>())
        }),
    heading("main_owner", "Main owner", "The owner that holds most bytes of the class")
        .when(Condition::ClassOwners)
        .in_text(TextPlace::Omitted)
        .text::<ClassRow<'static>>(|class, _| Some(name(class.owners?, class.main_owner()?).into()))
        .not_in_json(),
    heading("main_owner_bytes", "Of main owner", "Bytes of the class that this owner holds")
        .when(Condition::ClassOwners)
        .in_text(TextPlace::Omitted)
        .bytes::<ClassRow<'static>>(|class, _| Some(class.main_owner()?.bytes))
        .not_in_json(),
    heading("owners", "Owners", "Number of owners of the objects of the class")
        .when(Condition::ClassOwners)
        .in_text(TextPlace::Omitted)
        .count(|class: ClassRow<'_>, _| Some(class.owners?.of(class.row.class).len() as u64)),
];

/// Changes since a baseline. Answers in JSON are those of the command, which has none.
pub(crate) const CHANGES: &[Column<ClassRow<'static>>] = &[
    heading("delta_objects", "Δ objects", "Change in the number of objects (after − before)")
        .when(Condition::Baseline)
        .count_delta::<ClassRow<'static>>(|class, _| Some(class.change?.objects()))
        .not_in_json(),
    heading("delta_shallow_bytes", "Δ shallow", "Change in shallow size (after − before)")
        .when(Condition::Baseline)
        .byte_delta::<ClassRow<'static>>(|class, _| Some(class.change?.shallow()))
        .not_in_json(),
    heading("delta_retained_bytes", "Δ retained", "Change in retained size (after − before)")
        .when(Condition::Baseline)
        .byte_delta::<ClassRow<'static>>(|class, _| Some(class.change?.retained()))
        .not_in_json(),
];

/// Class histogram.
pub const CLASSES: Relation = relation!("histogram", COLUMNS).named("classes", "Reachable objects by class").computed(
    "Histogram",
    |dump, rows, task| {
        let heap = rows.row_filter()?.text.heap().map(|(name, _)| name.to_owned());
        Ok(Arc::new(Classes::of(dump, heap.as_deref(), rows.owners, task)?))
    },
);

/// A class of the histogram.
#[derive(Clone, Copy)]
pub struct ClassRow<'a> {
    row: &'a HistogramRow,
    figures: &'a ClassFigures,
    /// Figures before and after; `None` without a comparison, or if they are not known.
    change: Option<&'a Change>,
    /// `None` if they were not requested.
    owners: Option<&'a ClassOwners>,
}

impl<'a> ClassRow<'a> {
    /// The owner that holds most bytes of the class.
    fn main_owner(self) -> Option<&'a OwnedObjects> {
        main_owners(self.owners?, self.row.class).first()
    }
}

impl Record for ClassRow<'static> {
    type Row<'a> = ClassRow<'a>;
}

/// The histogram, largest shallow size first; in a comparison, with the changes since the baseline.
pub struct Classes {
    /// The classes.
    pub histogram: Histogram,
    /// By class; `None` without a comparison.
    changes: Option<Vec<Option<Change>>>,
    /// `None` if they were not requested.
    owners: Option<Arc<ClassOwners>>,
}

impl Classes {
    /// The classes of a dump, or of one of its Android heaps, which has no owners.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn of(dump: TableContext<'_>, heap: Option<&str>, owners: bool, task: &Task) -> Result<Self, Cancelled> {
        let histogram = match heap {
            Some(name) => histogram_in(dump.data(), name, task)?,
            None => histogram(dump.data()),
        };
        let owners =
            if owners && heap.is_none() { Some(dump.data().answer(&ClassOwnersQuestion, task)?) } else { None };
        Ok(Self { owners, ..Self::new(histogram) })
    }

    /// By class, the names of its main owners, which the filter finds it by; empty without owners.
    pub(crate) fn names_of_owners(&self) -> impl Iterator<Item = String> {
        let owners = self.owners.as_deref().map(|owners| {
            let names = |row: &HistogramRow| main_names(owners, row.class).collect::<Vec<_>>().join("\n");
            self.histogram.rows.iter().map(names)
        });
        owners.into_iter().flatten()
    }

    /// The classes of a histogram.
    pub fn new(histogram: Histogram) -> Self {
        Self { histogram, changes: None, owners: None }
    }

    /// With the changes since a baseline.
    #[must_use]
    pub(crate) fn compared(mut self, change: impl Fn(ClassId) -> Option<Change>) -> Self {
        self.changes = Some(self.histogram.rows.iter().map(|row| change(row.class)).collect());
        self
    }
}

impl TypedTable for Classes {
    type Record = ClassRow<'static>;

    fn columns(&self) -> Columns<ClassRow<'static>> {
        if self.changes.is_some() { COMPARED } else { COLUMNS }
    }

    fn count(&self) -> usize {
        self.histogram.rows.len()
    }

    fn row(&self, row: usize) -> Option<ClassRow<'_>> {
        let change = self.changes.as_ref().and_then(|changes| changes.get(row)?.as_ref());
        Some(ClassRow {
            row: self.histogram.rows.get(row)?,
            figures: &self.histogram.figures,
            change,
            owners: self.owners.as_deref(),
        })
    }

    fn target(&self, class: ClassRow<'_>) -> RowTarget {
        RowTarget::Class(class.row.class)
    }

    fn offers(&self, condition: Condition) -> bool {
        match condition {
            // Of the objects in the table, not in the dump.
            Condition::ClassOwners => self.owners.is_some(),
            Condition::Figure(figure) => self.histogram.figures.all().any(|of| of == figure),
            _ => true,
        }
    }

    fn passes(&self, dump: TableContext<'_>, class: ClassRow<'_>, filter: &TextFilter) -> bool {
        // The rows belong to the requested heap.
        let by_owner = || {
            let owners = class.owners.into_iter().flat_map(|owners| main_names(owners, class.row.class));
            owners.into_iter().any(|name| filter.words().matches(name))
        };
        filter.words().matches(&dump.heap.classes.get(class.row.class).name) || by_owner()
    }

    fn totals(&self, _dump: TableContext<'_>, rows: &[u32]) -> Totals {
        let rows = rows.iter().filter_map(|&row| self.histogram.rows.get(row as usize));
        let (objects, shallow) = rows.fold((0, Bytes(0)), |(n, bytes), row| (n + row.objects, bytes + row.shallow));
        vec![("objects", Value::Count(objects)), ("shallow_bytes", Value::Bytes(shallow))]
    }

    fn sort(&self, dump: TableContext<'_>, rows: &mut Vec<u32>, by: (&str, bool), task: &Task) -> TableResult {
        let Some(order) = ClassOrder::of_key(by.0) else { return sort_by_column(self, dump, rows, by, task) };
        let row = |at: u32| -> Option<&HistogramRow> { self.histogram.rows.get(at as usize) };
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
