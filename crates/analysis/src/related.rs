//! Objects related to a set of objects, by class, package or class loader: those that the set retains, those that dominate it, those that refer to
//! it and those it refers to. With the retained set under exclusions these are the questions of Eclipse MAT's *Show
//! Retained Set*, *Customized Retained Set*, *Immediate Dominators* and *Show Objects By Class*.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::answers::DumpData;
use crate::cuts::{Cut, excluded_references};
use crate::dominator_tree::{Partition, PartitionBy};
use crate::holders::holders;
use heaplens_base::storage::out_of_memory::room_for;
use heaplens_base::{Bytes, Cancelled, Name, Named, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::{Analysis, ClassId, ExcludedReferences, Heap, ObjectId, Totals, reach::reached};

/// Maximum number of objects listed of a class.
pub const LISTED: usize = 50;

/// Kind of related objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RelatedKind {
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

impl Named for RelatedKind {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::Retained, "retained", "Objects that would be freed if the objects were collected"),
        Name::new(Self::Dominators, "dominators", "Nearest dominators of the objects, outside of them"),
        Name::new(Self::Incoming, "incoming", "Objects that refer to them"),
        Name::new(Self::Outgoing, "outgoing", "Objects they refer to"),
    ];
}

/// Related objects of one class, package or class loader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedGroup {
    /// Grouping criterion.
    pub by: PartitionBy,
    /// Their class, or a class that represents the group; `None` for objects of the set without a single dominator
    /// outside it.
    pub class: Option<ClassId>,
    /// Number of related objects, and their shallow size.
    pub totals: Totals,
    /// Bytes that they retain by the dominator tree, each byte once. `None` for a retained set, which is freed as a whole.
    pub retained: Option<Bytes>,
    /// Number of objects of the set they are related to; `None` for a retained set.
    pub of_set: Option<u64>,
    /// The objects with the largest retained size, at most [`LISTED`].
    pub largest: Vec<ObjectId>,
    /// The classes of a package or loader, largest first; empty if the group is a class.
    pub classes: Vec<Self>,
}

/// Related objects by group, largest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The set: number of shown objects, and their shallow size.
    pub set: Totals,
    /// The groups, by retained size (a retained set: by shallow size), then by name of their class.
    pub rows: Vec<RelatedGroup>,
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
    of: DumpData<'_>,
    objects: &[ObjectId],
    kind: RelatedKind,
    without: &[Cut],
    partition: &Partition,
    task: &Task,
) -> Result<Related, Cancelled> {
    let DumpData { heap, analysis, .. } = of;
    let mut set = Bits::new(heap.len());
    let mut totals = Totals::default();
    task.step("Reading the set", Unit::Objects, objects.len() as u64);
    for (at, &object) in objects.iter().enumerate() {
        task.checkpoint_at(at)?;
        if analysis.is_reachable(object) && set.insert(object.raw()) {
            totals.add(Totals { objects: 1, shallow: heap.shallow(object) });
        }
    }
    let (related, counts) = match kind {
        RelatedKind::Retained => (retained(of, &set, without, task)?, None),
        RelatedKind::Dominators => {
            let (related, counts) = dominators(of, objects, partition, task)?;
            (related, Some(counts))
        }
        RelatedKind::Incoming | RelatedKind::Outgoing => {
            let (related, counts) = neighbours(of, &set, (kind, partition), task)?;
            (related, Some(counts))
        }
    };
    let mut rows = by_group(of, &related, counts.as_ref(), partition, task)?;
    if let Some(&alone) = counts.as_ref().and_then(|counts| counts.get(&None)) {
        let (by, totals, of_set) = (partition.by, Totals::default(), Some(alone));
        let (largest, classes) = (Vec::new(), Vec::new());
        rows.push(RelatedGroup { by, class: None, totals, retained: None, of_set, largest, classes });
    }
    Ok(Related { set: totals, rows })
}

/// Group of a related object: the class that represents it, and the object's own class or `None` for all of the group.
type Group = (ClassId, Option<ClassId>);

/// Number of objects of the set, by group of the objects they are related to; `None`: objects without a dominator.
type Counts = BTreeMap<Option<Group>, u64>;

