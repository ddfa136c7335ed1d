//! Matches objects by engine ids: an id identifies one object as long as the process runs. If two heaps are of
//! one process, objects without a match exist in one heap only, unless their ids are those of a snapshot: these are left
//! to the other criteria.

use rayon::prelude::*;

use crate::answers::DumpData;
use crate::diff::matches::{ALONE, MatchMethod, Matches};
use crate::diff::{HeapSide, Pair, kinds::ComparedClasses};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::NONE;
use heaplens_heap::{IdLifetime, IdStyle, ObjectId};

/// Ratio of common ids to those with different classes in heaps of one process, and of strings to different ones. An
/// object may change its class, but two runs of one program number their first objects alike, too.
const PER_DIFFERENT: u64 = 20;
/// Number of strings with a common id that are compared. Strings never change.
const STRINGS: usize = 1 << 12;

/// Matches by id; `None` if the heaps have no ids or are of different processes.
pub(super) fn by_numbers(pair: Pair<'_>, task: &Task) -> Result<Option<Matches>, Cancelled> {
    if [pair.before, pair.after].iter().any(|side| side.heap.origin.ids != IdStyle::Number) {
        return Ok(None);
    }
    task.step("Matching by object id", Unit::Objects, pair.after.heap.len() as u64);
    let (before, after) = rayon::join(|| pair.before.heap.ids_in_order(), || pair.after.heap.ids_in_order());
    task.checkpoint()?;
    let kinds = ComparedClasses::new(pair, task)?;
    let (old, new) = (pair.before.heap.len(), pair.after.heap.len());
    let mut matches = Matches {
        kinds,
        of_before: vec![NONE; old],
        of_after: vec![NONE; new],
        methods_before: vec![ALONE; old],
        methods_after: vec![ALONE; new],
    };
    let (mut others, mut equal, mut common) = (after.chunk_by(|a, b| a.0 == b.0).peekable(), 0_u64, 0_u64);
    for (at, same) in before.chunk_by(|a, b| a.0 == b.0).enumerate() {
        task.checkpoint_at(at)?;
        while others.next_if(|other| other[0].0 < same[0].0).is_some() {}
        let Some(other) = others.next_if(|other| other[0].0 == same[0].0) else { continue };
        let ([(_, one)], [(_, other)]) = (same, other) else {
            // An id shared by several objects is useless.
            same.iter().for_each(|&(_, row)| matches.methods_before[row as usize] = 0);
            other.iter().for_each(|&(_, row)| matches.methods_after[row as usize] = 0);
            continue;
        };
        common += 1;
        let (Some(one), Some(other)) = (ObjectId::from_raw(*one), ObjectId::from_raw(*other)) else { continue };
        let kind = matches.kinds.of_object_before(pair.before.heap, one);
        if kind != matches.kinds.of_object_after(pair.after.heap, other) {
            continue;
        }
        equal += 1;
        matches.of_before[one.index()] = other.raw();
        matches.of_after[other.index()] = one.raw();
        matches.methods_before[one.index()] = MatchMethod::Id as u8;
        matches.methods_after[other.index()] = MatchMethod::Id as u8;
    }
    let is_one_process = common > 0 && (common - equal) * PER_DIFFERENT <= common && has_same_strings(pair, &matches);
    if !is_one_process {
        return Ok(None);
    }
    open_ids_of_snapshots(pair, &mut matches, task)?;
    Ok(Some(matches))
}

/// True if few of the matched strings differ.
fn has_same_strings(pair: Pair<'_>, matches: &Matches) -> bool {
    let heap = pair.after.heap;
    let has_texts: Vec<bool> =
        heap.classes.iter().map(|(class, _)| pair.after.contents.value_kind(class).is_some()).collect();
    let strings: Vec<ObjectId> = heap
        .objects()
        .filter(|&object| matches.before(object).is_some())
        .filter(|&object| has_texts.get(heap.class_id(object).index()) == Some(&true))
        .collect();
    let digest = |side: DumpData<'_>, object| side.contents.digest(side.heap, object);
    let compared = strings.par_iter().step_by(strings.len().div_ceil(STRINGS).max(1)).filter_map(|&after| {
        let (one, other) = (digest(pair.before, matches.before(after)?)?, digest(pair.after, after)?);
        Some((1_u64, u64::from(one != other)))
    });
    let (compared, different) = compared.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    different * PER_DIFFERENT <= compared
}

/// Leaves unmatched objects open whose ids prove nothing.
fn open_ids_of_snapshots(pair: Pair<'_>, matches: &mut Matches, task: &Task) -> Result<(), Cancelled> {
    let (before, after) = (pair.before, pair.after);
    let before = lifetimes(before, &matches.methods_before, task)?;
    let after = lifetimes(after, &matches.methods_after, task)?;
    if before.is_empty() && after.is_empty() {
        return Ok(());
    }
    let mut known = vec![0_u64; matches.kinds.all().len()];
    let mut unmatched = vec![[0_u64; 2]; known.len()];
    let of = |which, row| matches.kinds.of_object(which, pair.side(which).heap, row).0 as usize;
    for object in pair.after.heap.objects().filter(|&object| matches.before(object).is_some()) {
        known.get_mut(of(HeapSide::After, object)).into_iter().for_each(|count| *count += 1);
    }
    for (which, objects) in [(HeapSide::Before, &before), (HeapSide::After, &after)] {
        for &(object, _) in objects {
            let counts = unmatched.get_mut(of(which, object)).into_iter();
            counts.for_each(|counts| counts[usize::from(which == HeapSide::After)] += 1);
        }
    }
    // If the ids of a class last, most of its objects have been matched.
    let is_open = |which, &(object, lifetime): &(ObjectId, IdLifetime)| {
        let kind = of(which, object);
        let lasts =
            known.get(kind).zip(unmatched.get(kind)).is_some_and(|(&known, [one, other])| known >= *one.min(other));
        (lifetime == IdLifetime::Snapshot || !lasts).then_some(object)
    };
    let open = |which, objects: &[(ObjectId, IdLifetime)]| -> Vec<ObjectId> {
        objects.iter().filter_map(|object| is_open(which, object)).collect()
    };
    let (before, after) = (open(HeapSide::Before, &before), open(HeapSide::After, &after));
    before.into_iter().for_each(|object| matches.methods_before[object.index()] = 0);
    after.into_iter().for_each(|object| matches.methods_after[object.index()] = 0);
    Ok(())
}

/// Unmatched objects with ids that may be those of one snapshot.
fn lifetimes(side: DumpData<'_>, methods: &[u8], task: &Task) -> Result<Vec<(ObjectId, IdLifetime)>, Cancelled> {
    let blocks = methods.par_chunks(CHECKPOINT_EVERY).with_max_len(1).enumerate().map(|(block, methods)| {
        task.checkpoint()?;
        let unmatched = (block * CHECKPOINT_EVERY..).zip(methods).filter(|&(_, &methods)| methods == ALONE);
        let lifetime = |object| Some((object, side.contents.id_lifetime(side.heap, object)));
        let objects = unmatched.filter_map(|(row, _)| lifetime(ObjectId::new(row)?));
        Ok(objects.filter(|&(_, lifetime)| lifetime != IdLifetime::Object).collect())
    });
    Ok(blocks.collect::<Result<Vec<Vec<_>>, Cancelled>>()?.concat())
}
