//! Wasted memory: a row for every [`WasteKind`], with the objects that waste most. Duplicate strings are an analysis of
//! their own, [`crate::strings`].

use rayon::prelude::*;

use crate::equal_contents::{ContentsHash, HashedContents, groups};
use crate::strings::DuplicateStrings;
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_core::heap::contents::Capacity;
use heaplens_core::heap::{
    Analysis, Class, ClassId, ClassKind, Contents, Heap, LibraryObjects, ObjectId, PrefetchStep, Role, Value,
};
use serde::{Deserialize, Serialize};

/// Number of examples per kind.
const EXAMPLES: usize = 10;
/// Objects ahead of the current one whose records, and whose sizes, are prefetched.
const RECORDS_AHEAD: usize = 16;
const SIZES_AHEAD: usize = 16;

/// A kind of waste.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WasteKind {
    /// Equal strings.
    DuplicateStrings,
    /// Primitive arrays with equal elements.
    DuplicateArrays,
    /// Primitive arrays filled with zeros.
    ZeroArrays,
    /// Capacity of empty collections.
    EmptyCollections,
    /// Unused capacity of collections that use less than a quarter of it.
    SparseCollections,
    /// Unused capacity of other collections.
    UnusedRoom,
    /// Unused capacity of string builders.
    UnusedBuffers,
    /// Boxed values, beyond one for each value.
    DuplicateNumbers,
    /// Object headers.
    ObjectHeaders,
}

impl WasteKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::DuplicateStrings,
        Self::DuplicateArrays,
        Self::ZeroArrays,
        Self::EmptyCollections,
        Self::SparseCollections,
        Self::UnusedRoom,
        Self::UnusedBuffers,
        Self::DuplicateNumbers,
        Self::ObjectHeaders,
    ];

    /// The stable key: `kind` and `name` in JSON and CSV, the pattern of verdicts, and hashed into fingerprints.
    /// These bytes never change, whatever [`WasteKind::title`] says.
    pub fn key(self) -> &'static str {
        self.words().0
    }

    /// The kind of a [key](WasteKind::key).
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// Title for people, in sentence case.
    pub fn title(self) -> &'static str {
        self.words().1
    }

    /// Key and title.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::DuplicateStrings => ("duplicate strings", "Duplicate strings"),
            Self::DuplicateArrays => ("duplicate primitive arrays", "Duplicate primitive arrays"),
            Self::ZeroArrays => ("zero-filled primitive arrays", "Zero-filled primitive arrays"),
            Self::EmptyCollections => ("empty collections", "Empty collections"),
            Self::SparseCollections => ("sparse collections", "Sparse collections"),
            Self::UnusedRoom => ("unused room of other collections", "Unused capacity of other collections"),
            Self::UnusedBuffers => ("unused room of string builders", "Unused capacity of string builders"),
            Self::DuplicateNumbers => ("duplicate boxed values", "Duplicate boxed values"),
            Self::ObjectHeaders => ("object headers", "Object headers"),
        }
    }
}

/// A kind of waste in a heap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WasteRow {
    /// The kind.
    pub kind: WasteKind,
    /// Number of objects that waste memory or are redundant.
    pub objects: u64,
    /// Bytes that could be saved.
    pub wasted: Bytes,
    /// Objects that waste most, in descending order.
    pub examples: Vec<ObjectId>,
}

/// What the search reads.
#[derive(Clone, Copy)]
struct Searched<'a> {
    heap: &'a Heap,
    contents: &'a dyn Contents,
}

/// Waste found in a part of the objects.
#[derive(Default)]
struct Part {
    /// By kind: objects, bytes, and the largest.
    found: [KindTotals; WasteKind::ALL.len()],
}

/// Values of a part that may have duplicates.
#[derive(Default)]
struct Hashes {
    arrays: Vec<ContentsHash>,
    numbers: Vec<ContentsHash>,
}

#[derive(Default)]
struct KindTotals {
    objects: u64,
    wasted: Bytes,
    biggest: Vec<(Bytes, ObjectId)>,
}

impl KindTotals {
    fn add(&mut self, wasted: Bytes, object: ObjectId) {
        if wasted == Bytes(0) {
            return;
        }
        self.objects += 1;
        self.wasted += wasted;
        self.keep(wasted, object);
    }

