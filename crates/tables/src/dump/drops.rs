//! Big drops: branches of the dominator tree with the objects below which many small ones accumulate.

use crate::List;
use crate::columns::{Columns, Item, heading};
use heaplens_analysis::dominator_tree::drops::BigDrop;

pub(crate) const COLUMNS: Columns<Item<BigDrop>> = &[&[
    heading("holder", "Holder", "Object at the top of a branch of the dominator tree, by address or id")
        .object(|drop, _| Some(drop.holder)),
    heading("holder_class", "Holder class", "Class of the holder").text(|drop, dump| dump.class_of(drop.holder)),
    heading("holder_label", "Holder label", "Short text that identifies the holder")
        .text(|drop, dump| dump.label(drop.holder)),
    heading("holder_retained_bytes", "Retained size", "Retained size of the holder")
        .bytes(|drop, dump| Some(dump.analysis.retained(drop.holder))),
    heading("share", "Share", "Retained size of the holder as a percentage of all reachable bytes")
        .share(|drop, dump| Some(dump.share(dump.analysis.retained(drop.holder)))),
    heading("id", "Accumulation point", "Object below which many small objects accumulate, by address or id")
        .object(|drop, _| Some(drop.point)),
    heading("class", "Class", "Class of the accumulation point").text(|drop, dump| dump.class_of(drop.point)),
    heading("label", "Label", "Short text that identifies the accumulation point")
        .text(|drop, dump| dump.label(drop.point)),
    heading("retained_bytes", "Retained there", "Retained size of the accumulation point")
        .bytes(|drop, dump| Some(dump.analysis.retained(drop.point))),
    heading(
        "children",
        "Objects below",
        "Number of objects directly below the accumulation point in the dominator tree",
    )
    .count(|drop, _| Some(drop.biggest.children)),
    heading("biggest_child", "Largest", "Largest object directly below the accumulation point")
        .text(|drop, dump| dump.class_of(drop.biggest.child?)),
    heading("biggest_child_bytes", "Largest retains", "Retained size of that object")
        .bytes(|drop, _| drop.biggest.child.map(|_| drop.biggest.retained)),
]];

/// Table of computed drops.
pub fn drop_table(drops: Vec<BigDrop>) -> List<BigDrop> {
    List::new(COLUMNS, drops)
}
