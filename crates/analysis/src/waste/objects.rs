//! The objects behind a kind of waste, found again when they are asked for: their number may be that of all objects.

use rayon::prelude::*;

use super::{Searched, WasteKind, bits, collection_kind, searched_roles};
use crate::answers::DumpData;
use crate::equal_contents::{ContentsHash, HashedContents, groups};
use crate::rows::joined;
use crate::strings::StringsQuestion;
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::contents::Capacity;
use heaplens_heap::{ObjectId, Role};

/// Objects of a kind of waste in address order, as many as its row counts: of equal values all but the first.
///
/// # Errors
/// When `task` is cancelled.
pub fn waste_objects(dump: DumpData<'_>, kind: WasteKind, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let strings = dump.intermediate(&StringsQuestion, task)?;
    let searched = Searched { dump, strings: &strings };
    let mut objects = match kind {
        WasteKind::DuplicateStrings => strings.redundant(),
        WasteKind::DuplicateArrays => equal_to_others(searched, Role::Other, task)?,
        WasteKind::DuplicateNumbers => equal_to_others(searched, Role::Boxed, task)?,
        WasteKind::ObjectHeaders => passing_objects(searched, task, |_, _| true)?,
        WasteKind::ZeroArrays
        | WasteKind::EmptyCollections
        | WasteKind::SparseCollections
        | WasteKind::UnusedRoom
        | WasteKind::UnusedBuffers => passing_objects(searched, task, |object, role| {
            role.is_some_and(|role| is_of(searched, kind, object, role))
        })?,
    };
    objects.sort_unstable();
    Ok(objects)
}

/// Reachable objects that pass, with the role of their class if it is searched for waste.
fn passing_objects(
    Searched { dump, strings }: Searched<'_>,
    task: &Task,
    passes: impl Fn(ObjectId, Option<Role>) -> bool + Sync,
) -> Result<Vec<ObjectId>, Cancelled> {
    let (heap, analysis) = (dump.heap, dump.analysis);
    task.step("Listing objects", Unit::Objects, heap.len() as u64);
    let roles = searched_roles(dump);
    let blocks = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        let passing = rows.filter_map(ObjectId::new).filter(|&object| {
            let role = roles.get(heap.class_id(object).index()).copied().flatten();
            // Character arrays of strings are counted with the strings.
            let role = role.filter(|&role| role != Role::Other || !strings.is_of_string(object));
            analysis.is_reachable(object) && passes(object, role)
        });
        Ok(passing.collect::<Vec<ObjectId>>())
    });
    joined(blocks)
}

/// True if an object wastes bytes in this way.
fn is_of(Searched { dump, .. }: Searched<'_>, kind: WasteKind, object: ObjectId, role: Role) -> bool {
    let DumpData { heap, contents, .. } = dump;
    let (of, wasted) = match role {
        Role::Collection => {
            let Some(logical) = contents.logical(heap, object, 0..0) else { return false };
            (collection_kind(&logical), logical.unused(heap))
        }
        Role::Buffer => {
            let Some(room) = contents.capacity(heap, object) else { return false };
            (WasteKind::UnusedBuffers, Capacity::unused(room.used, room.capacity, heap.shallow(room.array)))
        }
        Role::Other => {
            let print = contents.fingerprint(heap, object).filter(|print| print.length > 0 && print.zero);
            (WasteKind::ZeroArrays, print.map_or(Bytes(0), |_| heap.shallow(object)))
        }
        Role::Boxed | Role::Text => return false,
    };
    of == kind && wasted > Bytes(0)
}

/// Primitive arrays or boxed values that are equal to an earlier one.
fn equal_to_others(searched: Searched<'_>, role: Role, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let DumpData { heap, contents, .. } = searched.dump;
    let hash_of = |object: ObjectId| match role {
        Role::Boxed => {
            let class = u64::from(heap.class_id(object).raw());
            contents.boxed(heap, object).and_then(bits).map(|value| [class, value])
        }
        _ => contents.fingerprint(heap, object).filter(|print| print.length > 0).map(|print| print.hash),
    };
    let hashed = HashedContents::default();
    let objects = passing_objects(searched, task, |_, of| of == Some(role))?;
    objects.par_chunks(heaplens_base::CHECKPOINT_EVERY).try_for_each(|part| {
        task.checkpoint()?;
        let hashes =
            part.iter().filter_map(|&object| Some(ContentsHash { hash: hash_of(object)?, object, array: object }));
        hashed.add(&hashes.collect::<Vec<_>>());
        Ok(())
    })?;
    joined(hashed.into_parts().map(|part| {
        task.checkpoint()?;
        let redundant =
            groups(&part).flat_map(|group| group.iter().skip(1)).filter(|of| heap.shallow(of.object) > Bytes(0));
        Ok(redundant.map(|of| of.object).collect::<Vec<ObjectId>>())
    }))
}
