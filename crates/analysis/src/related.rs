//! Objects related to a set of objects, by class: those that the set retains, those that dominate it, those that refer to
//! it and those it refers to. With the retained set under exclusions these are the questions of Eclipse MAT's *Show
//! Retained Set*, *Customized Retained Set*, *Immediate Dominators* and *Show Objects By Class*.

use std::collections::BTreeMap;

use rayon::slice::ParallelSliceMut;

use crate::cuts::{Cut, excluded_references};
use crate::heap_data::HeapData;
use crate::holders::holders;
use heaplens_base::storage::out_of_memory::room_for;
use heaplens_base::{Bytes, Cancelled, Name, Named, Task, Unit};
use heaplens_core::heap::{Analysis, ClassId, ExcludedReferences, Heap, ObjectId, Totals, reach::reached};
use heaplens_graph::Bits;

/// Maximum number of objects listed of a class.
pub const LISTED: usize = 50;

/// How objects are related to the set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They would be freed if the objects of the set were collected.
    #[default]
    Retained,
    /// They are the nearest dominators of objects of the set outside it.
    Dominators,
    /// They refer to objects of the set.
    Incoming,
    /// Objects of the set refer to them.
    Outgoing,
}

impl Named for Relation {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Retained, "retained", "Objects that would be freed if the objects were collected"),
        Name::new(Self::Dominators, "dominators", "Nearest dominators of the objects, outside of them"),
        Name::new(Self::Incoming, "incoming", "Objects that refer to them"),
        Name::new(Self::Outgoing, "outgoing", "Objects they refer to"),
    ];
}

/// Related objects of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedClass {
    /// Their class; `None` for objects of the set without a single dominator outside it.
    pub class: Option<ClassId>,
    /// Number of related objects, and their shallow size.
    pub totals: Totals,
    /// Bytes that they retain by the dominator tree, each byte once. `None` for a retained set, which is freed as a whole.
    pub retained: Option<Bytes>,
    /// Number of objects of the set they are related to; `None` for a retained set.
    pub of_set: Option<u64>,
    /// The objects with the largest retained size, at most [`LISTED`].
    pub largest: Vec<ObjectId>,
}

/// Related objects by class, largest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The set: number of shown objects, and their shallow size.
    pub set: Totals,
    /// The classes, by retained size (a retained set: by shallow size), then by name.
    pub rows: Vec<RelatedClass>,
}

impl Related {
    /// All related objects together.
    pub fn totals(&self) -> Totals {
        self.rows.iter().filter(|row| row.class.is_some()).fold(Totals::default(), |sum, row| sum.plus(row.totals))
    }
}

/// Objects related to `objects`, of which only reachable ones count. `without` excludes references from a retained set:
/// it then has all objects that the set leads to and that nothing else holds without these references.
pub fn related(
    of: HeapData<'_>,
    objects: &[ObjectId],
    relation: Relation,
    without: &[Cut],
    task: &Task,
) -> Result<Related, Cancelled> {
    let HeapData { heap, analysis, .. } = of;
    let mut set = Bits::new(heap.len());
    let mut totals = Totals::default();
    task.step("Reading the set", Unit::Objects, objects.len() as u64);
    for (at, &object) in objects.iter().enumerate() {
        task.checkpoint_at(at)?;
        if analysis.is_reachable(object) && set.insert(object.raw()) {
            totals.add(Totals { objects: 1, shallow: heap.shallow(object) });
        }
    }
    let (found, counts) = match relation {
        Relation::Retained => (retained(of, &set, without, task)?, None),
        Relation::Dominators => {
            let (found, counts) = dominators(heap, analysis, objects, task)?;
            (found, Some(counts))
        }
        Relation::Incoming | Relation::Outgoing => {
            let (found, counts) = neighbours(heap, analysis, &set, relation, task)?;
            (found, Some(counts))
        }
    };
    let mut rows = by_class(heap, analysis, &found, counts.as_ref(), task)?;
    if let Some(&alone) = counts.as_ref().and_then(|counts| counts.get(&None)) {
        let none = Totals::default();
        rows.push(RelatedClass { class: None, totals: none, retained: None, of_set: Some(alone), largest: Vec::new() });
    }
    Ok(Related { set: totals, rows })
}

/// Number of objects of the set, by class of the objects they are related to.
type Counts = BTreeMap<Option<ClassId>, u64>;