    fn keep(&mut self, wasted: Bytes, object: ObjectId) {
        let key = |&(wasted, object): &(Bytes, ObjectId)| (std::cmp::Reverse(wasted), object);
        let place = self.biggest.partition_point(|other| key(other) < key(&(wasted, object)));
        if place < EXAMPLES {
            self.biggest.insert(place, (wasted, object));
            self.biggest.truncate(EXAMPLES);
        }
    }

    fn merge(&mut self, other: Self) {
        self.objects += other.objects;
        self.wasted += other.wasted;
        other.biggest.into_iter().for_each(|(wasted, object)| self.keep(wasted, object));
    }
}

impl Part {
    fn add(&mut self, kind: WasteKind, wasted: Bytes, object: ObjectId) {
        if let Some(found) = self.found.get_mut(kind as usize) {
            found.add(wasted, object);
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.found.iter_mut().zip(other.found).for_each(|(all, some)| all.merge(some));
        self
    }

    /// Checks one object.
    fn look(
        &mut self,
        Searched { heap, contents }: Searched<'_>,
        (object, role): (ObjectId, Role),
        hashes: &mut Hashes,
    ) {
        match role {
            Role::Collection => self.collection(heap, contents, object),
            Role::Buffer => {
                if let Some(room) = contents.capacity(heap, object) {
                    let wasted = Capacity::unused(room.used, room.capacity, heap.shallow(room.array));
                    self.add(WasteKind::UnusedBuffers, wasted, object);
                }
            }
            Role::Boxed => {
                let value = contents.boxed(heap, object).and_then(bits);
                let class = u64::from(heap.class_id(object).raw());
                hashes.numbers.extend(value.map(|value| ContentsHash { hash: [class, value], object, array: object }));
            }
            Role::Other => {
                let Some(print) = contents.fingerprint(heap, object).filter(|print| print.length > 0) else { return };
                if print.zero {
                    self.add(WasteKind::ZeroArrays, heap.shallow(object), object);
                }
                hashes.arrays.push(ContentsHash { hash: print.hash, object, array: object });
            }
            Role::Text => {}
        }
    }

    fn collection(&mut self, heap: &Heap, contents: &dyn LibraryObjects, object: ObjectId) {
        let Some(logical) = contents.logical(heap, object, 0..0) else { return };
        let kind = match logical.size {
            0 => WasteKind::EmptyCollections,
            _ if logical.is_sparse() => WasteKind::SparseCollections,
            _ => WasteKind::UnusedRoom,
        };
        self.add(kind, logical.unused(heap), object);
    }

    /// Counts duplicates; the first of each value is not waste.
    fn duplicates(heap: &Heap, kind: WasteKind, of_kind: HashedContents, task: &Task) -> Result<Self, Cancelled> {
        let parts = of_kind.into_parts().map(|part| {
            task.checkpoint()?;
            let mut found = Self::default();
            let again: Vec<ObjectId> = groups(&part).flat_map(|group| group.iter().skip(1)).map(|h| h.object).collect();
            for (at, &object) in again.iter().enumerate() {
                if let Some(soon) = again.get(at + SIZES_AHEAD) {
                    heap.prefetch_shallow(soon.raw());
                }
                found.add(kind, heap.shallow(object), object);
            }
            Ok(found)
        });
        parts.try_reduce(Self::default, |all, some| Ok(all.merge(some)))
    }
}

/// Unique number of a value within its type.
fn bits(value: Value) -> Option<u64> {
    Some(match value {
        Value::Bool(b) => b.into(),
        Value::Char(c) => c.into(),
        Value::Byte(n) => i64::from(n).cast_unsigned(),
        Value::Short(n) => i64::from(n).cast_unsigned(),
        Value::Int(n) => i64::from(n).cast_unsigned(),
        Value::Long(n) => n.cast_unsigned(),
        Value::Float(n) => n.to_bits().into(),
        Value::Double(n) => n.to_bits(),
        Value::Null | Value::Object(_) | Value::Dangling(_) | Value::Unavailable => return None,
    })
}

/// Finds waste of every kind, most wasted bytes first, given the duplicate strings.
pub fn waste(
    heap: &Heap,
    contents: &dyn Contents,
    analysis: &Analysis,
    strings: &DuplicateStrings,
    task: &Task,
) -> Result<Vec<WasteRow>, Cancelled> {
    task.step("Searching for waste", Unit::Objects, heap.len() as u64);
    // The role of the classes to look at.
    let role = |(class, row): (ClassId, &Class)| match contents.role(class) {
        Role::Text => None,
        Role::Other if row.kind != ClassKind::PrimitiveArray => None,
        // A snapshot does not tell the capacity of collections.
        Role::Collection if heap.snapshot().is_some() => None,
        role => Some(role),
    };
    let roles: Vec<Option<Role>> = heap.classes.iter().map(role).collect();
    let column = heap.class_column().slices();
    let searched = Searched { heap, contents };
    let (arrays, numbers) = (HashedContents::default(), HashedContents::default());
    let parts = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        // Classes are read in order, positions in the tree only of objects that matter.
        let meant = rows.filter_map(|row| {
            let role = column.get(row).and_then(|class| roles.get(class as usize).copied().flatten())?;
            let object = ObjectId::new(row)?;
            // Character arrays of strings are counted with the strings.
            let is_of_string = role == Role::Other && strings.is_of_string(object);
            (!is_of_string && analysis.is_reachable(object)).then_some((object, role))
        });
        let meant: Vec<(ObjectId, Role)> = meant.collect();
        let (mut part, mut hashes) = (Part::default(), Hashes::default());
        for (at, &of) in meant.iter().enumerate() {
            if let Some(&(soon, _)) = meant.get(at + RECORDS_AHEAD) {
                contents.prefetch(heap, soon, PrefetchStep::Record);
            }
            part.look(searched, of, &mut hashes);
        }
        arrays.add(&hashes.arrays);
        numbers.add(&hashes.numbers);
        Ok(part)
    });
    let mut all = parts.try_reduce(Part::default, |all, some| Ok(all.merge(some)))?;
    for (kind, of_kind) in [(WasteKind::DuplicateArrays, arrays), (WasteKind::DuplicateNumbers, numbers)] {
        all = all.merge(Part::duplicates(heap, kind, of_kind, task)?);
    }
    let row = |(kind, found): (WasteKind, KindTotals)| WasteRow {
        kind,
        objects: found.objects,
        wasted: found.wasted,
        examples: found.biggest.into_iter().map(|(_, object)| object).collect(),
    };
    let mut found: Vec<WasteRow> = WasteKind::ALL.into_iter().zip(all.found).map(row).collect();
    let (objects, wasted, examples) = strings.surplus();
    found.push(WasteRow { kind: WasteKind::DuplicateStrings, objects, wasted, examples });
    let size = |name: &str| heap.classes.named(name).map(|class| heap.classes.get(class).instance_size);
    if let (Some(empty), Some(number)) = (size("java.lang.Object"), size("java.lang.Integer")) {
        found.push(headers(analysis, empty, number));
    }
    found.retain(|row| row.objects > 0);
    found.sort_by(|a, b| b.wasted.cmp(&a.wasted).then(a.kind.cmp(&b.kind)));
    Ok(found)
}

/// Size of object headers, derived from sizes: an object without fields, or an Integer minus
/// its four bytes, consists of a header only, but both are rounded up.
fn headers(analysis: &Analysis, empty: Bytes, number: Bytes) -> WasteRow {
    let header = empty.0.min(number.0.saturating_sub(4));
    let objects = analysis.shown.objects;
    let wasted = Bytes(header.saturating_mul(objects));
    WasteRow { kind: WasteKind::ObjectHeaders, objects, wasted, examples: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_stable() {
        let keys = [
            "duplicate strings",
            "duplicate primitive arrays",
            "zero-filled primitive arrays",
            "empty collections",
            "sparse collections",
            "unused room of other collections",
            "unused room of string builders",
            "duplicate boxed values",
            "object headers",
        ];
        assert_eq!(WasteKind::ALL.map(WasteKind::key), keys);
        assert!(WasteKind::ALL.into_iter().all(|kind| WasteKind::of_key(kind.key()) == Some(kind)));
        assert_eq!(WasteKind::of_key("Duplicate strings"), None);
    }
}
