//! Retained size of several objects together: a table of one row.

use crate::List;
use crate::columns::{Columns, Item, heading};
use heaplens_analysis::retained::RetainedSet;

pub(crate) const COLUMNS: Columns<Item<RetainedSet>> = &[&[
    heading("objects", "Objects", "Number of selected objects").count(|set, _| Some(set.objects)),
    heading("shallow_bytes", "Shallow size", "Bytes of the selected objects themselves")
        .bytes(|set, _| Some(set.shallow)),
    heading("retained_bytes", "Retained size", "Bytes freed if all selected objects were collected")
        .bytes(|set, _| Some(set.retained)),
    heading("retained_objects", "Retained objects", "Number of objects freed if all selected objects were collected")
        .count(|set, _| Some(set.retained_objects)),
    heading("dominated_bytes", "Dominated size", "Part of the retained size that single selected objects dominate")
        .bytes(|set, _| Some(set.dominated)),
]];

/// Table of a computed set.
pub fn retained_table(set: RetainedSet) -> List<RetainedSet> {
    List::new(COLUMNS, vec![set])
}
