//! Class histogram: objects, shallow and retained bytes by class, of all shown objects or of some.

use std::{cmp::Ordering, sync::Arc};

use super::rows::shown_of;
use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::{ClassId, Figure, Heap, ObjectId, Totals, figures::GroupFigures};

/// One class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramRow {
    /// The class.
    pub class: ClassId,
    /// Number of its objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them; each byte counts once.
    pub retained: Bytes,
}

impl HistogramRow {
    /// Order of two rows.
    pub fn compare(&self, other: &Self, heap: &Heap, (order, reversed): (ClassOrder, bool)) -> Ordering {
        let name = |row: &Self| &heap.classes.get(row.class).name;
        let figures = |row: &Self| (row.objects, row.shallow, row.retained);
        let by_name = || name(self).cmp(name(other)).then(self.class.cmp(&other.class));
        order.compare(figures(self), figures(other), by_name, reversed)
    }
}

/// Sort order of a histogram. Ties go by name, then by class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassOrder {
    /// By name.
    Name,
    /// Most objects first.
    Objects,
    /// Largest shallow size first.
    #[default]
    Shallow,
    /// Largest retained size first.
    Retained,
}

impl ClassOrder {
    /// All orders, in the order of the histogram's columns.
    pub const ALL: [Self; 4] = [Self::Name, Self::Objects, Self::Shallow, Self::Retained];

    /// Key of the CSV and JSON column it sorts by.
    pub fn key(self) -> &'static str {
        match self {
            Self::Name => "class",
            Self::Objects => "objects",
            Self::Shallow => "shallow_bytes",
            Self::Retained => "retained_bytes",
        }
    }

    /// Order for a column.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.key() == key)
    }

    /// Order of two classes by objects, shallow and retained size; `reversed`: in the opposite order,
    /// with ties still by name.
    pub fn compare(
        self,
        (objects, shallow, retained): (u64, Bytes, Bytes),
        other: (u64, Bytes, Bytes),
        by_name: impl Fn() -> Ordering,
        reversed: bool,
    ) -> Ordering {
        let by_size = match self {
            Self::Name => return if reversed { by_name().reverse() } else { by_name() },
            Self::Objects => other.0.cmp(&objects),
            Self::Shallow => other.1.cmp(&shallow),
            Self::Retained => other.2.cmp(&retained),
        };
        (if reversed { by_size.reverse() } else { by_size }).then_with(by_name)
    }
}

/// All classes with objects, largest shallow size first, ties by name.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    /// One row per class.
    pub rows: Vec<HistogramRow>,
    /// Objects of all rows.
    pub objects: u64,
    /// Bytes of all rows.
    pub shallow: Bytes,
    /// Figures that only some dumps have.
    pub figures: Arc<ClassFigures>,
}

/// Figures of classes, if the dump has any.
#[derive(Debug, Default)]
pub struct ClassFigures {
    bytes: Vec<(Figure, Vec<Bytes>)>,
    /// By class, distance of its nearest object; empty if the format's tools show no distances of classes.
    distances: Vec<Option<u32>>,
}

impl ClassFigures {
    /// Figures of the shown objects.
    fn of(dump: DumpData<'_>) -> Self {
        let analysis = dump.analysis;
        let of_all = |figure| dump.heap.classes.iter().map(|(class, _)| analysis.class_figure(class, figure)).collect();
        let bytes = analysis.figures().map(|figure| (figure, of_all(figure))).collect();
        let distances = dump.heap.classes.iter().map(|(class, _)| analysis.class_distance(class));
        Self { bytes, distances: distances.take_while(|_| analysis.has_class_distances()).collect() }
    }

    /// Available figures.
    pub fn all(&self) -> impl Iterator<Item = Figure> + '_ {
        self.bytes.iter().map(|(figure, _)| *figure)
    }

    /// True if distances of classes are known.
    pub fn has_distances(&self) -> bool {
        !self.distances.is_empty()
    }

    /// Distance of the nearest object of a class from a root; `None` if one of its objects has no distance.
    pub fn distance(&self, class: ClassId) -> Option<u32> {
        self.distances.get(class.index()).copied().flatten()
    }

    /// A figure of a class.
    pub fn get(&self, class: ClassId, figure: Figure) -> Bytes {
        let of_all = self.bytes.iter().find(|(of, _)| *of == figure);
        of_all.and_then(|(_, by_class)| by_class.get(class.index())).copied().unwrap_or_default()
    }
}

