//! Retained size by owner: the whole heap divided among the fields, threads and classes of the application that hold
//! it. Names have no addresses, so the same owner is found in the next dump of the program.
//!
//! The owner of an object is the *topmost* one of the application above it in the dominator tree, so that the bytes of
//! an owner are what would be freed with it. On the way down from the roots:
//!
//! - a static field, a captured variable of JavaScript, or a field of the only instance of a class: `desk.Cache.ENTRIES`;
//! - a local variable of a thread that runs a method of the application: the thread;
//! - an instance of a class of which there are several: the class, `desk.Order`. No field holds these objects alone.
//!
//! What only the runtime holds has the owner [`NO_OWNER`]. Each object counts once.

use crate::answers::DumpData;
use rustc_hash::FxHashMap;

use super::naming::Namer;
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_graph::TreeStep;
use heaplens_heap::{ClassKind, ObjectId};

/// Owner of the memory that no object of the application dominates.
pub const NO_OWNER: &str = "no owner in the application";

/// What an owner retains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerSize {
    /// Name of the owner, without addresses.
    pub owner: String,
    /// Number of retained objects.
    pub objects: u64,
    /// Their bytes.
    pub bytes: Bytes,
}

/// Retained size of each owner, largest first, then by name. `name` turns the name of an owner into the one that is
/// summed by: what differs from dump to dump can be left out.
pub fn retained_by_owner(
    namer: Namer<'_>,
    name: impl Fn(&str) -> String,
    task: &Task,
) -> Result<Vec<OwnerSize>, Cancelled> {
    task.step("Summing memory by owner", Unit::Objects, namer.analysis.shown.objects);
    let mut sums = OwnerSums::default();
    let none = sums.number(NO_OWNER.to_owned());
    // From the root down: each object, and the owner of all below it.
    let mut line: Vec<(Option<ObjectId>, Option<usize>)> = Vec::new();
    for (at, step) in namer.analysis.tree_steps().enumerate() {
        task.checkpoint_at(at)?;
        let TreeStep::Into(row) = step else {
            line.pop();
            continue;
        };
        let Some(object) = ObjectId::from_raw(row) else {
            line.push((None, None));
            continue;
        };
        let (owner, of_all_below) = match line.last() {
            Some(&(_, Some(owner))) => (Some(owner), true),
            above => {
                let above = above.and_then(|&(above, _)| above);
                let (text, of_all_below) = first_owner(namer, above, object);
                (text.map(|text| sums.number(name(&text))), of_all_below)
            }
        };
        sums.add(owner.unwrap_or(none), namer.heap.shallow(object));
        line.push((Some(object), owner.filter(|_| of_all_below)));
    }
    Ok(sums.sorted())
}

/// The owner of an object that has none above `above`, and whether it is that of all below the object, too.
fn first_owner(namer: Namer<'_>, above: Option<ObjectId>, object: ObjectId) -> (Option<String>, bool) {
    let Namer { dump: DumpData { heap, analysis, .. }, index } = namer;
    let class = heap.class_id(object);
    let is_application = heap.class(object).kind == ClassKind::Plain && !index.is_runtime(class);
    match heap.classes.of_object(object) {
        // Its static fields are owners.
        Some(class) => return ((!index.is_runtime(class)).then(|| index.class(heap, class)), false),
        // So are the fields of an only instance.
        None if is_application && analysis.class_totals(class).objects <= 1 => {
            return (Some(index.class(heap, class)), false);
        }
        None => {}
    }
    let held = above.and_then(|above| namer.holds_directly_as_owner(above, object));
    match held {
        Some(owner) => (Some(owner), true),
        None if is_application => (Some(index.class(heap, class)), true),
        None => (None, false),
    }
}

/// Sums by name.
#[derive(Default)]
struct OwnerSums {
    numbers: FxHashMap<String, usize>,
    sums: Vec<(u64, Bytes)>,
}

impl OwnerSums {
    /// Number of an owner.
    fn number(&mut self, owner: String) -> usize {
        let next = self.sums.len();
        let number = *self.numbers.entry(owner).or_insert(next);
        if number == next {
            self.sums.push((0, Bytes(0)));
        }
        number
    }

    fn add(&mut self, owner: usize, bytes: Bytes) {
        if let Some((objects, sum)) = self.sums.get_mut(owner) {
            *objects += 1;
            *sum += bytes;
        }
    }

    fn sorted(self) -> Vec<OwnerSize> {
        let sums = self.sums;
        let size = |(owner, number): (String, usize)| {
            let (objects, bytes) = sums.get(number).copied().unwrap_or_default();
            OwnerSize { owner, objects, bytes }
        };
        let mut sizes: Vec<OwnerSize> = self.numbers.into_iter().map(size).filter(|size| size.objects > 0).collect();
        sizes.sort_unstable_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.owner.cmp(&b.owner)));
        sizes
    }
}
