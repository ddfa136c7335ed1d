//! The shortest paths to many objects as one tree: roots at the top, each object on a path once, with the
//! number of target objects below it and their shallow and retained sizes.
//!
//! The predecessor of an object on its path does not depend on the target, so all paths together form a tree. It is
//! built from the objects up, one level at a time, summed up from its leaves, and laid out with the children
//! of every node side by side. Nothing recurses, and everything is linear in the objects on the paths.

mod by_class;
mod path_forest;
mod tree;

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use self::path_forest::{PathForest, Predecessors};
use self::tree::UnorderedTree;
pub use self::tree::{MergedTree, Node, TOP};
use crate::answers::DumpData;
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task, Unit, named};
use heaplens_heap::{ClassId, ObjectId, Strength};

/// Objects whose paths are merged.
#[derive(Debug, Clone, Eq)]
pub enum PathTargets {
    /// All shown objects of a class.
    Class(ClassId),
    /// These objects.
    Objects(Arc<[ObjectId]>),
}

impl PathTargets {
    /// The objects, as they are listed; those of a class by address.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn objects(&self, dump: DumpData<'_>, task: &Task) -> Result<Cow<'_, [ObjectId]>, Cancelled> {
        Ok(match self {
            Self::Class(class) => shown_of(dump, |of| of == *class, task)?.into(),
            Self::Objects(objects) => (&**objects).into(),
        })
    }
}

/// A frame compares its query with the last one: the same list is equal without reading it.
impl PartialEq for PathTargets {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Class(one), Self::Class(other)) => one == other,
            (Self::Objects(one), Self::Objects(other)) => Arc::ptr_eq(one, other) || one == other,
            _ => false,
        }
    }
}

/// Kind of nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MergeBy {
    /// An object. A chain of objects of one class without branches is one node.
    #[default]
    Object,
    /// Objects of one class held through one field. Those that hold each other, as in a list or a tree, are one node.
    Class,
}

named!(MergeBy {
    Object = "object", "One object; consecutive nodes of a linked list share a row";
    Class = "class", "All objects of a class that are held by the same field";
});

/// The shortest paths from GC roots to the objects along references no weaker than `weakest`, as a tree. Never along
/// references weaker than those that count in the opened dump.
pub fn merged_paths(
    dump: DumpData<'_>,
    of: &PathTargets,
    by: MergeBy,
    weakest: Strength,
    task: &Task,
) -> Result<MergedTree, Cancelled> {
    let mut objects = of.objects(dump, task)?.into_owned();
    objects.par_sort_unstable();
    objects.dedup();
    let all = objects.len();
    let before = Predecessors::new(dump, weakest, task)?;
    objects = objects.into_par_iter().filter(|&object| before.leads_to(object)).collect();
    let forest = PathForest::gather(dump.heap.len(), &objects, &before, task)?;
    task.step("Merging paths", Unit::Objects, forest.objects.len() as u64);
    let raw = match by {
        MergeBy::Object => UnorderedTree::of_objects(&forest),
        MergeBy::Class => by_class::merge(dump, &forest, task)?,
    };
    let nearest = dump.analysis.nearest_among(&objects, task)?;
    let mut merged = raw.summed(dump, &objects, &nearest, by == MergeBy::Object, task)?;
    merged.unreached = (all - objects.len()) as u64;
    Ok(merged)
}
