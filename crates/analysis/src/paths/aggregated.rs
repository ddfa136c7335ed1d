//! Merged paths for every significant class: the shortest paths to each of its objects, merged by class and field.

use std::cmp::Reverse;

use super::merged::{MergeBy, MergedTree, PathTargets, merged_paths};
use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, Strength};

/// Thresholds of significant classes: minimum number of objects and minimum retained size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Thresholds {
    /// Retained size of its objects; each byte counts once.
    pub retained: Bytes,
    /// Number of its objects.
    pub objects: u64,
}

/// Non-empty classes that reach both thresholds: largest retained size first.
pub fn classes_over(dump: DumpData<'_>, least: Thresholds) -> Vec<ClassId> {
    let analysis = dump.analysis;
    let reaches = |&class: &ClassId| {
        analysis.class_totals(class).objects >= least.objects.max(1) && analysis.class_retained(class) >= least.retained
    };
    let mut classes: Vec<ClassId> = dump.heap.classes.iter().map(|(class, _)| class).filter(reaches).collect();
    classes.sort_by_key(|&class| (Reverse(analysis.class_retained(class)), &dump.heap.classes.get(class).name));
    classes
}

/// Paths to all objects of each class, along references no weaker than `weakest`.
pub fn aggregated(
    dump: DumpData<'_>,
    classes: &[ClassId],
    weakest: Strength,
    task: &Task,
) -> Result<Vec<(ClassId, MergedTree)>, Cancelled> {
    let of_class = |&class: &ClassId| {
        let tree = merged_paths(dump, &PathTargets::Class(class), MergeBy::Class, weakest, task)?;
        Ok((class, tree))
    };
    classes.iter().map(of_class).collect()
}
