//! Owners of the objects of each class: `Order.name` has 62 % of all `byte[]`.
//!
//! The owner of an object is the nearest member of the source that holds it, however deep in a structure of the runtime the
//! object is, as [`Namer::owner`](crate::naming::Namer::owner) names it: of the array of a string that is a key of a map,
//! the field that has the map. On the way down the dominator tree, an owner begins at
//!
//! - a field of an object or a class of the application, or a captured variable;
//! - where no such is above, a member of a library;
//! - else the method with a local variable, the thread, or the class with a constant that holds the object.
//!
//! An object that several hold has the owner of the nearest along its shortest path. What nothing in the source names has
//! an owner without a name. Every live object counts once: the owners of a class add up to its objects and bytes.

use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::answer_file::AnswerFile;
use crate::answers::{DumpData, Question};
use crate::naming::Namer;
use crate::structure::{OwnerKind, OwnerRules, OwnerStart, OwnerStep, OwnerSteps};
use heaplens_base::storage::out_of_memory::room_for;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::{NONE, TreeStep};
use heaplens_heap::{ClassId, Heap, ObjectId};
use serde::{Deserialize, Serialize};

/// In the column of steps: the owner of the object above, and none.
const ABOVE: u32 = u32::MAX;
const NOTHING: u32 = u32::MAX - 1;

/// Words for the owner of objects that nothing in the source names.
pub const NO_OWNER: &str = "no owner in the source";

/// What limits the owners of a dump; `None` for most dumps.
pub fn limit(heap: &Heap) -> Option<&'static str> {
    (!heap.origin.format.names_fields()).then_some("owners are classes: the dump does not name fields")
}

/// An owner of objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassOwner {
    /// The name to show: `OrderCache.entries`. `None` for what nothing in the source names.
    pub name: Option<String>,
    /// The same with packages.
    pub qualified: Option<String>,
    /// The largest object that the member holds, such as the map.
    pub object: Option<ObjectId>,
}

/// The objects of a class that one owner has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnedObjects {
    /// The class.
    pub class: ClassId,
    /// The owner, for [`ClassOwners::owner`].
    pub owner: u32,
    /// Number of objects.
    pub objects: u64,
    /// Their shallow size.
    pub bytes: Bytes,
}

/// Owners of the objects of all classes.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassOwners {
    owners: Vec<ClassOwner>,
    /// By class; of a class, most bytes first, then most objects, then by name.
    rows: Vec<OwnedObjects>,
}

impl ClassOwners {
    /// Owners of the objects of a class, most bytes first.
    pub fn of(&self, class: ClassId) -> &[OwnedObjects] {
        let start = self.rows.partition_point(|row| row.class < class);
        let rows = self.rows.get(start..).unwrap_or_default();
        rows.get(..rows.partition_point(|row| row.class == class)).unwrap_or_default()
    }

    /// Owners of the objects of all classes, by class.
    pub fn rows(&self) -> &[OwnedObjects] {
        &self.rows
    }

    /// The owner of a row.
    pub fn owner(&self, row: &OwnedObjects) -> Option<&ClassOwner> {
        self.owners.get(row.owner as usize)
    }
}

/// Who owns the objects of each class?
#[derive(Clone, PartialEq, Eq)]
pub struct ClassOwnersQuestion;

impl Question for ClassOwnersQuestion {
    type Answer = ClassOwners;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<ClassOwners, Cancelled> {
        class_owners(dump.namer(task)?, task)
    }

    fn file(&self) -> Option<AnswerFile<ClassOwners>> {
        Some(AnswerFile::packed("owners by class", &()))
    }

    fn bytes(owners: &ClassOwners) -> usize {
        owners.rows.len() * size_of::<OwnedObjects>() + owners.owners.len() * 4 * size_of::<ClassOwner>()
    }
}

/// Owners of the live objects of each class.
///
/// # Errors
/// When `task` is cancelled.
pub fn class_owners(namer: Namer<'_>, task: &Task) -> Result<ClassOwners, Cancelled> {
    // By row, the dominator of the object, then what the step down from it says, then its owner.
    let mut column = dominators(namer, task)?;
    let starts = steps(namer, &mut column, task)?;
    owners_of_objects(namer, &mut column, &starts, task)?;
    let sums = sums(namer, &column, task)?;
    Ok(gathered(&starts, sums))
}

