//! Unreachable objects of a dump, with their own dominators.
//! Requires an analysis that keeps them ([`Rules::keep_unreachable`]).
//!
//! [`Rules::keep_unreachable`]: heaplens_heap::Rules::keep_unreachable

use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ExcludedReferences, ObjectId, reach::reached};

/// Set of objects unreachable from the roots of the file.
pub struct Unreachable {
    /// Objects that are reachable, or that removals freed.
    reached: Bits,
    objects: usize,
}

/// Bytes and objects of one class that are unreachable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnreachableOfClass {
    /// Objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them; each byte counts once.
    pub retained: Bytes,
}

impl Unreachable {
    /// Searches from the roots of the file, along the references that count.
    pub fn find(dump: DumpData<'_>, task: &Task) -> Result<Self, Cancelled> {
        let heap = dump.heap;
        let nothing = ExcludedReferences::default();
        let mut reached = reached(heap, heap.roots.objects(), dump.analysis.rules.min_strength, &nothing, task)?;
        if heap.is_reduced() {
            reached.extend(heap.objects().filter(|&object| heap.is_freed(object)).map(ObjectId::raw));
        }
        Ok(Self { reached, objects: heap.len() })
    }

    /// True if the object is unreachable.
    pub fn contains(&self, object: ObjectId) -> bool {
        object.index() < self.objects && !self.reached.contains(object.raw())
    }

    /// Unreachable objects by class.
    pub fn by_class(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<UnreachableOfClass>, Cancelled> {
        let heap = dump.heap;
        let mut classes = vec![UnreachableOfClass::default(); heap.classes.len()];
        for block in task.blocks(heap.len()) {
            for object in block?.filter_map(ObjectId::new).filter(|&object| self.contains(object)) {
                if let Some(class) = classes.get_mut(heap.class_id(object).index()) {
                    class.objects += 1;
                    class.shallow += heap.shallow(object);
                }
            }
        }
        let group = |object| if self.contains(object) { heap.class_id(object).raw() } else { u32::MAX };
        let retained = dump.analysis.retained_by_group(group, classes.len(), task)?;
        classes.iter_mut().zip(retained).for_each(|(class, retained)| class.retained = retained);
        Ok(classes)
    }
}
