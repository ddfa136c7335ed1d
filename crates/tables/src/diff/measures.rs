//! Columns of a measure in both dumps: before, after and difference.

use crate::columns::{Column, Condition, Heading, Record, TextPlace, heading};
use heaplens_analysis::diff::Change;

/// Headings of a measure in the baseline, in the target, and of its difference.
pub(super) type Headings = [Heading; 3];

/// Headings of a measure: its key, title, name within a title, and definition.
macro_rules! measure {
    ($key:literal, $title:literal, $name:literal, $what:literal) => {
        [
            heading(concat!("before_", $key), concat!($title, " before"), concat!($what, " in the baseline")),
            heading(concat!("after_", $key), concat!($title, " after"), concat!($what, " in the target")),
            heading(
                concat!("delta_", $key),
                concat!("Δ ", $name),
                concat!($what, " in the target minus that in the baseline"),
            ),
        ]
    };
}

pub(super) const CLASSES: Headings = measure!("classes", "Classes", "classes", "Number of classes");
pub(super) const ELEMENTS: Headings = measure!("elements", "Elements", "elements", "Number of elements");
pub(super) const FREES: Headings = measure!("frees_bytes", "Frees", "frees", "Bytes freed by cutting the references");
pub(super) const LOADERS: Headings = measure!("loaders", "Loaders", "loaders", "Number of class loaders");
pub(super) const NATIVE: Headings = measure!("native_bytes", "Native", "native", "Native memory");
pub(super) const OBJECTS: Headings = measure!("objects", "Objects", "objects", "Number of objects");
pub(super) const RETAINED: Headings = measure!("retained_bytes", "Retained size", "retained size", "Retained size");
pub(super) const SHALLOW: Headings = measure!("shallow_bytes", "Shallow size", "shallow size", "Shallow size");
pub(super) const THREADS: Headings = measure!("threads", "Threads", "threads", "Number of threads");
pub(super) const WASTED: Headings = measure!("wasted_bytes", "Wasted", "wasted", "Wasted bytes");

/// Relative growth of the size that stands beside it, which rows may be sorted by only.
const fn change(definition: &'static str) -> Heading {
    heading("change", "Change", definition).when(Condition::SortKey)
}
pub(super) const SHALLOW_CHANGE: Heading = change("Δ shallow size as a part of the shallow size before");
pub(super) const RETAINED_CHANGE: Heading = change("Δ retained size as a part of the retained size before");
pub(super) const FREES_CHANGE: Heading = change("Δ frees as a part of the bytes that were freed before");
pub(super) const NATIVE_CHANGE: Heading = change("Δ native memory as a part of the native memory before");

/// Headings of which text forms show some only.
pub(super) const fn in_text([before, after, delta]: Headings, [first, second, third]: [bool; 3]) -> Headings {
    const fn shown(heading: Heading, is_shown: bool) -> Heading {
        if is_shown { heading } else { heading.in_text(TextPlace::Omitted) }
    }
    [shown(before, first), shown(after, second), shown(delta, third)]
}

/// Rows with objects and sizes before and after.
pub(super) trait Changed: Record {
    /// Objects and sizes of a row.
    fn change(row: Self::Row<'_>) -> &Change;
}

/// Columns of objects, shallow and retained size.
pub(super) const fn changes<K: Changed>(objects: &Headings, shallow: &Headings, retained: &Headings) -> [Column<K>; 9] {
    [
        objects[0].count(|row, _| Some(K::change(row).before.objects)),
        objects[1].count(|row, _| Some(K::change(row).after.objects)),
        objects[2].count_delta(|row, _| Some(K::change(row).objects())),
        shallow[0].bytes(|row, _| Some(K::change(row).before.shallow)),
        shallow[1].bytes(|row, _| Some(K::change(row).after.shallow)),
        shallow[2].byte_delta(|row, _| Some(K::change(row).shallow())),
        retained[0].bytes(|row, _| Some(K::change(row).before.retained)),
        retained[1].bytes(|row, _| Some(K::change(row).after.retained)),
        retained[2].byte_delta(|row, _| Some(K::change(row).retained())),
    ]
}