/// The owner of one object by the same rules, with its package: from the object up its dominators. `None` if nothing in the
/// source names it. Of many objects [`class_owners`] is far faster.
///
/// # Errors
/// When `task` is cancelled.
pub fn owner_of(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
    let rules = OwnerRules::new(namer, task)?;
    let mut best: Option<OwnerStart> = None;
    let mut next = Some(object);
    while let Some(at) = next {
        task.checkpoint()?;
        next = namer.analysis.immediate_dominator(at);
        let mut steps = OwnerSteps::new(&rules);
        let start = match steps.step(next, at, task)? {
            OwnerStep::Start(_) => steps.starts.pop(),
            OwnerStep::Above => continue,
            OwnerStep::Nothing => None,
        };
        let Some(start) = start else { break };
        let is_last = start.is_last;
        if best.as_ref().is_none_or(|best| start.kind < best.kind || (start.kind == best.kind && best.is_weak)) {
            best = Some(start);
        }
        if is_last {
            break;
        }
    }
    Ok(best.map(|start| start.name.qualified_text()))
}

/// Objects and bytes of a class and an owner.
type Sums = FxHashMap<(ClassId, u32), (u64, Bytes)>;

/// All owners, each once.
#[derive(Default)]
struct Starts {
    all: Vec<OwnerStart>,
    /// By name and kind.
    numbers: FxHashMap<(String, OwnerKind, bool, bool), u32>,
}

impl Starts {
    fn number(&mut self, start: OwnerStart) -> u32 {
        let key = (start.name.key(), start.kind, start.is_weak, start.is_last);
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        match self.all.get_mut(number as usize) {
            Some(known) => {
                known.hold(start.object, start.retained);
                known.prefer(start.name);
            }
            None => self.all.push(start),
        }
        number
    }
}

/// By row, the row of the immediate dominator; [`NONE`] of objects without one.
fn dominators(namer: Namer<'_>, task: &Task) -> Result<Vec<u32>, Cancelled> {
    task.step("Reading the dominator tree", Unit::Objects, namer.analysis.shown.objects);
    let mut dominators: Vec<u32> = room_for(namer.heap.len());
    dominators.resize(namer.heap.len(), NONE);
    down(namer, NONE, task, |row, above| {
        dominators.get_mut(row as usize).into_iter().for_each(|dominator| *dominator = above);
        row
    })?;
    Ok(dominators)
}

/// Walks down the dominator tree: `below` makes what each object has of what the one above has, the first of `top`.
fn down(namer: Namer<'_>, top: u32, task: &Task, mut below: impl FnMut(u32, u32) -> u32) -> Result<(), Cancelled> {
    let mut line: Vec<u32> = Vec::new();
    for (at, step) in namer.analysis.tree_steps().enumerate() {
        task.checkpoint_at(at)?;
        match step {
            TreeStep::Into(row) => line.push(below(row, line.last().copied().unwrap_or(top))),
            TreeStep::OutOf => drop(line.pop()),
        }
    }
    Ok(())
}

/// Replaces the dominator of each object by the step down from it. The owners that begin at steps.
fn steps(namer: Namer<'_>, column: &mut [u32], task: &Task) -> Result<Vec<OwnerStart>, Cancelled> {
    let rules = OwnerRules::new(namer, task)?;
    task.step("Looking for owners", Unit::Objects, column.len() as u64);
    let starts = Mutex::new(Starts::default());
    let blocks = column.par_chunks_mut(CHECKPOINT_EVERY).enumerate().with_max_len(1);
    blocks.try_for_each(|(block, steps)| {
        task.advance_checked(steps.len() as u64)?;
        let mut of_block = OwnerSteps::new(&rules);
        let rows = block * CHECKPOINT_EVERY..;
        for (row, step) in rows.zip(steps.iter_mut()) {
            let Some(object) = ObjectId::new(row).filter(|&object| namer.analysis.is_reachable(object)) else {
                *step = NOTHING;
                continue;
            };
            *step = match of_block.step(ObjectId::from_raw(*step), object, task)? {
                OwnerStep::Start(start) => start,
                OwnerStep::Above => ABOVE,
                OwnerStep::Nothing => NOTHING,
            };
        }
        let mut starts = starts.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers: Vec<u32> = of_block.starts.into_iter().map(|start| starts.number(start)).collect();
        for step in steps {
            *step = numbers.get(*step as usize).copied().unwrap_or(*step);
        }
        Ok(())
    })?;
    Ok(starts.into_inner().unwrap_or_else(PoisonError::into_inner).all)
}

