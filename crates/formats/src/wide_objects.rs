//! References of wide objects by their target. Names of the elements of a long array, or of the fields of a class with
//! thousands, are asked one after the other; each would read all references of the object.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Objects with fewer references are read each time.
pub(super) const WIDE: usize = 512;
/// Number of questions about an object before its references are sorted.
const QUESTIONS: u32 = 8;
/// Maximum number of objects remembered, and of the references of several in all, at eight bytes each.
const OBJECTS: usize = 64;
const REFERENCES: usize = 8 << 20;
/// Objects with more references are read each time: sorted, they would take gigabytes.
const MOST: usize = 4 * REFERENCES;

/// Wide objects that were asked about last, the latest at the end.
#[derive(Default)]
pub(super) struct WideObjects {
    objects: Mutex<Vec<WideObject>>,
}

struct WideObject {
    row: u32,
    questions: u32,
    references: Arc<OnceLock<Arc<SortedReferences>>>,
}

/// Row of the target of each reference, and its place among the references of its object; ascending.
pub(super) struct SortedReferences(Box<[(u32, u32)]>);

impl SortedReferences {
    /// Places of the references to a row, ascending. Read one by one: a caller wants few of many.
    pub(super) fn indexes(self: Arc<Self>, to: u32) -> impl Iterator<Item = u32> {
        let begin = self.0.partition_point(|&(target, _)| target < to);
        (begin..).map_while(move |at| self.0.get(at).filter(|(target, _)| *target == to).map(|&(_, index)| index))
    }
}

impl WideObjects {
    /// The references of the object of a row, sorted; `read` has the target and place of each. `None` if the object has
    /// so few references, or was asked about so few times, that reading them is as fast.
    pub(super) fn sorted(
        &self,
        row: u32,
        references: usize,
        read: impl FnOnce() -> Vec<(u32, u32)>,
    ) -> Option<Arc<SortedReferences>> {
        if !(WIDE..=MOST).contains(&references) {
            return None;
        }
        let object = self.asked_often(row)?;
        // Outside the lock: others may ask about other objects meanwhile.
        let sorted = object.get_or_init(|| {
            let mut references = read();
            references.sort_unstable();
            Arc::new(SortedReferences(references.into()))
        });
        Some(Arc::clone(sorted))
    }

    /// Counts a question about an object; its references if there were many. Those that were asked about longest ago
    /// are forgotten.
    fn asked_often(&self, row: u32) -> Option<Arc<OnceLock<Arc<SortedReferences>>>> {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        let known = objects.iter().position(|object| object.row == row).map(|at| objects.remove(at));
        let mut wide = known.unwrap_or(WideObject { row, questions: 0, references: Arc::default() });
        wide.questions = wide.questions.saturating_add(1);
        let references = (wide.questions > QUESTIONS).then(|| Arc::clone(&wide.references));
        objects.push(wide);
        let of = |object: &WideObject| object.references.get().map_or(0, |sorted| sorted.0.len());
        while objects.len() > OBJECTS || (objects.len() > 1 && objects.iter().map(of).sum::<usize>() > REFERENCES) {
            objects.remove(0);
        }
        references
    }
}