/// Histogram of the shown objects.
pub fn histogram(dump: DumpData<'_>) -> Histogram {
    let heap = dump.heap;
    let rows = heap.classes.iter().map(|(class, _)| {
        let totals = dump.analysis.class_totals(class);
        let retained = dump.analysis.class_retained(class);
        HistogramRow { class, objects: totals.objects, shallow: totals.shallow, retained }
    });
    let histogram = Histogram::sorted(heap, rows.filter(|row| is_listed(heap, row)).collect());
    Histogram { figures: ClassFigures::of(dump).into(), ..histogram }
}

/// Histogram of the shown objects in one Android heap, with retained sizes over all heaps.
/// Empty if there is no heap of that name.
pub fn histogram_in(dump: DumpData<'_>, name: &str, task: &Task) -> Result<Histogram, Cancelled> {
    let known = dump.heap.regions().and_then(|regions| Some((regions, regions.index_of(name)?)));
    let Some((regions, region)) = known else { return Ok(Histogram::default()) };
    histogram_of(dump, |object| regions.region_of(object) == region, task)
}

/// Histogram of some of the shown objects, with their retained sizes; each byte counts once.
pub fn histogram_of(
    dump: DumpData<'_>,
    is_there: impl Fn(ObjectId) -> bool + Sync,
    task: &Task,
) -> Result<Histogram, Cancelled> {
    let DumpData { heap, analysis, .. } = dump;
    let mut totals = vec![Totals::default(); heap.classes.len()];
    for block in task.blocks(heap.len()) {
        for object in block?.filter_map(ObjectId::new).filter(|&o| analysis.is_reachable(o) && is_there(o)) {
            let one = Totals { objects: 1, shallow: heap.shallow(object) };
            totals.get_mut(heap.class_id(object).index()).into_iter().for_each(|of_class| of_class.add(one));
        }
    }
    let class_of = |object| if is_there(object) { heap.class_id(object).raw() } else { NONE };
    let GroupFigures { retained, parts } = analysis.figures_by_group(class_of, totals.len(), task)?;
    let mut native = vec![Bytes(0); totals.len()];
    for (object, bytes) in heap.native_bytes().objects() {
        if analysis.is_reachable(object) && is_there(object) {
            native.get_mut(heap.class_id(object).index()).into_iter().for_each(|of_class| *of_class += bytes);
        }
    }
    let figures = analysis.figures().filter_map(|figure| {
        let by_class = match figure {
            Figure::Native => native.clone(),
            Figure::Retained(part) => parts.iter().find(|(of, _)| *of == part)?.1.clone(),
        };
        Some((figure, by_class))
    });
    let figures = Arc::new(ClassFigures { bytes: figures.collect(), distances: Vec::new() });
    let rows = heap.classes.iter().zip(totals).zip(retained).map(|(((class, _), totals), retained)| HistogramRow {
        class,
        objects: totals.objects,
        shallow: totals.shallow,
        retained,
    });
    let histogram = Histogram::sorted(heap, rows.filter(|row| is_listed(heap, row)).collect());
    Ok(Histogram { figures, ..histogram })
}

/// True if a histogram shows the class.
fn is_listed(heap: &Heap, row: &HistogramRow) -> bool {
    row.objects > 0 && !heap.classes.get(row.class).unlisted
}

impl Histogram {
    /// From rows in any order.
    pub fn sorted(heap: &Heap, mut rows: Vec<HistogramRow>) -> Self {
        rows.sort_by(|a, b| a.compare(b, heap, (ClassOrder::Shallow, false)));
        let objects = rows.iter().map(|r| r.objects).sum();
        let shallow = rows.iter().map(|r| r.shallow).sum();
        Self { rows, objects, shallow, figures: Arc::default() }
    }
}

/// Shown objects of a class, in address order.
pub fn objects_of(dump: DumpData<'_>, class: ClassId, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    shown_of(dump, |of| of == class, task)
}

/// All shown objects, in address order.
pub fn all_objects(dump: DumpData<'_>, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    shown_of(dump, |_| true, task)
}