/// The group of an object, and its class in the group; only the former if the groups are classes.
fn groups_of(heap: &Heap, partition: &Partition, object: ObjectId) -> impl Iterator<Item = Group> {
    let (group, class) = (partition.group_of(heap, object), heap.class_id(object));
    let is_of_classes = partition.by == PartitionBy::Class;
    std::iter::once((group, None)).chain((!is_of_classes).then_some((group, Some(class))))
}

fn retained(of: DumpData<'_>, set: &Bits, without: &[Cut], task: &Task) -> Result<Bits, Cancelled> {
    let DumpData { heap, analysis, .. } = of;
    let weakest = analysis.rules.min_strength;
    let excluded =
        if without.is_empty() { ExcludedReferences::default() } else { excluded_references(of, without, task)? };
    let left = reached(heap, analysis.roots().objects(), weakest, &excluded.and_objects(heap, set), task)?;
    // References that are excluded free other objects too: only those that the set leads to belong to it.
    let below = if without.is_empty() {
        None
    } else {
        let starts: Vec<u32> = set.iter().collect();
        Some(reached(heap, &starts, weakest, &ExcludedReferences::default(), task)?)
    };
    let mut retained = Bits::new(heap.len());
    for object in heap.objects() {
        task.checkpoint_at(object.index())?;
        let row = object.raw();
        if !left.contains(row)
            && analysis.is_reachable(object)
            && below.as_ref().is_none_or(|below| below.contains(row))
        {
            retained.insert(row);
        }
    }
    Ok(retained)
}

fn dominators(
    dump: DumpData<'_>,
    objects: &[ObjectId],
    partition: &Partition,
    task: &Task,
) -> Result<(Bits, Counts), Cancelled> {
    let mut related = Bits::new(dump.heap.len());
    let mut counts = Counts::new();
    for holder in holders(dump, objects, task)?.holders {
        let Some(object) = holder.object else {
            *counts.entry(None).or_default() += holder.objects;
            continue;
        };
        for group in groups_of(dump.heap, partition, object) {
            *counts.entry(Some(group)).or_default() += holder.objects;
        }
        related.insert(object.raw());
    }
    Ok((related, counts))
}

fn neighbours(
    DumpData { heap, contents, analysis, .. }: DumpData<'_>,
    set: &Bits,
    (kind, partition): (RelatedKind, &Partition),
    task: &Task,
) -> Result<(Bits, Counts), Cancelled> {
    let mut related = Bits::new(heap.len());
    let mut counts = Counts::new();
    let mut groups: Vec<Group> = Vec::new();
    for (at, object) in set.iter().filter_map(ObjectId::from_raw).enumerate() {
        task.checkpoint_at(at)?;
        let rows = if kind == RelatedKind::Incoming { analysis.retainers(object) } else { heap.references(object) };
        groups.clear();
        for other in rows.iter().copied().filter_map(ObjectId::from_raw) {
            let is_stored =
                || kind == RelatedKind::Incoming && analysis.is_storage_reference(heap, contents, other, object);
            if other.index() < heap.len() && analysis.is_reachable(other) && !is_stored() {
                related.insert(other.raw());
                groups.extend(groups_of(heap, partition, other));
            }
        }
        groups.sort_unstable();
        groups.dedup();
        groups.iter().for_each(|&group| *counts.entry(Some(group)).or_default() += 1);
    }
    Ok((related, counts))
}