/// Replaces the step down to each object by its owner.
fn owners_of_objects(
    namer: Namer<'_>,
    column: &mut [u32],
    starts: &[OwnerStart],
    task: &Task,
) -> Result<(), Cancelled> {
    down(namer, NOTHING, task, |row, above| match column.get_mut(row as usize) {
        Some(step) => {
            *step = nearest(starts, *step, above);
            *step
        }
        None => above,
    })
}

/// The owner of an object, by the step down to it and the owner of the object above.
fn nearest(starts: &[OwnerStart], step: u32, above: u32) -> u32 {
    let start = |number: u32| starts.get(number as usize);
    match (start(step), start(above)) {
        _ if step == ABOVE => above,
        (Some(own), Some(other)) if !own.is_last => {
            let is_better = other.kind < own.kind || (other.kind == own.kind && own.is_weak);
            if is_better { above } else { step }
        }
        _ => step,
    }
}

/// Objects and bytes by class and owner.
fn sums(namer: Namer<'_>, owner_of: &[u32], task: &Task) -> Result<Sums, Cancelled> {
    let heap = namer.heap;
    let blocks = task.par_blocks(heap.len()).map(|rows| {
        let mut sums = Sums::default();
        for row in rows? {
            let owner = owner_of.get(row).copied().unwrap_or(NOTHING);
            let Some(object) = ObjectId::new(row).filter(|&object| namer.analysis.is_reachable(object)) else {
                continue;
            };
            let (objects, bytes) = sums.entry((heap.class_id(object), owner)).or_default();
            *objects += 1;
            *bytes += heap.shallow(object);
        }
        Ok(sums)
    });
    blocks.try_reduce(Sums::default, |all, some| Ok(added(all, some.into_iter())))
}

/// Sums with others added to them, in any order.
fn added(mut sums: Sums, more: impl Iterator<Item = ((ClassId, u32), (u64, Bytes))>) -> Sums {
    more.for_each(|(key, (objects, bytes))| {
        let sum = sums.entry(key).or_default();
        sum.0 += objects;
        sum.1 += bytes;
    });
    sums
}

/// The answer: owners of one name are one, in the order of their names.
fn gathered(starts: &[OwnerStart], sums: Sums) -> ClassOwners {
    let mut by_name: Vec<(String, u32)> = (0..).zip(starts).map(|(at, start)| (start.name.key(), at)).collect();
    by_name.sort_unstable();
    // First what nothing names.
    let mut owners = vec![ClassOwner { name: None, qualified: None, object: None }];
    let mut numbers = vec![0; starts.len()];
    for same in by_name.chunk_by(|one, next| one.0 == next.0) {
        let Some(first) = same.first().and_then(|&(_, at)| starts.get(at as usize)) else { continue };
        let mut largest = first.clone();
        for &(_, at) in same {
            numbers.get_mut(at as usize).into_iter().for_each(|number| *number = owners.len() as u32);
            if let Some(start) = starts.get(at as usize) {
                largest.hold(start.object, start.retained);
                largest.prefer(start.name.clone());
            }
        }
        let (name, qualified) = (Some(largest.name.to_string()), Some(largest.name.qualified_text()));
        owners.push(ClassOwner { name, qualified, object: Some(largest.object) });
    }
    let owner_of = |start: u32| numbers.get(start as usize).copied().unwrap_or(0);
    let of_owners =
        added(Sums::default(), sums.into_iter().map(|((class, start), sum)| ((class, owner_of(start)), sum)));
    let row = |((class, owner), (objects, bytes))| OwnedObjects { class, owner, objects, bytes };
    let mut rows: Vec<OwnedObjects> = of_owners.into_iter().map(row).collect();
    rows.sort_unstable_by_key(|row| (row.class, Reverse((row.bytes, row.objects)), row.owner));
    ClassOwners { owners, rows }
}
