//! Number of entries of a collection of the list.

use super::super::walks::Page;
use super::object::Listed;
use super::paths::counted;
use heaplens_heap::ObjectId;
use heaplens_heap::collection_list::{EntryShape, FieldRole};

/// Number of entries by the collection's own fields, `None` if it has no such field; adds its arrays to `page`.
pub(in super::super) fn recorded_size(listed: Listed<'_>, page: &mut Page<'_>) -> Option<u64> {
    let mut room = |arrays: Vec<ObjectId>, per_entry| {
        // A collection without arrays may not have allocated them yet: no capacity.
        arrays.into_iter().fold(page.backed_by(None, 1), |_, array| page.backed_by(Some(array), per_entry));
        page.capacity.unwrap_or(0)
    };
    let size = counted(listed.fields, listed.rule.fields.of(FieldRole::Size));
    match listed.rule.shape {
        EntryShape::Array => {
            let room = room(listed.objects(FieldRole::Elements), 1);
            let by_ends = || {
                let start = listed.number(FieldRole::Start).unwrap_or(0);
                let end = listed.number(FieldRole::End)?;
                Some(if end >= start { end - start } else { (end + room).saturating_sub(start) })
            };
            // A size beyond the end of the array is wrong.
            Some(size.or_else(by_ends).map_or(room, |size| size.min(room)))
        }
        EntryShape::Slots => {
            let room = room(listed.slots(), 1);
            // The entry of the key zero may be outside the arrays.
            size.map(|size| size.min(room + u64::from(listed.has_zero())))
        }
        EntryShape::Pairs => {
            room(listed.objects(FieldRole::Table), 2);
            size
        }
        EntryShape::Chains => {
            room(listed.objects(FieldRole::Table), 1);
            size
        }
        EntryShape::Links | EntryShape::Tree | EntryShape::Trie => size,
        EntryShape::Radix => {
            let (start, end) = (listed.number(FieldRole::Start)?, listed.number(FieldRole::End)?);
            Some(end.saturating_sub(start))
        }
        EntryShape::Within => None,
        EntryShape::Own => Some(listed.own_count()),
        EntryShape::Empty => Some(0),
    }
}
