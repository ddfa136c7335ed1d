//! Objects and bytes by class.

use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};
use crate::units::Bytes;

/// One class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramRow {
    /// The class.
    pub class: ClassId,
    /// Its objects.
    pub objects: u64,
    /// Their shallow sizes together.
    pub shallow: Bytes,
    /// What they keep alive together, each byte once.
    pub retained: Bytes,
}

/// All classes that have objects, biggest shallow size first, equal ones by name.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    /// One row per class.
    pub rows: Vec<HistogramRow>,
    /// Objects of all rows.
    pub objects: u64,
    /// Bytes of all rows.
    pub shallow: Bytes,
}

/// The histogram of what is shown.
pub fn histogram(heap: &Heap, analyzed: &Analyzed) -> Histogram {
    let mut rows: Vec<HistogramRow> = heap
        .classes
        .iter()
        .map(|(class, _)| {
            let totals = analyzed.class_totals(class);
            let retained = analyzed.class_retained(class);
            HistogramRow { class, objects: totals.objects, shallow: totals.shallow, retained }
        })
        .filter(|row| row.objects > 0)
        .collect();
    let name = |row: &HistogramRow| &heap.classes.get(row.class).name;
    rows.sort_by(|a, b| {
        b.shallow.cmp(&a.shallow).then_with(|| name(a).cmp(name(b))).then_with(|| a.class.cmp(&b.class))
    });
    let objects = rows.iter().map(|r| r.objects).sum();
    let shallow = rows.iter().map(|r| r.shallow).sum();
    Histogram { rows, objects, shallow }
}

/// The shown objects of a class, in address order.
pub fn objects_of(heap: &Heap, analyzed: &Analyzed, class: ClassId) -> Vec<ObjectId> {
    let raw = class.raw();
    let column = heap.class_column();
    heap.objects().filter(|&o| column.get(o.index()) == Some(raw) && analyzed.is_reachable(o)).collect()
}