fn retained(of: HeapData<'_>, set: &Bits, without: &[Cut], task: &Task) -> Result<Bits, Cancelled> {
    let HeapData { heap, contents, analysis } = of;
    let weakest = analysis.rules.min_strength;
    let excluded = if without.is_empty() {
        ExcludedReferences::default()
    } else {
        excluded_references(heap, contents, analysis, without, task)?
    };
    let left = reached(heap, analysis.roots().objects(), weakest, &excluded.and_objects(heap, set), task)?;
    // References that are excluded free other objects too: only those that the set leads to belong to it.
    let below = if without.is_empty() {
        None
    } else {
        let starts: Vec<u32> = set.iter().collect();
        Some(reached(heap, &starts, weakest, &ExcludedReferences::default(), task)?)
    };
    let mut found = Bits::new(heap.len());
    for object in heap.objects() {
        task.checkpoint_at(object.index())?;
        let row = object.raw();
        if !left.contains(row)
            && analysis.is_reachable(object)
            && below.as_ref().is_none_or(|below| below.contains(row))
        {
            found.insert(row);
        }
    }
    Ok(found)
}

fn dominators(
    heap: &Heap,
    analysis: &Analysis,
    objects: &[ObjectId],
    task: &Task,
) -> Result<(Bits, Counts), Cancelled> {
    let mut found = Bits::new(heap.len());
    let mut counts = Counts::new();
    for holder in holders(heap, analysis, objects, task)?.holders {
        let class = holder.object.map(|object| heap.class_id(object));
        *counts.entry(class).or_default() += holder.objects;
        found.extend(holder.object.map(ObjectId::raw));
    }
    Ok((found, counts))
}

fn neighbours(
    heap: &Heap,
    analysis: &Analysis,
    set: &Bits,
    relation: Relation,
    task: &Task,
) -> Result<(Bits, Counts), Cancelled> {
    let mut found = Bits::new(heap.len());
    let mut counts = Counts::new();
    let mut classes: Vec<ClassId> = Vec::new();
    for (at, object) in set.iter().filter_map(ObjectId::from_raw).enumerate() {
        task.checkpoint_at(at)?;
        let rows = if relation == Relation::Incoming { analysis.retainers(object) } else { heap.references(object) };
        classes.clear();
        for other in rows.iter().copied().filter_map(ObjectId::from_raw) {
            if other.index() < heap.len() && analysis.is_reachable(other) {
                found.insert(other.raw());
                classes.push(heap.class_id(other));
            }
        }
        classes.sort_unstable();
        classes.dedup();
        classes.iter().for_each(|&class| *counts.entry(Some(class)).or_default() += 1);
    }
    Ok((found, counts))
}

/// Rows of the objects `found`. Retained sizes are those of the dominator tree, for which each class needs its objects
/// as a list.
fn by_class(
    heap: &Heap,
    analysis: &Analysis,
    found: &Bits,
    counts: Option<&Counts>,
    task: &Task,
) -> Result<Vec<RelatedClass>, Cancelled> {
    task.step("Grouping by class", Unit::Objects, heap.len() as u64);
    let mut objects: Vec<ObjectId> = room_for(found.count());
    objects.extend(found.iter().filter_map(ObjectId::from_raw));
    objects.par_sort_unstable_by_key(|&object| (heap.class_id(object), object));
    task.checkpoint()?;
    let mut rows = Vec::new();
    for members in objects.chunk_by_mut(|&one, &other| heap.class_id(one) == heap.class_id(other)) {
        task.checkpoint()?;
        let class = members.first().map(|&object| heap.class_id(object));
        let each = members.iter().map(|&object| Totals { objects: 1, shallow: heap.shallow(object) });
        let totals = each.fold(Totals::default(), Totals::plus);
        let retained = counts.map(|_| analysis.retained_together(members.iter().copied()));
        let of_set = counts.map(|counts| counts.get(&class).copied().unwrap_or(0));
        let by_size = |&object: &ObjectId| (std::cmp::Reverse(analysis.retained(object)), object);
        if members.len() > LISTED {
            members.select_nth_unstable_by_key(LISTED, by_size);
        }
        let mut largest: Vec<ObjectId> = members.iter().take(LISTED).copied().collect();
        largest.sort_by_key(by_size);
        rows.push(RelatedClass { class, totals, retained, of_set, largest });
    }
    rows.sort_by_cached_key(|row| {
        let bytes = row.retained.unwrap_or(row.totals.shallow);
        (std::cmp::Reverse(bytes), row.class.map(|class| (heap.classes.get(class).name.clone(), class)))
    });
    Ok(rows)
}
