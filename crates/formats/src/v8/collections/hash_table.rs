//! Tables of `Map` and `Set`: arrays of V8 with three numbers, the heads of the buckets, and then the entries in the
//! order of insertion, each a key, its value in a map, and the number of the next entry of its bucket
//! (`OrderedHashTable` in V8's source).

use super::super::meta::EdgeKind;
use super::super::reader::SnapshotReader;
use super::slot::Slot;
use heaplens_heap::{LogicalKind, Vacated};

/// Number of elements before the buckets.
const BEFORE: u64 = 3;
/// Number of entries per bucket.
const PER_BUCKET: u64 = 2;
/// Bytes of an element: with and without compressed pointers. An array begins with its map and its length.
const POINTERS: [u64; 2] = [8, 4];

/// Table of a native collection.
#[derive(Clone, Copy)]
pub(super) struct HashTable<'a> {
    reader: SnapshotReader<'a>,
    kind: LogicalKind,
    row: u32,
    /// Index of the first entry.
    first: u64,
}

impl<'a> HashTable<'a> {
    /// Table of an object of a class with that name; `None` if the object is no native collection.
    pub(super) fn of(reader: SnapshotReader<'a>, object: u32, kind: LogicalKind) -> Option<Self> {
        let row = reader.follow(object, EdgeKind::Internal, "table")?;
        let buckets = buckets(reader.node(row)?.size, width(kind))?;
        Some(Self { reader, kind, row, first: BEFORE + buckets })
    }

    pub(super) fn kind(self) -> LogicalKind {
        self.kind
    }

    /// The node of the table.
    pub(super) fn row(self) -> u32 {
        self.row
    }

    /// Its entries, in the order of insertion. Deleted ones have neither key nor value.
    pub(super) fn slots(self) -> impl Iterator<Item = Slot> {
        let mut sides = self.sides().peekable();
        std::iter::from_fn(move || {
            let (at, side, to) = sides.next()?;
            let mut slot = Slot::default();
            slot.put(side, to);
            while let Some((_, side, to)) = sides.next_if(|&(next, ..)| next == at) {
                slot.put(side, to);
            }
            Some(slot)
        })
    }

    /// Places that removed entries left; `None` of an empty table, and of one with a number as a key: entries of two
    /// numbers, which the snapshot leaves out, look like removed ones.
    pub(super) fn vacated(self) -> Option<Vacated> {
        if self.slots().any(|slot| slot.key.is_none()) {
            return None;
        }
        let mut buckets = self.sides().map(|(at, ..)| at);
        let first = buckets.next()?;
        let (entries, last) =
            buckets.fold((1, first), |(entries, last), at| (entries + u64::from(at > last), at.max(last)));
        Some(Vacated { before: first, between: (last - first + 1).saturating_sub(entries) })
    }

    /// The first entry with an object as its key or value.
    pub(super) fn slot_of(self, held: u32) -> Option<Slot> {
        self.slots().find(|slot| [slot.key, slot.value].contains(&Some(held)))
    }

    /// Keys and values: the number of the entry, 0 for a key and 1 for a value, and the object.
    fn sides(self) -> impl Iterator<Item = (u64, u64, u32)> {
        let (first, width) = (self.first, width(self.kind));
        self.reader.edges_from(self.row).filter_map(move |edge| {
            let is_element = matches!(edge.kind, EdgeKind::Internal | EdgeKind::Element);
            let index = is_element.then(|| self.reader.edge_name(&edge).parse::<u64>().ok()).flatten()?;
            let at = index.checked_sub(first)?;
            // The last of each entry is a number.
            (at % width < width - 1).then_some((at / width, at % width, edge.to))
        })
    }
}

/// Number of elements per entry.
fn width(kind: LogicalKind) -> u64 {
    if kind == LogicalKind::Map { 3 } else { 2 }
}

/// Number of buckets of a table of `bytes`, which is a power of two.
fn buckets(bytes: u64, width: u64) -> Option<u64> {
    POINTERS.into_iter().find_map(|pointer| {
        let elements = (bytes / pointer).checked_sub(2 + BEFORE).filter(|_| bytes.is_multiple_of(pointer))?;
        let per_bucket = 1 + PER_BUCKET * width;
        let buckets = elements / per_bucket;
        (elements.is_multiple_of(per_bucket) && buckets.is_power_of_two()).then_some(buckets)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_table_tells_its_buckets() {
        for buckets_made in (1..28).map(|bit| 1_u64 << bit) {
            for (pointer, width) in [(8, 3), (8, 2), (4, 3), (4, 2)] {
                let bytes = pointer * (2 + BEFORE + buckets_made * (1 + PER_BUCKET * width));
                assert_eq!(buckets(bytes, width), Some(buckets_made), "{bytes}");
            }
        }
        assert_eq!((buckets(0, 3), buckets(97, 3), buckets(8 * 20, 3)), (None, None, None));
    }
}