/// Rows of the objects `related`. Retained sizes are those of the dominator tree, for which each group needs its objects
/// as a list.
fn by_group(
    dump: DumpData<'_>,
    related: &Bits,
    counts: Option<&Counts>,
    partition: &Partition,
    task: &Task,
) -> Result<Vec<RelatedGroup>, Cancelled> {
    let heap = dump.heap;
    task.step("Grouping by class", Unit::Objects, heap.len() as u64);
    let (objects, parts) = partitioned(heap, related, partition, task)?;
    let row = |by: PartitionBy, group: Group, members: &[ObjectId]| {
        let each = members.iter().map(|&object| Totals { objects: 1, shallow: heap.shallow(object) });
        let totals = each.fold(Totals::default(), Totals::plus);
        let retained = counts.map(|_| dump.analysis.retained_together(members.iter().copied()));
        let of_set = counts.map(|counts| counts.get(&Some(group)).copied().unwrap_or(0));
        let (class, largest) = (Some(group.1.unwrap_or(group.0)), largest(dump.analysis, members));
        RelatedGroup { by, class, totals, retained, of_set, largest, classes: Vec::new() }
    };
    let mut rows = Vec::new();
    for classes in parts.chunk_by(|(one, _), (other, _)| one.0 == other.0) {
        task.checkpoint()?;
        let (Some((first, begin)), Some((_, end))) = (classes.first(), classes.last()) else { continue };
        let members = objects.get(begin.start..end.end).unwrap_or_default();
        let group = row(partition.by, (first.0, None), members);
        let mut of_group = Vec::new();
        if partition.by != PartitionBy::Class {
            let of_class = |((group, class), range): &(_, Range<usize>)| {
                row(PartitionBy::Class, (*group, Some(*class)), objects.get(range.clone()).unwrap_or_default())
            };
            of_group.extend(classes.iter().map(of_class));
            sort(heap, &mut of_group);
        }
        rows.push(RelatedGroup { classes: of_group, ..group });
    }
    sort(heap, &mut rows);
    Ok(rows)
}

/// Ranges of objects of one group and one class.
type Parts = Vec<((ClassId, ClassId), Range<usize>)>;

/// The objects by group and class, in id order within a class. Linear: a sort of ten million objects takes seconds.
fn partitioned(
    heap: &Heap,
    related: &Bits,
    partition: &Partition,
    task: &Task,
) -> Result<(Vec<ObjectId>, Parts), Cancelled> {
    let mut buckets: FxHashMap<(ClassId, ClassId), u32> = FxHashMap::default();
    let mut sizes: Vec<((ClassId, ClassId), usize)> = Vec::new();
    let mut of: Vec<u32> = room_for(related.count());
    for (at, object) in related.iter().filter_map(ObjectId::from_raw).enumerate() {
        task.checkpoint_at(at)?;
        let key = (partition.group_of(heap, object), heap.class_id(object));
        let bucket = *buckets.entry(key).or_insert_with(|| {
            sizes.push((key, 0));
            sizes.len() as u32 - 1
        });
        sizes[bucket as usize].1 += 1;
        of.push(bucket);
    }
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&bucket| sizes[bucket].0);
    let (mut next, mut parts, mut begin) = (vec![0; sizes.len()], Parts::new(), 0);
    for bucket in order {
        let (key, size) = sizes[bucket];
        next[bucket] = begin;
        parts.push((key, begin..begin + size));
        begin += size;
    }
    let mut objects: Vec<ObjectId> = room_for(of.len());
    // Every place is written below.
    objects.extend(related.iter().filter_map(ObjectId::from_raw));
    for (object, &bucket) in related.iter().filter_map(ObjectId::from_raw).zip(&of) {
        let slot = &mut next[bucket as usize];
        objects[*slot] = object;
        *slot += 1;
    }
    Ok((objects, parts))
}

/// The objects with the largest retained size, at most [`LISTED`]. The size of each is computed once.
fn largest(analysis: &Analysis, members: &[ObjectId]) -> Vec<ObjectId> {
    let mut most: BinaryHeap<(Reverse<Bytes>, ObjectId)> = BinaryHeap::new();
    for &object in members {
        let key = (Reverse(analysis.retained(object)), object);
        if most.len() < LISTED {
            most.push(key);
        } else if most.peek().is_some_and(|least| key < *least) {
            most.pop();
            most.push(key);
        }
    }
    most.into_sorted_vec().into_iter().map(|(_, object)| object).collect()
}

/// Largest first, ties by the name of the class.
fn sort(heap: &Heap, rows: &mut [RelatedGroup]) {
    rows.sort_by_cached_key(|row| {
        let bytes = row.retained.unwrap_or(row.totals.shallow);
        (Reverse(bytes), row.class.map(|class| (heap.classes.get(class).name.clone(), class)))
    });
}
